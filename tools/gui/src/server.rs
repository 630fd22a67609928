//! The HTTP server and its routes.

use std::sync::Arc;

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::arguments::{EngineChoice, ListenAddress};
use crate::budget::{Amounts, Budget};
use crate::token::Token;
use crate::{assets, connections, origin_check, tab};

/// Tabs that may be open at a time.
const MAX_TABS: usize = 32;
/// The longest message accepted from a page, in bytes: room for a game of thousands of moves.
const MAX_MESSAGE: usize = 64 << 10;

/// What the engines of all tabs may use together.
const BUDGET: Amounts = Amounts { engines: 48, memory: 8192, threads: 128 };

/// State shared by all tabs.
#[derive(Clone)]
struct AppState {
    engines: Arc<[EngineChoice]>,
    tab_permits: Arc<Semaphore>,
    budget: Arc<Budget>,
    share: Option<Arc<str>>,
    timeouts: tab::Timeouts,
}

/// Binds the listening socket.
pub async fn listen(listen: ListenAddress) -> Result<TcpListener> {
    let (ListenAddress::Fixed(address) | ListenAddress::Preferred(address)) = listen;
    match TcpListener::bind(address).await {
        Err(_) if matches!(listen, ListenAddress::Preferred(_)) => {
            TcpListener::bind((address.ip(), 0)).await.context("no free port")
        }
        result => result.with_context(|| format!("cannot listen on {address}")),
    }
}

/// The web board.
pub struct Server {
    /// The secret part of the page's address.
    pub token: Token,
    /// The engines that a page may start.
    pub engines: Vec<EngineChoice>,
    /// Host names accepted from browsers, besides localhost and IP addresses.
    pub hosts: Vec<String>,
    /// What links to games begin with, if not with the page's address.
    pub share: Option<String>,
    /// What clients may use.
    pub limits: Limits,
}

/// What clients may use, and how long they may be silent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The limits of connections.
    pub connections: connections::Limits,
    /// The time limits of pages.
    pub pages: tab::Timeouts,
}

impl Server {
    /// Serves the page and its engines, at an address that contains the token, until Ctrl-C or SIGTERM.
    pub async fn run(self, listener: TcpListener) -> Result<()> {
        let Server { token, engines, hosts, share, limits } = self;
        let tab_permits = Arc::new(Semaphore::new(MAX_TABS));
        let state = AppState {
            engines: engines.into(),
            tab_permits,
            budget: Budget::new(BUDGET),
            share: share.map(Arc::from),
            timeouts: limits.pages,
        };
        let hosts: Arc<[String]> = hosts.into();
        let app = Router::new()
            .route(&format!("/{token}/"), get(assets::index))
            .route(&format!("/{token}/engines"), get(open_tab))
            .route(&format!("/{token}/{{*path}}"), get(assets::file))
            .route_layer(middleware::from_fn(connections::know))
            .fallback(async || {
                (StatusCode::NOT_FOUND, "Open the address that ratlla-gui has printed\n")
            })
            .layer(middleware::from_fn_with_state(hosts, origin_check::check))
            .with_state(state);
        tokio::select! {
            never = connections::serve(listener, app, limits.connections) => match never {},
            result = tokio::signal::ctrl_c() => Ok(result?),
            result = terminated() => Ok(result?),
        }
    }
}

/// Waits for SIGTERM, where there are signals.
async fn terminated() -> std::io::Result<()> {
    #[cfg(unix)]
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?.recv().await;
    #[cfg(not(unix))]
    std::future::pending::<()>().await;
    Ok(())
}

/// Connects a page to engines of its own.
async fn open_tab(
    State(state): State<AppState>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
    _request: Request,
) -> Response {
    if !origin_check::has_origin(&headers) {
        return (StatusCode::FORBIDDEN, "Request without an origin refused\n").into_response();
    }
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let Ok(permit) = state.tab_permits.try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many open tabs\n").into_response();
    };
    upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE).on_upgrade(
        async move |socket| {
            tab::serve(
                socket,
                &state.engines,
                &state.budget,
                state.share.as_deref(),
                state.timeouts,
            )
            .await;
            drop(permit);
        },
    )
}

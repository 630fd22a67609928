//! The server: which requests there are, and what answers them.

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

use crate::options::{Choice, Place};
use crate::{assets, guard, tab};

/// So many tabs may be open at a time.
const MOST_TABS: usize = 32;
/// No message of a page is longer, in bytes: a game of thousands of moves.
const LONGEST_MESSAGE: usize = 64 << 10;

/// What all tabs share.
#[derive(Clone)]
struct House {
    engines: Arc<[Choice]>,
    places: Arc<Semaphore>,
}

/// Begins to listen.
pub async fn listen(place: Place) -> Result<TcpListener> {
    let (Place::At(address) | Place::Near(address)) = place;
    match TcpListener::bind(address).await {
        Err(_) if matches!(place, Place::Near(_)) => {
            let free = (address.ip(), 0);
            TcpListener::bind(free).await.context("no port is free")
        }
        result => result.with_context(|| format!("cannot listen at {address}")),
    }
}

/// Serves the page and its engines until Ctrl-C, or until the system asks for the end.
pub async fn serve(listener: TcpListener, engines: Vec<Choice>, hosts: Vec<String>) -> Result<()> {
    let house = House { engines: engines.into(), places: Arc::new(Semaphore::new(MOST_TABS)) };
    let hosts: Arc<[String]> = hosts.into();
    let app = Router::new()
        .route("/", get(assets::index))
        .route("/engines", get(open_tab))
        .route("/{*path}", get(assets::file))
        .layer(middleware::from_fn_with_state(hosts, guard::check))
        .with_state(house);
    tokio::select! {
        result = axum::serve(listener, app) => Ok(result?),
        result = tokio::signal::ctrl_c() => Ok(result?),
        result = asked_to_end() => Ok(result?),
    }
}

/// Waits for the signal that a system sends to programs that are to end.
async fn asked_to_end() -> std::io::Result<()> {
    #[cfg(unix)]
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?.recv().await;
    #[cfg(not(unix))]
    std::future::pending::<()>().await;
    Ok(())
}

/// Joins a page to engines of its own.
async fn open_tab(
    State(house): State<House>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
    _request: Request,
) -> Response {
    if !guard::tells_origin(&headers) {
        return (StatusCode::FORBIDDEN, "Only pages may ask.\n").into_response();
    }
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let Ok(place) = house.places.try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many boards are open.\n").into_response();
    };
    upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE).on_upgrade(
        async move |socket| {
            tab::serve(socket, &house.engines).await;
            drop(place);
        },
    )
}

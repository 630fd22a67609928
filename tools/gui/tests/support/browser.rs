//! Headless Chromium, controlled through the DevTools protocol.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use ratlla_workspace::Watchdog;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::{Page, processes};

const TIMEOUT: Duration = Duration::from_secs(60);

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// What Chromium has sent, and who waits for it.
#[derive(Default)]
struct Inbox {
    pending: HashMap<u64, oneshot::Sender<Value>>,
    /// Errors and warnings on the console, by session.
    console_errors: HashMap<String, Vec<String>>,
}

/// A running browser. Dropping it kills the process.
pub struct Browser {
    child: Child,
    sink: tokio::sync::Mutex<(SplitSink<Socket, Message>, u64)>,
    inbox: Arc<Mutex<Inbox>>,
    _profile: TempDir,
}

impl Browser {
    /// Starts Chromium with an empty profile. `None` if the test is skipped.
    pub async fn start() -> Option<Arc<Browser>> {
        let program = ratlla_workspace::chromium()?;
        let profile = TempDir::new().expect("a directory for the profile");
        let mut child = Command::new(program)
            .args(["--headless=new", "--no-sandbox", "--remote-debugging-port=0"])
            .args(["--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update"])
            .args(["--disable-extensions", "--disable-sync", "--hide-scrollbars"])
            .args(["--force-color-profile=srgb", "--font-render-hinting=none"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            // Killed, it leaves its temporary files.
            .env("TMPDIR", profile.path())
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Chromium starts");
        let url = printed_address(&mut child, "DevTools").await;
        let (socket, _) = connect_async(url).await.expect("Chromium listens");
        let (sink, mut stream) = socket.split();
        let inbox = Arc::new(Mutex::new(Inbox::default()));
        let receiver = inbox.clone();
        tokio::spawn(async move {
            while let Some(Ok(message)) = stream.next().await {
                if let Ok(text) = message.to_text()
                    && let Ok(value) = serde_json::from_str(text)
                {
                    receive(&receiver, value);
                }
            }
        });
        let sink = tokio::sync::Mutex::new((sink, 0));
        Some(Arc::new(Browser { child, sink, inbox, _profile: profile }))
    }

    /// Sends a command and waits for its result.
    pub async fn call(&self, session: Option<&str>, method: &str, parameters: Value) -> Value {
        let result = self.try_call(session, method, parameters).await;
        result.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Sends a command and waits for its result, or for the browser's error.
    pub async fn try_call(
        &self,
        session: Option<&str>,
        method: &str,
        parameters: Value,
    ) -> Result<Value, Value> {
        let (sender, reply) = oneshot::channel();
        {
            let mut locked = self.sink.lock().await;
            let (sink, last) = &mut *locked;
            *last += 1;
            self.inbox.lock().expect("no panic").pending.insert(*last, sender);
            let mut message = json!({ "id": *last, "method": method, "params": parameters });
            if let Some(session) = session {
                message["sessionId"] = session.into();
            }
            sink.send(Message::text(message.to_string())).await.expect("Chromium reads");
        }
        let reply = tokio::time::timeout(TIMEOUT, reply).await;
        let reply = reply.unwrap_or_else(|_| panic!("no reply to {method}"));
        let reply = reply.expect("Chromium has exited");
        match reply.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(reply["result"].clone()),
        }
    }

    /// Opens a page in a new tab.
    pub async fn open(self: &Arc<Browser>, url: &str) -> Page {
        let target = self.call(None, "Target.createTarget", json!({ "url": "about:blank" })).await;
        let target = target["targetId"].as_str().expect("an id").to_owned();
        let attach = json!({ "targetId": target, "flatten": true });
        let session = self.call(None, "Target.attachToTarget", attach).await;
        let session = session["sessionId"].as_str().expect("an id").to_owned();
        let page = Page::new(self.clone(), target, session);
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            page.call(domain, json!({})).await;
        }
        if url != "about:blank" {
            page.go(url).await;
        }
        page
    }

    /// The processor time that the processes have used in which the browser runs pages.
    pub fn processor_time_of_pages(&self) -> Duration {
        let runs_pages =
            |&id: &u32| processes::arguments(id).iter().any(|word| word == "--type=renderer");
        let all = processes::descendants(self.child.id());
        all.into_iter().filter(runs_pages).map(processes::processor_time).sum()
    }

    /// The errors and warnings that a page has logged.
    pub fn console_errors(&self, session: &str) -> Vec<String> {
        let inbox = self.inbox.lock().expect("no panic");
        inbox.console_errors.get(session).cloned().unwrap_or_default()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Fails only if it has exited.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The address of a protocol, which a browser prints to its stderr; that must be piped.
pub async fn printed_address(browser: &mut Child, protocol: &'static str) -> String {
    let _watchdog = Watchdog::with(browser, TIMEOUT);
    let mut errors = BufReader::new(browser.stderr.take().expect("its errors are piped"));
    let read = move || {
        let mut line = String::new();
        while errors.read_line(&mut line).expect("text") > 0 {
            if let Some((_, url)) = line.split_once(&format!("{protocol} listening on ")) {
                let url = url.trim().to_owned();
                std::thread::spawn(move || errors.read_to_end(&mut Vec::new()));
                return url;
            }
            line.clear();
        }
        panic!("the browser exited before it listened");
    };
    tokio::task::spawn_blocking(read).await.expect("no panic")
}

fn receive(inbox: &Mutex<Inbox>, value: Value) {
    let mut inbox = inbox.lock().expect("no panic");
    if let Some(id) = value["id"].as_u64() {
        if let Some(sender) = inbox.pending.remove(&id) {
            // The caller may have timed out.
            drop(sender.send(value));
        }
        return;
    }
    let parameters = &value["params"];
    let error = match value["method"].as_str() {
        Some("Runtime.exceptionThrown") => Some(parameters["exceptionDetails"].to_string()),
        Some("Runtime.consoleAPICalled")
            if matches!(parameters["type"].as_str(), Some("error" | "warning" | "assert")) =>
        {
            Some(parameters["args"].to_string())
        }
        Some("Log.entryAdded")
            if matches!(parameters["entry"]["level"].as_str(), Some("error" | "warning")) =>
        {
            Some(parameters["entry"].to_string())
        }
        _ => None,
    };
    if let (Some(text), Some(session)) = (error, value["sessionId"].as_str()) {
        inbox.console_errors.entry(session.to_owned()).or_default().push(text);
    }
}

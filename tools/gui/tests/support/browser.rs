//! Chromium without a window, told what to do through its DevTools protocol.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::{Page, install};

const PATIENCE: Duration = Duration::from_secs(60);

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// What has come back and not been picked up.
#[derive(Default)]
struct Mail {
    answers: HashMap<u64, oneshot::Sender<Value>>,
    /// Errors on the console, by session.
    complaints: HashMap<String, Vec<String>>,
}

/// A running browser. It ends with this value.
pub struct Browser {
    child: Child,
    sink: tokio::sync::Mutex<(SplitSink<Socket, Message>, u64)>,
    mail: Arc<Mutex<Mail>>,
    _profile: TempDir,
}

impl Browser {
    /// Starts Chromium with an empty profile.
    pub async fn start() -> Browser {
        let profile = TempDir::new().expect("a directory for the profile");
        let mut child = Command::new(install::chromium())
            .args(["--headless=new", "--no-sandbox", "--remote-debugging-port=0"])
            .args(["--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update"])
            .args(["--disable-extensions", "--disable-sync", "--hide-scrollbars"])
            .args(["--force-color-profile=srgb", "--font-render-hinting=none"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Chromium starts");
        let errors = BufReader::new(child.stderr.take().expect("its errors are piped"));
        let url = tokio::task::spawn_blocking(move || devtools(errors)).await.expect("no panic");
        let (socket, _) = connect_async(url).await.expect("Chromium listens");
        let (sink, mut stream) = socket.split();
        let mail = Arc::new(Mutex::new(Mail::default()));
        let inbox = mail.clone();
        tokio::spawn(async move {
            while let Some(Ok(message)) = stream.next().await {
                if let Ok(text) = message.to_text()
                    && let Ok(value) = serde_json::from_str(text)
                {
                    sort(&inbox, value);
                }
            }
        });
        Browser { child, sink: tokio::sync::Mutex::new((sink, 0)), mail, _profile: profile }
    }

    /// Sends a command and waits for its result.
    pub async fn call(&self, session: Option<&str>, method: &str, parameters: Value) -> Value {
        let (sender, answer) = oneshot::channel();
        {
            let mut guard = self.sink.lock().await;
            let (sink, last) = &mut *guard;
            *last += 1;
            self.mail.lock().expect("no panic").answers.insert(*last, sender);
            let mut message = json!({ "id": *last, "method": method, "params": parameters });
            if let Some(session) = session {
                message["sessionId"] = session.into();
            }
            sink.send(Message::text(message.to_string())).await.expect("Chromium reads");
        }
        let answer = tokio::time::timeout(PATIENCE, answer).await;
        let answer = answer.unwrap_or_else(|_| panic!("no answer to {method}"));
        let answer = answer.expect("Chromium has ended");
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Opens a page in a tab of its own.
    pub async fn open(self: &Arc<Browser>, url: &str) -> Page {
        let target = self.call(None, "Target.createTarget", json!({ "url": "about:blank" })).await;
        let target = target["targetId"].as_str().expect("an id").to_owned();
        let reset = json!({ "targetId": target, "flatten": true });
        let session = self.call(None, "Target.attachToTarget", reset).await;
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

    /// What a page has written on its console as an error or warning.
    pub fn complaints(&self, session: &str) -> Vec<String> {
        let mail = self.mail.lock().expect("no panic");
        mail.complaints.get(session).cloned().unwrap_or_default()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The address of the DevTools, which Chromium tells among its errors.
fn devtools(mut errors: BufReader<impl Read + Send + 'static>) -> String {
    let mut line = String::new();
    while errors.read_line(&mut line).expect("text") > 0 {
        if let Some((_, url)) = line.split_once("DevTools listening on ") {
            let url = url.trim().to_owned();
            std::thread::spawn(move || errors.read_to_end(&mut Vec::new()));
            return url;
        }
        line.clear();
    }
    panic!("Chromium ended before it listened");
}

fn sort(mail: &Mutex<Mail>, value: Value) {
    let mut mail = mail.lock().expect("no panic");
    if let Some(id) = value["id"].as_u64() {
        if let Some(sender) = mail.answers.remove(&id) {
            // Nobody may be waiting any more.
            drop(sender.send(value));
        }
        return;
    }
    let parameters = &value["params"];
    let complaint = match value["method"].as_str() {
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
    if let (Some(text), Some(session)) = (complaint, value["sessionId"].as_str()) {
        mail.complaints.entry(session.to_owned()).or_default().push(text);
    }
}

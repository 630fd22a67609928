//! Headless Firefox, controlled through WebDriver BiDi.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::browser::printed_address;

/// Generous, for busy machines.
const TIMEOUT: Duration = Duration::from_secs(90);

/// A running Firefox with one page. Dropping it kills the process.
pub struct Firefox {
    child: Child,
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    last: u64,
    /// The tab.
    context: Value,
    /// The errors that the page has logged.
    pub errors: Vec<String>,
    _profile: TempDir,
}

impl Firefox {
    /// Starts Firefox with an empty profile. `None` if the test is skipped.
    pub async fn start() -> Option<Firefox> {
        let program = ratlla_workspace::firefox()?;
        let profile = TempDir::new().expect("a directory for the profile");
        let mut child = Command::new(program)
            .args(["--headless", "--no-remote", "--remote-debugging-port", "0", "--profile"])
            .arg(profile.path())
            .arg("about:blank")
            // Started as root, it refuses a home that belongs to someone else, as in many a container.
            .env("HOME", profile.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Firefox starts");
        let url = printed_address(&mut child, "WebDriver BiDi").await;
        let (socket, _) = connect_async(format!("{url}/session")).await.expect("Firefox listens");
        let mut firefox = Firefox {
            child,
            socket,
            last: 0,
            context: Value::Null,
            errors: Vec::new(),
            _profile: profile,
        };
        firefox.call("session.new", json!({ "capabilities": {} })).await;
        firefox.call("session.subscribe", json!({ "events": ["log.entryAdded"] })).await;
        let tree = firefox.call("browsingContext.getTree", json!({})).await;
        firefox.context = tree["contexts"][0]["context"].clone();
        Some(firefox)
    }

    /// Sends a command and waits for its result.
    async fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let command = json!({ "id": self.last, "method": method, "params": parameters });
        self.socket.send(Message::text(command.to_string())).await.expect("Firefox reads");
        let id = self.last;
        let reply = tokio::time::timeout(TIMEOUT, self.reply(id)).await;
        let reply = reply.unwrap_or_else(|_| panic!("no reply to {method}"));
        assert_eq!(reply["type"], "success", "{method}: {reply}");
        reply["result"].clone()
    }

    /// The reply with this number. Errors of the page arrive in between.
    async fn reply(&mut self, id: u64) -> Value {
        loop {
            let message = self.socket.next().await.expect("Firefox has exited").expect("a message");
            let Ok(text) = message.to_text() else { continue };
            let Ok(value) = serde_json::from_str::<Value>(text) else { continue };
            if value["id"] == id {
                return value;
            }
            if value["method"] == "log.entryAdded" && value["params"]["level"] == "error" {
                self.errors.push(value["params"]["text"].to_string());
            }
        }
    }

    /// Loads a URL and waits until the board is ready.
    pub async fn go(&mut self, url: &str) {
        let parameters = json!({ "context": self.context, "url": url, "wait": "complete" });
        self.call("browsingContext.navigate", parameters).await;
        self.wait("document.documentElement.dataset.ready === ''").await;
    }

    /// The value of an expression.
    pub async fn eval(&mut self, expression: &str) -> Value {
        let expression = format!("JSON.stringify({expression} ?? null)");
        let target = json!({ "context": self.context });
        let parameters =
            json!({ "expression": expression, "target": target, "awaitPromise": true });
        let found = self.call("script.evaluate", parameters).await;
        let text = found["result"]["value"].as_str();
        let text = text.unwrap_or_else(|| panic!("{expression}: {found}"));
        serde_json::from_str(text).expect("JSON")
    }

    /// Waits until an expression is true.
    pub async fn wait(&mut self, expression: &str) {
        let start = Instant::now();
        let condition = format!(
            "(() => {{ try {{ return Boolean({expression}) }} catch {{ return false }} }})()"
        );
        while self.eval(&condition).await != json!(true) {
            if start.elapsed() > TIMEOUT {
                let seen = self.eval("document.body.innerText").await;
                panic!("never true: {expression}\n{seen}\n{:?}", self.errors);
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }

    /// Clicks with the mouse, once the element is enabled.
    pub async fn click(&mut self, selector: &str) {
        let selector = json!(selector);
        self.wait(&format!("!document.querySelector({selector}).disabled")).await;
        let place = self
            .eval(&format!(
                "(() => {{ const node = document.querySelector({selector});
                   node.scrollIntoView({{ block: 'center' }});
                   const {{ left, top, width, height }} = node.getBoundingClientRect();
                   return [Math.round(left + width / 2), Math.round(top + height / 2)]; }})()"
            ))
            .await;
        let steps = json!([
            { "type": "pointerMove", "x": place[0], "y": place[1] },
            { "type": "pointerDown", "button": 0 },
            { "type": "pointerUp", "button": 0 },
        ]);
        let source = json!({ "type": "pointer", "id": "mouse", "actions": steps });
        let parameters = json!({ "context": self.context, "actions": [source] });
        self.call("input.performActions", parameters).await;
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        // Fails only if it has exited.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

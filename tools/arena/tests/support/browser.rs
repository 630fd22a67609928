//! A real Chromium, spoken to over pipes in its DevTools protocol: JSON texts that end with a zero.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A browser with one page. Dropping it ends the process.
pub struct Browser {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    session: Option<String>,
    last_id: u64,
    /// Requests to the network, errors and warnings of the page.
    pub complaints: Vec<String>,
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser of this size and opens a file; `theme` is `light` or `dark`. `None` if the test
    /// is skipped.
    pub fn open(file: &Path, size: [u32; 2], theme: &str) -> Option<Browser> {
        Browser::open_at(file, "", size, theme)
    }

    /// The same at a place in the file, such as `#top`.
    pub fn open_at(file: &Path, place: &str, size: [u32; 2], theme: &str) -> Option<Browser> {
        let [width, height] = size;
        let program = ratlla_workspace::chromium()?;
        let profile = TempDir::new().expect("a directory");
        let mut child = Command::new("sh")
            // The protocol is spoken on descriptors 3 and 4.
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1"])
            .arg(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--disable-dev-shm-usage", "--remote-debugging-pipe", "--hide-scrollbars"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Chromium starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut browser = Browser {
            child,
            input,
            output,
            session: None,
            last_id: 0,
            complaints: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        browser.call("Emulation.setDeviceMetricsOverride", size);
        let scheme = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
        browser.call("Emulation.setEmulatedMedia", scheme);
        browser
            .call("Page.navigate", json!({ "url": format!("file://{}{place}", file.display()) }));
        browser.wait("document.documentElement?.dataset.ready === ''");
        Some(browser)
    }

    /// Sends a command and waits for its result.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let mut message = json!({ "id": self.last_id, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.input.write_all(format!("{message}\0").as_bytes()).expect("Chromium reads");
        loop {
            let mut bytes = Vec::new();
            self.output.read_until(0, &mut bytes).expect("Chromium writes");
            assert_eq!(bytes.pop(), Some(0), "Chromium has exited");
            let reply: Value = serde_json::from_slice(&bytes).expect("JSON");
            if reply["id"] == self.last_id {
                assert!(reply.get("error").is_none(), "{method}: {reply}");
                return reply["result"].clone();
            }
            self.notice(&reply);
        }
    }

    fn notice(&mut self, event: &Value) {
        let params = &event["params"];
        let complaint = match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" | "Log.entryAdded" | "Runtime.consoleAPICalled" => true,
            "Network.requestWillBeSent" => {
                let url = params["request"]["url"].as_str().unwrap_or_default();
                !url.starts_with("file://") && url != "about:blank"
            }
            "Page.javascriptDialogOpening" => true,
            _ => false,
        };
        if complaint {
            self.complaints.push(params.to_string());
        }
    }

    /// The value of an expression.
    pub fn eval(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true });
        let result = self.call("Runtime.evaluate", params);
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// The text of an element.
    pub fn text(&mut self, selector: &str) -> String {
        let text = self.eval(&format!("document.querySelector({}).textContent", json!(selector)));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let start = Instant::now();
        while self.eval(expression) != json!(true) {
            assert!(start.elapsed() < super::TIMEOUT, "never true: {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses a key on the page.
    pub fn key(&mut self, key: &str) {
        let mut event = json!({ "type": "keyDown", "key": key });
        if key.chars().count() == 1 {
            event["text"] = key.into();
        }
        self.call("Input.dispatchKeyEvent", event);
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key }));
    }

    /// Clicks an element.
    pub fn click(&mut self, selector: &str) {
        let place = self.eval(&format!(
            "(() => {{ const node = document.querySelector({}); node.scrollIntoView({{ block: 'center' }});
              const {{ left, top, width, height }} = node.getBoundingClientRect();
              return [left + width / 2, top + height / 2]; }})()",
            json!(selector)
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Fails only if it has exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

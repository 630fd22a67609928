//! A page in a tab: user input, and what the page shows.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Browser, picture};

/// Generous, for busy machines.
const TIMEOUT: Duration = Duration::from_secs(40);

/// An open tab.
pub struct Page {
    browser: Arc<Browser>,
    target: String,
    session: String,
}

/// The mouse button, held down at a point.
#[must_use]
pub struct Pressed {
    x: f64,
    y: f64,
}

impl Pressed {
    /// Releases the button at the same point.
    pub async fn release(self, page: &Page) {
        self.dispatch(page, "mouseReleased").await;
    }

    async fn dispatch(&self, page: &Page, kind: &str) {
        let Pressed { x, y } = self;
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
        page.call("Input.dispatchMouseEvent", event).await;
    }
}

impl Page {
    pub fn new(browser: Arc<Browser>, target: String, session: String) -> Page {
        Page { browser, target, session }
    }

    pub async fn call(&self, method: &str, parameters: Value) -> Value {
        self.browser.call(Some(&self.session), method, parameters).await
    }

    /// Loads a URL and waits until the board is ready.
    pub async fn go(&self, url: &str) {
        // A change of the fragment alone would not reload the page.
        self.call("Page.navigate", json!({ "url": "about:blank" })).await;
        self.call("Page.navigate", json!({ "url": url })).await;
        self.ready().await;
    }

    /// Loads the same page again and waits until the board is ready.
    pub async fn reload(&self) {
        self.eval("window.isOld = true").await;
        self.call("Page.reload", json!({})).await;
        self.wait("!window.isOld").await;
        self.ready().await;
    }

    /// Waits until the board is ready.
    pub async fn ready(&self) {
        self.wait("document.documentElement.dataset.ready === ''").await;
    }

    /// Closes the tab.
    pub async fn close(self) {
        self.browser.call(None, "Target.closeTarget", json!({ "targetId": self.target })).await;
    }

    /// The value of an expression.
    pub async fn eval(&self, expression: &str) -> Value {
        self.try_eval(expression).await.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The value of an expression, or why the browser could not evaluate it.
    async fn try_eval(&self, expression: &str) -> Result<Value, Value> {
        let parameters =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let session = Some(self.session.as_str());
        let result = self.browser.try_call(session, "Runtime.evaluate", parameters).await?;
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {result}");
        Ok(result["result"]["value"].clone())
    }

    /// Waits until an expression is true.
    pub async fn wait(&self, expression: &str) {
        let start = Instant::now();
        // An element may be missing while the page loads.
        let condition = format!(
            "(() => {{ try {{ return Boolean({expression}) }} catch {{ return false }} }})()"
        );
        // Nor is there an answer from a page that is being replaced.
        while self.try_eval(&condition).await != Ok(json!(true)) {
            if start.elapsed() > TIMEOUT {
                let seen = self.eval("document.body.innerText").await;
                panic!(
                    "never true: {expression}\n{}\n{:?}",
                    seen.as_str().unwrap_or(""),
                    self.console_errors()
                );
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }

    /// The text of an element.
    pub async fn text(&self, selector: &str) -> String {
        let text =
            self.eval(&format!("document.querySelector({}).textContent", json!(selector))).await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an element has this text somewhere in it.
    pub async fn wait_text(&self, selector: &str, text: &str) {
        let (selector, text) = (json!(selector), json!(text));
        self.wait(&format!("document.querySelector({selector}).textContent.includes({text})"))
            .await;
    }

    /// Fails if the page reported an error.
    pub fn assert_no_errors(&self) {
        assert_eq!(self.console_errors(), [""; 0]);
    }

    /// Waits until an element is enabled and returns the coordinates of its centre.
    async fn center(&self, selector: &str) -> (f64, f64) {
        let selector = json!(selector);
        self.wait(&format!("!document.querySelector({selector}).disabled")).await;
        let place = self
            .eval(&format!(
                "(() => {{ const node = document.querySelector({selector});
                   node.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }});
                   const {{ left, top, width, height }} = node.getBoundingClientRect();
                   return [left + width / 2, top + height / 2]; }})()"
            ))
            .await;
        (place[0].as_f64().expect("a number"), place[1].as_f64().expect("a number"))
    }

    /// Clicks with the mouse.
    pub async fn click(&self, selector: &str) {
        self.press(selector).await.release(self).await;
    }

    /// Presses the mouse button on an element.
    pub async fn press(&self, selector: &str) -> Pressed {
        let (x, y) = self.center(selector).await;
        let pressed = Pressed { x, y };
        pressed.dispatch(self, "mouseMoved").await;
        pressed.dispatch(self, "mousePressed").await;
        pressed
    }

    /// Taps an element.
    pub async fn tap(&self, selector: &str) {
        let (x, y) = self.center(selector).await;
        let start = json!({ "type": "touchStart", "touchPoints": [{ "x": x, "y": y }] });
        self.call("Input.dispatchTouchEvent", start).await;
        let end = json!({ "type": "touchEnd", "touchPoints": [] });
        self.call("Input.dispatchTouchEvent", end).await;
    }

    /// Moves the mouse away.
    pub async fn leave(&self) {
        let event = json!({ "type": "mouseMoved", "x": 1, "y": 1 });
        self.call("Input.dispatchMouseEvent", event).await;
    }

    /// Presses a key: a character, or the name of a key.
    pub async fn key(&self, key: &str) {
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            other => u32::from(other.to_ascii_uppercase().as_bytes()[0]),
        };
        let mut down = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code });
        if key.chars().count() == 1 {
            down["text"] = key.into();
        } else if key == "Enter" {
            down["text"] = "\r".into();
        }
        self.call("Input.dispatchKeyEvent", down).await;
        let up = json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code });
        self.call("Input.dispatchKeyEvent", up).await;
    }

    /// Selects an option.
    pub async fn choose(&self, selector: &str, value: &str) {
        let (selector, value) = (json!(selector), json!(value));
        let there =
            format!("document.querySelector({selector})?.querySelector('option[value={value}]')");
        self.wait(&there).await;
        self.eval(&format!(
            "(() => {{ const list = document.querySelector({selector}); list.value = {value};
               list.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
        ))
        .await;
    }

    /// Replaces the text of a field.
    pub async fn write(&self, selector: &str, text: &str) {
        self.click(selector).await;
        self.eval(&format!("document.querySelector({}).select()", json!(selector))).await;
        self.call("Input.insertText", json!({ "text": text })).await;
    }

    /// Sets the size of the window, and whether it is a phone's.
    pub async fn size(&self, width: u32, height: u32, phone: bool) {
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone });
        self.call("Emulation.setDeviceMetricsOverride", metrics).await;
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": phone })).await;
    }

    /// Sets the system's colour scheme.
    pub async fn scheme(&self, scheme: &str) {
        self.media(&[("prefers-color-scheme", scheme)]).await;
    }

    /// Sets what the system prefers, as media features.
    pub async fn media(&self, features: &[(&str, &str)]) {
        let feature = |(name, value): &(&str, &str)| json!({ "name": name, "value": value });
        let features: Vec<Value> = features.iter().map(feature).collect();
        self.call("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// A screenshot as PNG.
    pub async fn screenshot(&self) -> Vec<u8> {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" })).await;
        let data = shot["data"].as_str().expect("data");
        data_encoding::BASE64.decode(data.as_bytes()).expect("base 64")
    }

    /// Saves a screenshot as a small PNG.
    pub async fn picture(&self, path: &Path) {
        let bytes = picture::quantize(&self.screenshot().await);
        std::fs::write(path, bytes).expect("writing the picture");
    }

    /// The errors and warnings that the page has logged.
    pub fn console_errors(&self) -> Vec<String> {
        self.browser.console_errors(&self.session)
    }

    /// The number of moves on the board.
    pub async fn ply(&self) -> u64 {
        let ply = self.eval("Number(document.getElementById('board').dataset.ply)").await;
        ply.as_u64().expect("a number")
    }

    /// Waits until the board shows this number of moves.
    pub async fn wait_ply(&self, ply: u64) {
        self.wait(&format!("document.getElementById('board').dataset.ply == {ply}")).await;
    }
}

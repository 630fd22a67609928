//! A page in a tab: what a person does with it, and what a person sees.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Browser, picture};

/// Far more than anything takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);

/// An open tab.
pub struct Page {
    browser: Arc<Browser>,
    target: String,
    session: String,
}

/// The button of the mouse, held down at a place.
#[must_use]
pub struct Pressed {
    x: f64,
    y: f64,
}

impl Pressed {
    /// Releases the button where it was pressed.
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

    /// Loads an address and waits until the board is there.
    pub async fn go(&self, url: &str) {
        // Another fragment alone would not load the page again.
        self.call("Page.navigate", json!({ "url": "about:blank" })).await;
        self.call("Page.navigate", json!({ "url": url })).await;
        self.ready().await;
    }

    /// Waits until the board is there.
    pub async fn ready(&self) {
        self.wait("document.documentElement.dataset.ready === ''").await;
    }

    /// Closes the tab.
    pub async fn close(self) {
        self.browser.call(None, "Target.closeTarget", json!({ "targetId": self.target })).await;
    }

    /// The value of an expression.
    pub async fn eval(&self, expression: &str) -> Value {
        let parameters =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let result = self.call("Runtime.evaluate", parameters).await;
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub async fn wait(&self, expression: &str) {
        let begin = Instant::now();
        // The page may just be loading: then what is asked for is not there.
        let careful = format!(
            "(() => {{ try {{ return Boolean({expression}) }} catch {{ return false }} }})()"
        );
        while self.eval(&careful).await != json!(true) {
            if begin.elapsed() > PATIENCE {
                let seen = self.eval("document.body.innerText").await;
                panic!(
                    "never true: {expression}\n{}\n{:?}",
                    seen.as_str().unwrap_or(""),
                    self.complaints()
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

    /// Waits for an element and tells where its middle is, on the screen.
    async fn middle(&self, selector: &str) -> (f64, f64) {
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

    /// Presses the button of the mouse there, until it is released.
    pub async fn press(&self, selector: &str) -> Pressed {
        let (x, y) = self.middle(selector).await;
        let pressed = Pressed { x, y };
        pressed.dispatch(self, "mouseMoved").await;
        pressed.dispatch(self, "mousePressed").await;
        pressed
    }

    /// Touches with a finger.
    pub async fn tap(&self, selector: &str) {
        let (x, y) = self.middle(selector).await;
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

    /// Chooses a value in a list.
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

    /// Writes a text into a field, over what is there.
    pub async fn write(&self, selector: &str, text: &str) {
        self.click(selector).await;
        self.eval(&format!("document.querySelector({}).select()", json!(selector))).await;
        self.call("Input.insertText", json!({ "text": text })).await;
    }

    /// The size of the window, and whether it is a phone's.
    pub async fn size(&self, width: u32, height: u32, phone: bool) {
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone });
        self.call("Emulation.setDeviceMetricsOverride", metrics).await;
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": phone })).await;
    }

    /// Light or dark, as the system has it.
    pub async fn scheme(&self, scheme: &str) {
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.call("Emulation.setEmulatedMedia", features).await;
    }

    /// What the page looks like, as a small PNG.
    pub async fn picture(&self, path: &Path) {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" })).await;
        let data = shot["data"].as_str().expect("data");
        let bytes = data_encoding::BASE64.decode(data.as_bytes()).expect("base 64");
        std::fs::write(path, picture::small(&bytes)).expect("the picture is written");
    }

    /// What the page has written on its console as an error or warning.
    pub fn complaints(&self) -> Vec<String> {
        self.browser.complaints(&self.session)
    }

    /// The number of moves on the board.
    pub async fn ply(&self) -> u64 {
        let ply = self.eval("Number(document.getElementById('board').dataset.ply)").await;
        ply.as_u64().expect("a number")
    }

    /// Waits until so many moves are on the board.
    pub async fn wait_ply(&self, ply: u64) {
        self.wait(&format!("document.getElementById('board').dataset.ply == {ply}")).await;
    }
}

//! Whether a page does nothing while nothing happens.

use std::time::Duration;

use serde_json::{Value, json};

use super::Page;

/// How long nothing happens.
const REST: Duration = Duration::from_secs(4);
/// The share of a processor that the page's own processes may use meanwhile, in percent, and how often they
/// may use more: a process has work of its own now and then, garbage to collect for example, and what follows
/// the last move or the last answer may not be over at first.
const MOST: u32 = 1;
const TRIES: u32 = 5;

/// What a page does that is not at rest: layouts, computations of styles, seconds of scripts.
async fn work(page: &Page) -> Vec<Value> {
    let all = page.call("Performance.getMetrics", json!({})).await;
    let find = |name: &str| {
        let metrics = all["metrics"].as_array().unwrap();
        metrics.iter().find(|metric| metric["name"] == name).unwrap()["value"].clone()
    };
    ["LayoutCount", "RecalcStyleCount", "ScriptDuration"].map(find).to_vec()
}

/// Lets some time pass, and says what was done in it: by the page, and by the processes that belong to it,
/// whose processor time is `used`.
pub async fn activity(page: &Page, used: impl Fn() -> Duration) -> Option<String> {
    let (before, start) = (work(page).await, used());
    tokio::time::sleep(REST).await;
    let (after, used) = (work(page).await, used().saturating_sub(start));
    let animations = page.eval("document.getAnimations().length").await;
    if animations != 0 {
        return Some(format!("{animations} animations"));
    }
    if after != before {
        return Some(format!("layouts, styles and seconds of scripts: {before:?}, then {after:?}"));
    }
    (used * 100 >= REST * MOST).then(|| format!("{used:?} of processor time in {REST:?}"))
}

/// Fails if the page does not come to rest.
pub async fn assert_idle(page: &Page, used: impl Fn() -> Duration, what: &str) {
    page.call("Performance.enable", json!({})).await;
    let mut seen = Vec::new();
    for _ in 0..TRIES {
        match activity(page, &used).await {
            Some(activity) => seen.push(activity),
            None => return,
        }
    }
    panic!("{what}: {seen:#?}");
}

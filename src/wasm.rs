//! The engine as a WebAssembly module: a session for the JavaScript around it.
//!
//! The module imports four functions, and exports its memory, `begin` and `run`. Texts are UTF-8.
//! With JavaScript Promise Integration, `poll` may suspend the module; without, it returns what has
//! come in through shared memory (tools/npm/src/worker.js has both).
#![allow(unsafe_code)]

use std::sync::OnceLock;
use std::time::Duration;

use crate::games::REGISTRY;
use crate::platform::clock;
use crate::session::embedded::{EmbeddedSession, Host};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since any moment; never decreases.
    safe fn now() -> f64;
    /// Takes a reply: one or more lines, without the last line end.
    fn write(text: *const u8, length: usize);
    /// Waits up to `milliseconds` for lines. Returns how many bytes have come in, or a negative
    /// number if no more will come.
    safe fn poll(milliseconds: f64) -> isize;
    /// Copies the bytes that `poll` has announced.
    fn read(buffer: *mut u8);
}

struct JavaScript;

impl Host for JavaScript {
    fn write(&self, text: &str) {
        // SAFETY: the host only reads these bytes, and only during the call.
        unsafe { write(text.as_ptr(), text.len()) }
    }

    fn receive(&self, patience: Duration) -> Option<Vec<u8>> {
        let length = usize::try_from(poll(patience.as_secs_f64() * 1000.0)).ok()?;
        let mut bytes = vec![0; length];
        if !bytes.is_empty() {
            // SAFETY: the host writes as many bytes as `poll` has announced, and only during the
            // call.
            unsafe { read(bytes.as_mut_ptr()) }
        }
        Some(bytes)
    }
}

static SESSION: OnceLock<EmbeddedSession<JavaScript>> = OnceLock::new();

/// Begins the session. Returns whether there is memory for it.
#[unsafe(no_mangle)]
extern "C" fn begin() -> bool {
    clock::set_clock(|| now());
    match EmbeddedSession::new(REGISTRY, JavaScript) {
        Ok(session) => SESSION.set(session).is_ok(),
        Err(reason) => {
            JavaScript.write(&format!("error {reason}"));
            false
        }
    }
}

/// Carries out the lines that have come in, and those that come in meanwhile. Returns whether the
/// session goes on.
#[unsafe(no_mangle)]
extern "C" fn run() -> bool {
    SESSION.get().is_some_and(EmbeddedSession::run)
}

//! The engine as a WebAssembly module: a session for the JavaScript around it.
//!
//! The module imports these functions, and exports its memory, `begin` and `run`; with threads, it
//! imports its memory, which is shared. Texts are UTF-8.
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

/// Threads, if the module has shared memory: more functions that it imports and exports then.
#[cfg(target_feature = "atomics")]
mod helpers {
    use super::SESSION;
    use crate::platform::threads::{THREAD_STACK, helpers};
    use crate::session::embedded::EmbeddedSession;

    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// The number of processors.
        safe fn processors() -> usize;
        /// Asks for a thread with an instance of the module on the same memory, which makes these
        /// bytes its stack and its thread-local memory and calls `help`.
        safe fn start_helper(memory: *mut u8, length: usize);
    }

    pub fn set_host() {
        let start_helper = || {
            let mut memory = Vec::<u8>::new();
            let has_room = memory.try_reserve_exact(THREAD_STACK).is_ok();
            if has_room {
                // Never freed: helpers never end.
                start_helper(memory.leak().as_mut_ptr(), THREAD_STACK);
            }
            has_room
        };
        let turn = || SESSION.get().map_or((), EmbeddedSession::take_turn);
        helpers::set_host(helpers::ThreadHost {
            processors: processors().max(1),
            start_helper,
            turn,
        });
    }

    /// What a helper does until it is ended.
    #[unsafe(no_mangle)]
    extern "C" fn help() {
        helpers::help()
    }
}

static SESSION: OnceLock<EmbeddedSession<JavaScript>> = OnceLock::new();

/// Begins the session. Returns whether there is memory for it.
#[unsafe(no_mangle)]
extern "C" fn begin() -> bool {
    clock::set_clock(|| now());
    #[cfg(target_feature = "atomics")]
    helpers::set_host();
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

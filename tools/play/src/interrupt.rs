//! Ctrl-C while the program computes.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::SIGINT;

/// Whether Ctrl-C was pressed since the last [`Interrupt::clear`].
#[derive(Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on Ctrl-C is noted instead of ending the program.
    pub fn watch() -> io::Result<Interrupt> {
        let interrupt = Interrupt::default();
        signal_hook::flag::register(SIGINT, interrupt.0.clone())?;
        Ok(interrupt)
    }

    /// Whether Ctrl-C was pressed.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Forgets an earlier Ctrl-C.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

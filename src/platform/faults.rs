//! Calls to the system that fail on request, so that tests can try what happens after each of them.
//!
//! The environment variable `RATLLA_FAULT` chooses calls by their number, from 1, in the order in
//! which this process makes them:
//!
//! ```text
//! list:FILE    no call fails; the kind of each is appended to FILE, one to a line
//! fail:N       call N fails
//! fail-from:N  call N fails, and all later ones
//! die:N        call N ends the process
//! ```
//!
//! A write does its first half before. All of this exists in builds with debug assertions only; in
//! others [`next`] is the constant `None`. Knows nothing of what the calls are for.

use std::io;

/// The kind of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Opening or creating a file.
    Open,
    /// Reading.
    Read,
    /// Writing.
    Write,
    /// Cutting a file to a length.
    Truncate,
    /// Waiting until data is on disk.
    Sync,
    /// Giving a file its final name.
    Rename,
    /// Mapping memory.
    Map,
    /// Starting a thread.
    Thread,
}

/// Fails if this call is to fail.
#[inline(always)]
pub fn check(call: Call) -> io::Result<()> {
    match next(call) {
        None => Ok(()),
        Some(fault) => Err(fault.error()),
    }
}

/// A call that is to fail.
#[derive(Debug)]
pub struct Fault {
    call: Call,
    is_deadly: bool,
}

impl Fault {
    /// How it fails. Does not return from a call that is to end the process.
    pub fn error(self) -> io::Error {
        if self.is_deadly {
            std::process::abort();
        }
        io::Error::other(format!("injected fault: {:?}", self.call))
    }
}

#[cfg(debug_assertions)]
pub use requested::next;

/// Whether the call that is about to be made is to fail.
#[cfg(not(debug_assertions))]
#[inline(always)]
pub fn next(_: Call) -> Option<Fault> {
    None
}

#[cfg(debug_assertions)]
mod requested {
    use std::fs::File;
    use std::io::Write as _;
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::{Call, Fault};

    /// Which calls fail.
    #[derive(Debug, PartialEq, Eq)]
    pub(super) enum Plan {
        List(String),
        Fail(u64),
        FailFrom(u64),
        Die(u64),
    }

    impl Plan {
        pub(super) fn parse(text: &str) -> Option<Plan> {
            let (kind, value) = text.split_once(':')?;
            let number = || value.parse().ok();
            match kind {
                "list" => Some(Plan::List(value.to_owned())),
                "fail" => number().map(Plan::Fail),
                "fail-from" => number().map(Plan::FailFrom),
                "die" => number().map(Plan::Die),
                _ => None,
            }
        }

        /// Whether call number `number` fails.
        pub(super) fn fault(&self, number: u64, call: Call) -> Option<Fault> {
            let fails = match *self {
                Plan::List(_) => false,
                Plan::Fail(chosen) | Plan::Die(chosen) => number == chosen,
                Plan::FailFrom(first) => number >= first,
            };
            fails.then_some(Fault { call, is_deadly: matches!(self, Plan::Die(_)) })
        }
    }

    /// Whether the call that is about to be made is to fail.
    pub fn next(call: Call) -> Option<Fault> {
        static PLAN: LazyLock<Option<(Plan, Option<File>)>> = LazyLock::new(|| {
            let text = std::env::var("RATLLA_FAULT").ok()?;
            // A test that asks for something else must not pass because nothing fails.
            let plan = Plan::parse(&text)
                .expect("RATLLA_FAULT is list:FILE, fail:N, fail-from:N or die:N");
            let list = match &plan {
                Plan::List(path) => File::options().append(true).create(true).open(path).ok(),
                _ => None,
            };
            Some((plan, list))
        });
        static CALLS: AtomicU64 = AtomicU64::new(0);
        let (plan, list) = PLAN.as_ref()?;
        if let Some(mut list) = list.as_ref() {
            drop(list.write_all(format!("{call:?}\n").as_bytes()));
        }
        plan.fault(CALLS.fetch_add(1, Relaxed) + 1, call)
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::Call;
    use super::requested::Plan;

    #[test]
    fn a_plan_chooses_calls_by_number() {
        let chosen = |text: &str| -> Vec<u64> {
            let plan = Plan::parse(text).unwrap();
            (1..6).filter(|&number| plan.fault(number, Call::Sync).is_some()).collect()
        };
        assert_eq!(chosen("fail:2"), [2]);
        assert_eq!(chosen("die:5"), [5]);
        assert_eq!(chosen("fail-from:4"), [4, 5]);
        assert!(chosen("list:a:b").is_empty());
        assert_eq!(Plan::parse("list:a:b"), Some(Plan::List("a:b".to_owned())));
        for wrong in ["", "fail", "fail:", "fail:x", "lose:1"] {
            assert_eq!(Plan::parse(wrong), None, "{wrong}");
        }
        let fault = Plan::Fail(1).fault(1, Call::Write).unwrap();
        assert_eq!(fault.error().to_string(), "injected fault: Write");
    }
}

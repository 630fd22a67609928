//! What the engines of all tabs may use together.
//!
//! Each engine has a share of memory and threads, which grows and shrinks with its options `Hash` and
//! `Threads` and is returned when it is dropped.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An amount of each resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts {
    /// Engines.
    pub engines: u64,
    /// Memory of tables, in MiB.
    pub memory: u64,
    /// Threads that search.
    pub threads: u64,
}

/// What an engine uses that was told nothing.
const OF_ONE_ENGINE: Amounts = Amounts { engines: 1, memory: 64, threads: 1 };

/// What all engines may use, and what they use.
#[derive(Debug)]
pub struct Budget {
    limits: Amounts,
    used: Mutex<Amounts>,
}

/// A part of a budget, which is returned when it is dropped.
#[derive(Debug)]
pub struct Share {
    budget: Arc<Budget>,
    amounts: Amounts,
}

impl Budget {
    /// A budget with these limits.
    pub fn new(limits: Amounts) -> Arc<Budget> {
        Arc::new(Budget { limits, used: Mutex::default() })
    }

    /// The share of a new engine, or why there is none.
    pub fn share(self: &Arc<Budget>) -> Result<Share, String> {
        let mut share = Share { budget: Arc::clone(self), amounts: Amounts::default() };
        share.change(OF_ONE_ENGINE)?;
        Ok(share)
    }

    fn used(&self) -> MutexGuard<'_, Amounts> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    /// Adapts the share to a line that is sent to its engine, or says why it must not be sent.
    pub fn adapt_to(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ["setoption", "name", option, "value", value] = words[..] else {
            return Ok(());
        };
        // What is not a number, the engine refuses.
        let Ok(value) = value.parse() else {
            return Ok(());
        };
        match option {
            "hash" => self.change(Amounts { memory: value, ..self.amounts }),
            "threads" => self.change(Amounts { threads: value, ..self.amounts }),
            _ => Ok(()),
        }
    }

    /// Replaces the share, unless that exceeds the budget.
    fn change(&mut self, wanted: Amounts) -> Result<(), String> {
        let Amounts { engines, memory, threads } = self.budget.limits;
        let mut used = self.budget.used();
        let after = |used: u64, old: u64, new: u64| used.saturating_sub(old).saturating_add(new);
        let changed = Amounts {
            engines: after(used.engines, self.amounts.engines, wanted.engines),
            memory: after(used.memory, self.amounts.memory, wanted.memory),
            threads: after(used.threads, self.amounts.threads, wanted.threads),
        };
        for (name, needed, limit) in [
            ("engines", changed.engines, engines),
            ("MiB of memory", changed.memory, memory),
            ("threads", changed.threads, threads),
        ] {
            if needed > limit {
                return Err(format!("all tabs together may use {limit} {name}, not {needed}"));
            }
        }
        *used = changed;
        self.amounts = wanted;
        Ok(())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        // Less never exceeds the budget.
        drop(self.change(Amounts::default()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn budget() -> Arc<Budget> {
        Budget::new(Amounts { engines: 2, memory: 300, threads: 4 })
    }

    #[test]
    fn shares_are_limited_together_and_returned() {
        let budget = budget();
        let mut first = budget.share().unwrap();
        let second = budget.share().unwrap();
        assert!(budget.share().unwrap_err().contains("2 engines"));
        assert!(first.adapt_to("setoption name Hash value 237").unwrap_err().contains("301"));
        first.adapt_to("setoption  name HASH value 236").unwrap();
        assert!(first.adapt_to("setoption name Threads value 4").is_err());
        drop(second);
        first.adapt_to("setoption name Threads value 4").unwrap();
        first.adapt_to("setoption name Hash value many").unwrap();
        first.adapt_to("go infinite").unwrap();
        assert_eq!(*budget.used(), Amounts { engines: 1, memory: 236, threads: 4 });
        drop(first);
        assert_eq!(*budget.used(), Amounts::default());
    }

    proptest! {
        #[test]
        fn no_lines_exceed_the_budget(
            lines in prop::collection::vec(("(Hash|Threads)", any::<u64>(), 0u64..400), 0..20),
        ) {
            let budget = budget();
            let mut shares = [budget.share().unwrap(), budget.share().unwrap()];
            for (index, (name, large, small)) in lines.into_iter().enumerate() {
                let value = if index % 3 == 0 { large } else { small };
                drop(shares[index % 2].adapt_to(&format!("setoption name {name} value {value}")));
                let used = *budget.used();
                prop_assert!(used.memory <= 300 && used.threads <= 4 && used.engines == 2);
            }
            drop(shares);
            prop_assert_eq!(*budget.used(), Amounts::default());
        }
    }
}

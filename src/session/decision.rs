//! What to do with a line when it arrives: the table in `protocol.md`, as a pure function.

use crate::protocol::command::Command;

/// What a line says: a command, nothing, or what is wrong with it.
pub type Parsed = Result<Option<Command>, String>;

/// What the engine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Nothing: it is at hand.
    Idle,
    /// A search, or other work, that ends by itself.
    Searching,
    /// A search that only a signal can end.
    Endless,
}

/// A command that reaches a running search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Answer now.
    Stop,
    /// The time limits apply from now on.
    PonderHit,
    /// Exit.
    Quit,
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Carry the command out now.
    Execute,
    /// Pass the signal on.
    Signal(Signal),
    /// Keep the line until the search is done or there is room for its reply.
    Enqueue,
    /// Report what is wrong with the line.
    Refuse,
    /// Report that a search is running that this command cannot wait for.
    RefuseWhileSearching,
    /// Do nothing.
    Ignore,
}

/// What becomes of a line that says `parsed`. `has_room` is false while the client does not read
/// what was written: then nothing is done that would write more.
pub fn decide(activity: Activity, has_room: bool, parsed: &Parsed) -> Decision {
    let idle = activity == Activity::Idle;
    match parsed {
        Ok(None | Some(Command::Ignored)) => Decision::Ignore,
        Ok(Some(Command::Stop)) => Decision::Signal(Signal::Stop),
        Ok(Some(Command::PonderHit)) => Decision::Signal(Signal::PonderHit),
        Ok(Some(Command::Quit)) => Decision::Signal(Signal::Quit),
        _ if !has_room => Decision::Enqueue,
        Ok(Some(Command::IsReady)) => Decision::Execute,
        Ok(Some(_)) if idle => Decision::Execute,
        Err(_) if idle => Decision::Refuse,
        // Replies come in the order of the commands, so everything else waits for the search ...
        _ if activity == Activity::Searching => Decision::Enqueue,
        // ... unless it would wait for ever.
        Ok(Some(Command::Help)) => Decision::Execute,
        Ok(Some(_)) => Decision::RefuseWhileSearching,
        Err(_) => Decision::Refuse,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::dialect::Dialect;
    use crate::protocol::parse::parse_line;

    const ACTIVITIES: [Activity; 3] = [Activity::Idle, Activity::Searching, Activity::Endless];

    fn decisions(line: &str, has_room: bool) -> [Decision; 3] {
        let parsed = parse_line(line.as_bytes(), Dialect::Native);
        ACTIVITIES.map(|activity| decide(activity, has_room, &parsed))
    }

    #[test]
    fn signals_always_pass_and_blank_lines_never_count() {
        for has_room in [true, false] {
            for (line, decision) in [
                ("stop", Decision::Signal(Signal::Stop)),
                ("ponderhit", Decision::Signal(Signal::PonderHit)),
                ("quit", Decision::Signal(Signal::Quit)),
                ("", Decision::Ignore),
                ("# a comment", Decision::Ignore),
                ("debug on", Decision::Ignore),
            ] {
                assert_eq!(decisions(line, has_room), [decision; 3], "{line}");
            }
        }
    }

    #[test]
    fn other_lines_are_executed_queued_or_refused_by_what_is_running() {
        use Decision::{Enqueue, Execute, Refuse, RefuseWhileSearching};
        for (line, decisions_with_room) in [
            ("isready", [Execute, Execute, Execute]),
            ("help", [Execute, Enqueue, Execute]),
            ("go depth 3", [Execute, Enqueue, RefuseWhileSearching]),
            ("position moves 4", [Execute, Enqueue, RefuseWhileSearching]),
            ("setoption name Hash value 5", [Execute, Enqueue, RefuseWhileSearching]),
            ("d", [Execute, Enqueue, RefuseWhileSearching]),
            ("xyzzy", [Refuse, Enqueue, Refuse]),
        ] {
            assert_eq!(decisions(line, true), decisions_with_room, "{line}");
            assert_eq!(decisions(line, false), [Enqueue; 3], "{line}");
        }
    }
}

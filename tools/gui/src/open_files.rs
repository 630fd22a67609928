//! How many files may be open at a time: each connection is one, and each engine has a few.

/// What the limits of connections, tabs and engines leave room for.
#[cfg(unix)]
const NEEDED: u64 = 1024;

/// Allows as many as are needed, if the system lets everyone have them: some begin with 256.
#[cfg(unix)]
pub fn raise_limit() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) {
        // With fewer the server still works, for fewer connections.
        let _ = setrlimit(Resource::RLIMIT_NOFILE, soft.max(NEEDED.min(hard)), hard);
    }
}

/// There is no limit to raise.
#[cfg(not(unix))]
pub fn raise_limit() {}

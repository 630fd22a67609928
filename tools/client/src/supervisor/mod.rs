//! Ensures that no engine outlives the program that started it, nor any process that an engine starts.
//!
//! | system | the engine is dropped or exits | the program is killed |
//! | --- | --- | --- |
//! | Linux | its supervisor process kills all its descendants | the same |
//! | other Unix | its process group is killed | it reads the end of its input |
//! | Windows | its job is closed, which kills all processes in it | the same |

use std::process::ExitCode;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub(crate) use linux::Supervision;

#[cfg(any(all(unix, not(target_os = "linux")), all(unix, test)))]
mod process_group;
#[cfg(all(unix, not(target_os = "linux")))]
pub(crate) use process_group::Supervision;

#[cfg(windows)]
mod job;
#[cfg(windows)]
pub(crate) use job::Supervision;

/// Runs as an engine's supervisor if the program's arguments ask for it, as they do on Linux only.
pub fn run_if_asked() -> Option<ExitCode> {
    #[cfg(target_os = "linux")]
    return linux::run_if_asked();
    #[cfg(not(target_os = "linux"))]
    None
}

//! What these tests need: the module, built once.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use ratlla_web::toolchain::{self, INSTALLATION, Toolchain};
use ratlla_web::{npm, static_site};

/// The folders of the static edition and of the npm package.
pub struct Built {
    pub site: PathBuf,
    pub package: PathBuf,
}

/// Both, or `None` if there is no compiler for them, or no Node to try them with. With the environment
/// variable `RATLLA_REQUIRE_ALL` that is an error, else a line on stderr.
pub fn built() -> Option<&'static Built> {
    static BUILT: OnceLock<Option<Built>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let has_node = Command::new("node").arg("--version").output().is_ok();
        if Toolchain::find().is_none() || !has_node {
            let missing = format!("these tests need Node and a compiler for them: {INSTALLATION}");
            assert!(std::env::var_os("RATLLA_REQUIRE_ALL").is_none(), "{missing}");
            // Past the test harness, which would show it only if a test failed.
            drop(writeln!(std::io::stderr(), "SKIPPED: {missing}"));
            return None;
        }
        let module = toolchain::module().expect("the engine compiles");
        let folder = ratlla_web::target_folder().join("web-tests");
        let built = Built { site: folder.join("site"), package: folder.join("npm") };
        static_site::write(&built.site, &module).expect("the site is written");
        npm::write(&built.package, &module).expect("the package is written");
        Some(built)
    });
    built.as_ref()
}

//! What these tests need: the module, built once.

use std::path::PathBuf;
use std::sync::OnceLock;

use ratlla_web::toolchain::{self, INSTALLATION, Toolchain};
use ratlla_web::{npm, static_site};
use ratlla_workspace::{needed, node};

/// The static edition and the npm package, as folders.
pub struct Built {
    pub site: PathBuf,
    pub package: PathBuf,
    /// The module with threads, if the compiler can make it.
    pub threads: Option<PathBuf>,
}

/// Both. `None` if the test is skipped: there is no compiler for them, or no Node to try them with.
pub fn built() -> Option<&'static Built> {
    static BUILT: OnceLock<Built> = OnceLock::new();
    needed("a compiler for WebAssembly", INSTALLATION, Toolchain::find().ok())?;
    node()?;
    ratlla_workspace::npm()?;
    let built = BUILT.get_or_init(|| {
        let modules = toolchain::modules().expect("the engine compiles");
        let folder = ratlla_web::target_folder().join("web-tests");
        let (site, package) = (folder.join("site"), folder.join("npm"));
        let threads = modules.threads.as_ref().map(|_| site.join(static_site::THREADS));
        let built = Built { site, package, threads };
        static_site::write(&built.site, &modules).expect("the site is written");
        npm::write(&built.package, &modules.single).expect("the package is written");
        built
    });
    Some(built)
}

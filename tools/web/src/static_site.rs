//! The static edition: the page of tools/gui with the engine in a worker, as a folder of files for
//! any web server. A service worker keeps them for use without a connection.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::npm::{RUNTIME, copy};
use crate::root;
use crate::toolchain::Modules;

/// What the static edition adds to the head of the page: where its engine is, and what makes it
/// installable.
const HEAD: &str = "    <meta name=\"ratlla-engine\" content=\"engine/process.js\"{threads}>
    <link rel=\"manifest\" href=\"manifest.webmanifest\">
    <link rel=\"apple-touch-icon\" href=\"icon-192.png\">
    <script type=\"module\" src=\"offline.js\"></script>
  </head>";

/// The module with threads: the service worker keeps it once it is used.
pub const THREADS: &str = "engine/ratlla-threads.wasm";

/// Writes the site to `folder`, which must be new or an earlier one.
pub fn write(folder: &Path, modules: &Modules) -> Result<()> {
    if folder.exists() {
        let is_site = folder.join("service-worker.js").exists();
        let is_empty = fs::read_dir(folder)?.next().is_none();
        ensure!(is_site || is_empty, "{} is not a folder of this tool's", folder.display());
        fs::remove_dir_all(folder)?;
    }
    for (name, path) in files_of(&root().join("tools/gui/page"))? {
        let to = folder.join(name);
        fs::create_dir_all(to.parent().unwrap_or(folder))?;
        copy(&path, &to)?;
    }
    let page = folder.join("index.html");
    let text = fs::read_to_string(&page)?;
    ensure!(text.contains("  </head>"), "the page has no head");
    let threads = modules.threads.as_ref().map(|_| format!(" data-threads=\"{THREADS}\""));
    let head = HEAD.replace("{threads}", &threads.unwrap_or_default());
    fs::write(&page, text.replacen("  </head>", &head, 1))?;
    let site = root().join("tools/web/site");
    for name in ["offline.js", "manifest.webmanifest", "icon-192.png", "icon-512.png"] {
        copy(&site.join(name), &folder.join(name))?;
    }
    let engine = folder.join("engine");
    fs::create_dir_all(&engine)?;
    for name in RUNTIME {
        copy(&root().join("tools/npm/src").join(name), &engine.join(name))?;
    }
    copy(&modules.single, &engine.join("ratlla.wasm"))?;
    if let Some(threads) = &modules.threads {
        copy(threads, &folder.join(THREADS))?;
    }
    write_service_worker(folder, &site.join("service-worker.js"))
}

/// The service worker begins with the list of files and their checksum: any change makes a new one,
/// which replaces what browsers have kept.
fn write_service_worker(folder: &Path, source: &Path) -> Result<()> {
    let mut names = vec!["./".to_owned()];
    let mut hasher = DefaultHasher::new();
    for (name, path) in files_of(folder)? {
        name.hash(&mut hasher);
        fs::read(path)?.hash(&mut hasher);
        if name != "index.html" && name != THREADS {
            names.push(name);
        }
    }
    let code = fs::read_to_string(source).context("the service worker")?;
    let version = format!("{:016x}", hasher.finish());
    let (names, version) = (serde_json::to_string(&names)?, serde_json::to_string(&version)?);
    let text = format!("const FILES = {names};\nconst VERSION = {version};\n{code}");
    Ok(fs::write(folder.join("service-worker.js"), text)?)
}

/// All files below `folder`, sorted, with their names relative to it.
pub fn files_of(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).with_context(|| format!("{}", next.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
                files.push((name, path));
            }
        }
    }
    files.sort();
    Ok(files)
}

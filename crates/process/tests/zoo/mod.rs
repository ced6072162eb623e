//! Finds the zoo's programs: builds them once, since cargo tells a test only
//! of the binaries of its own package.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The path of a program of the zoo.
pub(crate) fn program(name: &str) -> PathBuf {
    static BUILT: OnceLock<()> = OnceLock::new();
    BUILT.get_or_init(|| build(&["-p", "lydite-zoo", "--bins"]));
    profile_folder().join(name)
}

/// The path of an example of this package.
pub(crate) fn example(name: &str) -> PathBuf {
    // With the features of `make test`: else half of the dependencies are
    // built again.
    build(&["--workspace", "--example", name]);
    profile_folder().join("examples").join(name)
}

/// `target/debug` from `target/debug/deps/manners-…`.
fn profile_folder() -> PathBuf {
    let test = std::env::current_exe().expect("the running test has a path");
    let folder = test.ancestors().nth(2).expect("target/PROFILE/deps/TEST");
    folder.to_path_buf()
}

fn build(what: &[&str]) {
    let folder = profile_folder();
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let status = Command::new(env!("CARGO"))
        .args(["build", "-q", "--profile", profile])
        .args(what)
        .arg("--target-dir")
        .arg(folder.parent().expect("the folder above the profile"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .status()
        .expect("cargo starts");
    assert!(status.success(), "cargo build {what:?}");
}

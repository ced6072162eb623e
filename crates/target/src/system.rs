//! Commands that the system has already.

use std::path::Path;
use std::time::Duration;

use lydite_core::Exit;

use crate::cache::Installed;
use crate::tool;
use crate::{Family, SourceKind, Version};
use lydite_process::{Command, Limits, Memory};

/// How long a command may take to say its version.
const PATIENCE: Duration = Duration::from_secs(20);

/// How much memory it may take for that.
const MEMORY_BYTES: u64 = 4 << 30;

/// The versions of a family that are on the PATH, oldest first.
pub(crate) fn installed(family: &Family) -> Vec<Installed> {
    let mut installed: Vec<Installed> = Vec::new();
    for get in family
        .get
        .iter()
        .filter(|get| get.from == SourceKind::System)
    {
        for path in get.commands.iter().filter_map(tool::find) {
            let launch = [path.display().to_string()];
            let Some(said) = reported_version(family, &launch, &[]) else {
                continue;
            };
            let Some(version) = get.own_version(said.as_str()) else {
                continue;
            };
            if installed.iter().any(|other| other.version == version) {
                continue;
            }
            installed.push(Installed {
                version,
                root: "/".into(),
                source: format!("system {}", path.display()),
                bin: path,
                driver: None,
                python: None,
                get: get.clone(),
                binary: None,
            });
        }
    }
    installed.sort_by(|a, b| a.version.cmp(&b.version));
    installed
}

fn reported_version(
    family: &Family,
    launch: &[String],
    env: &[(String, String)],
) -> Option<Version> {
    // Without a way to ask, a command could be anything.
    if family.version.argv.is_empty() {
        return None;
    }
    let words = family
        .version
        .argv
        .iter()
        .flat_map(|word| match word.as_str() {
            "{bin}" => launch.to_vec(),
            word => vec![word.to_string()],
        });
    let argv: Vec<String> = words.collect();
    let said = said(&argv, env).ok()?;
    version_in(family, &said)
}

/// The version that a target names in what it prints.
pub(crate) fn version_in(family: &Family, said: &str) -> Option<Version> {
    let captures = match &family.version.pattern {
        Some(pattern) => pattern.regex().captures(said)?,
        None => return Some(Version::new("")),
    };
    let group = captures.get(1).or_else(|| captures.get(0))?;
    Some(Version::new(group.as_str()))
}

/// What a command prints, on both streams; an error if it does not end well.
pub(crate) fn said(argv: &[String], env: &[(String, String)]) -> anyhow::Result<String> {
    let argv: Vec<std::ffi::OsString> = argv.iter().map(std::ffi::OsString::from).collect();
    let ended = lydite_process::run(&Command {
        argv: &argv,
        dir: Path::new("/"),
        stdin: None,
        env,
        limits: &Limits {
            wall: PATIENCE,
            // Some reserve far more address space than they use.
            memory: Memory::Resident(MEMORY_BYTES),
            ..Limits::default()
        },
    })?;
    let text = ended.stdout.text() + &ended.stderr.text();
    match (ended.cut, ended.exit) {
        (None, Exit::Status(0)) => Ok(text),
        (Some(cut), _) => anyhow::bail!("cut off: {cut:?}"),
        (None, exit) => anyhow::bail!("{exit:?}: {}", text.lines().next().unwrap_or("")),
    }
}

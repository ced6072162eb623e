//! Building a processor from its source, inside of the cache.
//!
//! A build has a folder of its own, `building/LABEL/` (with `+` for a colon), and goes on where it was
//! stopped: `state.json` says what it is made of and how many of its commands
//! have ended well, and is replaced by a rename after each of them. What it
//! prints is in `logs/LABEL.log`. Whoever builds holds the lock of the label.
//!
//! Commands run in the source's folder with a clean environment (cargo, which
//! has to reach its registry, with ours), within the limits of the target file,
//! and nothing that they start outlives them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use lydite_core::Exit;
use lydite_process::{Command, Cut, Ended, Limits, Memory, Scratch};
use serde::{Deserialize, Serialize};

use super::build::matching;
use super::{crates, debian, npm, pypi, unpack_archive};
use crate::cache::Cache;
use crate::tool;
use crate::{Build, Get, PackageRegistry, SourceKind};

/// The memory of all processes of a command together.
const MEMORY_BYTES: u64 = 16 << 30;

/// The largest file that a command may write.
const FILE_BYTES: u64 = 16 << 30;

/// How often something is said while a command runs.
const SAY_EVERY: Duration = Duration::from_secs(20);

/// How much of the end of a log is looked at for what went wrong.
const TAIL_BYTES: u64 = 16 << 10;

/// What is to be built.
pub(super) struct BuildOrder<'a> {
    /// The source.
    pub(super) get: &'a Get,
    /// How it is built.
    pub(super) build: &'a Build,
    /// What `{flags}` stands for.
    pub(super) flags: &'a str,
    /// The registry's version.
    pub(super) version: &'a str,
    /// `family@version:variant`, which names its folder and its log.
    pub(super) label: &'a str,
    /// Hash of everything that decides what is made.
    pub(super) made_of: String,
    /// The cache.
    pub(super) cache: &'a Cache,
}

/// How far a build has come.
#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    /// What it is made of.
    made_of: String,
    /// True once the source lies there.
    unpacked: bool,
    /// How many commands have ended well.
    done: usize,
}

/// Builds, or goes on building, and puts what is kept below `root`.
pub(super) fn build(
    order: &BuildOrder<'_>,
    root: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<()> {
    for command in &order.build.needs {
        ensure!(
            tool::find(command).is_some(),
            "needs the command `{command}` on the PATH to be built: install it"
        );
    }
    // A colon would end the folder's name in a PATH.
    let name = order.label.replace(':', "+");
    let folder = order.cache.folder("building")?.join(&name);
    let log = order.cache.folder("logs")?.join(format!("{name}.log"));
    let mut state = State::load(&folder);
    if state.made_of != order.made_of {
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
        }
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        fs::write(&log, "").with_context(|| log.display().to_string())?;
        state = State {
            made_of: order.made_of.clone(),
            ..State::default()
        };
        state.save(&folder)?;
    }
    if !state.unpacked {
        unpack(order, &folder)?;
        state.unpacked = true;
        state.save(&folder)?;
    }
    let deadline = Instant::now() + Duration::from_secs(60 * order.build.minutes);
    while state.done < order.build.commands.len() {
        run_command(order, &folder, state.done, &log, deadline, progress)?;
        state.done += 1;
        state.save(&folder)?;
    }
    keep(order, &folder, root)?;
    fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())
}

impl State {
    /// The state of a build that was begun; what cannot be read was not.
    fn load(folder: &Path) -> State {
        let text = fs::read(folder.join("state.json")).ok();
        text.and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default()
    }

    fn save(&self, folder: &Path) -> Result<()> {
        let path = folder.join("state.json");
        let fresh = folder.join("state.json.tmp");
        fs::write(&fresh, serde_json::to_vec(self)?)
            .with_context(|| fresh.display().to_string())?;
        fs::rename(&fresh, &path).with_context(|| path.display().to_string())
    }
}

/// Brings the source into `folder/source`, and the tools that the system may
/// lack into `folder/tools`.
fn unpack(order: &BuildOrder<'_>, folder: &Path) -> Result<()> {
    let source = folder.join("source");
    for left in ["source", "tools", "downloads", "unpacked"] {
        let left = folder.join(left);
        if left.exists() {
            fs::remove_dir_all(&left).with_context(|| left.display().to_string())?;
        }
    }
    let downloads = folder.join("downloads");
    fs::create_dir(&downloads)?;
    let package = order.get.package.as_deref().unwrap_or_default();
    match (order.get.from, order.get.registry) {
        // cargo gets what it builds by itself.
        (SourceKind::Crates, _) => fs::create_dir(&source)?,
        (_, Some(PackageRegistry::Debian)) if order.get.original => {
            let apt = debian::Apt::open_sources(order.cache, false)?;
            apt.download_original(package, order.version, &downloads)?;
            unpack_whole(&debian::main_archive(&downloads)?, folder, &source)?;
        }
        (_, Some(PackageRegistry::Debian)) => {
            let apt = debian::Apt::open_sources(order.cache, false)?;
            apt.unpack_source(package, order.version, &downloads, &source)?;
        }
        (_, Some(PackageRegistry::Pypi)) => {
            let archive = pypi::download_source(package, order.version, &downloads)?;
            unpack_whole(&archive, folder, &source)?;
        }
        (_, Some(PackageRegistry::Npm)) => {
            let archive = npm::download(package, order.version, &downloads)?;
            unpack_whole(&archive, folder, &source)?;
        }
        (_, Some(PackageRegistry::Crates)) => {
            let archive = crates::download(package, order.version)?;
            unpack_whole(&archive, folder, &source)?;
        }
        (_, None) => {
            let path = order.get.path.as_deref().unwrap_or_default();
            unpack_whole(Path::new(path), folder, &source)?;
        }
    }
    unpack_tools(order, folder, &downloads)?;
    fs::remove_dir_all(&downloads).with_context(|| downloads.display().to_string())
}

/// Brings the tools of the build into `folder/tools`: packages of Debian that
/// the system may lack, and those of other registries.
fn unpack_tools(order: &BuildOrder<'_>, folder: &Path, downloads: &Path) -> Result<()> {
    let get = order.get;
    if !has_tools(get) {
        return Ok(());
    }
    let tools = folder.join("tools");
    fs::create_dir(&tools)?;
    for (number, also) in get.also.iter().enumerate() {
        let place = downloads.join(format!("also-{number}"));
        super::fetch_along(also, order.version, &place, &tools)?;
    }
    if get.with.is_empty() {
        return Ok(());
    }
    let apt = debian::Apt::open(order.cache, false)?;
    for (number, name) in get.with.iter().enumerate() {
        let place = downloads.join(format!("tool-{number}"));
        fs::create_dir(&place)?;
        let versions = apt.versions(name)?;
        let version = versions
            .first()
            .with_context(|| format!("no package `{name}`"))?;
        let packages = apt.download(name, version, &[], &place)?;
        debian::unpack(&packages, &tools)?;
    }
    Ok(())
}

/// True if the build has tools that the system may lack.
fn has_tools(get: &Get) -> bool {
    !get.with.is_empty() || !get.also.is_empty()
}

/// Unpacks an archive or copies a folder; where all of it lies in one folder,
/// as in most archives, that folder is the source.
fn unpack_whole(path: &Path, folder: &Path, source: &Path) -> Result<()> {
    let unpacked = folder.join("unpacked");
    fs::create_dir(&unpacked)?;
    unpack_archive(path, &unpacked)?;
    let entries: Vec<PathBuf> = fs::read_dir(&unpacked)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    match entries.as_slice() {
        [only] if only.is_dir() && !path.is_dir() => {
            fs::rename(only, source)?;
            fs::remove_dir(&unpacked)?;
        }
        _ => fs::rename(&unpacked, source)?,
    }
    Ok(())
}

/// Runs one of the commands; what it prints goes to the end of the log.
fn run_command(
    order: &BuildOrder<'_>,
    folder: &Path,
    number: usize,
    log: &Path,
    deadline: Instant,
    progress: &mut dyn FnMut(&str),
) -> Result<()> {
    let placeholders = placeholders(order, folder)?;
    let fill = |text: &String| fill(text, &placeholders);
    let words: Vec<String> = order.build.commands[number].iter().map(fill).collect();
    let count = order.build.commands.len();
    let what = format!(
        "{}: building, command {} of {count}",
        order.label,
        number + 1
    );
    progress(&format!("{what} (log: {})", log.display()));
    let argv = logged(&words, log);
    let limits = Limits {
        wall: deadline.saturating_duration_since(Instant::now()),
        // Some commands do all of the work in one process.
        cpu: Duration::from_secs(60 * order.build.minutes),
        memory: Memory::Resident(MEMORY_BYTES),
        file_bytes: FILE_BYTES,
        ..Limits::default()
    };
    let env = environment(order, folder, &fill);
    // Its warden ends what still runs when we are killed: nothing may work in
    // this folder beside the install that goes on.
    let _watched = Scratch::new()?;
    let command = Command {
        argv: &argv,
        dir: &folder.join("source"),
        stdin: None,
        env: &env,
        limits: &limits,
    };
    let ended = run_and_say(&command, &what, progress)?;
    match failure(&ended, order.build.minutes) {
        None => Ok(()),
        Some(why) => {
            let said = tool::last_words(&tail(log));
            bail!(
                "`{}` {why}; the log is {}{}{said}",
                words.join(" "),
                log.display(),
                if said.is_empty() { "" } else { ": " }
            )
        }
    }
}

/// A command whose output goes to the end of the log: the shell is only there for that.
fn logged(words: &[String], log: &Path) -> Vec<OsString> {
    let shell = [
        "/bin/sh",
        "-c",
        r#"log=$1; shift; exec "$@" >>"$log" 2>&1"#,
        "sh",
    ];
    let mut argv: Vec<OsString> = shell.map(OsString::from).to_vec();
    argv.push(log.into());
    argv.extend(words.iter().map(OsString::from));
    argv
}

/// How a command failed that may take so many minutes.
fn failure(ended: &Ended, minutes: u64) -> Option<String> {
    match (ended.cut, ended.exit) {
        (None, Exit::Status(0)) => None,
        (Some(Cut::WallTime | Cut::CpuTime), _) => Some(format!(
            "was not done after {minutes} min (`minutes` in its target file); \
             the next install goes on from there"
        )),
        (Some(Cut::Memory), _) => Some(format!(
            "was ended: it took more than {} GB of memory",
            MEMORY_BYTES >> 30
        )),
        (Some(Cut::FileSize), _) => Some(format!(
            "was ended: it wrote a file of more than {} GB",
            FILE_BYTES >> 30
        )),
        (None, Exit::Status(status)) => Some(format!("ended with status {status}")),
        (None, Exit::Signal(signal)) => Some(format!("was ended by signal {signal}")),
        (None, Exit::NotStarted) => Some("could not be started".to_string()),
    }
}

/// Runs a command, and says every now and then that it still does.
fn run_and_say(command: &Command<'_>, what: &str, progress: &mut dyn FnMut(&str)) -> Result<Ended> {
    let began = Instant::now();
    let (sender, ended) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            // Nobody has gone: we wait for it below.
            let _ = sender.send(lydite_process::run(command));
        });
        loop {
            match ended.recv_timeout(SAY_EVERY) {
                Ok(ended) => return Ok(ended?),
                Err(RecvTimeoutError::Timeout) => {
                    progress(&format!("{what}, {} s", began.elapsed().as_secs()));
                }
                Err(RecvTimeoutError::Disconnected) => bail!("{what}: cannot be run"),
            }
        }
    })
}

/// What stands for what in the words of a command.
fn placeholders(order: &BuildOrder<'_>, folder: &Path) -> Result<Vec<(&'static str, String)>> {
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    let shown = |path: PathBuf| path.display().to_string();
    let mut placeholders = vec![
        ("{flags}", order.flags.to_string()),
        ("{jobs}", jobs.to_string()),
        ("{version}", order.version.to_string()),
        ("{package}", order.get.package.clone().unwrap_or_default()),
        ("{out}", shown(folder.join("out"))),
        ("{tools}", shown(folder.join("tools"))),
    ];
    if order.get.from == SourceKind::Source {
        placeholders.push(("{cc}", shown(tool::c_compiler()?)));
        let cxx = tool::cxx_compiler().map(shown).unwrap_or_default();
        placeholders.push(("{cxx}", cxx));
    }
    Ok(placeholders)
}

fn fill(text: &str, placeholders: &[(&'static str, String)]) -> String {
    let mut text = text.to_string();
    for (name, value) in placeholders {
        text = text.replace(name, value);
    }
    text
}

/// The environment of the commands, on top of a clean one.
fn environment(
    order: &BuildOrder<'_>,
    folder: &Path,
    fill: &dyn Fn(&String) -> String,
) -> Vec<(String, String)> {
    let mut env: BTreeMap<String, String> = BTreeMap::new();
    if order.get.from == SourceKind::Crates {
        // cargo finds its registry, its settings and its toolchain by these.
        env.extend(std::env::vars());
        let built = folder.join("target").display().to_string();
        env.insert("CARGO_TARGET_DIR".to_string(), built);
    }
    if has_tools(order.get) {
        let tools = folder.join("tools").display().to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        env.insert("PATH".to_string(), format!("{tools}/usr/bin:{path}"));
        let libraries = format!(
            "{tools}/usr/lib:{tools}/usr/lib/{}-linux-gnu",
            std::env::consts::ARCH
        );
        env.insert("LD_LIBRARY_PATH".to_string(), libraries);
    }
    env.extend(
        order
            .build
            .env
            .iter()
            .map(|(name, value)| (name.clone(), fill(value))),
    );
    env.into_iter().collect()
}

/// The last lines of a log.
fn tail(log: &Path) -> String {
    let read = || -> std::io::Result<Vec<u8>> {
        let mut file = fs::File::open(log)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES)))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        Ok(text)
    };
    String::from_utf8_lossy(&read().unwrap_or_default()).into_owned()
}

/// Copies what is kept below `root`; links become what they lead to.
fn keep(order: &BuildOrder<'_>, folder: &Path, root: &Path) -> Result<()> {
    if order.get.from == SourceKind::Crates {
        return super::unpack_archive(&folder.join("out"), root);
    }
    let source = folder.join("source");
    for pattern in &order.build.keep {
        let found = matching(pattern, &source)?;
        ensure!(
            !found.is_empty(),
            "no file of the build matches `keep = \"{pattern}\"`"
        );
        for path in found {
            keep_file(&source, &path, root)?;
        }
    }
    // What a build with --coverage needs to be read later.
    for path in matching(COVERAGE_NOTES, &source)? {
        keep_file(&source, &path, root)?;
    }
    Ok(())
}

/// The notes of a compiler that counts.
const COVERAGE_NOTES: &str = "**/*.gcno";

fn keep_file(source: &Path, path: &Path, root: &Path) -> Result<()> {
    let place = root.join(path);
    let parent = place.parent().context("a file lies in a folder")?;
    fs::create_dir_all(parent)?;
    ensure!(
        source.join(path).is_file(),
        "{}: `keep` names it, and it is neither a file nor a link to one",
        path.display()
    );
    fs::copy(source.join(path), &place).with_context(|| path.display().to_string())?;
    Ok(())
}

/// A hash of the names, sizes and times of what lies at `path`, so that a
/// source of the user's is built again when he has changed it.
pub(super) fn digest_of(path: &Path) -> Result<String> {
    let mut hasher = blake3::Hasher::new();
    let mut folders = vec![path.to_path_buf()];
    while let Some(current) = folders.pop() {
        let mut paths = match current.is_dir() {
            true => fs::read_dir(&current)
                .with_context(|| current.display().to_string())?
                .filter_map(|entry| Some(entry.ok()?.path()))
                .collect(),
            false => vec![current],
        };
        paths.sort();
        for path in paths {
            let metadata =
                fs::symlink_metadata(&path).with_context(|| path.display().to_string())?;
            if metadata.is_dir() {
                folders.push(path);
                continue;
            }
            let changed = metadata.modified().ok();
            let changed = changed.and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
            let nanos = changed.map_or(0, |since| since.as_nanos());
            hasher.update(format!("{}\n{} {nanos}\n", path.display(), metadata.len()).as_bytes());
        }
    }
    Ok(hasher.finalize().to_hex().to_string())
}

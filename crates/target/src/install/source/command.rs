//! Running one command of a build, in the source's folder, with a clean environment (cargo, which
//! has to reach its registry, with ours), within the limits of the target file. Nothing that it
//! starts outlives it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use lydite_core::Exit;
use lydite_process::{Command, Cut, Ended, Limits, Memory, Scratch, Withdrawn};

use super::unpack::has_tools;
use super::{BuildOrder, Site};
use crate::SourceKind;
use crate::tool;

/// The memory of all processes of a command together.
const MEMORY_BYTES: u64 = 16 << 30;

/// The largest file that a command may write.
const FILE_BYTES: u64 = 16 << 30;

/// How much a command may print.
const PRINTED_BYTES: u64 = 64 << 20;

/// How often is looked at how much that is.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How often something is said while a command runs.
const SAY_EVERY: Duration = Duration::from_secs(20);

/// How much of the end of a log is looked at for what went wrong.
const TAIL_BYTES: u64 = 16 << 10;

/// How much of a command a message quotes.
const COMMAND_CHARS: usize = 200;

/// How a command ended, and why where it did not end well.
pub(super) enum CommandEnd {
    /// As it should.
    Well,
    /// With a failure of its own.
    Failed(String),
    /// By a limit: what it was doing is half done.
    Cut(String),
}

/// Runs one of the commands; what it prints goes to the end of the log.
pub(super) fn run_command(
    order: &BuildOrder<'_>,
    site: &Site,
    number: usize,
    progress: &mut dyn FnMut(&str),
) -> Result<CommandEnd> {
    let Site { folder, log, .. } = site;
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
    let withdrawn = Withdrawn::default();
    let limits = Limits {
        wall: site.deadline.saturating_duration_since(Instant::now()),
        // Some commands do all of the work in one process.
        cpu: Duration::from_secs(60 * order.build.minutes),
        memory: Memory::Resident(MEMORY_BYTES),
        file_bytes: FILE_BYTES,
        withdrawn: Some(withdrawn.clone()),
        ..Limits::default()
    };
    let env = environment(order, folder, &fill);
    // Its warden ends what still runs when we are killed: nothing may work in
    // this folder beside the install that goes on.
    let _watched = Scratch::new()?;
    let command = Command {
        argv: &logged(&words, log),
        dir: &folder.join("source"),
        stdin: None,
        env: &env,
        limits: &limits,
    };
    let mut printed = Printed::begin(log, withdrawn)?;
    let ended = run_and_say(&command, &what, &mut printed, progress)?;
    let minutes = order.build.minutes;
    let Some((cut, why)) = too_much(&printed).or_else(|| failure(&ended, minutes)) else {
        return Ok(CommandEnd::Well);
    };
    let said = tool::last_words(&tail(log));
    let colon = if said.is_empty() { "" } else { ": " };
    let why = format!(
        "`{}` {why}; the log is {}{colon}{said}",
        shown(&words),
        log.display()
    );
    Ok(match cut {
        true => CommandEnd::Cut(why),
        false => CommandEnd::Failed(why),
    })
}

/// The words of a command in one line of bearable length.
fn shown(words: &[String]) -> String {
    let text = words.join(" ");
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    match line.char_indices().nth(COMMAND_CHARS) {
        Some((end, _)) => format!("{} …", line[..end].trim_end()),
        None => line,
    }
}

/// How much a command has printed.
struct Printed<'a> {
    log: &'a Path,
    /// The length of the log before.
    before: u64,
    /// Ends the command.
    withdrawn: Withdrawn,
}

impl Printed<'_> {
    fn begin(log: &Path, withdrawn: Withdrawn) -> Result<Printed<'_>> {
        let length = || fs::metadata(log).map_or(0, |metadata| metadata.len());
        if length() > PRINTED_BYTES {
            fs::write(log, "").with_context(|| log.display().to_string())?;
        }
        Ok(Printed {
            log,
            before: length(),
            withdrawn,
        })
    }

    /// Ends the command if it has printed too much.
    fn look(&mut self) {
        let length = fs::metadata(self.log).map_or(0, |metadata| metadata.len());
        if length.saturating_sub(self.before) > PRINTED_BYTES {
            self.withdrawn.withdraw();
        }
    }
}

/// The same as [`failure`], of what it has printed.
fn too_much(printed: &Printed<'_>) -> Option<(bool, String)> {
    printed.withdrawn.is_withdrawn().then(|| {
        let most = PRINTED_BYTES >> 20;
        (true, format!("was ended: it printed more than {most} MB"))
    })
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

/// How a command failed that may take so many minutes; true if a limit ended it.
fn failure(ended: &Ended, minutes: u64) -> Option<(bool, String)> {
    let why = match (ended.cut, ended.exit) {
        (None, Exit::Status(0)) => return None,
        (Some(Cut::WallTime | Cut::CpuTime), _) => format!(
            "was not done after {minutes} min (`minutes` in its target file); \
             the next install goes on from there"
        ),
        (Some(Cut::Memory), _) => format!(
            "was ended: it took more than {} GB of memory",
            MEMORY_BYTES >> 30
        ),
        (Some(Cut::FileSize), _) => format!(
            "was ended: it wrote a file of more than {} GB",
            FILE_BYTES >> 30
        ),
        (None, Exit::Status(status)) => format!("ended with status {status}"),
        (None, Exit::Signal(signal)) => format!("was ended by signal {signal}"),
        (None, Exit::NotStarted) => "could not be started".to_string(),
    };
    Some((ended.cut.is_some(), why))
}

/// Runs a command, and says every now and then that it still does.
fn run_and_say(
    command: &Command<'_>,
    what: &str,
    printed: &mut Printed<'_>,
    progress: &mut dyn FnMut(&str),
) -> Result<Ended> {
    let began = Instant::now();
    let mut said = began;
    let (sender, ended) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            // Nobody has gone: we wait for it below.
            let _ = sender.send(lydite_process::run(command));
        });
        loop {
            match ended.recv_timeout(LOOK_EVERY) {
                Ok(ended) => return Ok(ended?),
                Err(RecvTimeoutError::Timeout) if said.elapsed() < SAY_EVERY => printed.look(),
                Err(RecvTimeoutError::Timeout) => {
                    said = Instant::now();
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

//! Starting a command: environment, limits, its entry in the children.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, getrlimit, kill_process_group, pidfd_open,
    pidfd_send_signal, prlimit,
};
use wait4::{ResUse, Wait4};

use super::child_table::{Purpose, TAG, Ticket, child_table};
use super::command::{Command, Limits, Memory};
use super::{patience, sweep};

/// How often a program that is still open for writing somewhere is tried
/// again, a millisecond apart. Another thread's child holds copies of our
/// files between its spawn and its exec.
const BUSY_TRIES: usize = 100;

/// A started command. Dropping it kills and reaps it.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) child: Child,
    pub(super) pidfd: OwnedFd,
    ticket: Ticket,
    reaped: bool,
}

/// Starts the command and limits it.
pub(super) fn start(command: &Command) -> io::Result<Running> {
    start_prepared(command, prepare(command)?)
}

/// The same with a pipe as its standard input.
pub(super) fn start_with_pipe(command: &Command) -> io::Result<Running> {
    let mut prepared = prepare(command)?;
    prepared.process.stdin(Stdio::piped());
    start_prepared(command, prepared)
}

fn start_prepared(command: &Command, prepared: Prepared) -> io::Result<Running> {
    let spawned = child_table().enter(Purpose::Run, |number| spawn(prepared, number))?;
    let ((child, pidfd, leader), number) = spawned;
    let running = Running {
        child,
        pidfd,
        ticket: Ticket { number, leader },
        reaped: false,
    };
    limit(leader, command.limits)
        .map_err(|error| named(command, "cannot be limited", error.into()))?;
    // Should the machine run out of memory, let it be the target's and not
    // ours. A kernel that refuses this still ends somebody.
    let _ = std::fs::write(format!("/proc/{leader}/oom_score_adj"), "1000");
    Ok(running)
}

fn named(command: &Command, what: &str, error: io::Error) -> io::Error {
    let program = command
        .argv
        .first()
        .map_or(OsStr::new(""), OsString::as_ref);
    io::Error::new(
        error.kind(),
        format!("{}: {what}: {error}", program.display()),
    )
}

struct Prepared<'a> {
    command: &'a Command<'a>,
    process: std::process::Command,
}

fn prepare<'a>(command: &'a Command) -> io::Result<Prepared<'a>> {
    let Some(name) = command.argv.first() else {
        let message = "cannot start: empty command line";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    };
    let path = search_path(command);
    let program = find_program(name, &path)
        .ok_or_else(|| named(command, "not found", Errno::NOENT.into()))?;
    let stdin = match command.stdin {
        None => Stdio::null(),
        Some(path) => File::open(path)
            .map_err(|error| named(command, &format!("input {}", path.display()), error))?
            .into(),
    };
    let mut process = std::process::Command::new(program);
    process
        .arg0(name)
        .args(&command.argv[1..])
        .current_dir(command.dir)
        .env_clear()
        .env("PATH", path)
        .env("HOME", command.dir)
        .env("TMPDIR", command.dir)
        .env("LANG", "C.UTF-8")
        .envs(command.env.iter().map(|(key, value)| (key, value)))
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    Ok(Prepared { command, process })
}

/// The `PATH` that the command gets.
fn search_path(command: &Command) -> OsString {
    let own = command.env.iter().rev().find(|(key, _)| key == "PATH");
    match own {
        Some((_, path)) => path.into(),
        None => std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into()),
    }
}

/// Looks the program up by ourselves: the standard library only uses
/// `posix_spawn` under a changed `PATH` if the program is a path.
fn find_program(name: &OsStr, path: &OsStr) -> Option<PathBuf> {
    if name.as_bytes().contains(&b'/') {
        return Some(name.into());
    }
    let executable = |file: &PathBuf| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(file).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    };
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder: PathBuf| Path::join(&folder, name))
        .find(executable)
}

type Spawned = (Child, OwnedFd, Pid);

fn spawn(mut prepared: Prepared, number: u64) -> io::Result<(Spawned, Pid)> {
    prepared.process.env(TAG, child_table().tag(number));
    let mut tries = 0;
    crate::failpoint::reach("spawn")?;
    let child = loop {
        match prepared.process.spawn() {
            Err(error)
                if error.kind() == io::ErrorKind::ExecutableFileBusy && tries < BUSY_TRIES =>
            {
                tries += 1;
                patience::pause(Duration::from_millis(1));
            }
            result => break result,
        }
    };
    let mut child = child.map_err(|error| {
        let dir = prepared.command.dir;
        let what = if dir.is_dir() {
            "cannot start".to_string()
        } else {
            format!("cannot start in {}", dir.display())
        };
        named(prepared.command, &what, error)
    })?;
    let leader = Pid::from_child(&child);
    match pidfd_open(leader, PidfdFlags::empty()) {
        Ok(pidfd) => Ok(((child, pidfd, leader), leader)),
        Err(error) => {
            let _ = child.kill();
            let _ = child.wait();
            Err(named(prepared.command, "cannot be watched", error.into()))
        }
    }
}

/// Sets the limits that the kernel keeps. They come a few microseconds after
/// the start, long before a program has loaded.
fn limit(pid: Pid, limits: &Limits) -> Result<(), Errno> {
    let cpu = cpu_seconds(limits);
    // At the soft limit comes SIGXCPU, which can be ignored, at the hard one SIGKILL.
    set(pid, Resource::Cpu, cpu, cpu.saturating_add(1))?;
    set(pid, Resource::Fsize, limits.file_bytes, limits.file_bytes)?;
    set(pid, Resource::Core, 0, 0)?;
    match limits.memory {
        Memory::AddressSpace(bytes) => set(pid, Resource::As, bytes, bytes),
        Memory::Unlimited | Memory::Resident(_) => Ok(()),
    }
}

/// The CPU limit as the kernel takes it.
pub(super) fn cpu_seconds(limits: &Limits) -> u64 {
    let part = u64::from(limits.cpu.subsec_nanos() > 0);
    limits.cpu.as_secs().saturating_add(part).max(1)
}

fn set(pid: Pid, resource: Resource, soft: u64, hard: u64) -> Result<(), Errno> {
    // Without privileges a limit of our own cannot be raised for a child.
    let ceiling = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let below = |limit: u64| match limit.min(ceiling) {
        u64::MAX => None,
        limit => Some(limit),
    };
    let new = Rlimit {
        current: below(soft),
        maximum: below(hard),
    };
    prlimit(Some(pid), resource, new).map(drop)
}

impl Running {
    pub(super) fn ticket(&self) -> Ticket {
        self.ticket
    }

    /// Kills the leader and its group. The leader is not reaped yet, so both
    /// numbers are still its own. It may have left the group that it led.
    pub(super) fn kill(&self) {
        let _ = pidfd_send_signal(&self.pidfd, Signal::KILL);
        let _ = kill_process_group(self.ticket.leader, Signal::KILL);
    }

    /// Takes the leader's exit status; `None` if it does not die.
    pub(super) fn reap(&mut self) -> Option<ResUse> {
        self.reaped = true;
        let dead = patience::ends_within(&self.pidfd, patience::KILL_PATIENCE);
        let used = dead.then(|| {
            loop {
                match self.child.wait4() {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    result => break result.ok(),
                }
            }
        });
        child_table().leave(self.ticket.number);
        used.flatten()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.reaped {
            self.kill();
            sweep::sweep(Some(self.ticket));
            self.reap();
        }
    }
}

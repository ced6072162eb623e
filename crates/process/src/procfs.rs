//! What `/proc` says of other processes. A process may be gone at any moment,
//! so everything is optional.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::time::Duration;

use rustix::param::clock_ticks_per_second;
use rustix::process::Pid;

use super::child_table::{TAG, child_table};

/// A hostile environment may be as large as the kernel allows; the tag is
/// looked for in so many bytes.
const ENVIRON_BYTES: u64 = 8 << 20;

/// How many descendants are looked at to sum up memory or time.
const TREE_PROCESSES: usize = 4096;

/// The part of `/proc/PID/stat` that tells whose a process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) zombie: bool,
    pub(super) parent: i32,
    pub(super) group: i32,
    /// When it started, in clock ticks since boot.
    pub(super) started: u64,
}

pub(super) fn stat(pid: Pid) -> Option<Stat> {
    parse_stat(&fs::read(format!("/proc/{pid}/stat")).ok()?)
}

/// The second field is the program's name in parentheses, which may itself
/// hold any byte; the last `)` ends it.
fn parse_stat(text: &[u8]) -> Option<Stat> {
    let name_end = text.iter().rposition(|&byte| byte == b')')?;
    let rest = std::str::from_utf8(&text[name_end + 1..]).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    Some(Stat {
        zombie: matches!(*fields.first()?, "Z" | "X"),
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        started: fields.get(19)?.parse().ok()?,
    })
}

/// The value of our tag in the environment of a process: empty if it has
/// none, if it hides it, or if it is a zombie.
pub(super) fn tag(pid: Pid) -> String {
    let mut environ = Vec::new();
    let Ok(file) = File::open(format!("/proc/{pid}/environ")) else {
        return String::new();
    };
    // An error in the middle leaves what was read.
    let _ = file.take(ENVIRON_BYTES).read_to_end(&mut environ);
    let value = environ
        .split(|&byte| byte == 0)
        .find_map(|variable| variable.strip_prefix(TAG.as_bytes())?.strip_prefix(b"="));
    String::from_utf8_lossy(value.unwrap_or_default()).into_owned()
}

/// The children of our main thread. Orphans that come back to a subreaper
/// become children of its first living thread, and that is this one.
pub(super) fn adopted() -> Vec<Pid> {
    static CHILDREN: OnceLock<Option<File>> = OnceLock::new();
    let children = CHILDREN.get_or_init(|| {
        let pid = child_table().pid;
        File::open(format!("/proc/{pid}/task/{pid}/children")).ok()
    });
    match children {
        Some(file) => parse_pids(&read_again(file)),
        None => children_by_scan(),
    }
}

/// Reads an open file of `/proc` anew from its beginning.
fn read_again(file: &File) -> Vec<u8> {
    let mut text = vec![0; 1024];
    let mut len = 0;
    while let Ok(read) = file.read_at(&mut text[len..], len as u64)
        && read > 0
    {
        len += read;
        // What fits in half the buffer came in one piece.
        if len < 512 {
            break;
        }
        text.resize(len + 4096, 0);
    }
    text.truncate(len);
    text
}

fn parse_pids(text: &[u8]) -> Vec<Pid> {
    let words = text.split(|byte| byte.is_ascii_whitespace());
    words
        .filter_map(|word| std::str::from_utf8(word).ok()?.parse().ok())
        .filter_map(Pid::from_raw)
        .collect()
}

/// For kernels without `CONFIG_PROC_CHILDREN`.
fn children_by_scan() -> Vec<Pid> {
    let us = child_table().pid.as_raw_nonzero().get();
    let is_ours = |pid: &Pid| stat(*pid).is_some_and(|stat| stat.parent == us);
    every_pid().into_iter().filter(is_ours).collect()
}

fn every_pid() -> Vec<Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
        .collect()
}

/// User and system time of these processes and of those that they waited for.
pub(super) fn cpu_time(pids: &[Pid]) -> Duration {
    let each = pids.iter();
    each.map(|pid| in_ticks(*pid).max(of_threads(*pid))).sum()
}

/// Complete, but in steps of a hundredth of a second.
fn in_ticks(pid: Pid) -> Duration {
    let stat = fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
    let ticks = parse_ticks(&stat).unwrap_or_default();
    Duration::from_millis(ticks.saturating_mul(1000) / clock_ticks_per_second().max(1))
}

/// Exact, but without threads that have ended; zero where the kernel does not tell.
fn of_threads(pid: Pid) -> Duration {
    let threads = fs::read_dir(format!("/proc/{pid}/task"));
    let nanos = threads
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|thread| {
            let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split_ascii_whitespace().next()?.parse::<u64>().ok()
        });
    Duration::from_nanos(nanos.sum())
}

/// True if some of these processes computes or waits for a disk, or for a processor.
pub(super) fn any_works(pids: &[Pid]) -> bool {
    pids.iter().any(|pid| {
        let stat = fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
        let name_end = stat.iter().rposition(|&byte| byte == b')');
        let state = name_end.and_then(|end| stat.get(end + 2));
        matches!(state, Some(b'R' | b'D'))
    })
}

fn parse_ticks(stat: &[u8]) -> Option<u64> {
    let name_end = stat.iter().rposition(|&byte| byte == b')')?;
    let rest = std::str::from_utf8(&stat[name_end + 1..]).ok()?;
    let times = rest.split_ascii_whitespace().skip(11).take(4);
    Some(times.filter_map(|field| field.parse::<u64>().ok()).sum())
}

/// Resident bytes of these processes and all their descendants.
pub(super) fn resident_bytes(pids: Vec<Pid>) -> u64 {
    let tree = with_descendants(pids);
    tree.into_iter().filter_map(own_resident_bytes).sum()
}

/// These processes and all their descendants.
pub(super) fn with_descendants(mut todo: Vec<Pid>) -> Vec<Pid> {
    let mut seen = Vec::new();
    while let Some(pid) = todo.pop()
        && seen.len() < TREE_PROCESSES
    {
        seen.push(pid);
        let threads = fs::read_dir(format!("/proc/{pid}/task"));
        for thread in threads.into_iter().flatten().flatten() {
            let children = fs::read(thread.path().join("children"));
            todo.extend(parse_pids(&children.unwrap_or_default()));
        }
    }
    seen
}

fn own_resident_bytes(pid: Pid) -> Option<u64> {
    let status = fs::read(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .split(|&byte| byte == b'\n')
        .find_map(|line| line.strip_prefix(b"VmRSS:"))?;
    let kb: u64 = std::str::from_utf8(line)
        .ok()?
        .split_ascii_whitespace()
        .next()?
        .parse()
        .ok()?;
    Some(kb << 10)
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use rustix::process::{WaitOptions, waitpid};

    use super::*;

    #[test]
    fn a_program_whose_name_looks_like_a_stat_line_does_not_confuse_us() {
        let mut line = b"77 (a) Z 1 1 (\xff) S 5 6 7".to_vec();
        line.extend(b" 0".repeat(15));
        line.extend(b" 4242 9 9\n");
        assert_eq!(
            parse_stat(&line),
            Some(Stat {
                zombie: false,
                parent: 5,
                group: 6,
                started: 4242
            })
        );
        assert_eq!(parse_stat(b"77 (a"), None);
        assert_eq!(parse_stat(b"77 (a) S 1"), None);
    }

    #[test]
    fn times_of_a_process_and_its_children_are_added() {
        let line = b"77 (a b) S 1 2 3 4 5 6 7 8 9 10 100 20 3 4 20 0 1 0 4242";
        assert_eq!(parse_ticks(line), Some(127));
        assert_eq!(parse_ticks(b"77 (a"), None);
    }

    #[test]
    fn the_two_ways_to_find_our_children_agree_on_this_kernel() {
        let main = child_table().pid;
        let listed = format!("/proc/{main}/task/{main}/children");
        assert!(fs::exists(listed).unwrap(), "no CONFIG_PROC_CHILDREN");
        // An orphan in our own group, which no sweep of another test takes.
        let mut shell = Command::new("sh")
            .args(["-c", "exec 3<&0; cat <&3 >/dev/null & echo $!"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = shell.stdin.take();
        let mut said = String::new();
        let mut output = shell.stdout.take().unwrap();
        output.read_to_string(&mut said).unwrap();
        shell.wait().unwrap();
        let orphan = Pid::from_raw(said.trim().parse().unwrap()).unwrap();
        assert!(adopted().contains(&orphan));
        assert!(children_by_scan().contains(&orphan));
        drop(input);
        waitpid(Some(orphan), WaitOptions::empty()).unwrap();
        assert!(!adopted().contains(&orphan));
        assert!(!children_by_scan().contains(&orphan));
    }

    #[test]
    fn our_own_resident_size_is_between_a_megabyte_and_all_memory() {
        let bytes = own_resident_bytes(child_table().pid).unwrap();
        assert!((1 << 20..1 << 40).contains(&bytes), "{bytes}");
        assert!(resident_bytes(vec![child_table().pid]) >= 1 << 20);
    }
}

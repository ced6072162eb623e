//! A program with bad manners: `zoo-manners WHAT [ARGUMENT]`.

use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use lydite_zoo::bugs::{die, eat_memory, hang, spin};

struct Manner {
    name: &'static str,
    about: &'static str,
    act: fn(&str) -> io::Result<u8>,
}

const fn manner(
    name: &'static str,
    about: &'static str,
    act: fn(&str) -> io::Result<u8>,
) -> Manner {
    Manner { name, about, act }
}

/// A shell that does not mind being asked to go.
const STUBBORN: &str = r#"trap "" HUP INT TERM; while :; do sleep 600; done"#;

#[rustfmt::skip]
const MANNERS: &[Manner] = &[
    manner("hold-pipes", "leave a grandchild with our pipes that ignores SIGTERM", |_| leave(&["sh", "-c", STUBBORN])),
    manner("escape", "leave a grandchild in a session of its own", |_| leave(&["setsid", "sh", "-c", STUBBORN])),
    manner("escape-clean", "the same, with an empty environment", |_| leave(&["env", "-i", "/usr/bin/setsid", "/bin/sh", "-c", STUBBORN])),
    manner("daemon", "fork twice, wait for the middle one", |_| wait_for(&["setsid", "sh", "-c", "sleep 600 & exit 0"])),
    manner("job", "leave an ended and a running background job in groups of their own", |_| shell("set -m; (true & sleep 600 &) ; exit 0")),
    manner("intrude", "leave a grandchild in the group of our parent", |_| intrude()),
    manner("zombies", "leave N ended children unwaited for", zombies),
    manner("forks", "fork until there are N processes, all hanging", forks),
    manner("flood", "print N bytes", |bytes| flood(number(bytes)?)),
    manner("flood-both", "print N bytes to both streams in turns", flood_both),
    manner("flood-forever", "print for ever", |_| flood(u64::MAX)),
    manner("trickle", "print N lines, one every 10 ms", trickle),
    manner("eat", "allocate without end", |_| eat_memory()),
    manner("eat-children", "N children that allocate 64 MB each, then hang", eat_children),
    manner("hang", "do nothing for ever", |_| hang()),
    manner("spin", "use CPU time: 5ms, 2s, or for ever", spin_for),
    manner("ignore-cpu", "use CPU time for ever and ignore SIGXCPU", |_| shell(r#"trap "" XCPU; while :; do :; done"#)),
    manner("stop", "stop ourselves", |_| shell("kill -STOP $$; exit 0")),
    manner("close-stdout", "close standard output and go on", |_| shell("echo early; exec >&-; echo late 2>/dev/null; echo still here >&2; exit 7")),
    manner("garbage", "print invalid UTF-8, terminal escapes and HTML", |_| garbage()),
    manner("delete-folder", "delete the working folder", |_| delete_folder()),
    manner("deep-folders", "make N folders, one in the other", deep_folders),
    manner("closed-folders", "leave folders without permissions", |_| closed_folders()),
    manner("fill-disk", "write one file without end", |_| fill_disk()),
    manner("die", "die by signal N or NAME", |signal| die(signal)),
    manner("exit", "exit with status N", |status| Ok(number(status)? as u8)),
    manner("cat", "copy standard input to standard output", |_| cat()),
    manner("environment", "print the working folder and all variables", |_| environment()),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let word = |index: usize| args.get(index).map_or("", String::as_str);
    let Some(manner) = MANNERS.iter().find(|manner| manner.name == word(0)) else {
        for manner in MANNERS {
            eprintln!("{:16}{}", manner.name, manner.about);
        }
        return ExitCode::from(2);
    };
    match (manner.act)(word(1)) {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            eprintln!("zoo-manners {}: {error}", manner.name);
            ExitCode::from(1)
        }
    }
}

fn number(text: &str) -> io::Result<u64> {
    text.parse()
        .map_err(|_| io::Error::other(format!("`{text}` is no number")))
}

fn command(argv: &[&str]) -> Command {
    let mut command = Command::new(argv[0]);
    command.args(&argv[1..]);
    command
}

/// Starts a process that inherits our pipes, says so, and goes away.
fn leave(argv: &[&str]) -> io::Result<u8> {
    let child = command(argv).spawn()?;
    println!("left {}", child.id());
    Ok(0)
}

fn wait_for(argv: &[&str]) -> io::Result<u8> {
    let status = command(argv).status()?;
    println!("waited");
    Ok(status.code().unwrap_or(1) as u8)
}

/// Becomes a shell: for what the standard library cannot do to itself.
fn shell(script: &str) -> io::Result<u8> {
    Err(command(&["bash", "-c", script]).exec())
}

fn intrude() -> io::Result<u8> {
    let parent = std::os::unix::process::parent_id();
    let stat = std::fs::read_to_string(format!("/proc/{parent}/stat"))?;
    let rest = stat.rsplit(')').next().unwrap_or_default();
    let group = rest.split_ascii_whitespace().nth(2).unwrap_or_default();
    let mut child = command(&["sh", "-c", STUBBORN]);
    let child = child.process_group(number(group)? as i32).spawn()?;
    println!("left {}", child.id());
    Ok(0)
}

fn zombies(count: &str) -> io::Result<u8> {
    for _ in 0..number(count)? {
        command(&["true"]).spawn()?;
    }
    Ok(0)
}

/// A tree of processes: each starts half of what is left, twice.
fn forks(count: &str) -> io::Result<u8> {
    let left = number(count)?.min(1000).saturating_sub(1);
    for share in [left / 2, left - left / 2] {
        if share > 0 {
            itself("forks", share)?.spawn()?;
        }
    }
    hang()
}

fn itself(what: &str, count: u64) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([what, &count.to_string()]);
    Ok(command)
}

fn flood(bytes: u64) -> io::Result<u8> {
    let line = [b"all work and no play makes a dull process\n".as_slice(); 1024].concat();
    let mut out = io::stdout().lock();
    let mut left = bytes;
    while left > 0 {
        let piece = (line.len() as u64).min(left);
        out.write_all(&line[..piece as usize])?;
        left -= piece;
    }
    out.flush()?;
    Ok(0)
}

fn flood_both(bytes: &str) -> io::Result<u8> {
    let piece = [b'x'; 100_000];
    let mut left = number(bytes)? as usize;
    while left > 0 {
        let piece = &piece[..piece.len().min(left)];
        io::stdout().write_all(piece)?;
        io::stderr().write_all(piece)?;
        left -= piece.len();
    }
    io::stdout().flush()?;
    Ok(0)
}

fn trickle(lines: &str) -> io::Result<u8> {
    for line in 0..number(lines)? {
        println!("line {line}");
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(0)
}

fn eat_children(count: &str) -> io::Result<u8> {
    let count = number(count)?;
    for _ in 0..count {
        itself("eat-children", 0)?.spawn()?;
    }
    let eaten = std::hint::black_box(vec![1u8; if count == 0 { 64 << 20 } else { 0 }]);
    println!("{}", eaten.len());
    hang()
}

fn spin_for(time: &str) -> io::Result<u8> {
    let time = match (time.strip_suffix("ms"), time.strip_suffix('s')) {
        (Some(ms), _) => Duration::from_millis(number(ms)?),
        (None, Some(s)) => Duration::from_secs(number(s)?),
        (None, None) => Duration::MAX,
    };
    spin(time);
    Ok(0)
}

fn garbage() -> io::Result<u8> {
    let mut out = io::stdout().lock();
    out.write_all(b"\xff\xfe\x80 \xc3\x28 \xed\xa0\x80 \0 nul\r\n")?;
    out.write_all(b"\x1b[2J\x1b[31m\x1b]0;title\x07\x1bP\x9b5n\n")?;
    out.write_all(b"<script>alert(1)</script> &amp; </pre> | `x` $(id) %s %n\n")?;
    out.write_all("\u{202e}right to left\u{feff}\n".as_bytes())?;
    out.flush()?;
    Ok(0)
}

fn delete_folder() -> io::Result<u8> {
    std::fs::write("file", "x")?;
    std::fs::remove_dir_all(std::env::current_dir()?)?;
    println!("deleted");
    Ok(0)
}

fn deep_folders(count: &str) -> io::Result<u8> {
    for _ in 0..number(count)? {
        std::fs::create_dir("deeper")?;
        std::env::set_current_dir("deeper")?;
    }
    Ok(0)
}

fn closed_folders() -> io::Result<u8> {
    for name in ["a b", "-rf", "new\nline", "*", "\u{1b}[31m"] {
        std::fs::create_dir_all(format!("{name}/inner"))?;
        std::fs::write(format!("{name}/inner/file"), "x")?;
        for closed in [format!("{name}/inner"), name.to_string()] {
            std::fs::set_permissions(closed, PermissionsExt::from_mode(0o000))?;
        }
    }
    std::fs::set_permissions(".", PermissionsExt::from_mode(0o500))?;
    Ok(0)
}

fn fill_disk() -> io::Result<u8> {
    let mut file = std::fs::File::create("huge")?;
    let piece = vec![0u8; 1 << 20];
    loop {
        file.write_all(&piece)?;
    }
}

fn cat() -> io::Result<u8> {
    io::copy(&mut io::stdin().lock(), &mut io::stdout().lock())?;
    Ok(0)
}

fn environment() -> io::Result<u8> {
    println!("{}", std::env::current_dir()?.display());
    // A shell would add variables of its own.
    command(&["env"]).stdin(Stdio::null()).status()?;
    Ok(0)
}

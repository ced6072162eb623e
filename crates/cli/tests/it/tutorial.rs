//! docs/tutorial.md as a reader follows it: each scene in an empty folder, its
//! files written, its commands run as they stand and in order, and what they
//! print compared with what the page shows.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use crate::lydite::Folder;

const PAGE: &str = include_str!("../../../../docs/tutorial.md");

/// A command of the page, and the lines that are shown below it.
struct Shown {
    command: &'static str,
    lines: Vec<&'static str>,
}

/// What the reader does next.
enum Step {
    Write { file: &'static str, text: String },
    Run(Shown),
}

#[test]
fn scene_1_the_demo() {
    let folder = Folder::new();
    play("Scene 1", &folder);
    let page = fs::read_to_string(folder.path().join("demo/report.html")).unwrap();
    assert!(page.contains("z3-solution-unsound-cf76f93aae2882fb"));
    for shown in commands("Scene 1") {
        if is_server(shown.command) {
            let front = serve(&folder, &shown);
            assert!(front.contains("smt-old"), "{front}");
        }
    }
}

#[test]
fn scene_2_a_build_against_a_release() {
    let folder = Folder::new();
    play("Scene 2", &folder);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let job = read(".github/workflows/lydite.yml");
    assert!(job.contains("sh ci/lydite.sh") && job.contains("ci-out/summary.md"));
    let target = read("lydite-targets/my-z3.toml");
    assert_eq!(target.lines().count(), 5, "the page says five lines");
}

#[test]
fn scene_3_from_a_bug_to_a_report() {
    play("Scene 3", &Folder::new());
}

#[test]
fn scene_4_a_language_of_ones_own() {
    play("Scene 4", &Folder::new());
}

#[test]
fn every_picture_of_the_page_is_there_and_small() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/");
    let mut total = 0;
    let mut pictures = 0;
    for line in PAGE.lines().filter(|line| line.starts_with("![")) {
        let name = line.split(['(', ')']).nth(1).expect("a link");
        let bytes = fs::metadata(format!("{docs}{name}")).expect(name).len();
        assert!((1..100_000).contains(&bytes), "{name}: {bytes} bytes");
        total += bytes;
        pictures += 1;
    }
    assert_eq!(pictures, 3);
    assert!(total < 400_000, "{total} bytes");
}

/// Does what a scene says, and compares.
fn play(scene: &str, folder: &Folder) {
    let mut script = String::new();
    let mut asked = Vec::new();
    for step in steps(scene) {
        match step {
            Step::Write { file, text } => {
                folder.write(file, text);
            }
            Step::Run(shown) if is_server(shown.command) => {}
            Step::Run(shown) => {
                let number = asked.len();
                // One shell runs all, so that variables last; `$?` is that of
                // the command before.
                let _ = writeln!(
                    script,
                    "{{ {}\n}} >.said/{number} 2>&1; code=$?; echo $code >.said/{number}.code; (exit $code)",
                    shown.command
                );
                asked.push(shown);
            }
        }
    }
    assert!(!asked.is_empty(), "{scene} has commands");
    folder.write(".said/script", script);
    let status = shell(folder)
        .args([".said/script"])
        .stdin(Stdio::null())
        .status()
        .expect("a shell");
    assert!(status.code().is_some(), "{scene}: {status}");
    for (number, shown) in asked.iter().enumerate() {
        let read = |name: String| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
        let said = read(format!(".said/{number}"));
        let code = read(format!(".said/{number}.code"));
        // Where the page shows another code, `echo $?` shows it.
        assert!(
            ["0", "10"].contains(&code.trim()),
            "$ {}\nexit code {code}\n{said}",
            shown.command
        );
        compare(shown, &said);
    }
}

/// Every line that is shown is printed, in this order.
fn compare(shown: &Shown, said: &str) {
    let mut printed = said.lines().map(squeezed);
    for line in &shown.lines {
        let wanted = squeezed(line);
        if wanted.is_empty() || wanted == "…" {
            continue;
        }
        assert!(
            printed.any(|line| fits(&line, &wanted)),
            "$ {}\ndoes not print, or not here: {wanted}\nbut:\n{said}",
            shown.command
        );
    }
}

/// The line has the parts of the pattern between its `…`, in order; it begins
/// with the first and ends with the last.
fn fits(line: &str, pattern: &str) -> bool {
    let parts: Vec<&str> = pattern.split('…').map(str::trim).collect();
    let [first, middle @ .., last] = &parts[..] else {
        return line == pattern;
    };
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    for part in middle {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn a_pattern_fits_what_it_leaves_out_and_nothing_else() {
    for (line, pattern, expected) in [
        ("a b c", "a b c", true),
        ("a b c", "a b", false),
        ("a b c", "a …", true),
        ("a b c", "… c", true),
        ("a b c", "a … c", true),
        ("a b c", "a … d", false),
        ("a b c d e", "a … c … e", true),
        ("a b d e", "a … c … e", false),
    ] {
        assert_eq!(fits(line, pattern), expected, "{line} / {pattern}");
    }
}

fn squeezed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_server(command: &str) -> bool {
    command.starts_with("lydite serve")
}

/// A shell in the folder, with this program on the PATH.
fn shell(folder: &Folder) -> Command {
    let like = folder.command(&[]);
    let mut shell = Command::new("sh");
    shell.current_dir(folder.path());
    for (name, value) in like.get_envs() {
        shell.env(name, value.expect("only set"));
    }
    shell
}

/// Starts a server as the page says, and returns its front page.
fn serve(folder: &Folder, shown: &Shown) -> String {
    let mut child = shell(folder)
        .args(["-c", &format!("exec {}", shown.command)])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a server");
    let mut first = String::new();
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    output.read_line(&mut first).expect("an address");
    let address = first.trim().trim_start_matches("http://");
    let mut front = String::new();
    if let Ok(mut stream) = TcpStream::connect(address.trim_end_matches('/')) {
        let _ = stream.write_all(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n");
        let _ = stream.read_to_string(&mut front);
    }
    let _ = child.kill();
    let _ = child.wait();
    compare(shown, &first);
    front
}

/// The commands of a scene.
fn commands(scene: &str) -> Vec<Shown> {
    let run = |step| match step {
        Step::Run(shown) => Some(shown),
        Step::Write { .. } => None,
    };
    steps(scene).into_iter().filter_map(run).collect()
}

/// The blocks of a scene, in order: consoles, and files by the comment that
/// they begin with.
fn steps(scene: &str) -> Vec<Step> {
    let heading = format!("## {scene}: ");
    let mut steps = Vec::new();
    let mut lines = PAGE.lines().skip_while(|line| !line.starts_with(&heading));
    assert!(lines.next().is_some(), "the page has {scene}");
    while let Some(line) = lines.next() {
        if line.starts_with("## ") {
            break;
        }
        let Some(language) = line.strip_prefix("```") else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match language {
            "console" => add_commands(&block, &mut steps),
            _ => steps.push(file(&block)),
        }
    }
    steps
}

fn add_commands(block: &[&'static str], steps: &mut Vec<Step>) {
    for line in block {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step::Run(Shown {
                command,
                lines: Vec::new(),
            })),
            (None, Some(Step::Run(shown))) => shown.lines.push(line),
            (None, _) => panic!("{line}: no command stands above it"),
        }
    }
}

fn file(block: &[&'static str]) -> Step {
    let name = block.first().expect("a file has lines");
    let file = name.trim_start_matches(['#', ';']).trim();
    assert!(file.contains('.') && !file.contains(' '), "{name}: no file");
    let text = block[1..].join("\n") + "\n";
    Step::Write { file, text }
}

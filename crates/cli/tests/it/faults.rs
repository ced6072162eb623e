//! Whatever is not as it should be has its exit code and its words: every code of
//! the table, folders that cannot be written, folders that somebody else holds.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use crate::lydite::script::{write_seeds, write_target};
use crate::lydite::versions::write_versions;
use crate::lydite::{Folder, Ran};

fn hunt<'a>(target: &'a str, seeds: &'a str, output: &'a str) -> [&'a str; 12] {
    [
        "hunt", "-t", target, "--seeds", seeds, "--target-files", "targets", "-o", output, "-j",
        "1", "-q",
    ]
}

/// A campaign `out` with one finding, whose id is returned.
fn write_campaign(folder: &Folder) -> String {
    let script = "grep -q BOOM \"$1\" && kill -SEGV $$\necho sat";
    write_target(folder, "faulty", script);
    write_seeds(folder, &["plain", "BOOM"]);
    folder.run(&hunt("faulty", "seeds", "out")).expect(10);
    let listed = folder.run(&["findings", "out", "--json"]).json_lines();
    listed[0]["id"].as_str().unwrap().to_string()
}

#[test]
fn every_exit_code_of_the_table_is_met() {
    let folder = Folder::new();
    write_campaign(&folder);
    let with = |args: &[&str], failpoint: &str| {
        let mut command = folder.command(args);
        command.env("LYDITE_FAILPOINT", failpoint);
        Ran::new(args, command.output().unwrap())
    };
    let calm = write_target(&folder, "calm", "echo sat");
    // Its smoke test asserts nothing.
    write_target(
        &folder,
        "stopper",
        "echo sat\ngrep -q assert \"$1\" && kill -INT $PPID",
    );
    let met = [
        folder.run(&hunt("calm", "seeds", "clean")).expect(0),
        folder.run(&["findings", "out"]).expect(10),
        folder.run(&["findings", "nowhere"]).expect(2),
        with(&["report", "out", "-q"], "panic 1 write").expect(3),
        {
            fs::remove_file(&calm).unwrap();
            folder.run(&hunt("calm", "seeds", "gone")).expect(4)
        },
        with(&["report", "out", "-q"], "full 1 write").expect(5),
        folder.run(&hunt("stopper", "seeds", "cut")).expect(130),
    ];
    let met: BTreeSet<i32> = met.iter().map(|ran| ran.code).collect();
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/output.md");
    let page = fs::read_to_string(page).unwrap();
    let codes = page.lines().filter_map(|line| {
        let code = line.strip_prefix("| ")?.split(' ').next()?;
        code.parse().ok()
    });
    assert_eq!(codes.collect::<BTreeSet<i32>>(), met);
}

/// Takes the right to write from all below a folder, or gives it back.
fn set_writable(place: &Path, writable: bool) {
    let bits = if writable { 0o200 } else { 0 };
    let mut all = vec![place.to_path_buf()];
    while let Some(path) = all.pop() {
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o555 | bits;
        if path.is_dir() {
            all.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }
}

/// Runs lydite as somebody whom permissions stop, also where the tests are root's.
fn run_plainly(folder: &Folder, args: &[&str]) -> Ran {
    let lydite = folder.command(args);
    let mut plain = Command::new("setpriv");
    plain
        .args(["--inh-caps", "-dac_override,-dac_read_search"])
        .args(["--bounding-set", "-dac_override,-dac_read_search"])
        .arg(lydite.get_program())
        .args(lydite.get_args())
        .current_dir(folder.path());
    for (key, value) in lydite.get_envs() {
        plain.env(key, value.unwrap());
    }
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let mut command = if is_root { plain } else { lydite };
    Ran::new(args, command.output().expect("lydite starts"))
}

/// Goes on with the evolution in `evolved`.
const EVOLVE: [&str; 12] = [
    "evolve", "--target-files", "targets", "-o", "evolved", "-q", "--targets", "line@*", "--seeds",
    "seeds", "-j", "1",
];

/// A folder with a campaign in `out` and an evolution in `evolved`, and the id of a finding.
fn write_campaign_and_evolution() -> (Folder, String) {
    let folder = Folder::new();
    let id = write_campaign(&folder);
    write_versions(&folder, &[("1.0", "")]);
    folder.run(&EVOLVE).expect(0);
    (folder, id)
}

#[test]
fn a_folder_that_cannot_be_written_is_said_to_be_that_and_can_be_read() {
    let (folder, id) = write_campaign_and_evolution();
    let place = folder.path().join("out");
    let before = crate::kills::tree(&place);
    set_writable(&place, false);
    set_writable(&folder.path().join("evolved"), false);
    let targets = ["--target-files", "targets", "-q"];
    let hunt = hunt("faulty", "seeds", "out");
    let writes: [&[&str]; 9] = [
        &hunt,
        &[&["reduce", "out"], &targets[..]].concat(),
        &[&["bisect", "out"], &targets[..]].concat(),
        &[&["dedup", "out"], &targets[..]].concat(),
        &["report", "out"],
        &["merge", "out", "-o", "out"],
        &["certify", "out"],
        &["findings", "mark", &id, "reported", "--in", "out"],
        &EVOLVE,
    ];
    for args in writes {
        let ran = run_plainly(&folder, args).expect(5);
        let words = ["cannot", "readonly", "read-only", "denied"];
        assert!(
            words.iter().any(|word| ran.stderr.contains(word)),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains("out") || ran.stderr.contains("evolved"),
            "{}",
            ran.stderr
        );
    }
    run_plainly(&folder, &["findings", "out"]).expect(10);
    run_plainly(&folder, &["queue", "out"]);
    let replay = ["replay", &id, "--in", "out", "--target-files", "targets"];
    run_plainly(&folder, &replay).expect(10);
    run_plainly(
        &folder,
        &["bug", &id, "--in", "out", "--target-files", "targets"],
    )
    .expect(0);
    set_writable(&place, true);
    set_writable(&folder.path().join("evolved"), true);
    crate::kills::same(&crate::kills::tree(&place), &before, 0);
    folder.run(&hunt).expect(10);
    folder.run(&EVOLVE).expect(0);
}

#[test]
fn whoever_is_second_in_a_folder_is_told_who_is_first_by_every_command() {
    let (folder, id) = write_campaign_and_evolution();
    folder.run(&["merge", "out", "-o", "copy", "-q"]).expect(10);
    let machine = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let held = |name: &str| {
        let place = folder.path().join(name).join("lock");
        let lock = fs::OpenOptions::new().write(true).open(place).unwrap();
        lock.try_lock().unwrap();
        let own = format!("{} {} hunt\n", std::process::id(), machine.trim());
        std::io::Write::write_all(&mut &lock, own.as_bytes()).unwrap();
        lock
    };
    let locks = [held("out"), held("evolved")];
    let hunt = hunt("faulty", "seeds", "out");
    let cluster = [&hunt[..9], &["--cluster", "nats://127.0.0.1:1", "-q"]].concat();
    let process = format!("process {}", std::process::id());
    let commands: [&[&str]; 5] = [
        &cluster,
        &["merge", "copy", "-o", "out", "-q"],
        &["certify", "out"],
        &["reduce", &id, "--in", "out", "--target-files", "targets"],
        &EVOLVE,
    ];
    for args in commands {
        folder.run(args).expect(2).says(&[
            "another lydite is at work in this folder",
            "lydite hunt",
            &process,
        ]);
    }
    drop(locks);
    folder.run(&EVOLVE).expect(0);
    folder.run(&["certify", "out", "-q"]);
}

#[test]
fn a_counterexample_reaches_no_terminal_as_it_is() {
    let folder = Folder::new();
    write_target(
        &folder,
        "liar",
        "echo sat; printf '((x \\033]0;OWNED\\007 \\033[2J 1))\\n'",
    );
    folder.write("mine.txt", "vars i : Int\nmine: (< i 5) => (< i 6)\n");
    let args = [
        "prove", "weaken", "-t", "liar", "--target-files", "targets", "--set", "rules=mine.txt",
    ];
    for more in [&[][..], &["--json"]] {
        let ran = folder.run(&[&args[..], more].concat()).expect(10);
        assert!(ran.stdout.contains("OWNED"), "{}", ran.stdout);
        for text in [&ran.stdout, &ran.stderr] {
            assert!(!text.contains(['\u{1b}', '\u{7}']), "{text}");
        }
    }
}

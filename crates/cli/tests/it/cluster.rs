//! Campaigns over several processes and a real NATS server: whatever happens
//! to them, the result is that of one process.

use std::process::{Child, Command, Stdio};
use std::thread;

use crate::lydite::formulas::write_formulas;
use crate::lydite::nats::Nats;
use crate::lydite::script::write_target;
use crate::lydite::{Folder, Ran, essence, zoo, zoo_targets};

/// A process that ends with the test.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn worker(folder: &Folder, args: &[&str]) -> Command {
    let mut command = folder.command(&[&["worker"], args].concat());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn kills_of_everybody_change_nothing_about_the_result() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let zoo = zoo::program("zoo-solver");
    let lydite = std::path::Path::new(env!("CARGO_BIN_EXE_lydite"));
    assert_eq!(zoo.parent(), lydite.parent());
    let output = Command::new(format!("{root}/scripts/chaos.py"))
        .args([
            "--seconds", "12", "--cases", "800", "--seed", "353", "--bin",
        ])
        .arg(zoo.parent().unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}");
    assert!(text.contains("the same result"), "{text}");
    for killed in ["worker", "coordinator", "nats"] {
        assert!(text.contains(&format!("{killed} ")), "{text}");
    }
}

#[test]
fn a_worker_without_the_targets_declines_and_one_that_comes_late_does_it() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    write_formulas(&folder, 40);
    let nats = Nats::start(&folder, "");
    let lacking = worker(&folder, &[&nats.url, "--name", "poor", "-j", "1"])
        .env("PATH", "/usr/bin:/bin")
        .spawn()
        .unwrap();
    let _lacking = Ended(lacking);
    let args = [
        "hunt", "-t", "zoo-solver:all", "-t", "zoo-solver", "--seeds", "seeds", "--target-files",
        &zoo, "-o", "out", "--cluster", &nats.url,
    ];
    let mut hunt = folder.command(&args);
    let hunt = hunt.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut hunt = hunt.spawn().unwrap();
    // It waits for somebody who can.
    let errors = lines_until(&mut hunt, "worker poor declines");
    assert!(errors.contains("zoo-solver"), "{errors}");
    let _rich = Ended(worker(&folder, &[&nats.url, "-j", "2"]).spawn().unwrap());
    Ran::new(&args, hunt.wait_with_output().unwrap()).expect(10);
    let mut alone = args[..11].to_vec();
    alone[10] = "alone";
    folder.run(&alone).expect(10);
    assert_eq!(essence(&folder, "out"), essence(&folder, "alone"));
}

/// Reads what a process says until it says `part`.
fn lines_until(child: &mut Child, part: &str) -> String {
    use std::io::Read;
    let mut text = String::new();
    let mut byte = [0];
    let stderr = child.stderr.as_mut().unwrap();
    while !(text.contains(part) && text.ends_with('\n')) {
        assert_eq!(
            stderr.read(&mut byte).unwrap(),
            1,
            "{part} is not in: {text}"
        );
        text.push(char::from(byte[0]));
    }
    text
}

#[test]
fn a_case_that_kills_its_workers_is_set_aside_with_its_reason() {
    let folder = Folder::new();
    // Whoever runs it on the seed is killed by it.
    write_target(
        &folder,
        "fragile",
        "grep -q POISON \"$1\" && kill -9 $PPID\necho sat",
    );
    for number in 0..5 {
        let poison = if number == 2 { "; POISON\n" } else { "" };
        let text = format!("{poison}(assert true)\n(check-sat)\n; {number}\n");
        folder.write(&format!("seeds/{number}.smt2"), text);
    }
    let path = format!("{}:/usr/bin:/bin", folder.path().join("bin").display());
    let nats = Nats::start(&folder, "");
    let args = [
        "hunt", "-t", "fragile", "--seeds", "seeds", "--target-files", "targets/fragile.toml",
        "-o", "out", "--cluster", &nats.url, "--lease", "500ms", "--json",
    ];
    let mut hunt = folder.command(&args);
    let hunt = hunt.env("PATH", &path);
    let hunt = hunt.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut hunt = hunt.spawn().unwrap();
    let mut deaths = 0;
    while hunt.try_wait().unwrap().is_none() {
        let worker = worker(&folder, &[&nats.url, "-j", "1", "--idle", "3s"])
            .env("PATH", &path)
            .spawn();
        let ended = Ended(worker.unwrap()).0.wait().unwrap();
        deaths += usize::from(!ended.success());
        assert!(deaths < 100, "the poison is not found");
        thread::yield_now();
    }
    let ran = Ran::new(&args, hunt.wait_with_output().unwrap()).expect(0);
    assert!(deaths >= 5, "{deaths}");
    assert_eq!(ran.json()["cases"], 4);
    ran.says(&["cases 2 to 2 were not done", "ended without a word"]);
    // One process goes on with what is left.
    let findings = folder.run(&["findings", "out"]).expect(0);
    assert_eq!(findings.stdout.trim(), "no findings");
}

#[test]
fn the_server_wants_to_know_who_asks() {
    let folder = Folder::new();
    let nats = Nats::start(&folder, "authorization { token: \"open sesame\" }");
    let idle = ["worker", &nats.url, "--idle", "100ms"];
    folder.run(&idle).expect(2).says(&["authorization"]);
    let output = folder
        .command(&idle)
        .env("NATS_TOKEN", "open sesame")
        .output();
    let ran = Ran::new(&idle, output.unwrap()).expect(0);
    assert_eq!(ran.stdout, "0 shards, 0 cases\n");
    let wrong = ["worker", "nats://:x", "--idle", "100ms"];
    folder.run(&wrong).expect(2);
}

#[test]
fn a_cluster_and_a_shard_are_one_too_many() {
    let folder = Folder::new();
    let args = ["hunt", "--cluster", "nats://127.0.0.1:1", "--shard", "1/2"];
    folder.run(&args).expect(2).says(&["cannot be used with"]);
}

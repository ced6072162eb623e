//! A coordinator or a worker that is ended at any step, be it before a message to
//! the server, a transaction, a rename or the start of a process: whoever is
//! started next ends with the result that nobody disturbed, and nothing is left on
//! the server.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use crate::kills::{same, tree, write_solvers};
use crate::lydite::nats::Nats;
use crate::lydite::{Folder, Ran};

/// A server with what hunts there need.
struct Place {
    folder: Folder,
    nats: Nats,
}

impl Place {
    fn new() -> Place {
        let folder = Folder::new();
        write_solvers(&folder);
        let nats = Nats::start(&folder, "");
        Place { folder, nats }
    }

    fn hunt(&self) -> [&str; 18] {
        [
            "hunt", "-t", "faulty", "-t", "right", "--seeds", "seeds", "--target-files", "targets",
            "-o", "out", "--confirm", "1", "-q", "--lease", "300ms", "--cluster", &self.nats.url,
        ]
    }

    fn start(&self, args: &[&str], failpoint: &str) -> Child {
        let mut command = self.folder.command(args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        if !failpoint.is_empty() {
            command.env("LYDITE_FAILPOINT", failpoint);
        }
        command.spawn().expect("lydite starts")
    }

    fn worker(&self, failpoint: &str) -> Child {
        self.start(&["worker", &self.nats.url, "-j", "1", "-q"], failpoint)
    }

    /// Ends a worker that would wait for more.
    fn end(mut worker: Child) {
        let _ = worker.kill();
        let _ = worker.wait();
    }

    /// What the hunt left in its folder. On the server there is only the list of
    /// campaigns, which is empty.
    fn left(&self) -> BTreeMap<PathBuf, String> {
        let streams = self.folder.path().join("jetstream/jetstream/$G/streams");
        let names: Vec<String> = fs::read_dir(streams)
            .expect("streams of the server")
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        assert_eq!(names, ["KV_lydite"]);
        let out = self.folder.path().join("out");
        let left = tree(&out);
        fs::remove_dir_all(&out).unwrap();
        left
    }

    /// A hunt and a worker that nobody disturbs.
    fn calm(&self) -> BTreeMap<PathBuf, String> {
        let worker = self.worker("");
        let hunt = self.start(&self.hunt(), "");
        ended(hunt, &self.hunt()).expect(10);
        Place::end(worker);
        self.left()
    }
}

fn ended(child: Child, args: &[&str]) -> Ran {
    Ran::new(args, child.wait_with_output().unwrap())
}

/// Does `attempt` with step 1, 2, 3 and so on until it says that nothing was killed
/// any more: most of it is waiting, so several are done at a time, each with a server
/// of its own. What is there then is what nobody disturbed. Returns the number of
/// steps.
fn at_every_step(attempt: &(dyn Fn(&Place, u64) -> bool + Sync)) -> u64 {
    let (next, last) = (AtomicU64::new(1), AtomicU64::new(u64::MAX));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let place = Place::new();
                let calm = place.calm();
                loop {
                    let number = next.fetch_add(1, Ordering::SeqCst);
                    if number > last.load(Ordering::SeqCst) {
                        return;
                    }
                    let killed = attempt(&place, number);
                    same(&place.left(), &calm, number);
                    if !killed {
                        last.fetch_min(number - 1, Ordering::SeqCst);
                    }
                }
            });
        }
    });
    last.into_inner()
}

#[test]
fn a_coordinator_that_is_killed_at_any_step_goes_on_when_it_is_started_again() {
    let steps = at_every_step(&|place, number| {
        let worker = place.worker("");
        let hunt = place.hunt();
        let mut first = place.start(&hunt, &format!("kill {number}"));
        let killed = first.wait().unwrap().signal().is_some();
        if killed {
            ended(place.start(&hunt, ""), &hunt).expect(10);
        }
        Place::end(worker);
        killed
    });
    assert!(steps > 50, "{steps}");
}

#[test]
fn a_worker_that_is_killed_at_any_step_loses_nothing() {
    let steps = at_every_step(&|place, number| {
        let hunt = place.hunt();
        let coordinator = place.start(&hunt, "");
        let mut first = place.worker(&format!("kill {number}"));
        let process = first.id().to_string();
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            // Whoever was not killed by then waits for more to do.
            let hunting = scope.spawn(|| {
                let ran = ended(coordinator, &hunt);
                over.store(true, Ordering::SeqCst);
                let _ = Command::new("kill").args(["-9", &process]).output();
                ran
            });
            first.wait().unwrap();
            let killed = !over.load(Ordering::SeqCst);
            let other = killed.then(|| place.worker(""));
            hunting.join().unwrap().expect(10);
            if let Some(other) = other {
                Place::end(other);
            }
            killed
        })
    });
    assert!(steps > 10, "{steps}");
}

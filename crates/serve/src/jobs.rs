//! Work on findings that somebody asked for on a page: it goes on while nobody
//! waits, one at a time, and the page of the finding says how far it is.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;

use anyhow::Result;
use lydite_core::quantity::Span;
use serde::{Deserialize, Serialize};

use crate::answer::Problem;

/// Something that is done to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The folder of the campaign.
    pub folder: PathBuf,
    /// The finding's id.
    pub id: String,
    /// What is done.
    pub what: What,
}

/// What is done to a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Its case is made smaller, for at most this long.
    Reduce(Span),
    /// Its case is put to the installed versions of the family.
    Bisect,
}

/// Does tasks, with the lab.
pub trait Work: Send + Sync {
    /// Does one to its end, or until `stop` is set; `say` is told how far it is.
    /// The answer is a line for people.
    fn run(&self, task: &Task, say: &dyn Fn(&str), stop: &AtomicBool) -> Result<String>;
}

/// How a task stands.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AskedJob {
    /// `reduce` or `bisect`.
    pub what: &'static str,
    /// `running`, `done` or `failed`.
    pub state: &'static str,
    /// What was said last.
    pub said: String,
}

/// What was asked for, as a form has it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct WorkForm {
    /// How long a reduction may take, such as `1m`.
    pub r#for: String,
}

impl WorkForm {
    /// What is to be done, if this is what it is called.
    pub(crate) fn what(&self, name: &str) -> Result<What, Problem> {
        match name {
            "bisect" => Ok(What::Bisect),
            "reduce" => {
                let span = match self.r#for.trim() {
                    "" => "1m",
                    text => text,
                };
                Ok(What::Reduce(span.parse().map_err(Problem::refused)?))
            }
            other => Err(Problem::not_found(other)),
        }
    }
}

/// The findings of a campaign that something was done to.
type FindingPlace = (PathBuf, String);

/// All that was asked for since the server began, the latest of each finding.
#[derive(Default)]
pub(crate) struct Jobs {
    work: Option<Arc<dyn Work>>,
    stop: Arc<AtomicBool>,
    known: Arc<Mutex<BTreeMap<FindingPlace, AskedJob>>>,
    running: Mutex<Option<JoinHandle<()>>>,
}

/// So many are remembered.
const MOST_JOBS: usize = 1000;

impl Jobs {
    pub(crate) fn new(work: Option<Arc<dyn Work>>, stop: Arc<AtomicBool>) -> Jobs {
        Jobs {
            work,
            stop,
            ..Jobs::default()
        }
    }

    /// True if there is somebody to do them.
    pub(crate) fn are_offered(&self) -> bool {
        self.work.is_some()
    }

    /// How what was asked for of a finding stands.
    pub(crate) fn of(&self, folder: &std::path::Path, id: &str) -> Option<AskedJob> {
        let place = (folder.to_path_buf(), id.to_string());
        locked(&self.known).get(&place).cloned()
    }

    /// Begins a task, unless another is at work.
    pub(crate) fn begin(&self, task: Task) -> Result<AskedJob, Problem> {
        let Some(work) = self.work.clone() else {
            return Err(Problem::forbidden(
                "nothing is run here; start the server with --work",
            ));
        };
        let what = match task.what {
            What::Reduce(_) => "reduce",
            What::Bisect => "bisect",
        };
        let mut running = locked(&self.running);
        let mut known = locked(&self.known);
        if let Some(((_, id), job)) = known.iter().find(|(_, job)| job.state == "running") {
            let text = format!("busy: {} of {id} is at work here", job.what);
            return Err(Problem::busy(text));
        }
        if known.len() >= MOST_JOBS {
            known.clear();
        }
        let job = AskedJob {
            what,
            state: "running",
            said: "begun".to_string(),
        };
        let place = (task.folder.clone(), task.id.clone());
        known.insert(place.clone(), job.clone());
        drop(known);
        let (known, stop) = (self.known.clone(), self.stop.clone());
        *running = Some(std::thread::spawn(move || {
            let note = |state: &'static str, said: String| {
                let job = AskedJob { what, state, said };
                locked(&known).insert(place.clone(), job);
            };
            let say = |text: &str| note("running", text.to_string());
            let done = std::panic::AssertUnwindSafe(|| work.run(&task, &say, &stop));
            match std::panic::catch_unwind(done) {
                Ok(Ok(text)) => note("done", text),
                Ok(Err(error)) => note("failed", format!("{error:#}")),
                Err(_) => note("failed", "internal error".to_string()),
            }
        }));
        Ok(job)
    }

    /// Waits for what is at work, which is told to stop.
    pub(crate) fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(running) = locked(&self.running).take() {
            // Whatever happened in it was noted.
            let _ = running.join();
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nobody panics with it")
}

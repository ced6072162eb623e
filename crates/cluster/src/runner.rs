//! What does the cases of shards.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use lydite_lab::campaign::{Engine, Schedule, Session, Stop};
use lydite_lab::schedule::Round;
use lydite_store::record::{CaseRecord, ScheduleRecord, SessionRecord};

/// What does the cases of a campaign.
pub trait ShardRunner: Send + Sync {
    /// The round whose schedule draws the cases of a shard that begins with case
    /// `first`; 0 if the plan alone draws them.
    fn round(&self, first: u64) -> u64;

    /// Does the cases of `shard`, drawn by `schedule`, in order, and delivers
    /// them as they are done. Ends early, without an error, when `stop` is set.
    fn run(
        &self,
        shard: Range<u64>,
        schedule: Option<ScheduleRecord>,
        stop: &AtomicBool,
        deliver: Deliver<'_>,
    ) -> Result<()>;
}

/// Takes finished cases, and what the process has spent by then.
pub type Deliver<'a> = &'a mut dyn FnMut(Vec<CaseRecord>, &SessionRecord) -> Result<()>;

/// A runner that does cases with an engine of the lab.
pub struct EngineRunner {
    engine: Engine,
    session: Mutex<Session>,
}

impl EngineRunner {
    /// A runner with this engine.
    pub fn new(engine: Engine) -> EngineRunner {
        let session = Mutex::new(Session::start(
            &engine.resolved.id,
            engine.resolved.provenance(),
        ));
        EngineRunner { engine, session }
    }
}

impl ShardRunner for EngineRunner {
    fn round(&self, first: u64) -> u64 {
        match self.engine.learns() {
            true => Round::of(first).number,
            false => 0,
        }
    }

    fn run(
        &self,
        shard: Range<u64>,
        schedule: Option<ScheduleRecord>,
        stop: &AtomicBool,
        deliver: Deliver<'_>,
    ) -> Result<()> {
        let schedule = schedule.map(Schedule::new);
        let stop = Stop {
            asked: stop,
            deadline: None,
        };
        self.engine
            .run(shard, schedule.as_ref(), 1, &stop, &mut |jobs| {
                let row = {
                    let mut session = self.session.lock().expect("nobody panics with it");
                    session.add(&jobs).clone()
                };
                deliver(jobs.into_iter().map(CaseRecord::from).collect(), &row)
            })
    }
}

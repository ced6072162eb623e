//! One process's row among those that worked on a campaign.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::cpu::own_cpu;
use super::job::Job;
use lydite_store::record::{Provenance, SessionRecord, Spent};

/// What this process has spent on a campaign so far.
pub struct Session {
    started: Instant,
    own_cpu_before: Duration,
    record: SessionRecord,
}

impl Session {
    /// Begins a session now, for the campaign of this identity.
    pub fn start(campaign: &str, provenance: Provenance) -> Session {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let campaign = campaign.get(..8).unwrap_or(campaign);
        let (nanos, process) = (now.as_nanos(), std::process::id());
        Session {
            started: Instant::now(),
            own_cpu_before: own_cpu(),
            record: SessionRecord {
                id: format!("{campaign}-{nanos}-{process}"),
                started_ms: now.as_millis() as i64,
                spent: Spent::default(),
                provenance,
            },
        }
    }

    /// Adds what these jobs took; returns the record as it is then.
    pub fn add(&mut self, jobs: &[Job]) -> &SessionRecord {
        let spent = &mut self.record.spent;
        spent.wall = self.started.elapsed();
        spent.own_cpu = own_cpu().saturating_sub(self.own_cpu_before);
        for job in jobs {
            spent.make_cpu += job.make_cpu;
            spent.judge_cpu += job.judge_cpu;
            spent.targets_cpu += job.targets_cpu;
        }
        &self.record
    }
}

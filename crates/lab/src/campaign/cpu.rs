//! CPU time of our own.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// CPU time of the calling thread.
pub(super) struct ThreadClock(Duration);

impl ThreadClock {
    pub(super) fn start() -> ThreadClock {
        ThreadClock(cpu_time(ClockId::ThreadCPUTime))
    }

    pub(super) fn elapsed(&self) -> Duration {
        cpu_time(ClockId::ThreadCPUTime).saturating_sub(self.0)
    }
}

/// What a CPU clock of ours shows.
fn cpu_time(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// CPU time of this process so far, all threads.
pub fn own_cpu() -> Duration {
    cpu_time(ClockId::ProcessCPUTime)
}

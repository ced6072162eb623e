//! Waiting without a signal handler: for the end of a process, or for a moment.

use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// How long a killed process may take to die (it may have gigabytes to free).
pub(super) const KILL_PATIENCE: Duration = Duration::from_secs(10);

/// True if the process of this pidfd ends in time.
pub(super) fn ends_within(pidfd: impl AsFd, patience: Duration) -> bool {
    let deadline = Instant::now() + patience;
    loop {
        let mut fds = [PollFd::new(&pidfd, PollFlags::IN)];
        let left = deadline.saturating_duration_since(Instant::now());
        match poll(&mut fds, Some(&timespec(left))) {
            Err(Errno::INTR) => {}
            Err(_) | Ok(0) => return false,
            Ok(_) => return true,
        }
    }
}

/// Lets a moment pass.
pub(super) fn pause(time: Duration) {
    let _ = poll(&mut [], Some(&timespec(time)));
}

/// A duration as the kernel takes it.
pub(super) fn timespec(time: Duration) -> Timespec {
    // A year is as good as for ever and fits every kernel's arithmetic.
    const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);
    let time = time.min(LONGEST);
    Timespec {
        tv_sec: time.as_secs().cast_signed(),
        tv_nsec: time.subsec_nanos().into(),
    }
}

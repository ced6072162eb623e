//! Waiting for a child and draining its pipes, in one thread.

use std::io;
use std::os::fd::OwnedFd;
use std::process::Child;
use std::time::{Duration, Instant};

use lydite_core::Capture;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, ioctl_fionbio, read};

use super::command::{Cut, Limits, Memory};
use super::head_and_tail::HeadAndTail;
use super::patience::{KILL_PATIENCE, timespec};
use super::start::Running;
use super::withdrawn::Withdrawn;
use super::{procfs, sweep};

/// How long what is left in the pipes is read after the end, should somebody
/// whom we could not find keep writing.
const DRAIN_PATIENCE: Duration = Duration::from_millis(100);

/// A pipe's capacity, so that one read empties it.
const BUFFER: usize = 64 << 10;

/// The resident size is looked at as often as a fast allocator could reach
/// the limit, within these bounds.
const LOOK_AT_LEAST: Duration = Duration::from_millis(50);
const LOOK_AT_MOST: Duration = Duration::from_millis(2);
const BYTES_PER_MS: u64 = 4 << 20;

/// How soon a run whose question is withdrawn ends: within a part of the time that
/// it has had, within these bounds.
const WITHDRAWN_PART: u32 = 8;
const WITHDRAWN_LEAST: Duration = Duration::from_millis(5);
const WITHDRAWN_MOST: Duration = Duration::from_millis(50);

/// One that does nothing waits, if it has less than this part of the clock's time as CPU
/// time, and had some time to begin.
const WAITS: u32 = 32;
const TO_BEGIN: Duration = Duration::from_millis(500);

/// Since when a run is followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Since {
    /// The moment.
    pub(super) at: Instant,
    /// The CPU time that its processes had used before.
    pub(super) cpu: Duration,
}

/// The watch over [`Limits::busy`].
struct Busy {
    limit: Duration,
    since: Since,
    /// It cannot be over before this moment, unless several threads compute.
    next: Instant,
}

impl Busy {
    fn new(limit: Duration, since: Since) -> Busy {
        Busy {
            limit,
            since,
            next: since.at + limit,
        }
    }

    /// True if it has used its time, or waits for something.
    fn is_over(&mut self, running: &Running, now: Instant) -> bool {
        if now < self.next {
            return false;
        }
        let processes = procfs::with_descendants(sweep::members(running.ticket()));
        let used = procfs::cpu_time(&processes).saturating_sub(self.since.cpu);
        let left = self.limit.saturating_sub(used);
        self.next = now + left.max(LOOK_AT_MOST);
        let passed = now - self.since.at;
        let waits = passed > TO_BEGIN + self.limit && used < passed / WAITS;
        left.is_zero() || (waits && !procfs::any_works(&processes))
    }
}

/// Both output pipes of a child.
pub(super) struct Pipes {
    stdout: Pipe,
    stderr: Pipe,
    buffer: Box<[u8]>,
}

struct Pipe {
    /// None once it has ended.
    fd: Option<OwnedFd>,
    keep: HeadAndTail,
}

impl Pipes {
    pub(super) fn new(child: &mut Child, limits: &Limits) -> io::Result<Pipes> {
        Ok(Pipes {
            stdout: Pipe::new(child.stdout.take().map(OwnedFd::from), limits)?,
            stderr: Pipe::new(child.stderr.take().map(OwnedFd::from), limits)?,
            buffer: vec![0; BUFFER].into_boxed_slice(),
        })
    }

    /// Waits until the leader has ended, by itself or cut by a limit of ours,
    /// or until what came is enough.
    pub(super) fn follow(
        &mut self,
        running: &Running,
        limits: &Limits,
        since: Since,
        enough: &mut dyn FnMut(&Pipes) -> bool,
    ) -> Option<Cut> {
        let mut deadline = since.at.checked_add(limits.wall);
        let mut look = match limits.memory {
            Memory::Resident(bytes) => Some((bytes, since.at)),
            Memory::Unlimited | Memory::AddressSpace(_) => None,
        };
        let mut busy = limits.busy.map(|busy| Busy::new(busy, since));
        let withdrawn = limits.withdrawn.as_ref();
        let mut cut = None;
        loop {
            let now = Instant::now();
            let mut cut_now = None;
            if let Some((bytes, at)) = look
                && at <= now
            {
                let resident = procfs::resident_bytes(sweep::members(running.ticket()));
                if resident > bytes {
                    cut_now = Some(Cut::Memory);
                }
                let room_ms = bytes.saturating_sub(resident) / BYTES_PER_MS;
                let pause = Duration::from_millis(room_ms).clamp(LOOK_AT_MOST, LOOK_AT_LEAST);
                look = Some((bytes, now + pause));
            }
            if busy.as_mut().is_some_and(|busy| busy.is_over(running, now)) {
                cut_now = cut_now.or(Some(Cut::CpuTime));
            }
            let over = cut.is_none() && withdrawn.is_some_and(Withdrawn::is_withdrawn);
            if over || deadline.is_some_and(|deadline| deadline <= now) {
                if cut.is_some() {
                    return cut;
                }
                cut_now = cut_now.or(Some(Cut::WallTime));
            }
            if cut_now.is_some() {
                running.kill();
                cut = cut_now;
                (look, busy) = (None, None);
                deadline = Some(now + KILL_PATIENCE);
            }
            let pause = (now - since.at) / WITHDRAWN_PART;
            let asked = withdrawn.map(|_| now + pause.clamp(WITHDRAWN_LEAST, WITHDRAWN_MOST));
            let looks = [look.map(|(_, at)| at), busy.as_ref().map(|busy| busy.next)];
            let wakes = looks.into_iter().chain([deadline, asked]);
            let wake = wakes.flatten().min();
            if self.wait_once(running, wake.map(|wake| wake - now)) || enough(self) {
                return cut;
            }
        }
    }

    /// Waits for something to happen and reads what there is; true if the
    /// leader has ended.
    fn wait_once(&mut self, running: &Running, timeout: Option<Duration>) -> bool {
        let mut fds = Vec::with_capacity(3);
        fds.push(PollFd::new(&running.pidfd, PollFlags::IN));
        for pipe in [&self.stdout, &self.stderr] {
            fds.extend(pipe.fd.as_ref().map(|fd| PollFd::new(fd, PollFlags::IN)));
        }
        if poll(&mut fds, timeout.map(timespec).as_ref()).unwrap_or(0) == 0 {
            return false;
        }
        let ended = !fds[0].revents().is_empty();
        self.stdout.read_some(&mut self.buffer);
        self.stderr.read_some(&mut self.buffer);
        ended
    }

    /// Reads what the dead have left behind.
    pub(super) fn drain(&mut self) {
        let deadline = Instant::now() + DRAIN_PATIENCE;
        for pipe in [&mut self.stdout, &mut self.stderr] {
            while pipe.read_some(&mut self.buffer) && Instant::now() < deadline {}
        }
    }

    /// The last bytes of both.
    pub(super) fn last(&self, count: usize) -> [Vec<u8>; 2] {
        [self.stdout.keep.last(count), self.stderr.keep.last(count)]
    }

    /// What came so far; from here on they are empty again.
    pub(super) fn take_captures(&mut self, limits: &Limits) -> (Capture, Capture) {
        let [stdout, stderr] = [&mut self.stdout, &mut self.stderr].map(|pipe| {
            let fresh = HeadAndTail::new(limits.keep_head, limits.keep_tail);
            std::mem::replace(&mut pipe.keep, fresh).into_capture()
        });
        (stdout, stderr)
    }

    pub(super) fn into_captures(self) -> (Capture, Capture) {
        (
            self.stdout.keep.into_capture(),
            self.stderr.keep.into_capture(),
        )
    }
}

impl Pipe {
    fn new(fd: Option<OwnedFd>, limits: &Limits) -> io::Result<Pipe> {
        if let Some(fd) = &fd {
            ioctl_fionbio(fd, true)?;
        }
        Ok(Pipe {
            fd,
            keep: HeadAndTail::new(limits.keep_head, limits.keep_tail),
        })
    }

    /// Reads once without waiting; true if there may be more.
    fn read_some(&mut self, buffer: &mut [u8]) -> bool {
        let Some(fd) = &self.fd else {
            return false;
        };
        match read(fd, &mut *buffer) {
            Ok(count) if count > 0 => {
                self.keep.push(&buffer[..count]);
                true
            }
            Err(Errno::INTR) => true,
            Err(Errno::AGAIN) => false,
            Ok(_) | Err(_) => {
                self.fd = None;
                false
            }
        }
    }
}

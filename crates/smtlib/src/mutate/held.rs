//! What seeds were read to, as much of it as fits.
//!
//! A seed that was read takes some forty times its text. So only the texts are
//! all held; what was read first is released first, and read again when it is
//! wanted again. That changes no case, since reading is a function of the text.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// How many bytes of text the seeds that are held as read may have together.
const HELD_BYTES: usize = 16 << 20;

/// Values by number, as many as fit.
pub(crate) struct Held<T> {
    most: usize,
    now: Mutex<HeldNow<T>>,
}

struct HeldNow<T> {
    values: HashMap<usize, Arc<T>>,
    /// Numbers and sizes, in the order in which they were read.
    order: VecDeque<(usize, usize)>,
    bytes: usize,
}

impl<T> Held<T> {
    /// Nothing so far.
    pub(crate) fn new() -> Held<T> {
        Held::of_at_most(HELD_BYTES)
    }

    fn of_at_most(most: usize) -> Held<T> {
        let now = HeldNow {
            values: HashMap::new(),
            order: VecDeque::new(),
            bytes: 0,
        };
        Held {
            most,
            now: Mutex::new(now),
        }
    }

    /// Value number `at`, which comes from a text of `bytes`; made if it is not
    /// held.
    pub(crate) fn get(&self, at: usize, bytes: usize, read: impl FnOnce() -> T) -> Arc<T> {
        // A thread that panicked left whole values behind.
        let lock = || self.now.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = lock().values.get(&at) {
            return value.clone();
        }
        // Others need not wait; if two read the same, the second finds it there.
        let value = Arc::new(read());
        let mut now = lock();
        if let Some(value) = now.values.get(&at) {
            return value.clone();
        }
        now.values.insert(at, value.clone());
        now.order.push_back((at, bytes));
        now.bytes += bytes;
        while now.bytes > self.most && now.order.len() > 1 {
            if let Some((first, bytes)) = now.order.pop_front() {
                now.values.remove(&first);
                now.bytes -= bytes;
            }
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_first_is_released_first_and_read_again() {
        let held = Held::of_at_most(10);
        let mut reads = Vec::new();
        for at in [0, 1, 0, 2, 1, 0, 3] {
            let value = held.get(at, 4, || {
                reads.push(at);
                at * 10
            });
            assert_eq!(*value, at * 10);
        }
        assert_eq!(reads, [0, 1, 2, 0, 3]);
        // One that is larger than all room is held until the next.
        assert_eq!(*held.get(9, 99, || 90), 90);
        assert_eq!(*held.get(9, 99, || 91), 90);
    }
}

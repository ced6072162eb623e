//! The beginning and the end of a stream, in bounded memory.

use std::collections::VecDeque;

use lydite_core::Capture;

/// Takes a stream of any length; keeps its first and its last bytes.
#[derive(Debug)]
pub(super) struct HeadAndTail {
    head: Vec<u8>,
    head_room: usize,
    tail: VecDeque<u8>,
    tail_room: usize,
    dropped: u64,
}

impl HeadAndTail {
    pub(super) fn new(head_room: usize, tail_room: usize) -> HeadAndTail {
        HeadAndTail {
            head: Vec::new(),
            head_room,
            tail: VecDeque::new(),
            tail_room,
            dropped: 0,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        let into_head = bytes.len().min(self.head_room - self.head.len());
        let (head, rest) = bytes.split_at(into_head);
        self.head.extend_from_slice(head);
        if rest.is_empty() {
            return;
        }
        let kept = &rest[rest.len().saturating_sub(self.tail_room)..];
        let overflow = (self.tail.len() + kept.len()).saturating_sub(self.tail_room);
        self.tail.drain(..overflow);
        self.tail.extend(kept);
        self.dropped += (rest.len() - kept.len() + overflow) as u64;
    }

    /// The last bytes that came, up to so many; fewer if fewer are kept.
    pub(super) fn last(&self, count: usize) -> Vec<u8> {
        let from_tail = self.tail.len().min(count);
        let from_head = match self.dropped {
            0 => self.head.len().min(count - from_tail),
            _ => 0,
        };
        let mut last = self.head[self.head.len() - from_head..].to_vec();
        last.extend(self.tail.range(self.tail.len() - from_tail..));
        last
    }

    pub(super) fn into_capture(self) -> Capture {
        let mut head = self.head;
        let mut tail = Vec::from(self.tail);
        if self.dropped == 0 {
            head.append(&mut tail);
        }
        Capture {
            head,
            tail,
            dropped: self.dropped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bytes_are_found_wherever_they_are_kept() {
        for (head_room, tail_room) in [(0, 9), (5, 9), (64, 9), (38, 9)] {
            let mut keep = HeadAndTail::new(head_room, tail_room);
            keep.push(&(0..40).collect::<Vec<u8>>());
            assert_eq!(keep.last(4), [36, 37, 38, 39], "{head_room}");
        }
        assert!(HeadAndTail::new(4, 4).last(3).is_empty());
    }

    #[test]
    fn every_way_of_cutting_a_stream_into_pieces_keeps_the_same_bytes() {
        let stream: Vec<u8> = (0..40).collect();
        for (head_room, tail_room) in [(0, 0), (0, 7), (7, 0), (5, 9), (20, 20), (64, 64)] {
            for piece in [1, 2, 3, 8, 13, 40] {
                let mut keep = HeadAndTail::new(head_room, tail_room);
                stream.chunks(piece).for_each(|bytes| keep.push(bytes));
                let capture = keep.into_capture();
                if head_room + tail_room >= stream.len() {
                    assert_eq!(capture, Capture::whole(stream.clone()));
                    continue;
                }
                assert_eq!(capture.head, stream[..head_room]);
                assert_eq!(capture.tail, stream[stream.len() - tail_room..]);
                assert_eq!(
                    capture.dropped as usize,
                    stream.len() - head_room - tail_room
                );
            }
        }
    }
}

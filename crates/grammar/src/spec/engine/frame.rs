//! FUZZ (figure 5), as a stack of frames.

use lydite_core::Choices;

use super::attributes::{Demand, demand};
use super::patterns::PatternId;
use super::tree::{NONE, NodeId};
use super::{Engine, MAX_PATTERN_NODES, MAX_PATTERN_WORK, Stop};
use crate::spec::run::Value;

/// One guarded node that is being built.
pub(super) struct Frame {
    pub root: NodeId,
    /// What the subtree must not be.
    pub patterns: Vec<PatternId>,
    /// Guarded nodes of the region that are perhaps not built yet.
    pub pending: Vec<NodeId>,
    next: usize,
    /// Unguarded nodes of the region that are perhaps not expanded yet.
    pub open: Vec<NodeId>,
    /// What failed last.
    pub failed: NodeId,
    alternatives: u32,
    /// The patterns that were there before this frame.
    level: usize,
    /// Nothing but height has excluded anything so far.
    pub height_only: bool,
}

/// Why a frame needs another alternative.
pub(super) enum Failure {
    /// A guarded node of the region could not be built; for height alone?
    Guarded(NodeId, bool),
    /// An unguarded one has no production left; for height alone?
    Stuck(NodeId, bool),
    /// A guard of the root, by its slot, does not hold.
    Guard(u32),
}

/// How a frame ends.
enum Ended {
    Success,
    Fail { height_only: bool },
}

/// Alternatives without progress that end the shortest attempt: more than most
/// guards take.
const ATTEMPT: u64 = 256;

/// How far an attempt got.
#[derive(Default)]
pub(super) struct Progress {
    /// The most guarded nodes that were done at a time, ...
    done: u64,
    /// ... and after how many alternatives.
    at: u64,
}

/// Number `n` of 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, …: how long attempts are. Whatever
/// length would be best for a spec, this costs little more (Luby, Sinclair and
/// Zuckerman, 1993).
fn luby(mut n: u64) -> u64 {
    loop {
        let ends = n + 1;
        if ends.is_power_of_two() {
            return ends / 2;
        }
        n -= (1 << n.ilog2()) - 1;
    }
}

impl Engine<'_> {
    /// Builds the tree below `root`.
    pub(super) fn fuzz(&mut self, root: NodeId, choices: &mut Choices) -> Result<(), Stop> {
        self.enter(root, Vec::new());
        let mut fresh = true;
        loop {
            fresh |= self.restart();
            let ended = match fresh && !self.alternative(choices)? {
                true => Some(self.fail()),
                false => self.go_on()?,
            };
            fresh = true;
            match ended {
                // Into a new frame, or another alternative of this one.
                None => {}
                Some(Ended::Success) => {
                    let root = self.frame().root;
                    self.tree.finish(root);
                    self.note_progress();
                    if self.leave().is_none() {
                        return Ok(());
                    }
                    fresh = false;
                    if let Some(guard) = self.false_guard()? {
                        self.learn(Failure::Guard(guard));
                        fresh = true;
                    }
                }
                Some(Ended::Fail { height_only }) => {
                    let Some(failed) = self.leave() else {
                        return Err(Stop::Impossible);
                    };
                    self.statistics.failures += 1;
                    let class = self.tree.node(failed).class as usize;
                    self.by_class[class].failures += 1;
                    self.statistics.height_failures += u64::from(height_only);
                    self.learn(Failure::Guarded(failed, height_only));
                }
            }
        }
    }

    /// An attempt that has more done than ever before is worth its time.
    fn note_progress(&mut self) {
        if self.tree.done > self.progress.done {
            self.progress = Progress {
                done: self.tree.done,
                at: self.statistics.alternatives,
            };
        }
    }

    /// Begins anew if this attempt took many alternatives and got no further.
    /// General patterns stay: those of the first frame are true of every
    /// attempt.
    fn restart(&mut self) -> bool {
        let taken = self.statistics.alternatives - self.progress.at;
        if taken < ATTEMPT || taken < ATTEMPT * luby(self.statistics.restarts + 1) {
            return false;
        }
        self.statistics.restarts += 1;
        self.progress = Progress {
            done: 0,
            at: self.statistics.alternatives,
        };
        while self.frames.len() > 1 {
            self.leave();
        }
        let frame = self.frames.last_mut().expect("a run has a frame");
        self.patterns.keep_general(&mut frame.patterns);
        let root = frame.root;
        if self.tree.is_expanded(root) {
            self.deconstruct(root);
        }
        let frame = self.frame();
        frame.pending.clear();
        frame.next = 0;
        frame.open.clear();
        frame.failed = NONE;
        true
    }

    fn enter(&mut self, root: NodeId, patterns: Vec<PatternId>) {
        let pending = self.spare_pending.pop().unwrap_or_default();
        self.frames.push(Frame {
            root,
            patterns,
            pending,
            next: 0,
            open: Vec::new(),
            failed: NONE,
            alternatives: 0,
            level: self.patterns.level(),
            height_only: true,
        });
    }

    /// Drops the topmost frame; its root if there is a frame below it.
    fn leave(&mut self) -> Option<NodeId> {
        let mut frame = self.frames.pop()?;
        self.patterns.forget(frame.level);
        frame.pending.clear();
        self.spare_pending.push(frame.pending);
        (!self.frames.is_empty()).then_some(frame.root)
    }

    pub(super) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a run has a frame")
    }

    fn fail(&mut self) -> Ended {
        let root = self.frame().root;
        let height_only = self.frame().height_only;
        if self.tree.is_expanded(root) {
            self.deconstruct(root);
        }
        Ended::Fail { height_only }
    }

    /// Takes down a node of the region and what depends on it.
    pub(super) fn deconstruct(&mut self, node: NodeId) {
        let root = self.frame().root;
        let mut reopened = std::mem::take(&mut self.reopened);
        super::attributes::deconstruct(&mut self.tree, node, root, &mut reopened);
        self.reopen(reopened);
    }

    /// Puts guarded nodes back among those to build.
    pub(super) fn reopen(&mut self, mut reopened: Vec<NodeId>) {
        self.frame().pending.append(&mut reopened);
        self.reopened = reopened;
    }

    /// Counts an alternative; true if the class allows no more.
    fn count_alternative(&mut self) -> Result<bool, Stop> {
        let frame = self.frames.last_mut().expect("a run has a frame");
        frame.alternatives += 1;
        let tried = frame.alternatives;
        let class = self.tree.node(frame.root).class as usize;
        if tried > 1 {
            self.statistics.alternatives += 1;
            self.by_class[class].alternatives += 1;
        }
        if self.statistics.alternatives > self.limits.alternatives {
            return Err(Stop::Limit(
                "too many alternatives: the guards are too hard",
            ));
        }
        let large = self.patterns.level() > MAX_PATTERN_NODES;
        if large || self.patterns.work > MAX_PATTERN_WORK {
            return Err(Stop::Limit(
                "too much work for fail patterns: the guards are too hard",
            ));
        }
        let most = self.tuning.bounds[class].max_alternatives;
        Ok(most.is_some_and(|most| tried > most.max(1)))
    }

    /// ALTERNATIVE for the topmost frame: true if the region's unguarded nodes
    /// are all expanded, in a way that no fail pattern prohibits.
    fn alternative(&mut self, choices: &mut Choices) -> Result<bool, Stop> {
        loop {
            if self.count_alternative()? || !self.change(choices)? {
                return Ok(false);
            }
            match self.expand_open(choices)? {
                None => return Ok(true),
                Some((stuck, height_only)) => self.learn(Failure::Stuck(stuck, height_only)),
            }
        }
    }

    /// Lines 3 to 11 of figure 5, up to the next recursive call.
    fn go_on(&mut self) -> Result<Option<Ended>, Stop> {
        let Some(mut node) = self.next_pending() else {
            return match self.false_guard()? {
                None => Ok(Some(Ended::Success)),
                Some(guard) => {
                    self.learn(Failure::Guard(guard));
                    Ok(None)
                }
            };
        };
        while let Some(blocker) = self.blocker(node)? {
            node = blocker;
        }
        let frame = self.frames.last().expect("a run has a frame");
        let patterns = match frame.patterns.is_empty() {
            true => Vec::new(),
            false => {
                let all = &frame.patterns;
                let trimmed = self.patterns.trim_to(&self.tree, frame.root, node, all);
                trimmed.into_iter().map(|trimmed| trimmed.rest).collect()
            }
        };
        self.enter(node, patterns);
        Ok(None)
    }

    fn next_pending(&mut self) -> Option<NodeId> {
        let frame = self.frames.last_mut().expect("a run has a frame");
        while let Some(&node) = frame.pending.get(frame.next) {
            let found = self.tree.node(node);
            let guarded = self.tree.compiled.classes[found.class as usize].guarded;
            if found.live && !found.done && guarded && node != frame.root {
                return Some(node);
            }
            frame.next += 1;
        }
        frame.pending.clear();
        frame.next = 0;
        None
    }

    /// A guarded node that has to be built before `node`.
    fn blocker(&mut self, node: NodeId) -> Result<Option<NodeId>, Stop> {
        let root = self.frame().root;
        for slot in 0..self.tree.class(node).inherited {
            let goal = (node, slot);
            let (tree, evaluator) = (&mut self.tree, &mut self.evaluator);
            match demand(tree, evaluator, &mut self.goals, root, goal)? {
                Demand::Ready => {}
                Demand::Blocked(by) => return Ok(Some(by)),
            }
        }
        Ok(None)
    }

    /// A guard of the root that can be computed by now and does not hold.
    fn false_guard(&mut self) -> Result<Option<u32>, Stop> {
        let root = self.frame().root;
        for slot in self.tree.class(root).guards.clone() {
            let goal = (root, slot);
            let (tree, evaluator) = (&mut self.tree, &mut self.evaluator);
            let ready = demand(tree, evaluator, &mut self.goals, root, goal)?;
            if ready == Demand::Ready && *self.tree.value(root, slot) != Value::Bool(true) {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    /// NEWFAILPATTERN: adds what is to be learned from a failure to the
    /// topmost frame.
    fn learn(&mut self, failure: Failure) {
        let frame = self.frames.last_mut().expect("a run has a frame");
        let root = frame.root;
        let (tree, marks) = (&mut self.tree, &mut self.marks);
        marks.start(tree);
        marks.mark(tree, root, root);
        let (failed, height_only) = match failure {
            Failure::Guarded(node, height_only) | Failure::Stuck(node, height_only) => {
                (node, height_only)
            }
            Failure::Guard(_) => (NONE, false),
        };
        frame.failed = failed;
        frame.height_only &= height_only;
        if failed != NONE && failed != root {
            marks.mark(tree, tree.node(failed).parent, root);
        }
        if !self.limits.generalize {
            marks.mark_all(tree, root, failed);
        } else if !height_only {
            match failure {
                Failure::Guard(slot) => marks.mark_sources(tree, root, (root, slot)),
                Failure::Guarded(node, _) => {
                    for slot in 0..tree.class(node).inherited {
                        marks.mark_sources(tree, root, (node, slot));
                    }
                }
                Failure::Stuck(..) => {}
            }
            if failed != NONE {
                let context = self.patterns.trim_to(tree, root, failed, &frame.patterns);
                for trimmed in context {
                    self.patterns.mark(tree, marks, trimmed.whole, root, failed);
                }
            }
        }
        // A root that cannot be expanded itself excludes everything.
        let pattern = match failed == root {
            true => super::patterns::STAR,
            false => self.patterns.learn(tree, marks, root),
        };
        frame.patterns.push(pattern);
    }
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn attempts_are_as_long_as_in_lubys_sequence() {
        let lengths: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}

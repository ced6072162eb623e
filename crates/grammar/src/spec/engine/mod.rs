//! The fuzzing algorithm of the *Smith paper, section IV.
//!
//! FUZZ (figure 5) is a stack of [`Frame`]s, one per guarded node that is
//! being built. A frame owns a *region*: the tree from its root down to the
//! next guarded nodes. ALTERNATIVE (figure 6) expands or changes the region's
//! unguarded nodes; then its guarded nodes are built one by one, in an order
//! that follows from what blocks what, each in a frame of its own. When a node
//! cannot be built, or a guard of the root does not hold, the frame learns a
//! fail pattern and looks for another alternative; when there is none, the
//! frame fails, and the one below it learns.
//!
//! Where this departs from the paper:
//! - An unguarded node whose productions are all excluded by fail patterns
//!   counts like a guarded node that failed: the paper asks for "a skeletal
//!   sub-tree that none of the fail patterns prohibit" and leaves open how one
//!   is found; learning is one answer that is both complete and cheap.
//! - A pattern from a height failure is the bare chain of nodes only if height
//!   alone excluded every production. The paper takes the chain whenever
//!   height had a part in it, which can exclude valid programs.
//! - Productions that are not recursive do not count towards the height, as in
//!   the paper's implementation; a tree without recursion has height 0.
//! - Attributes are computed when they are asked for, not as far as possible
//!   after every change: rules are pure, so the values are the same, and those
//!   that nothing needs are never computed.
//! - A rule that goes wrong (division by zero, no end) ends the making with its
//!   place; the paper's implementation takes it for an attribute that cannot be
//!   computed, which hides mistakes of the spec.
//! - A fail pattern names a generator's production together with which value it
//!   chose, and depends on what the generator's list was made of: the paper has
//!   one production per value and leaves the list out.
//! - An attempt that takes many alternatives and gets no further is given up
//!   for another one: small changes seldom lead out of an unlucky beginning.
//!   Attempts get longer, so that what can be searched through still is.
//! - There are limits to alternatives, nodes and comparisons with patterns, so
//!   that a guard that never holds is given up on.
//!
//! Every decision is one choice on the tape, those that are taken back too:
//! the same tape gives the same program. Nothing recurses over the tree.

mod alternative;
mod attributes;
mod draft;
mod frame;
mod grow;
mod patterns;
mod serialize;
mod shrink;
mod tree;
mod usage;
mod verify;

use lydite_core::{Choices, Reject};

use super::compiled::{Compiled, Tuning};
use super::run::{Fault, Machine, Value};
use super::usage::Usage;
use attributes::Evaluator;
pub(crate) use draft::{Draft, Graft, Wish, simplest};
use frame::Frame;
pub(crate) use grow::POOL;
use patterns::{Marks, Patterns};
use tree::{NONE, NodeId, Tree};

/// How programs of a spec are made.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How high subtrees of recursive productions may be.
    pub height: u32,
    /// More alternatives than this are not tried for one program.
    pub alternatives: u64,
    /// A program of more nodes than this is abandoned.
    pub nodes: u64,
    /// A larger program is abandoned.
    pub bytes: usize,
    /// Learn generalised fail patterns; without, this is plain backtracking.
    pub generalize: bool,
    /// Compute all attributes of a finished program anew and look at all
    /// guards again: for tests of the engine itself.
    pub verify: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            height: 8,
            alternatives: 1 << 20,
            nodes: 1 << 21,
            bytes: 64 << 20,
            generalize: true,
            verify: false,
        }
    }
}

/// What it took to make one program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes of the program.
    pub nodes: u64,
    /// Nodes made, those taken down again included.
    pub nodes_made: u64,
    /// Alternatives tried after the first of each guarded node.
    pub alternatives: u64,
    /// Fail patterns learned.
    pub patterns: u64,
    /// Guarded nodes that could not be built where they were tried, ...
    pub failures: u64,
    /// ... of these for the height limit alone.
    pub height_failures: u64,
    /// Nodes compared with fail patterns.
    pub pattern_work: u64,
    /// Steps of functions and rules.
    pub steps: u64,
    /// Attempts given up for another.
    pub restarts: u64,
}

/// What it took to make the nodes of one class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassStatistics {
    /// Nodes made, those taken down again included.
    pub nodes_made: u64,
    /// Alternatives tried for guarded nodes of it, after the first.
    pub alternatives: u64,
    /// Guarded nodes of it that could not be built where they were tried.
    pub failures: u64,
    /// Steps of the rules of its productions.
    pub steps: u64,
}

impl std::ops::AddAssign for ClassStatistics {
    fn add_assign(&mut self, other: ClassStatistics) {
        self.nodes_made += other.nodes_made;
        self.alternatives += other.alternatives;
        self.failures += other.failures;
        self.steps += other.steps;
    }
}

impl std::ops::AddAssign for Statistics {
    fn add_assign(&mut self, other: Statistics) {
        self.nodes += other.nodes;
        self.nodes_made += other.nodes_made;
        self.alternatives += other.alternatives;
        self.patterns += other.patterns;
        self.failures += other.failures;
        self.height_failures += other.height_failures;
        self.pattern_work += other.pattern_work;
        self.steps += other.steps;
        self.restarts += other.restarts;
    }
}

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Choices ran out.
    Reject(Reject),
    /// A function of the spec went wrong.
    Fault(Fault),
    /// No program satisfies the guards.
    Impossible,
    /// One of the [`Limits`], in words.
    Limit(&'static str),
}

impl From<Reject> for Stop {
    fn from(reject: Reject) -> Stop {
        Stop::Reject(reject)
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

/// More than this is not compared with fail patterns for one program.
const MAX_PATTERN_WORK: u64 = 1 << 28;
/// Nor are more nodes of fail patterns kept at a time.
const MAX_PATTERN_NODES: usize = 1 << 22;

/// One run.
pub(crate) struct Engine<'a> {
    tuning: &'a Tuning,
    limits: &'a Limits,
    evaluator: Evaluator<'a>,
    tree: Tree<'a>,
    patterns: Patterns,
    marks: Marks,
    frames: Vec<Frame>,
    /// The texts that this program draws from, by literal class.
    pools: Vec<grow::Pool>,
    goals: Vec<(NodeId, u32)>,
    /// Guarded nodes that have to be built again.
    reopened: Vec<NodeId>,
    /// Nodes to expand, with where their patterns are.
    growing: Vec<(NodeId, usize)>,
    /// The lists of generators of the node at hand, by production.
    generated: Vec<(u32, Value)>,
    /// Lists of frames that are gone, to use again.
    spare_pending: Vec<Vec<NodeId>>,
    weights: Vec<u64>,
    excluded: Vec<(u32, u32)>,
    /// Those of a literal class, as bits.
    taken: Vec<u64>,
    progress: frame::Progress,
    statistics: Statistics,
    by_class: Vec<ClassStatistics>,
    /// What the tree should become.
    wish: Option<Wish<'a>>,
}

impl<'a> Engine<'a> {
    fn new(compiled: &'a Compiled, tuning: &'a Tuning, limits: &'a Limits) -> Engine<'a> {
        let knobs = Compiled::knob_values(&tuning.knobs);
        Engine {
            tuning,
            limits,
            evaluator: Evaluator::new(Machine::new(&compiled.code, knobs), compiled.classes.len()),
            tree: Tree::new(compiled),
            patterns: Patterns::default(),
            marks: Marks::default(),
            frames: Vec::new(),
            pools: vec![grow::Pool::default(); compiled.classes.len()],
            goals: Vec::new(),
            reopened: Vec::new(),
            growing: Vec::new(),
            generated: Vec::new(),
            spare_pending: Vec::new(),
            weights: Vec::new(),
            excluded: Vec::new(),
            taken: Vec::new(),
            progress: frame::Progress::default(),
            statistics: Statistics::default(),
            by_class: vec![ClassStatistics::default(); compiled.classes.len()],
            wish: None,
        }
    }
}

/// A tree as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Its first text, then the further ones that were asked for.
    pub texts: Vec<Vec<u8>>,
    /// What each of them prints, where the spec says so.
    pub output: Option<Vec<u8>>,
}

/// What else is wanted to be known of a program.
#[derive(Default)]
pub(crate) struct Asked<'u> {
    /// What it took, by class.
    pub classes: &'u mut [ClassStatistics],
    /// What it consists of.
    pub usage: Option<&'u mut Usage>,
    /// What it should become.
    pub wish: Option<Wish<'u>>,
    /// What it became.
    pub draft: Option<&'u mut Draft>,
}

/// Makes one tree and writes it: the first text, then those of `further`. Adds
/// what is `asked`. The statistics are also there if there is no program.
pub(crate) fn make<'u>(
    compiled: &'u Compiled,
    tuning: &'u Tuning,
    limits: &'u Limits,
    further: &[u32],
    choices: &mut Choices,
    asked: Asked<'u>,
) -> (Result<Written, Stop>, Statistics) {
    let mut engine = Engine::new(compiled, tuning, limits);
    let root = engine.tree.new_node(0, NONE, 0);
    engine.tree.node_mut(root).height = limits.height;
    engine.wish = asked.wish;
    engine.tree.node_mut(root).wish = asked.wish.map_or(NONE, |wish| wish.root());
    let result = engine.fuzz(root, choices);
    let result = result.and_then(|()| match limits.verify {
        true => engine.verify(),
        false => Ok(()),
    });
    let texts = [None].into_iter().chain(further.iter().copied().map(Some));
    let result = result.and_then(|()| {
        let texts = texts.map(|text| engine.serialize(root, text));
        Ok(Written {
            texts: texts.collect::<Result<_, Stop>>()?,
            output: engine.output(root)?,
        })
    });
    let mut statistics = engine.statistics;
    statistics.nodes = engine.tree.live;
    statistics.nodes_made = engine.tree.made;
    statistics.patterns = engine.patterns.learned;
    statistics.pattern_work = engine.patterns.work;
    statistics.steps = engine.evaluator.machine.steps;
    if let Some(draft) = asked.draft
        && result.is_ok()
    {
        *draft = engine.draft(root);
    }
    if let Some(usage) = asked.usage {
        engine.count_usage(root, result.is_ok(), usage);
    }
    for (class, all) in asked.classes.iter_mut().enumerate() {
        *all += ClassStatistics {
            nodes_made: engine.tree.made_by_class[class],
            steps: engine.evaluator.steps_by_class[class],
            ..engine.by_class[class]
        };
    }
    (result, statistics)
}

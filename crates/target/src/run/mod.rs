//! A target that is ready to run, and the running of it.

mod answer_cache;
mod batch;
mod idle;
mod kept;
mod make;
mod reproduction;
mod serve;
mod staying;
mod words;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use lydite_core::{Answer, Capture, Exit, Observation, Outcome, Program, Role, TargetName};

use crate::cache::Installed;
use crate::family::{AllowedOption, Family, MemoryRule, Step, Variant, sets_same};
use crate::read::{AnswerKind, Frame, Reading, read_outcome};
use lydite_core::version::Version;
use lydite_process::{Command, Ended, Limits, Memory, Scratch, Withdrawn};
use staying::Waiting;

pub use answer_cache::AnswerCache;
pub use idle::Idle;
pub use make::Maker;
pub use reproduction::{Description, Reproduction, ReproductionStep};
pub use words::COUNTS;

/// A family in one version and one variant, installed and ready to run.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its name, with the version.
    pub name: TargetName,
    /// The version.
    pub version: Version,
    family: Arc<Family>,
    variant: Variant,
    installed: Installed,
    /// Where its answers are kept, and a hash of all that could change them but
    /// options and limits.
    kept: Option<(Arc<AnswerCache>, String)>,
    /// Its processes that wait for their next program.
    waiting: Waiting,
}

/// What one run may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// Wall time of all steps together.
    pub wall: Duration,
    /// CPU time of each process.
    pub cpu: Duration,
    /// CPU time of all steps together, if it is to be cut off sooner than by
    /// the clock.
    pub busy: Option<Duration>,
    /// Memory in bytes, in the way that the target's file says.
    pub memory_bytes: Option<u64>,
    /// The largest file that it may write, in bytes.
    pub file_bytes: u64,
    /// How many bytes of each output stream are kept from its beginning.
    pub keep_head: usize,
    /// How many bytes are kept from its end, if it is longer.
    pub keep_tail: usize,
    /// The target's own limit that is the same on every machine, if it has one.
    pub resource: Option<u64>,
    /// True if the target is told of the wall limit too, if it has an option
    /// for that: it may then say what it knows before we kill it.
    pub tell_timeout: bool,
    /// Ends the run early, if whoever asked for it may withdraw the question.
    pub withdrawn: Option<Withdrawn>,
}

impl Default for RunLimits {
    fn default() -> RunLimits {
        let limits = Limits::default();
        RunLimits {
            wall: limits.wall,
            cpu: limits.cpu,
            busy: limits.busy,
            memory_bytes: Some(4 << 30),
            file_bytes: limits.file_bytes,
            keep_head: limits.keep_head,
            keep_tail: limits.keep_tail,
            resource: None,
            tell_timeout: false,
            withdrawn: None,
        }
    }
}

/// What a first step has spent before it begins.
pub(crate) const NOTHING_SPENT: (Duration, Duration) = (Duration::ZERO, Duration::ZERO);

/// The name of what a compiler makes.
pub(crate) const OUT: &str = "./case.out";

impl Target {
    pub(crate) fn new(
        family: &Arc<Family>,
        variant_name: Option<&str>,
        variant: Variant,
        installed: Installed,
    ) -> Target {
        Target {
            name: TargetName {
                family: family.family.clone(),
                version: Some(installed.version.to_string()),
                variant: variant_name.map(str::to_string),
            },
            version: installed.version.clone(),
            family: Arc::clone(family),
            variant,
            installed,
            kept: None,
            waiting: Waiting::default(),
        }
    }

    /// The same target, with answers that are kept from run to run.
    pub fn keeping(mut self, answers: &Arc<AnswerCache>) -> anyhow::Result<Target> {
        let facts = [
            self.name.to_string(),
            self.installed.hash()?,
            self.installed.source.clone(),
            self.definition()?,
            own_hash()?,
        ];
        let hash = blake3::hash(facts.join("\0").as_bytes());
        self.kept = Some((Arc::clone(answers), hash.to_hex().to_string()));
        Ok(self)
    }

    /// The hash of its binary, its driver, and what its target file says of
    /// running and reading it.
    pub fn fingerprint(&self) -> anyhow::Result<String> {
        let text = format!("{} {}", self.installed.hash()?, self.definition()?);
        Ok(blake3::hash(text.as_bytes()).to_hex().to_string())
    }

    /// The hash of what its target file says of running and reading it, and of
    /// its driver.
    fn definition(&self) -> anyhow::Result<String> {
        let driver = self.installed.driver_hash()?;
        let get = &self.installed.get;
        let from = (&get.launch, &get.options, &get.env);
        let text = format!("{} {driver} {from:?}", self.family.digest);
        Ok(blake3::hash(text.as_bytes()).to_hex().to_string())
    }

    /// True if its answers are kept.
    pub(crate) fn keeps_answers(&self) -> bool {
        self.kept.is_some()
    }

    /// The same target without kept answers: every observation is a run.
    pub fn cold(&self) -> Target {
        Target {
            kept: None,
            ..self.clone()
        }
    }

    /// The family.
    pub fn family(&self) -> &Family {
        &self.family
    }

    /// Constructs of its language that it has not got, by the names of specs.
    pub fn lacks(&self) -> impl Iterator<Item = &str> {
        self.without_own(&self.family.lacks)
    }

    /// Those of `lacks` that it does not refuse: it means something else by them.
    pub fn differs(&self) -> impl Iterator<Item = &str> {
        self.without_own(&self.family.differs)
    }

    /// Words of the family, but for what the variant has.
    fn without_own<'a>(&'a self, words: &'a [String]) -> impl Iterator<Item = &'a str> {
        let words = words.iter().map(String::as_str);
        words.filter(|one| !self.variant.has.iter().any(|has| has == one))
    }

    /// The rules by which its output is read.
    pub(crate) fn reading(&self) -> &Reading {
        self.family.reading()
    }

    /// How and where it is installed.
    pub fn installed(&self) -> &Installed {
        &self.installed
    }

    /// The same target with further options behind its own.
    pub fn with_options(&self, args: Vec<String>) -> Target {
        let mut target = self.clone();
        target.variant.options.extend(args);
        // Processes of other options are no use.
        target.waiting = Waiting::default();
        target
    }

    /// The same target with a variable in its environment.
    pub fn with_env(&self, key: &str, value: &str) -> Target {
        let mut target = self.with_options(Vec::new());
        target
            .variant
            .env
            .insert(key.to_string(), value.to_string());
        target
    }

    /// True if this version has the option, it goes with the variant, and the target's
    /// own options do not set the same.
    pub fn takes(&self, option: &AllowedOption) -> bool {
        let own = |words: &[String]| option.args.iter().any(|arg| sets_same(arg, words));
        let variant = self.name.variant.as_ref();
        option.versions.contains(&self.version)
            && !variant.is_some_and(|variant| option.not_with.contains(variant))
            && !own(&self.installed.get.options)
            && !own(&self.variant.options)
    }

    /// What an answer looks like.
    pub fn kind(&self) -> AnswerKind {
        self.variant.kind.unwrap_or(self.family.answer_kind())
    }

    /// True if it is there to say which programs are worth running.
    pub fn is_gate(&self) -> bool {
        self.variant.gate
    }

    /// True if it is there to say where others of its family died.
    pub fn tells_sites(&self) -> bool {
        self.variant.sites
    }

    /// Runs it on a program. Whatever goes wrong is data: an outcome.
    pub fn observe(
        &self,
        program: &Program,
        index: usize,
        role: Role,
        limits: &RunLimits,
        scratch: &Scratch,
    ) -> Observation {
        let mut observation = self.nothing_seen(index, role);
        let kept = self.kept.as_ref().map(|(kept, hash)| {
            let words = self.words_of_a_run(hash, limits);
            (kept, answer_cache::key(&words, program, limits))
        });
        if let Some((kept, key)) = &kept
            && kept.fill(key, &mut observation)
        {
            return observation;
        }
        if let Err(error) = self.run_cold(program, limits, scratch, &mut observation) {
            observation.outcome = Outcome::Unusable(format!("did not start: {error}"));
        }
        if let Some((kept, key)) = &kept {
            kept.keep(key, &observation);
        }
        observation
    }

    /// What is known of a run before its first step.
    pub(crate) fn nothing_seen(&self, program: usize, role: Role) -> Observation {
        Observation {
            program,
            target: self.name.clone(),
            role,
            outcome: Outcome::Unusable("no step was run".to_string()),
            exit: Exit::NotStarted,
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_kb: 0,
            stdout: Capture::default(),
            stderr: Capture::default(),
            promises: self.promises(),
        }
    }

    /// What its target file says that this version promises.
    pub(crate) fn promises(&self) -> Vec<String> {
        let promises = self.family.promises.iter();
        let made = promises.filter(|(_, versions)| versions.contains(&self.version));
        made.map(|(what, _)| what.clone()).collect()
    }

    /// What is said in its place of a program that it is not given, since it needs `feature`.
    pub fn left_out(&self, program: usize, role: Role, feature: &str) -> Observation {
        let why = format!("{feature} (not among what its target file says it knows; not run)");
        Observation {
            outcome: Outcome::Unsupported(why),
            exit: Exit::Status(0),
            ..self.nothing_seen(program, role)
        }
    }

    fn run_cold(
        &self,
        program: &Program,
        limits: &RunLimits,
        scratch: &Scratch,
        observation: &mut Observation,
    ) -> io::Result<()> {
        let folder = scratch.folder()?;
        self.place(program, folder.path())?;
        self.run_steps(0, folder.path(), limits, observation)
    }

    /// Runs the steps from number `first` on, a process each.
    pub(crate) fn run_steps(
        &self,
        first: usize,
        folder: &Path,
        limits: &RunLimits,
        observation: &mut Observation,
    ) -> io::Result<()> {
        let env = self.environment();
        for (number, step) in self.steps().iter().enumerate().skip(first) {
            let argv = self.argv(step, &self.family.run.file, OUT, limits);
            let argv: Vec<OsString> = argv.into_iter().map(OsString::from).collect();
            let source = folder.join(&self.family.run.file);
            let ended = lydite_process::run(&Command {
                argv: &argv,
                dir: folder,
                stdin: step.stdin.then_some(source.as_path()),
                env: &env,
                limits: &self.process_limits(limits, (observation.wall, observation.cpu)),
            })?;
            if !self.read_step(number, ended, limits, observation) {
                break;
            }
        }
        Ok(())
    }

    /// Takes down how a step ended; true if the next one is to be run.
    pub(crate) fn read_step(
        &self,
        number: usize,
        ended: Ended,
        limits: &RunLimits,
        observation: &mut Observation,
    ) -> bool {
        let last = number + 1 == self.steps().len();
        let frame = Frame {
            kind: if last {
                self.kind()
            } else {
                AnswerKind::Accepted
            },
            program: self.steps()[number].program,
            memory_bytes: limits.memory_bytes.filter(|_| !peak_is_ours(&ended)),
        };
        observation.outcome = read_outcome(self.reading(), &ended, &frame);
        record(observation, ended);
        !last && observation.outcome == Outcome::Answered(Answer::Accepted)
    }

    pub(crate) fn steps(&self) -> &[Step] {
        let steps = &self.family.run.step;
        let usual = self.family.run.steps.unwrap_or(steps.len());
        &steps[..self.variant.steps.unwrap_or(usual).min(steps.len())]
    }

    /// Writes the files of the program: the source under the family's name
    /// for it, the others under their own, which are plain by contract.
    pub(crate) fn place(&self, program: &Program, folder: &Path) -> io::Result<()> {
        for (number, file) in program.files.iter().enumerate() {
            let name = match number {
                0 => self.family.run.file.as_str(),
                _ => file.name.as_str(),
            };
            let plain = Path::new(name).file_name().is_some_and(|base| base == name);
            if !plain {
                let message = format!("file name `{}` is not plain", name.escape_debug());
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
            fs::write(folder.join(name), &file.text)?;
        }
        Ok(())
    }

    /// What a process may use after `spent`, of the clock and of the CPU.
    pub(crate) fn process_limits(&self, limits: &RunLimits, spent: (Duration, Duration)) -> Limits {
        let rule = self.variant.memory.unwrap_or(self.family.limit.memory);
        // A step that comes too late still gets a moment, to be cut in order.
        let least = Duration::from_millis(1);
        Limits {
            wall: limits.wall.saturating_sub(spent.0).max(least),
            cpu: limits.cpu,
            busy: limits
                .busy
                .map(|busy| busy.saturating_sub(spent.1).max(least)),
            memory: match (limits.memory_bytes, rule) {
                (None, _) => Memory::Unlimited,
                (Some(bytes), MemoryRule::AddressSpace) => Memory::AddressSpace(bytes),
                (Some(bytes), MemoryRule::Resident) => Memory::Resident(bytes),
            },
            file_bytes: limits.file_bytes,
            keep_head: limits.keep_head,
            keep_tail: limits.keep_tail,
            withdrawn: limits.withdrawn.clone(),
        }
    }
}

/// True if the peak of a process that died may be our own: Linux counts the
/// moment between spawn and exec, when a child still has our memory, so a
/// smaller peak of its own is not seen.
fn peak_is_ours(ended: &Ended) -> bool {
    if !matches!(ended.exit, Exit::Signal(_)) {
        return false;
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let own_kb = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    own_kb.is_some_and(|own_kb| ended.peak_kb <= own_kb)
}

/// The hash of this program: a newer one may read the same output otherwise.
fn own_hash() -> anyhow::Result<String> {
    let path = std::env::current_exe()?;
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut fs::File::open(path)?, &mut hasher)?;
    Ok(hasher.finalize().to_hex().to_string())
}

fn record(observation: &mut Observation, ended: Ended) {
    observation.exit = ended.exit;
    observation.wall += ended.wall;
    observation.cpu += ended.cpu;
    observation.peak_kb = observation.peak_kb.max(ended.peak_kb);
    observation.stdout = ended.stdout;
    observation.stderr = ended.stderr;
}

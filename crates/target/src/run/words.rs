//! The words of a target's command lines and its environment, with what depends on the
//! installation filled in.

use std::collections::BTreeMap;
use std::path::Path;

use super::{OUT, RunLimits, Target};
use crate::family::Step;

impl Target {
    /// All that a run depends on beside program and limits: `hash`, every word of
    /// every step, the environment, and what an answer looks like.
    pub(super) fn words_of_a_run(&self, hash: &str, limits: &RunLimits) -> Vec<String> {
        let mut words = vec![hash.to_string(), format!("{:?}", self.kind())];
        for step in self.steps() {
            let argv = self.argv(step, &self.family.run.file, OUT, limits);
            words.push(format!("{} {} {}", argv.len(), step.stdin, step.program));
            words.extend(argv);
        }
        for (name, value) in self.env() {
            words.extend([name, value]);
        }
        words.push(format!("{:?}", self.variant.memory));
        words
    }

    pub(crate) fn argv(
        &self,
        step: &Step,
        file: &str,
        out: &str,
        limits: &RunLimits,
    ) -> Vec<String> {
        let mut argv = Vec::new();
        for word in &step.argv {
            match word.as_str() {
                "{bin}" => argv.extend(self.launch()),
                "{options}" => argv.extend(self.options(limits)),
                word => argv.push(
                    self.filled(word)
                        .replace("{file}", file)
                        .replace("{out}", out)
                        .replace("{dir}", "."),
                ),
            }
        }
        argv
    }

    fn launch(&self) -> Vec<String> {
        if self.installed.get.launch.is_empty() {
            return vec![self.installed.bin.display().to_string()];
        }
        let words = self.installed.get.launch.iter();
        words.map(|word| self.filled(word)).collect()
    }

    fn options(&self, limits: &RunLimits) -> Vec<String> {
        // A little less than ours, so that the target is the first to act.
        let told = limits.wall.mul_f64(0.9);
        let seconds = told.as_secs().max(1).to_string();
        let ms = told.as_millis().max(1).to_string();
        let timeout = self.family.limit.timeout_option.as_ref();
        let timeout = timeout
            .filter(|_| limits.tell_timeout)
            .map(|option| option.replace("{seconds}", &seconds).replace("{ms}", &ms));
        let resource = self.family.limit.resource_option.as_ref();
        let resource = resource
            .zip(limits.resource)
            .map(|(option, n)| option.replace("{n}", &n.to_string()));
        let source = self.installed.get.options.iter();
        let own = source
            .chain(&self.variant.options)
            .map(|word| self.filled(word));
        own.chain(timeout).chain(resource).collect()
    }

    pub(super) fn env(&self) -> BTreeMap<String, String> {
        let layers = [
            &self.family.run.env, &self.installed.get.env, &self.variant.env,
        ];
        let pairs = layers.into_iter().flatten();
        let mut env: BTreeMap<String, String> = pairs
            .map(|(name, value)| (name.clone(), self.filled(value)))
            .collect();
        let flags = self.variant.flags.as_deref().unwrap_or_default();
        if flags.contains("--coverage") {
            // Else counts would be written to where it was built.
            env.entry(COUNTS.to_string())
                .or_insert_with(|| "counts".to_string());
        }
        env
    }

    /// Fills in what depends on the installation alone.
    fn filled(&self, word: &str) -> String {
        if !word.contains('{') {
            return word.to_string();
        }
        let shown = |path: &Path| path.display().to_string();
        let installed = &self.installed;
        let lib = installed.root.join("usr/lib").join(multiarch());
        let optional =
            |path: &Option<std::path::PathBuf>| path.as_deref().map_or(String::new(), shown);
        word.replace("{path}", &shown(&installed.bin))
            .replace("{root}", &shown(&installed.root))
            .replace("{lib}", &shown(&lib))
            .replace("{driver}", &optional(&installed.driver))
            .replace("{python}", &optional(&installed.python))
            .replace("{lydite}", &own_program())
    }

    /// The command line that asks for the version.
    pub(crate) fn version_argv(&self) -> Vec<String> {
        let step = Step {
            argv: self.family.version.argv.clone(),
            stdin: false,
            program: false,
        };
        self.argv(&step, "", "", &RunLimits::default())
    }

    /// The environment of every step, for runs that are not a step.
    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        self.env().into_iter().collect()
    }
}

/// Says below which folder a build that counts writes its counts; a relative
/// one is below the folder of the run.
pub const COUNTS: &str = "GCOV_PREFIX";

/// This program, for targets that have a step of ours.
pub(super) fn own_program() -> String {
    let path = std::env::current_exe();
    path.map_or_else(|_| "lydite".to_string(), |path| path.display().to_string())
}

/// The folder below `usr/lib` that Debian keeps this machine's libraries in.
fn multiarch() -> String {
    format!("{}-linux-gnu", std::env::consts::ARCH)
}

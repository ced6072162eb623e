//! From what node writes of a run (`NODE_V8_COVERAGE`) to what was reached of
//! the scripts of a package.
//!
//! V8 names every function of a script that was loaded, with the ranges of
//! text that ran so often; inside of a function that was called also the
//! blocks that ran otherwise than what is around them. A block that ran as
//! often as what is around it is not named, so which blocks there are is known
//! only from all runs of all arms together: shares are made when all have ended.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lydite_target::install::Installed;
use serde::Deserialize;

use super::reach::{FileReach, Reach};

/// The environment variable that says into which folder node writes.
pub(super) const FOLDER: &str = "NODE_V8_COVERAGE";

/// The folder of an install that holds drivers of ours.
const DRIVERS: &str = "lydite";

/// The scripts of a package that node runs.
pub(super) struct Scripts {
    root: PathBuf,
}

/// What runs have shown of each script, by its path below the root.
#[derive(Clone, Default)]
pub(super) struct Tallies {
    scripts: BTreeMap<String, Script>,
}

/// What runs have shown of a script. Places are counted in units of UTF-16, as
/// V8 counts them.
#[derive(Clone, Default)]
struct Script {
    /// True for each place that ran.
    ran: Vec<bool>,
    /// Functions by where they begin, with their names.
    functions: BTreeMap<(usize, String), bool>,
    /// Blocks that some run has told from what is around them.
    blocks: BTreeSet<(usize, usize)>,
}

#[derive(Deserialize)]
struct RunForm {
    result: Vec<ScriptForm>,
}

#[derive(Deserialize)]
struct ScriptForm {
    url: String,
    functions: Vec<CallsForm>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallsForm {
    function_name: String,
    ranges: Vec<RangeForm>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RangeForm {
    start_offset: usize,
    end_offset: usize,
    count: u64,
}

impl Scripts {
    /// The scripts of an install; none if node does not run it.
    pub(super) fn of(installed: &Installed) -> Option<Scripts> {
        let first = installed.get.launch.first()?;
        let is_node = Path::new(first)
            .file_name()
            .is_some_and(|name| name == "node");
        is_node.then(|| Scripts {
            root: installed.root.clone(),
        })
    }

    /// Adds what the runs wrote into `folder` since it was last looked at.
    pub(super) fn take(&self, folder: &Path, seen: &mut Tallies) -> Result<()> {
        let mut files: Vec<PathBuf> = match fs::read_dir(folder) {
            Ok(entries) => entries
                .filter_map(|entry| Some(entry.ok()?.path()))
                .collect(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error).with_context(|| folder.display().to_string()),
        };
        files.sort();
        for file in files {
            let text = fs::read(&file).with_context(|| file.display().to_string())?;
            // A run that was killed may have left half a file.
            if let Ok(run) = serde_json::from_slice::<RunForm>(&text) {
                for script in run.result {
                    self.add(script, seen);
                }
            }
            fs::remove_file(&file).with_context(|| file.display().to_string())?;
        }
        Ok(())
    }

    fn add(&self, form: ScriptForm, seen: &mut Tallies) {
        let Some(own) = form.url.strip_prefix("file://") else {
            return;
        };
        let Ok(own) = Path::new(own).strip_prefix(&self.root) else {
            return;
        };
        let Some(name) = own.to_str().filter(|_| !own.starts_with(DRIVERS)) else {
            return;
        };
        if !seen.scripts.contains_key(name) {
            let Ok(text) = fs::read_to_string(self.root.join(own)) else {
                return;
            };
            let script = Script {
                ran: vec![false; text.encode_utf16().count()],
                ..Script::default()
            };
            seen.scripts.insert(name.to_string(), script);
        }
        if let Some(script) = seen.scripts.get_mut(name) {
            script.add(form.functions);
        }
    }

    /// What was reached, where all that is known of the scripts is `known`.
    pub(super) fn reach(&self, seen: &Tallies, known: &Tallies) -> Result<Reach> {
        let mut reach = Reach::default();
        for (name, whole) in &known.scripts {
            let text = fs::read_to_string(self.root.join(name)).with_context(|| name.clone())?;
            let own = seen.scripts.get(name).cloned().unwrap_or_default();
            reach.add(name, own.reach(whole, &text));
        }
        Ok(reach)
    }

    /// The scripts that hand work to WebAssembly, whose inside V8 does not count.
    pub(super) fn uncounted(&self, known: &Tallies) -> Vec<String> {
        let names = known.scripts.keys();
        let hands_on = |name: &&String| {
            fs::read_to_string(self.root.join(name.as_str()))
                .is_ok_and(|text| text.contains("WebAssembly."))
        };
        names.filter(hands_on).cloned().collect()
    }
}

impl Tallies {
    /// What one or the other has seen.
    pub(super) fn join(&mut self, other: &Tallies) {
        for (name, script) in &other.scripts {
            let known = self.scripts.entry(name.clone()).or_default();
            known
                .ran
                .resize(known.ran.len().max(script.ran.len()), false);
            for (known, more) in known.ran.iter_mut().zip(&script.ran) {
                *known |= more;
            }
            known.blocks.extend(&script.blocks);
            for (function, called) in &script.functions {
                *known.functions.entry(function.clone()).or_default() |= called;
            }
        }
    }
}

impl Script {
    /// Adds one run: what is inside of another range decides over it.
    fn add(&mut self, functions: Vec<CallsForm>) {
        let mut ranges = Vec::new();
        for function in functions {
            let mut own = function.ranges.into_iter();
            let Some(whole) = own.next() else {
                continue;
            };
            // The script itself is no function of it.
            if whole.start_offset > 0 || !function.function_name.is_empty() {
                let key = (whole.start_offset, function.function_name);
                *self.functions.entry(key).or_default() |= whole.count > 0;
            }
            ranges.push((whole.start_offset, whole.end_offset, whole.count > 0));
            for block in own {
                self.blocks.insert((block.start_offset, block.end_offset));
                ranges.push((block.start_offset, block.end_offset, block.count > 0));
            }
        }
        ranges.sort_by_key(|(start, end, _)| (*start, std::cmp::Reverse(*end)));
        let mut now = vec![false; self.ran.len()];
        for (start, end, ran) in ranges {
            let end = end.min(now.len());
            if start < end {
                now[start..end].fill(ran);
            }
        }
        for (known, now) in self.ran.iter_mut().zip(now) {
            *known |= now;
        }
    }

    fn reach(&self, known: &Script, text: &str) -> FileReach {
        let ran = |at: usize| self.ran.get(at).copied().unwrap_or(false);
        let functions = known.functions.keys().map(|key| {
            let called = self.functions.get(key).copied().unwrap_or(false);
            (format!("{} at {}", key.1, key.0), called)
        });
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let blocks = known.blocks.iter();
        let mut lines = BTreeMap::new();
        let mut at = 0;
        for (number, line) in text.split('\n').enumerate() {
            let mut reached = None;
            for c in line.chars() {
                if !c.is_whitespace() {
                    reached = Some(reached.unwrap_or(false) || ran(at));
                }
                at += c.len_utf16();
            }
            at += 1;
            // Empty lines are no code.
            lines.extend(reached.map(|reached| (place(number + 1), reached)));
        }
        FileReach {
            lines,
            functions: functions.collect(),
            branches: blocks
                .map(|(start, end)| ((place(*start), place(*end)), ran(*start)))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `f` is called, once with the block and once without; `g` is not.
    const TEXT: &str = "function f(x) {\n  if (x) {\n    x();\n  }\n}\n\nfunction g() {\n}\n";

    fn run(block: u64) -> Vec<CallsForm> {
        let range = |start, end, count| RangeForm {
            start_offset: start,
            end_offset: end,
            count,
        };
        let function = |name: &str, ranges| CallsForm {
            function_name: name.to_string(),
            ranges,
        };
        let mut f = vec![range(0, 42, 1)];
        // As often as what is around it: V8 says nothing of it.
        f.extend((block != 1).then(|| range(25, 40, block)));
        vec![
            function("", vec![range(0, 60, 1)]),
            function("f", f),
            function("g", vec![range(43, 59, 0)]),
        ]
    }

    fn script(runs: &[u64]) -> Script {
        let mut script = Script {
            ran: vec![false; TEXT.len()],
            ..Script::default()
        };
        runs.iter().for_each(|block| script.add(run(*block)));
        script
    }

    #[test]
    fn a_block_that_only_other_runs_tell_from_its_surroundings_is_known_and_reached() {
        let (with, without) = (script(&[1]), script(&[0]));
        let known = script(&[1, 0]);
        assert_eq!(known.blocks.len(), 1);
        let count = |reach: &FileReach| {
            let lines = reach.lines.values().filter(|reached| **reached).count();
            let blocks = reach.branches.values().filter(|reached| **reached).count();
            (lines, reach.lines.len(), blocks, reach.branches.len())
        };
        // The lines of `g` are not reached by anybody.
        assert_eq!(count(&with.reach(&known, TEXT)), (5, 7, 1, 1));
        assert_eq!(count(&without.reach(&known, TEXT)), (3, 7, 0, 1));
        let called = with.reach(&known, TEXT).functions;
        assert_eq!(
            called.into_iter().collect::<Vec<_>>(),
            [("f at 0".to_string(), true), ("g at 43".to_string(), false)]
        );
    }

    #[test]
    fn ranges_beyond_the_text_are_cut_off() {
        let mut script = script(&[]);
        let ranges = vec![RangeForm {
            start_offset: 3,
            end_offset: usize::MAX,
            count: 1,
        }];
        script.add(vec![CallsForm {
            function_name: "f".to_string(),
            ranges,
        }]);
        assert!(script.ran[TEXT.len() - 1] && !script.ran[2]);
    }
}

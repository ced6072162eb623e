//! `lydite spec`: for those who write attribute grammars.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use lydite_core::Choices;
use lydite_core::fault::Fault;
use lydite_grammar::spec::{
    ClassStatistics, Limits, MAX_BYTES, MAX_FILES, Programs, Spec, SpecError, SpecFiles,
    Statistics, Unmade, Usage, beside, document, format, library, named_files, read_knobs,
};
use lydite_lab::named_file::open_file;
use serde_json::json;

use super::usage_table;
use crate::args::{SpecArgs, SpecCommand};
use crate::console::{print, print_json};
use crate::exit_code::ExitCode;
use crate::table::print_table;

pub(crate) fn run(args: &SpecArgs) -> Result<ExitCode> {
    match &args.command {
        SpecCommand::Check {
            specs,
            programs,
            height,
            knobs,
            stats,
            json,
        } => {
            let wanted = WantedPrograms {
                programs: *programs,
                height: *height,
                knobs,
                stats: *stats,
            };
            check(specs, &wanted, *json)
        }
        SpecCommand::Fmt { files, check } => fmt(files, *check),
        SpecCommand::Doc { spec } => {
            let (text, files) = read(spec)?;
            let shown = document(spec, &text, &files).map_err(|error| wrong(spec, &error))?;
            print(shown.trim_end());
            Ok(ExitCode::Clean)
        }
    }
}

/// A spec that comes with lydite, or a file (as settings tell them apart), and the
/// files that it names.
fn read(spec: &str) -> Result<(String, SpecFiles)> {
    match spec.contains(['/', '.']) {
        true => {
            let text = read_file(Path::new(spec))?;
            let files = read_named(spec, &text)?;
            Ok((text, files))
        }
        false => match library::find_spec(spec) {
            Ok(found) => Ok((found.text.to_string(), SpecFiles::new())),
            Err(hint) => bail!("{hint} (a path has a / or a .)"),
        },
    }
}

/// The files that the spec at `path` names, and those that these name. What is
/// not there is left out: the spec says where it is named.
fn read_named(path: &str, text: &str) -> Result<SpecFiles> {
    let paths = |path: &str, text: &str| -> Vec<String> {
        let named = named_files(text).into_iter();
        named
            .filter_map(|named| beside(path, &named).ok())
            .collect()
    };
    let mut files = SpecFiles::new();
    let mut todo = paths(path, text);
    while let Some(path) = todo.pop() {
        let known = files.contains_key(&path) || files.len() > MAX_FILES;
        if known || !Path::new(&path).is_file() {
            continue;
        }
        let text = read_file(Path::new(&path))?;
        todo.extend(paths(&path, &text));
        files.insert(path, text);
    }
    Ok(files)
}

fn read_file(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    // A byte more than a spec may have, and of a larger file nothing else.
    let file = open_file(path).with_context(|| path.display().to_string())?;
    file.take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .with_context(|| path.display().to_string())?;
    if bytes.len() > MAX_BYTES {
        bail!("{}: more than {MAX_BYTES} bytes", path.display());
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            bail!("{}: is not UTF-8 text (from byte {valid})", path.display())
        }
    }
}

fn wrong(spec: &str, error: &SpecError) -> anyhow::Error {
    anyhow::anyhow!("spec {spec}\n{error}")
}

/// What a check is to make and to tell.
struct WantedPrograms<'a> {
    programs: u64,
    height: Option<u32>,
    knobs: &'a str,
    stats: bool,
}

fn check(specs: &[String], wanted: &WantedPrograms, json: bool) -> Result<ExitCode> {
    for name in specs {
        let (text, files) = read(name)?;
        let spec = Spec::read_with(name, &text, &files).map_err(|error| wrong(name, &error))?;
        for warning in spec.warnings() {
            eprint!("{warning}");
        }
        let made = MadePrograms::make(name, spec, wanted)?;
        match json {
            true => print_json(&made.json(name).to_string()),
            false => {
                print(&made.lines(name));
                made.print_classes();
                if let Some(usage) = &made.usage {
                    usage_table::print_usage(usage);
                }
            }
        }
    }
    Ok(ExitCode::Clean)
}

/// Programs that were made in order to check a spec, and what they cost.
struct MadePrograms {
    classes: usize,
    productions: usize,
    programs: u64,
    sizes: Vec<usize>,
    /// Reasons of programs that could not be made.
    unmade: BTreeMap<String, u64>,
    statistics: Statistics,
    /// By class, in the order of the file.
    by_class: Vec<(String, ClassStatistics)>,
    /// What the programs consist of, if that was asked.
    usage: Option<Usage>,
    seconds: f64,
}

/// A tree that cannot be written in one of its further texts is no case.
fn write_further(programs: &Programs, height: u32, index: u64) -> Result<(), Unmade> {
    let texts = 0..programs.spec().texts().len() as u32;
    let texts: Vec<u32> = texts.collect();
    let written = programs.make_texts(height, &texts, &mut Choices::seeded(0, index));
    written.0.map(|_| ())
}

/// After this many programs that could not be made, and none that could, no more are tried.
const TRIED: u64 = 3;

impl MadePrograms {
    fn make(name: &str, spec: Spec, wanted: &WantedPrograms) -> Result<MadePrograms> {
        let (classes, productions) = spec.size();
        let programs = wanted.programs;
        let height = wanted.height.unwrap_or(spec.height());
        let limits = Limits {
            height,
            ..Limits::default()
        };
        let knobs = read_knobs(&spec, wanted.knobs)?;
        let opened = spec.programs(&knobs, limits);
        let opened = opened.map_err(|error| wrong(name, &error))?;
        let mut made = MadePrograms {
            classes,
            productions,
            programs,
            sizes: Vec::new(),
            unmade: BTreeMap::new(),
            statistics: Statistics::default(),
            by_class: Vec::new(),
            usage: wanted.stats.then(|| opened.no_usage()),
            seconds: 0.0,
        };
        let names = opened.spec().class_names();
        let names: Vec<String> = names.map(str::to_string).collect();
        let mut by_class = vec![ClassStatistics::default(); names.len()];
        for index in 0..programs {
            if index >= TRIED && made.sizes.is_empty() {
                break;
            }
            let choices = &mut Choices::seeded(0, index);
            let usage = made.usage.as_mut();
            let started = Instant::now();
            let (program, statistics) = opened.make_profiled(choices, &mut by_class, usage);
            made.seconds += started.elapsed().as_secs_f64();
            made.statistics += statistics;
            let size = program.and_then(|text| {
                write_further(&opened, height, index)?;
                Ok(text.len())
            });
            match size {
                Ok(size) => made.sizes.push(size),
                Err(reason) => *made.unmade.entry(reason.to_string()).or_default() += 1,
            }
        }
        made.by_class = names.into_iter().zip(by_class).collect();
        made.sizes.sort_unstable();
        if programs > 0 && made.sizes.is_empty() {
            let reasons: Vec<&str> = made.unmade.keys().map(String::as_str).collect();
            let tried: u64 = made.unmade.values().sum();
            bail!(
                "spec {name}: none of {tried} programs could be made\n{}",
                reasons.join("\n")
            );
        }
        Ok(made)
    }

    fn median(&self) -> usize {
        self.sizes.get(self.sizes.len() / 2).copied().unwrap_or(0)
    }

    fn json(&self, name: &str) -> serde_json::Value {
        let s = &self.statistics;
        let by_class = self.by_class.iter().map(|(name, class)| {
            json!({
                "class": name,
                "nodes_made": class.nodes_made,
                "alternatives": class.alternatives,
                "failures": class.failures,
                "steps": class.steps,
            })
        });
        let mut all = json!({
            "spec": name,
            "classes": self.classes,
            "productions": self.productions,
            "programs": self.sizes.len(),
            "unmade": self.unmade,
            "bytes": self.sizes.iter().sum::<usize>(),
            "median_bytes": self.median(),
            "largest_bytes": self.sizes.last(),
            "nodes": s.nodes,
            "nodes_made": s.nodes_made,
            "alternatives": s.alternatives,
            "patterns": s.patterns,
            "failures": s.failures,
            "height_failures": s.height_failures,
            "pattern_work": s.pattern_work,
            "steps": s.steps,
            "restarts": s.restarts,
            "wall_s": self.seconds,
            "by_class": by_class.collect::<Vec<_>>(),
        });
        if let Some(usage) = &self.usage {
            all["usage"] = usage_table::json(usage);
        }
        all
    }

    fn lines(&self, name: &str) -> String {
        let s = &self.statistics;
        let per = |count: u64| count as f64 / s.nodes.max(1) as f64;
        let mut out = format!(
            "{name}: {} classes, {} productions; {} of {} programs made in {:.2} s\n\
             bytes: median {}, largest {}\n\
             nodes: {} ({:.0} per second), {:.2} made for each\n\
             per node: {:.3} alternatives, {:.3} fail patterns, {:.2} comparisons with them, \
             {:.2} steps of functions\n\
             guarded nodes that failed: {} ({} for the height alone)",
            self.classes,
            self.productions,
            self.sizes.len(),
            self.programs,
            self.seconds,
            self.median(),
            self.sizes.last().copied().unwrap_or(0),
            s.nodes,
            s.nodes as f64 / self.seconds.max(1e-9),
            per(s.nodes_made),
            per(s.alternatives),
            per(s.patterns),
            per(s.pattern_work),
            per(s.steps),
            s.failures,
            s.height_failures,
        );
        for (reason, count) in &self.unmade {
            out.push_str(&format!("\n{count} not made: {}", reason.trim_end()));
        }
        if per(s.alternatives) > GUESSING {
            out.push_str(&format!(
                "\nit guesses, and began anew {} times: give the classes with most failures a \
                 production that always fits, or generators (docs/spec/cookbook.md)",
                s.restarts
            ));
        }
        out
    }
}

impl MadePrograms {
    /// Prints the classes that took most of the time.
    fn print_classes(&self) {
        let work = |class: &ClassStatistics| class.steps + 50 * class.alternatives;
        let mut classes: Vec<&(String, ClassStatistics)> = self.by_class.iter().collect();
        classes.retain(|(_, class)| work(class) > 0);
        classes.sort_by_key(|(_, class)| std::cmp::Reverse(work(class)));
        let rows: Vec<Vec<String>> = classes
            .iter()
            .take(SHOWN_CLASSES)
            .map(|(name, class)| {
                let numbers = [
                    class.nodes_made, class.alternatives, class.failures, class.steps,
                ];
                let numbers = numbers.iter().map(u64::to_string);
                [name.clone()].into_iter().chain(numbers).collect()
            })
            .collect();
        if !rows.is_empty() {
            print_table(
                &["class", "nodes made", "alternatives", "failures", "steps"],
                &rows,
            );
        }
    }
}

/// More alternatives per node than this are worth a hint.
const GUESSING: f64 = 1.0;

/// How many classes are shown.
const SHOWN_CLASSES: usize = 8;

fn fmt(files: &[PathBuf], check: bool) -> Result<ExitCode> {
    let mut untidy = Vec::new();
    for path in files {
        let name = path.display().to_string();
        let text = read_file(path)?;
        let tidy = format(&name, &text).map_err(|error| wrong(&name, &error))?;
        if tidy == text {
            continue;
        }
        match check {
            true => untidy.push(name),
            false => fs::write(path, tidy)
                .with_context(|| name)
                .context(Fault::CannotWrite)?,
        }
    }
    match untidy.is_empty() {
        true => Ok(ExitCode::Clean),
        false => bail!("not laid out (lydite spec fmt): {}", untidy.join(", ")),
    }
}

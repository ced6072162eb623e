//! `reproduce.sh`: shows a finding again with nothing but the targets.

use super::FindingFile;
use super::command::fill_in;
use crate::resolved::TargetRecord;
use lydite_core::visible::visible;
use lydite_store::folder::RelativePath;
use lydite_store::record::TriggerRun;
use lydite_target::{Reproduction, ReproductionStep};

/// The script for a finding over these targets.
pub(super) fn reproduce(file: &FindingFile, targets: &[TargetRecord]) -> String {
    let finding = &file.finding;
    let mut text = String::from("#!/bin/sh\n");
    text += &comment(&format!("{}: {}", finding.target, finding.kind));
    text += &comment(&finding.evidence);
    text += "#\n# A target that lies elsewhere is named by its variable:\n";
    for target in targets {
        text += &format!("#   {}=/path/to/{}\n", variable(target), target.name.family);
    }
    text += concat!(
        "cd \"$(dirname \"$0\")\" || exit 1\n",
        "work=$(mktemp -d) || exit 1\n",
        "trap 'rm -rf \"$work\"' EXIT\n",
    );
    let seconds = file.timeout.0.as_millis().div_ceil(1000).max(1);
    for (program, files) in file.programs.iter().enumerate() {
        for target in targets {
            let run = file
                .runs
                .iter()
                .find(|run| run.program == program && run.target == target.name);
            let said = run.map_or("", |run| run.said.as_str());
            text += &format!(
                "\nprintf '%s\\n' {}\n",
                quote(&heading(target, program, file, said))
            );
            let reproduction = &target.reproduction;
            let mut files = files.clone();
            if let (Some(own), Some(source)) =
                (run.and_then(|run| run.source.clone()), files.first_mut())
            {
                *source = own;
            }
            text += &place(&files, &reproduction.file);
            let options = needed_options(file, target, run);
            text += &steps(reproduction, &variable(target), seconds, &options);
        }
    }
    text
}

/// The options that the finding needs, as far as the target's version has them.
fn needed_options(
    file: &FindingFile,
    target: &TargetRecord,
    run: Option<&TriggerRun>,
) -> Vec<String> {
    let needed = file
        .options_by_family
        .get(&target.name.family)
        .into_iter()
        .flatten();
    let had = |word: &&String| run.is_some_and(|run| run.options.contains(word));
    needed.filter(had).cloned().collect()
}

fn heading(target: &TargetRecord, program: usize, file: &FindingFile, said: &str) -> String {
    let which = match file.programs.len() {
        1 => String::new(),
        _ => format!(", program {program}"),
    };
    let line = visible(said).replace(['\n', '\t'], " ");
    format!("== {}{which} (when found: {line})", target.name)
}

/// One comment line, whatever the text holds.
fn comment(text: &str) -> String {
    format!("# {}\n", visible(text).replace('\n', " "))
}

/// The variable that names another binary for a target.
fn variable(target: &TargetRecord) -> String {
    let name = target.name.to_string().to_uppercase();
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    // No name in the shell begins with a digit.
    match name.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("_{name}"),
        false => name,
    }
}

/// Copies the program's files: the source under the name it had.
fn place(files: &[RelativePath], source_name: &str) -> String {
    let mut text = String::from("rm -rf \"$work\"/* && ");
    let copies: Vec<String> = files
        .iter()
        .enumerate()
        .map(|(number, path)| {
            let name = if number == 0 {
                source_name
            } else {
                path.name()
            };
            // A file whose name begins with a dash is no option.
            let place = format!("./{path}");
            format!("cp {} \"$work\"/{}", quote(&place), quote(name))
        })
        .collect();
    text += &copies.join(" && ");
    text + "\n"
}

/// The steps in a subshell: the environment and the folder are its own. A
/// step runs only if the one before it ended with 0.
fn steps(reproduction: &Reproduction, variable: &str, seconds: u128, options: &[String]) -> String {
    let mut text = String::from("( cd \"$work\" || exit 1\n");
    text += &exports(reproduction.elsewhere_env.iter());
    let binary = quote(&reproduction.binary);
    let (own, elsewhere) = (&reproduction.steps, &reproduction.elsewhere);
    for number in 0..own.len().max(elsewhere.len()) {
        let line = |steps: &[ReproductionStep]| {
            let step = steps.get(number)?;
            Some((fill_in(step, reproduction, options), step.stdin))
        };
        match (line(own), line(elsewhere)) {
            (Some((here, stdin)), there) if here.contains(&binary) => {
                let there = there.unwrap_or_else(|| (here.clone(), stdin));
                text += &choose(reproduction, variable, (&here, stdin), (&there.0, there.1));
            }
            // What a compiler made is run as it is.
            (Some((here, stdin)), _) => text += &set(&here, stdin, reproduction),
            (None, _) => continue,
        }
        text += &format!("  timeout {seconds} \"$@\" <\"$input\"\n");
        text += "  status=$?; printf '%s\\n' \"-- exit status $status\"; [ $status = 0 ] || exit\n";
    }
    text + ")\n"
}

/// Sets environment variables.
fn exports<'a>(variables: impl Iterator<Item = (&'a String, &'a String)>) -> String {
    variables
        .map(|(name, value)| format!("  {name}={}; export {name}\n", quote(value)))
        .collect()
}

/// Sets the positional parameters to a command, and what it reads.
fn set(words: &[String], stdin: bool, reproduction: &Reproduction) -> String {
    let input = match stdin {
        true => quote(&reproduction.file),
        false => "/dev/null".to_string(),
    };
    format!("  set -- {}; input={input}\n", words.join(" "))
}

/// Sets them to what runs the target: what its variable names, what was there
/// when it was found, or what is on the PATH.
fn choose(
    reproduction: &Reproduction,
    variable: &str,
    here: (&[String], bool),
    there: (&[String], bool),
) -> String {
    let command = there.0.first().map_or("", String::as_str);
    let binary = quote(&reproduction.binary);
    let mut given = there.0.to_vec();
    if let Some(first) = given.first_mut() {
        *first = format!("\"${variable}\"");
    }
    let own = reproduction.env.iter();
    let env = exports(own.filter(|(name, _)| !reproduction.elsewhere_env.contains_key(*name)));
    [
        format!("  if [ -n \"${variable}\" ]; then\n"),
        set(&given, there.1, reproduction),
        format!("  elif [ -e {binary} ]; then\n{env}"),
        set(here.0, here.1, reproduction),
        format!("  elif command -v {command} >/dev/null; then\n"),
        format!("  printf '%s\\n' \"-- {variable} is not set: $(command -v {command})\"\n"),
        set(there.0, there.1, reproduction),
        format!("  else printf '%s\\n' \"-- not here: set {variable}\"; exit; fi\n"),
    ]
    .concat()
}

/// A word for the shell.
pub(super) fn quote(word: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./=:,+@%".contains(&b);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

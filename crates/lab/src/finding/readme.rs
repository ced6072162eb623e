//! `README.md` of a finding's folder: the finding for people.

use super::seed_diff::SEED_DIFF;
use super::{Finding, FindingFile};
use lydite_core::visible::{markdown_cell, visible};
use lydite_store::record::Seen;

/// The finding for people.
pub(super) fn readme(file: &FindingFile) -> String {
    let finding = &file.finding;
    let mut text = format!(
        "# {}: {}\n\n{}\n\n",
        finding.target,
        finding.kind,
        visible(&finding.evidence)
    );
    text += &decided(finding);
    text += &format!(
        "- known of the case: {}\n",
        visible(&file.claim.to_string())
    );
    text += &sizes(file);
    text += &replays(finding);
    text += &format!(
        "- made by strategy `{}`, case {} of seed {}\n",
        finding.strategy, finding.case_index, file.recipe.seed
    );
    text += &seeds(file);
    for (family, args) in &file.options_by_family {
        text += &format!("- {family} needs `{}`\n", visible(&args.join(" ")));
    }
    for step in file.steps_in_words() {
        text += &format!("- {}\n", visible(&step).replace('\n', " "));
    }
    text += &format!(
        "- limits of a run: {} and {}\n\n",
        file.timeout, file.memory
    );
    text += &versions(file);
    text += &runs(file);
    text += "\nRun `./reproduce.sh` to see it again; what the targets printed is in `outputs/`.\n";
    text
}

/// Its signature, and what upstream or somebody here has said of it.
fn decided(finding: &Finding) -> String {
    let mut text = format!(
        "- signature: `{}`\n",
        visible(&finding.signature.to_string())
    );
    if let Some(issue) = &finding.known_issue {
        text += &format!("- known upstream: {}\n", visible(issue));
    }
    if let Some(mark) = &finding.mark {
        text += &format!("- {}\n", mark.in_words());
    }
    if let Some(lead) = &finding.merged_into {
        let why = finding.merged_because.as_ref();
        let why = why.map_or_else(String::new, |why| format!(": {}", visible(why)));
        text += &format!("- the same bug as {lead}{why}\n");
    }
    if !finding.merged.is_empty() {
        text += &format!("- the same bug: {}\n", finding.merged.join(", "));
    }
    text
}

/// In how many cases it was seen, and how large the smallest is.
fn sizes(file: &FindingFile) -> String {
    let finding = &file.finding;
    let mut text = match finding.reduced_bytes {
        None => format!(
            "- seen in {} case(s); this is the smallest, {} bytes\n",
            finding.count, finding.bytes
        ),
        Some(reduced) => format!(
            "- seen in {} case(s); this is the smallest, reduced from {} to {reduced} bytes \
             (`original/` has it as it was found)\n",
            finding.count, finding.bytes
        ),
    };
    if file.programs.is_empty() {
        text += "- the case itself is not in the store; `lydite hunt -o DIR` makes it again\n";
    }
    text
}

/// How many replays showed it.
fn replays(finding: &Finding) -> String {
    let replays = finding.replays;
    if replays.of == 0 {
        return String::new();
    }
    let flaky = match finding.nondeterministic {
        true => ": it comes and goes",
        false => "",
    };
    format!(
        "- {} of {} replays show it{flaky}\n",
        replays.shown, replays.of
    )
}

/// The table of its runs.
fn runs(file: &FindingFile) -> String {
    let mut text = "| target | program | outcome | said |\n|---|---|---|---|\n".to_string();
    for run in &file.runs {
        let said = markdown_cell(&run.said);
        let target = std::iter::once(run.target.to_string()).chain(run.options.clone());
        let target: Vec<String> = target.collect();
        text += &format!(
            "| {} | {} | {} | {said} |\n",
            visible(&target.join(" ")),
            run.program,
            run.outcome
        );
    }
    text
}

/// What it was made from.
fn seeds(file: &FindingFile) -> String {
    let mut text = String::new();
    for (number, seed) in file.recipe.seeds.iter().enumerate() {
        let nearest = match file.nearest_seed == Some(number) {
            true => format!("; what was changed: `{SEED_DIFF}`"),
            false => String::new(),
        };
        let name = visible(&seed.name).replace('\n', " ");
        text += &format!(
            "- from seed `{name}` (`{}`){nearest}\n",
            visible(seed.path.as_str())
        );
    }
    text
}

/// Since when, until when, and what each version said.
fn versions(file: &FindingFile) -> String {
    let finding = &file.finding;
    let Some(since) = &finding.since else {
        return String::new();
    };
    let fixed = match &finding.fixed_in {
        Some(version) => format!("fixed in {version}"),
        None => "in every later version that was tried".to_string(),
    };
    let mut text =
        format!("Since {since}; {fixed}.\n\n| version | shows it | said |\n|---|---|---|\n");
    for run in &file.versions {
        let seen = match run.seen {
            Seen::Bad => "yes",
            Seen::Good => "no",
            Seen::Unclear => "-",
        };
        let said = markdown_cell(&run.said);
        text += &format!("| {} | {seen} | {said} |\n", run.version);
    }
    text + "\n"
}

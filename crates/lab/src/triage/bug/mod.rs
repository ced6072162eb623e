//! The report of a finding in the form that its tracker asks for.
//!
//! The form is a table of the target file (`[policy.form]`); what can stand in
//! it are the [`Item`]s. Whatever is not known is said to be not known, with
//! the command that finds it out.

use lydite_core::Kind;

use crate::finding::{self, Finding, FullFinding};
use crate::resolved::{Resolved, TargetRecord};
use lydite_core::visible::{one_line, visible};
use lydite_store::folder::RelativePath;
use lydite_store::record::{Seen, TriggerRun, VersionRun, fact};
use lydite_target::{Family, Item, Markup, Policy, Section, TITLE_PARTS};
use regex::Regex;

/// A finding and all that its report is made of.
pub struct Bug<'a> {
    /// The finding, with its case and what targets printed.
    pub full: &'a FullFinding,
    /// The plan of its campaign, if it is there.
    pub resolved: Option<&'a Resolved>,
    /// How many cases the campaign had.
    pub cases: Option<u64>,
    /// The file of its family.
    pub family: &'a Family,
}

/// What is said of a kind, and what `{kind}` is in a title.
const KINDS: [(Kind, &str, &str); 13] = [
    (
        Kind::RefutationUnsound,
        "Refutation soundness",
        "says unsat for a satisfiable input",
    ),
    (
        Kind::SolutionUnsound,
        "Solution soundness",
        "says sat for an unsatisfiable input",
    ),
    (
        Kind::InvalidModel,
        "Invalid model",
        "gives a model that does not satisfy the input",
    ),
    (
        Kind::WrongOptimum,
        "Wrong optimum",
        "gives an optimum that is none",
    ),
    (Kind::WrongOutput, "Wrong code", "gives a wrong result"),
    (
        Kind::Disagreement,
        "Wrong result",
        "gives another result than others",
    ),
    (Kind::Crash, "Crash", "crashes"),
    (
        Kind::RejectsValid,
        "Rejects valid",
        "rejects a valid program",
    ),
    (
        Kind::AcceptsInvalid,
        "Accepts invalid",
        "accepts an invalid program",
    ),
    (
        Kind::IncompleteRegression,
        "Regression",
        "no longer decides what an older version decides",
    ),
    (
        Kind::IncompleteImplication,
        "Incompleteness",
        "does not decide what it decides in a stronger form",
    ),
    (Kind::Hang, "Performance", "does not end"),
    (
        Kind::SlowRegression,
        "Performance regression",
        "is far slower than another version",
    ),
];

/// The form of trackers that have none of their own.
const OUR_FORM: [(&str, &[Item]); 6] = [
    ("What happens", &[Item::Summary]),
    ("Input", &[Item::Input, Item::Command]),
    ("Expected", &[Item::Expected, Item::Witness]),
    ("Actual", &[Item::Actual]),
    ("Versions", &[Item::Version, Item::Platform, Item::Matrix]),
    (
        "How it was found",
        &[Item::Options, Item::Often, Item::Replays, Item::FoundBy],
    ),
];

/// How much of an input is part of the text; a longer one is attached.
const INPUT_BYTES: u64 = 16_000;

/// How large a script may be whose last line says in a title what it is about.
const LAST_LINE_OF: u64 = 1_000;

/// How much of an output.
const OUTPUT_BYTES: u64 = 4_000;

impl Bug<'_> {
    /// The title.
    pub fn title(&self) -> String {
        let finding = self.finding();
        let (kind, what) = self.kind_words();
        let template = self.policy().form.title.as_deref();
        let template = template.unwrap_or("{family} {version} {what}");
        let what = match (finding.kind, self.details()) {
            // "Crash: crashes" would say it twice.
            (Kind::Crash, Some(site)) if template.contains("{kind}") => site,
            (Kind::Crash, Some(site)) => format!("{what}: {site}"),
            (_, Some(features)) => format!("{what} ({})", features.replace(' ', ", ")),
            (_, None) => match self.last_line() {
                Some(line) => format!("{what}: {line}"),
                None => what.to_string(),
            },
        };
        let values = [
            kind.to_string(),
            what,
            finding.family().to_string(),
            finding.version().to_string(),
        ];
        // One pass: what is filled in is not looked at again.
        let mut title = String::new();
        let mut rest = template;
        while let Some(at) = rest.find('{') {
            title += &rest[..at];
            rest = &rest[at..];
            let part = TITLE_PARTS.iter().position(|part| rest.starts_with(part));
            let Some(part) = part else { break };
            title += &values[part];
            rest = &rest[TITLE_PARTS[part].len()..];
        }
        one_line(&(title + rest)).chars().take(120).collect()
    }

    /// The whole report; the title is its first line.
    pub fn text(&self) -> String {
        let markup = self.policy().form.markup;
        let mut text = match markup {
            // The title has a field of its own, which is no Markdown.
            Markup::Markdown => format!("Title: {}\n", self.title()),
            Markup::Text => format!("Subject: {}\n", self.title()),
        };
        for section in self.sections() {
            let kinds = &section.kinds;
            if !kinds.is_empty() && !kinds.contains(&self.finding().kind) {
                continue;
            }
            text += &format!("\n{}", markup.heading(&section.heading));
            if let Some(own) = &section.text {
                text += &format!("\n{}\n", own.trim_end());
            }
            for item in &section.has {
                let part = self.item(*item, markup);
                if !part.is_empty() {
                    let label = label(&section, *item);
                    text += &format!("\n{label}{}\n", part.trim_end());
                }
            }
        }
        text
    }

    fn sections(&self) -> Vec<Section> {
        let own = &self.policy().form.section;
        if !own.is_empty() {
            return own.clone();
        }
        let ours = OUR_FORM.iter().map(|(heading, has)| Section {
            heading: heading.to_string(),
            has: has.to_vec(),
            ..Section::default()
        });
        ours.collect()
    }

    fn policy(&self) -> &Policy {
        &self.family.policy
    }

    fn finding(&self) -> &Finding {
        &self.full.file.finding
    }

    fn record(&self) -> Option<&TargetRecord> {
        let mut targets = self.resolved?.targets.iter();
        targets.find(|target| target.name == self.finding().target)
    }

    /// The run that shows it.
    fn run(&self) -> Option<&TriggerRun> {
        let runs = self.full.file.runs.iter();
        let mut own = runs.filter(|run| run.target == self.finding().target);
        let first = own.clone().next();
        // Of a chain the last program is the one that shows it.
        match self.finding().kind {
            Kind::IncompleteImplication => own.next_back(),
            _ => first,
        }
    }

    fn item(&self, item: Item, markup: Markup) -> String {
        match item {
            Item::Summary => markup.words(&self.summary()),
            Item::Kind => self.kind_words().0.to_string(),
            Item::Input => self.input(markup),
            Item::Command => self.command(markup),
            Item::Expected => markup.words(&self.expected()),
            Item::Actual => self.actual(markup),
            Item::Witness => self.witness(markup),
            Item::Version => markup.words(&self.version()),
            Item::Platform => markup.words(&platform()),
            Item::Matrix => self.matrix(markup),
            Item::Options => self.options(markup),
            Item::Often => markup.words(&self.often()),
            Item::Replays => markup.words(&self.replays()),
            Item::FoundBy => markup.words(self.policy().found_by.as_deref().unwrap_or("")),
        }
    }

    fn kind_words(&self) -> (&'static str, &'static str) {
        if self.is_of_a_core() {
            return (
                "Wrong unsat core",
                "gives an unsat core that is satisfiable",
            );
        }
        // A database that ends a statement with an error of its own making goes on.
        let message = self.run().map_or("", |run| run.said.as_str());
        let goes_on = !message.contains("SIG") && self.full.file.language == "sql";
        if self.finding().kind == Kind::Crash && goes_on {
            return ("Internal error", "fails");
        }
        let known = KINDS.iter().find(|row| row.0 == self.finding().kind);
        known.map_or(("Bug", "is wrong"), |(_, name, what)| (name, what))
    }

    /// True if the answer may be right, and the core of it is wrong.
    fn is_of_a_core(&self) -> bool {
        fact(&self.finding().signature, "site").is_some_and(|site| site == "core is sat")
    }

    /// The site or the features, from the signature.
    fn details(&self) -> Option<String> {
        let signature = &self.finding().signature;
        let fact = |key: &str| fact(signature, key).map(str::to_string);
        let wanted = match self.finding().kind {
            Kind::Crash => ["site", "features"],
            _ => ["features", ""],
        };
        wanted.into_iter().find_map(fact)
    }

    /// What the target does wrong: its kind, unless the evidence is a sentence about it.
    fn summary(&self) -> String {
        let finding = self.finding();
        let (_, what) = self.kind_words();
        let name = format!("{} {}", finding.family(), finding.version());
        let others = self.others();
        // A vote counts hands; what each of them printed stands below.
        if finding.kind == Kind::WrongOutput && !others.is_empty() {
            let others: Vec<String> = others.iter().map(|run| run.target.to_string()).collect();
            return format!("{name} gives another result than {}.", others.join(" and "));
        }
        let evidence = finding.evidence.trim_end_matches('.').replace(".; ", "; ");
        let sentence = match evidence.strip_prefix(&finding.target.to_string()) {
            Some(rest) if rest.starts_with(": ") => format!("{name} {what}{rest}."),
            Some(rest) if rest.starts_with(' ') => format!("{name}{rest}."),
            _ => format!("{name} {what}. {evidence}."),
        };
        match self.dialect() {
            Some(_) if finding.kind == Kind::InvalidModel => format!(
                "{sentence} (Functions are named here as Lydite names them; the input has {}'s names.)",
                finding.family()
            ),
            _ => sentence,
        }
    }

    /// The last line of a small program: of a script of SQL the query.
    fn last_line(&self) -> Option<String> {
        let name = self.full.file.programs.first()?.first()?;
        let (text, cut) = self.read(name, LAST_LINE_OF);
        let line = text.lines().rfind(|line| !line.trim().is_empty())?;
        let is_query = self.full.file.language == "sql" && !cut;
        is_query.then(|| line.trim().trim_end_matches(';').to_string())
    }

    /// The program as the target got it, if it was put into another dialect.
    fn dialect(&self) -> Option<&RelativePath> {
        self.run().and_then(|run| run.source.as_ref())
    }

    fn input(&self, markup: Markup) -> String {
        let mut text = String::new();
        let dialect = self.dialect();
        for (number, names) in self
            .full
            .file
            .programs
            .iter()
            .take(self.full.file.asked)
            .enumerate()
        {
            for (place, name) in names.iter().enumerate() {
                let own = dialect.filter(|_| place == 0 && self.full.file.asked == 1);
                let name = own.unwrap_or(name);
                let (shown, cut) = self.read(name, INPUT_BYTES);
                if self.full.file.asked > 1 || names.len() > 1 {
                    text += &format!("{} (program {number}):\n\n", markup.code(name.as_str()));
                }
                text += &markup.block(&shown, tag(&self.full.file.language));
                let exact = shown == visible(&shown) && !shown.contains('\u{fffd}');
                if cut || !exact {
                    text += &format!("\n{} is attached: ", markup.code(name.as_str()));
                    text += match exact {
                        true => "this is its beginning.\n",
                        false => "it has characters that are not shown here.\n",
                    };
                }
                text.push('\n');
            }
        }
        if !self.finding().reduced {
            text += &format!(
                "(This case is not reduced: {}.)\n",
                markup.code(&format!("lydite reduce {}", self.finding().id))
            );
        }
        text
    }

    fn command(&self, markup: Markup) -> String {
        let Some(record) = self.record() else {
            return String::new();
        };
        let options = self.run().map_or(&[][..], |run| run.options.as_slice());
        let lines = finding::commands(&record.reproduction, options);
        let lines: Vec<String> = lines.iter().map(|line| format!("$ {line}")).collect();
        markup.block(&lines.join("\n"), "")
    }

    fn expected(&self) -> String {
        let finding = self.finding();
        if let Some(answer) = self.full.file.claim.answer() {
            return format!("{answer}, which was known of the input before it was run.");
        }
        let others = self.others();
        let said: Vec<String> = others
            .iter()
            .map(|run| format!("{} says {}", run.target, run.said))
            .collect();
        if !said.is_empty() {
            return format!("{}.", said.join(", "));
        }
        let own = match finding.kind {
            Kind::Crash => "An answer, or an error message that is not about an internal error.",
            Kind::RejectsValid => "The program is valid and should be accepted.",
            Kind::AcceptsInvalid => "An error message: the program is not valid.",
            Kind::InvalidModel => {
                "A model that makes every assertion true; unsat, if there is none; or unknown."
            }
            Kind::Hang => "An answer.",
            _ if self.is_of_a_core() => "A core that is unsat by itself.",
            _ => "See above.",
        };
        own.to_string()
    }

    /// What the targets that are right said of the program.
    fn others(&self) -> Vec<&TriggerRun> {
        let finding = self.finding();
        let program = self.run().map_or(0, |run| run.program);
        let answered = |run: &&TriggerRun| {
            run.program == program && run.target != finding.target && run.outcome == "answered"
        };
        let own = self.run().map_or("", |run| run.said.as_str());
        let runs = self.full.file.runs.iter().filter(answered);
        runs.filter(|run| run.said != own).collect()
    }

    fn actual(&self, markup: Markup) -> String {
        let Some(run) = self.run() else {
            return String::new();
        };
        let mut text = format!("{}\n", markup.words(&run.said));
        for path in [&run.stdout, &run.stderr] {
            let (output, cut) = self.read(path, OUTPUT_BYTES);
            if !output.trim().is_empty() {
                text += &format!("\n{}", markup.block(&output, ""));
            }
            if cut {
                text += "\n(cut here)\n";
            }
        }
        text
    }

    /// The output of another target that answers otherwise.
    fn witness(&self, markup: Markup) -> String {
        if !self.finding().kind.convicts() && self.finding().kind != Kind::Disagreement {
            return String::new();
        }
        let others = self.others();
        let Some(run) = others.first() else {
            return String::new();
        };
        let (output, _) = self.read(&run.stdout, OUTPUT_BYTES);
        // One line is the answer, which is said already.
        if output.trim().lines().count() < 2 {
            return String::new();
        }
        format!(
            "{}\n\n{}",
            markup.words(&format!("{} prints:", run.target)),
            markup.block(&output, "")
        )
    }

    fn version(&self) -> String {
        let finding = self.finding();
        let source = self
            .record()
            .map(|record| record.description.source.clone());
        match source {
            Some(source) => format!("{} {} ({source})", finding.family(), finding.version()),
            None => format!("{} {}", finding.family(), finding.version()),
        }
    }

    fn matrix(&self, markup: Markup) -> String {
        let finding = self.finding();
        if self.full.file.versions.is_empty() {
            let command = markup.code(&format!("lydite bisect {}", finding.id));
            return format!("Other versions were not tried ({command}).\n");
        }
        let since = finding.since.as_deref().unwrap_or("unknown");
        let fixed = match &finding.fixed_in {
            Some(version) => format!("not in {version} any more"),
            None => "in every later version that was tried".to_string(),
        };
        let alike = |a: &VersionRun, b: &VersionRun| (a.seen, &a.said) == (b.seen, &b.said);
        let row = |runs: &[VersionRun]| {
            let (first, last) = (&runs[0], &runs[runs.len() - 1]);
            let versions = match runs.len() {
                1 => first.version.to_string(),
                many => format!("{} to {} ({many} tried)", first.version, last.version),
            };
            let seen = match first.seen {
                Seen::Bad => "shows it",
                Seen::Good => "does not",
                Seen::Unclear => "unclear",
            };
            let said = first.said.chars().take(80).collect();
            vec![versions, seen.to_string(), said]
        };
        let rows: Vec<Vec<String>> = self.full.file.versions.chunk_by(alike).map(row).collect();
        format!(
            "{}\n\n{}",
            markup.words(&format!("Since {since}; {fixed}.")),
            markup.table(&["version", "the bug", "said"], &rows)
        )
    }

    fn options(&self, markup: Markup) -> String {
        let variant = self.finding().target.variant.as_deref();
        let variant = self.family.variant(variant).unwrap_or_default();
        let mut words = variant.options;
        words.extend(self.finding().options.iter().cloned());
        match words.is_empty() {
            true => "Needs no options.".to_string(),
            false => format!("Needs {}.", markup.code(&words.join(" "))),
        }
    }

    fn often(&self) -> String {
        let count = self.finding().count;
        // Somebody picked these files: how many show it means nothing.
        if self.finding().strategy == "files" {
            return String::new();
        }
        match self.cases {
            Some(cases) => format!("Seen in {count} of {cases} test cases."),
            None => format!("Seen in {count} test case(s)."),
        }
    }

    fn replays(&self) -> String {
        let replays = self.finding().replays;
        match (replays.of, self.finding().nondeterministic) {
            (0, _) => "Not replayed.".to_string(),
            (of, false) => format!(
                "{} of {of} further runs in fresh processes show it.",
                replays.shown
            ),
            (of, true) => format!(
                "It comes and goes: {} of {of} further runs in fresh processes show it.",
                replays.shown
            ),
        }
    }

    /// The beginning of a file of the finding, in whole lines, and whether there is more.
    fn read(&self, path: &RelativePath, limit: u64) -> (String, bool) {
        let (bytes, cut) = self.full.beginning(path, limit as usize);
        let text = String::from_utf8_lossy(&bytes);
        let lines = match text.rfind('\n') {
            Some(end) if cut => &text[..=end],
            _ => &text,
        };
        (without_cache(lines, &self.finding().target.family), cut)
    }
}

/// An output without the folder that a target is installed in: stack traces name it, and it
/// tells strangers how somebody's machine is laid out.
fn without_cache(text: &str, family: &str) -> String {
    let folder = format!(
        r#"[^\s"'(]*/(?:targets|builds)/{}/[^\s"']*?/root/"#,
        regex::escape(family)
    );
    let folder = Regex::new(&folder).expect("the name of a family is escaped");
    folder.replace_all(text, "…/").into_owned()
}

/// What tells apart what should be and what is, where both stand below one heading.
fn label(section: &Section, item: Item) -> &'static str {
    let both = [Item::Expected, Item::Actual];
    match item {
        _ if !both.iter().all(|item| section.has.contains(item)) => "",
        Item::Expected => "Expected: ",
        Item::Actual => "Actual: ",
        _ => "",
    }
}

/// What trackers call a language after a fence.
fn tag(language: &str) -> &str {
    match language {
        "smtlib" => "smt2",
        other => other,
    }
}

/// The machine that the report is written on.
fn platform() -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release
        .lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = name.map_or(std::env::consts::OS, |name| name.trim_matches('"'));
    format!("{name}, {}", std::env::consts::ARCH)
}

#[cfg(test)]
mod tests;

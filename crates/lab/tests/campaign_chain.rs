//! Campaigns whose strategy reads a file and makes chains of programs: the
//! file's content is kept, the steps are shown, and what was found replays.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lydite_core::oracle::{DifferentialOracle, ImplicationOracle};
use lydite_core::{
    BigUint, Case, Choices, Claim, Language, OpenError, PlainLanguage, Program, Reject, Role, Seed,
    SeedNeed, Setting, Settings, Space, Strategy, TargetName,
};
use lydite_lab::campaign::{Campaign, Engine, Resolved, RunOptions, Shard, Summary, join};
use lydite_lab::finding::FullFinding;
use lydite_lab::plan::Plan;
use lydite_lab::registry::Registry;
use lydite_lab::report::Report;
use lydite_process::Scratch;
use lydite_store::folder::ReadFolder;
use lydite_target::install::{self, Cache};
use lydite_target::{Catalogue, Target};
use tempfile::TempDir;

/// A solver that says what the program holds.
const TARGET: &str = r#"
family = "parrot"
language = "words"
about = "says what it is given"
[[get]]
from = "archive"
path = "parrot"
version = "1.0"
bin = "parrot"
[run]
file = "case.txt"
[[run.step]]
argv = ["{bin}", "{file}"]
[version]
argv = ["{bin}"]
pattern = '(.*)'
"#;

const WORDS: PlainLanguage = PlainLanguage {
    name: "words",
    about: "answers",
    extensions: &["txt"],
    line_comment: "#",
};

/// One case per line of a file, one program per word, each weaker than the last.
struct Lines;

struct LinesSpace(Vec<Vec<String>>);

impl Strategy for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn about(&self) -> &'static str {
        "cases from a file"
    }

    fn language(&self) -> Option<&'static str> {
        Some("words")
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::None
    }

    fn settings(&self) -> &'static [Setting] {
        const { &[Setting::file("cases", "", "a line per case")] }
    }

    fn open(
        &self,
        _: Arc<dyn Language>,
        _: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        let file = settings.file("cases").unwrap();
        let words = |line: &str| line.split_whitespace().map(str::to_string).collect();
        Ok(Box::new(LinesSpace(file.text.lines().map(words).collect())))
    }
}

impl Space for LinesSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        self.nth(&BigUint::from(choices.index(self.0.len())?))
    }

    fn len(&self) -> Option<BigUint> {
        Some(BigUint::from(self.0.len()))
    }

    fn nth(&self, index: &BigUint) -> Result<Case, Reject> {
        let words = &self.0[usize::try_from(index).unwrap()];
        let program = |word: &String| Program::single("case.txt", word.as_bytes());
        Ok(Case {
            programs: words.iter().map(program).collect(),
            claim: Claim::Weakens(None),
            steps: (1..words.len()).map(|n| format!("rule-{n}")).collect(),
            seeds: Vec::new(),
        })
    }
}

struct Place {
    folder: PathBuf,
    /// Removes the folder at the end.
    _made: TempDir,
    registry: Registry,
}

impl Place {
    fn new(name: &str) -> Place {
        let made = TempDir::with_prefix(format!("lydite-chain-{name}-")).unwrap();
        let folder = made.path().to_path_buf();
        fs::create_dir_all(folder.join("parrot")).unwrap();
        let bin = folder.join("parrot/parrot");
        fs::write(&bin, "#!/bin/sh\ncat \"$1\"\necho\n").unwrap();
        fs::set_permissions(&bin, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(folder.join("parrot.toml"), TARGET).unwrap();
        let registry = Registry {
            languages: vec![Arc::new(WORDS)],
            strategies: vec![Arc::new(Lines)],
            oracles: vec![
                Arc::new(DifferentialOracle),
                Arc::new(ImplicationOracle::default()),
            ],
        };
        Place {
            folder,
            _made: made,
            registry,
        }
    }

    fn targets(&self) -> Vec<(Target, Role)> {
        let catalogue = Catalogue::load(&[self.folder.join("parrot.toml")]).unwrap();
        let cache = Cache::at(self.folder.join("cache"));
        let name: TargetName = "parrot".parse().unwrap();
        let targets = install::install(&catalogue, &name, &cache, &mut |_| {}).unwrap();
        let tested = |target| (target, Role::Tested);
        targets.into_iter().map(tested).collect()
    }

    fn cases(&self, text: &str) {
        fs::write(self.folder.join("cases"), text).unwrap();
    }

    fn plan(&self) -> Plan {
        let text = "targets = [\"parrot\"]\n\
                    oracles = [\"differential\", \"incomplete-implication\"]\n\
                    [[strategy]]\nname = \"lines\"\nset = { cases = \"cases\" }\n";
        Plan::parse(text, "chain.toml", &self.folder).unwrap()
    }

    fn hunt(&self, plan: &Plan, output: &str, shard: Shard) -> Result<Summary, String> {
        let scratch = Arc::new(Scratch::new().unwrap());
        let output = self.folder.join(output);
        let targets = self.targets();
        let opened = Engine::open(plan, Arc::new(WORDS), targets, &self.registry, scratch)
            .and_then(|engine| Campaign::open(engine, &output));
        let mut campaign = opened.map_err(|error| format!("{error:#}"))?;
        let stop = AtomicBool::new(false);
        let options = RunOptions {
            threads: 1,
            shard,
            stop: &stop,
        };
        Ok(campaign.run(&options, &mut |_| {}).unwrap())
    }
}

const WHOLE: Shard = Shard { number: 1, of: 1 };

const CASES: &str = "sat sat\nsat unknown\nsat sat unsat\nunsat unknown\n";

#[test]
fn findings_name_the_steps_of_a_chain_wherever_they_are_shown() {
    let place = Place::new("steps");
    place.cases(CASES);
    let summary = place.hunt(&place.plan(), "out", WHOLE).unwrap();
    let signatures: BTreeMap<String, String> = summary
        .findings
        .iter()
        .map(|finding| (finding.signature.to_string(), finding.id.clone()))
        .collect();
    let expected = [
        "v1 disagreement parrot against=\"parrot\" site=\"sat then unsat\"",
        "v1 incomplete-implication parrot site=\"rule-1\"",
    ];
    assert_eq!(signatures.keys().collect::<Vec<_>>(), expected);
    let output = place.folder.join("out");
    let report = Report::read(&ReadFolder::campaign(&output).unwrap()).unwrap();
    let html = report.html().unwrap();
    assert!(html.contains("program 1 to program 2: rule-2"));
    for (id, steps) in [
        (&signatures[expected[0]], vec!["rule-1", "rule-2"]),
        (&signatures[expected[1]], vec!["rule-1"]),
    ] {
        let folder = output.join("findings").join(id);
        let full = FullFinding::read(&folder).unwrap();
        let (file, case) = (&full.file, full.case().unwrap());
        assert_eq!(case.steps, steps);
        assert_eq!(file.claim, Claim::Weakens(None));
        let readme = fs::read_to_string(folder.join("README.md")).unwrap();
        assert!(
            readme.contains("- program 0 to program 1: rule-1"),
            "{readme}"
        );
    }
}

#[test]
fn a_campaign_goes_on_with_the_file_that_it_began_with() {
    let place = Place::new("file");
    place.cases(CASES);
    let mut plan = place.plan();
    plan.cases = Some(1);
    assert!(place.hunt(&plan, "out", WHOLE).unwrap().findings.is_empty());
    place.cases("sat sat\n");
    // The plan again: it is another campaign now.
    let error = place.hunt(&plan, "out", WHOLE).err().unwrap();
    assert!(
        error.contains("another campaign is here (it differs in: strategies)"),
        "{error}"
    );
    // The campaign itself has its copy.
    let mut kept = Resolved::read(&ReadFolder::campaign(&place.folder.join("out")).unwrap())
        .unwrap()
        .plan;
    kept.cases = None;
    let summary = place.hunt(&kept, "out", WHOLE).unwrap();
    assert_eq!(summary.totals.cases, 4);
    assert_eq!(summary.findings.len(), 2);
}

#[test]
fn shards_are_joined_without_the_file() {
    let place = Place::new("shards");
    place.cases(CASES);
    for number in [1, 2] {
        let shard = Shard { number, of: 2 };
        place
            .hunt(&place.plan(), &format!("shard{number}"), shard)
            .unwrap();
    }
    fs::remove_file(place.folder.join("cases")).unwrap();
    let shards = [1, 2].map(|number| place.folder.join(format!("shard{number}")));
    let whole = place.folder.join("whole");
    let joined = join(&whole, &shards).unwrap();
    assert_eq!(
        (joined.summary.totals.cases, joined.summary.findings.len()),
        (4, 2)
    );
    drop(joined);
    // The joined folder has the copy too.
    let plan = Resolved::read(&ReadFolder::campaign(&whole).unwrap())
        .unwrap()
        .plan;
    assert_eq!(place.hunt(&plan, "whole", WHOLE).unwrap().totals.cases, 4);
}

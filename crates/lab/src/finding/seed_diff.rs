//! What was changed in a seed to make a case: the difference to the seed that
//! the case differs least from.

use crate::diff::{Diff, diff};
use lydite_core::visible::visible;
use lydite_store::folder::RelativePath;
use lydite_store::record::{TriggerFile, TriggerRecord};

/// The name of the file that shows it.
pub(super) const SEED_DIFF: &str = "seed.diff";

/// Larger texts are not compared: such a difference is read by nobody.
const MOST_BYTES: usize = 1 << 20;

/// How the first program of a case differs from one of its seeds.
pub(super) struct SeedDiff {
    /// The seed's number.
    pub(super) seed: usize,
    diff: Diff,
}

impl SeedDiff {
    /// The smallest difference; none without seeds, or if all are too large.
    pub(super) fn of(trigger: &TriggerRecord) -> Option<SeedDiff> {
        let text = |path: &RelativePath| {
            let content = trigger.content(path)?;
            let fits = content.len() <= MOST_BYTES;
            fits.then(|| visible(&String::from_utf8_lossy(content)))
        };
        let path = trigger.programs.first()?.first()?;
        let program = text(path)?;
        let seeds = trigger.seeds.iter().enumerate();
        let diffs = seeds.filter_map(|(seed, record)| {
            let title = format!("{} to {}", visible(&record.name), visible(path.as_str()));
            let diff = diff(title, &text(&record.path)?, &program);
            Some(SeedDiff { seed, diff })
        });
        diffs.min_by_key(|seed_diff| seed_diff.diff.changes())
    }

    /// The difference as a file of the finding.
    pub(super) fn file(self) -> TriggerFile {
        let mut text = self.diff.title + "\n";
        for line in &self.diff.lines {
            let sign = match line.change {
                "gone" => '-',
                "new" => '+',
                "skipped" => '@',
                _ => ' ',
            };
            text += &format!("{sign} {}\n", line.text);
        }
        TriggerFile {
            path: RelativePath::new(SEED_DIFF).expect("a plain name"),
            content: text.into_bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use lydite_core::Claim;

    use super::*;
    use lydite_store::record::SeedRecord;

    fn trigger(case: &str, seeds: &[&str]) -> TriggerRecord {
        let file = |path: &str, text: &str| TriggerFile {
            path: RelativePath::new(path).unwrap(),
            content: text.as_bytes().to_vec(),
        };
        let record = |(number, _): (usize, &&str)| SeedRecord {
            name: format!("sat/{number}"),
            blake3: String::new(),
            path: RelativePath::new(format!("seeds/{number}")).unwrap(),
        };
        let texts = seeds.iter().enumerate();
        let texts = texts.map(|(number, text)| file(&format!("seeds/{number}"), text));
        TriggerRecord {
            claim: Claim::Silent,
            steps: Vec::new(),
            seeds: seeds.iter().enumerate().map(record).collect(),
            asked: 1,
            programs: vec![vec![RelativePath::new("case.smt2").unwrap()]],
            runs: Vec::new(),
            options: Default::default(),
            files: texts.chain([file("case.smt2", case)]).collect(),
        }
    }

    #[test]
    fn the_nearest_seed_is_shown_with_what_was_changed() {
        for (case, seeds, expected) in [
            ("a\nb\nc", vec![], None),
            (
                "a\nB\nc",
                vec!["x\ny\nz", "a\nb\nc"],
                Some("sat/1 to case.smt2\n  a\n- b\n+ B\n  c\n"),
            ),
            (
                "a\u{1b}[2J",
                vec!["a"],
                Some("sat/0 to case.smt2\n- a\n+ a␛[2J\n"),
            ),
        ] {
            let made = SeedDiff::of(&trigger(case, &seeds)).map(SeedDiff::file);
            let text = made.map(|file| String::from_utf8(file.content).unwrap());
            assert_eq!(text.as_deref(), expected);
        }
        let huge = "x\n".repeat(MOST_BYTES);
        assert!(SeedDiff::of(&trigger(&huge, &["x"])).is_none());
        assert!(SeedDiff::of(&trigger("x", &[&huge])).is_none());
    }
}

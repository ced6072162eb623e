//! Since when, and until when: one bug over the versions of a family.

pub use lydite_store::record::{Seen, VersionRun};

use anyhow::Result;

use lydite_target::Version;

/// The range of versions that have a bug, as far as versions were tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Life {
    /// The first version that shows it, with the last good one before it, if
    /// there is one.
    pub since: Option<(Version, Option<Version>)>,
    /// The first version after it that does not show it.
    pub fixed: Option<Version>,
}

/// The range of versions around `known`, which shows the bug.
pub fn life(runs: &[VersionRun], known: &Version) -> Life {
    let mut runs: Vec<&VersionRun> = runs.iter().collect();
    runs.sort_by(|a, b| a.version.cmp(&b.version));
    let split = runs.partition_point(|run| run.version <= *known);
    let mut life = Life::default();
    for run in runs[..split].iter().rev() {
        match run.seen {
            Seen::Bad => life.since = Some((run.version.clone(), None)),
            Seen::Unclear => {}
            Seen::Good => {
                if let Some((_, before)) = &mut life.since {
                    *before = Some(run.version.clone());
                }
                break;
            }
        }
    }
    let later = runs[split..].iter().find(|run| run.seen == Seen::Good);
    life.fixed = later.map(|run| run.version.clone());
    life
}

/// Looks for the ends of a bug's life among `count` versions, oldest first,
/// of which number `start` shows it: doubling steps, then halves. `probe` is
/// asked once for each version at most.
pub fn search(
    count: usize,
    start: usize,
    probe: &mut dyn FnMut(usize) -> Result<Seen>,
) -> Result<()> {
    end(start, 0, &mut |at| probe(at))?;
    let last = count.saturating_sub(1);
    end(start, last, &mut |at| probe(at))
}

/// Narrows down where it changes between `bad` and `limit`.
fn end(mut bad: usize, limit: usize, probe: &mut dyn FnMut(usize) -> Result<Seen>) -> Result<()> {
    let toward = |from: usize, step: usize| match limit < from {
        true => from.saturating_sub(step).max(limit),
        false => (from + step).min(limit),
    };
    let mut step = 1;
    let mut good = loop {
        if bad == limit {
            return Ok(());
        }
        let next = toward(bad, step);
        match probe(next)? {
            Seen::Bad => bad = next,
            Seen::Good | Seen::Unclear => break next,
        }
        step *= 2;
    };
    while bad.abs_diff(good) > 1 {
        let middle = bad.min(good) + bad.abs_diff(good) / 2;
        match probe(middle)? {
            Seen::Bad => bad = middle,
            Seen::Good | Seen::Unclear => good = middle,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `GBBUG`: one letter per version.
    fn runs(letters: &str) -> Vec<VersionRun> {
        let seen = |letter| match letter {
            'B' => Seen::Bad,
            'G' => Seen::Good,
            _ => Seen::Unclear,
        };
        let run = |(number, letter)| VersionRun {
            version: Version::new(format!("4.{number}")),
            seen: seen(letter),
            said: String::new(),
        };
        letters.chars().enumerate().map(run).collect()
    }

    #[test]
    fn a_life_is_what_surrounds_the_known_version() {
        for (letters, known, since, before, fixed) in [
            ("GGBBG", 3, "4.2", Some("4.1"), Some("4.4")),
            ("BBBB", 1, "4.0", None, None),
            ("BGBUBUG", 4, "4.2", Some("4.1"), Some("4.6")),
            ("UUBUU", 2, "4.2", None, None),
        ] {
            let life = life(&runs(letters), &Version::new(format!("4.{known}")));
            let (first, last_good) = life.since.expect(letters);
            assert_eq!(first.as_str(), since, "{letters}");
            assert_eq!(last_good.as_ref().map(Version::as_str), before, "{letters}");
            assert_eq!(life.fixed.as_ref().map(Version::as_str), fixed, "{letters}");
        }
    }

    #[test]
    fn a_search_finds_both_ends_with_few_probes() {
        for (count, first, last) in [
            (100, 17, 80),
            (1, 0, 0),
            (50, 0, 49),
            (64, 31, 31),
            (7, 3, 6),
        ] {
            for start in first..=last {
                let mut asked = Vec::new();
                search(count, start, &mut |at| {
                    assert!(at < count && !asked.contains(&at), "{at} again of {count}");
                    asked.push(at);
                    Ok(match (first..=last).contains(&at) {
                        true => Seen::Bad,
                        false => Seen::Good,
                    })
                })
                .expect("probes do not fail");
                let seen = |at: usize| at == start || asked.contains(&at);
                assert!(seen(first) && seen(last), "{count} {first} {last} {start}");
                assert!(first == 0 || asked.contains(&(first - 1)));
                assert!(last + 1 == count || asked.contains(&(last + 1)));
                assert!(asked.len() <= 28, "{} probes", asked.len());
            }
        }
    }
}

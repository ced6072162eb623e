//! What people decided about findings.
//!
//! Decisions are a list that only grows; how findings stand is a function of
//! it. So taking one back is a decision too, and the lists of two folders are
//! joined by putting them together.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use lydite_core::nearest::nearest;
use serde::{Deserialize, Serialize};

use crate::clock;
use lydite_core::version::Version;
use lydite_core::visible::visible;

/// How a finding stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Status {
    /// Upstream was told.
    Reported,
    /// It is another finding of the campaign, named by its id.
    DuplicateOf(String),
    /// Upstream knows it already, under this number.
    Known(String),
    /// It stays.
    Wontfix,
    /// Upstream says that this version does not have it any more.
    FixedIn(Version),
}

/// A status, and when and why it was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// How the finding stands.
    pub status: Status,
    /// Where upstream discusses it.
    pub upstream: Option<String>,
    /// A note for people.
    pub note: Option<String>,
    /// When it was decided, in milliseconds of Unix time.
    pub at_ms: i64,
}

impl Mark {
    /// The mark in one line: `reported, https://…, a note (2026-11-15 20:18 UTC)`.
    pub fn in_words(&self) -> String {
        let more = [&self.upstream, &self.note].into_iter().flatten();
        let words = more.fold(self.status.to_string(), |text, word| text + ", " + word);
        let words = visible(&words).replace(['\n', '\t'], " ");
        format!("{words} ({})", clock::shown(self.at_ms))
    }
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// An id that no other decision has, on any machine.
    pub id: String,
    /// When it was taken, in milliseconds of Unix time.
    pub at_ms: i64,
    /// What was decided.
    pub act: Act,
}

/// What was decided. Findings are named by their signatures: these never
/// change, whatever becomes of the function that makes them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "act")]
pub enum Act {
    /// A finding stands like this.
    Mark {
        /// The finding.
        finding: String,
        /// How it stands.
        status: Status,
        /// Where upstream discusses it.
        upstream: Option<String>,
        /// A note for people.
        note: Option<String>,
    },
    /// These are the same bug as another.
    Merge {
        /// The one that stands for all.
        into: String,
        /// The others.
        findings: Vec<String>,
        /// What tells, if a person did not decide it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// This one is a bug of its own; if others were merged into it, they are
    /// too.
    Split {
        /// The finding.
        finding: String,
    },
    /// An earlier decision does not hold.
    Undo {
        /// Its id.
        decision: String,
    },
}

/// How all findings of a campaign stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    marks: BTreeMap<String, Mark>,
    /// The finding that stands for another one.
    leads: BTreeMap<String, String>,
    /// What tells that they are the same, where that was written down.
    reasons: BTreeMap<String, String>,
    /// Findings that somebody wants to be on their own.
    apart: BTreeSet<String>,
}

impl Standing {
    /// What follows from these decisions, in whatever order they come.
    pub fn of(decisions: &[Decision]) -> Standing {
        let mut standing = Standing::default();
        for decision in holding(decisions) {
            match &decision.act {
                Act::Mark {
                    finding,
                    status,
                    upstream,
                    note,
                } => {
                    let mark = Mark {
                        status: status.clone(),
                        upstream: upstream.clone(),
                        note: note.clone(),
                        at_ms: decision.at_ms,
                    };
                    standing.marks.insert(finding.clone(), mark);
                }
                Act::Merge {
                    into,
                    findings,
                    why,
                } => {
                    standing.merge(into, findings);
                    for finding in findings {
                        match why {
                            Some(why) => standing.reasons.insert(finding.clone(), why.clone()),
                            None => standing.reasons.remove(finding),
                        };
                    }
                }
                Act::Split { finding } => {
                    standing.split(finding);
                    standing.apart.insert(finding.clone());
                }
                Act::Undo { .. } => {}
            }
        }
        standing
    }

    fn merge(&mut self, into: &str, findings: &[String]) {
        let lead = self.lead(into).unwrap_or(into).to_string();
        for finding in findings.iter().filter(|finding| **finding != lead) {
            // Whoever was with it comes along.
            for other in self.leads.values_mut() {
                if other == finding {
                    *other = lead.clone();
                }
            }
            self.leads.insert(finding.clone(), lead.clone());
        }
    }

    fn split(&mut self, finding: &str) {
        self.leads.remove(finding);
        self.leads.retain(|_, lead| lead != finding);
    }

    /// The mark of a finding.
    pub fn mark(&self, finding: &str) -> Option<&Mark> {
        self.marks.get(finding)
    }

    /// The finding that stands for this one.
    pub fn lead(&self, finding: &str) -> Option<&str> {
        self.leads.get(finding).map(String::as_str)
    }

    /// Why another finding stands for this one, if that was written down.
    pub fn why(&self, finding: &str) -> Option<&str> {
        let why = self.reasons.get(finding)?;
        self.leads.contains_key(finding).then_some(why.as_str())
    }

    /// True if somebody has split it off: nothing merges it again but a person.
    pub fn is_apart(&self, finding: &str) -> bool {
        self.apart.contains(finding)
    }

    /// The findings that another one stands for.
    pub fn merged(&self) -> Vec<&str> {
        self.leads.keys().map(String::as_str).collect()
    }

    /// The findings that somebody marked.
    pub fn marked(&self) -> Vec<&str> {
        self.marks.keys().map(String::as_str).collect()
    }

    /// The findings that this one stands for.
    pub fn members(&self, finding: &str) -> Vec<String> {
        let of_it = self.leads.iter().filter(|(_, lead)| *lead == finding);
        of_it.map(|(member, _)| member.clone()).collect()
    }
}

/// The decisions that were not taken back, oldest first.
fn holding(decisions: &[Decision]) -> Vec<&Decision> {
    let mut ordered: Vec<&Decision> = decisions.iter().collect();
    ordered.sort_by(|a, b| (a.at_ms, &a.id).cmp(&(b.at_ms, &b.id)));
    let undone: BTreeSet<&str> = ordered
        .iter()
        .filter_map(|decision| match &decision.act {
            Act::Undo { decision } => Some(decision.as_str()),
            _ => None,
        })
        .collect();
    ordered.retain(|decision| !undone.contains(decision.id.as_str()));
    ordered
}

/// The last decision that holds and that `wanted` picks.
pub fn last_holding<'a>(
    decisions: &'a [Decision],
    wanted: &dyn Fn(&Act) -> bool,
) -> Option<&'a Decision> {
    let holding = holding(decisions).into_iter().rev();
    holding.into_iter().find(|decision| wanted(&decision.act))
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Reported => f.write_str("reported"),
            Status::DuplicateOf(id) => write!(f, "duplicate-of={id}"),
            Status::Known(issue) => write!(f, "known={issue}"),
            Status::Wontfix => f.write_str("wontfix"),
            Status::FixedIn(version) => write!(f, "fixed-in={version}"),
        }
    }
}

/// Why a text is no status.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "status `{text}`: expected reported, duplicate-of=ID, known=UPSTREAM, wontfix or fixed-in=VERSION{near}"
)]
pub struct StatusError {
    text: String,
    near: String,
}

impl FromStr for Status {
    type Err = StatusError;

    fn from_str(text: &str) -> Result<Status, StatusError> {
        let (word, value) = match text.split_once('=') {
            Some((word, value)) => (word, value.trim()),
            None => (text, ""),
        };
        match (word, value) {
            ("reported", "") => Ok(Status::Reported),
            ("wontfix", "") => Ok(Status::Wontfix),
            ("duplicate-of", id) if !id.is_empty() => Ok(Status::DuplicateOf(id.to_string())),
            ("known", issue) if !issue.is_empty() => Ok(Status::Known(issue.to_string())),
            ("fixed-in", version) if !version.is_empty() => {
                Ok(Status::FixedIn(Version::new(version)))
            }
            _ => {
                let names = ["reported", "duplicate-of", "known", "wontfix", "fixed-in"];
                let near = nearest(word, names).filter(|near| *near != word);
                Err(StatusError {
                    text: text.to_string(),
                    near: near.map_or_else(String::new, |near| format!("; did you mean `{near}`?")),
                })
            }
        }
    }
}

impl From<Status> for String {
    fn from(status: Status) -> String {
        status.to_string()
    }
}

impl TryFrom<String> for Status {
    type Error = StatusError;

    fn try_from(text: String) -> Result<Status, StatusError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `3 mark a reported`, `4 merge a b c`, `5 split b`, `6 undo 4`.
    fn decision(text: &str) -> Decision {
        let words: Vec<String> = text.split(' ').map(str::to_string).collect();
        let act = match words[1].as_str() {
            "mark" => Act::Mark {
                finding: words[2].clone(),
                status: words[3].parse().unwrap(),
                upstream: None,
                note: None,
            },
            "merge" => Act::Merge {
                into: words[2].clone(),
                findings: words[3..].to_vec(),
                why: None,
            },
            "split" => Act::Split {
                finding: words[2].clone(),
            },
            _ => Act::Undo {
                decision: words[2].clone(),
            },
        };
        Decision {
            id: words[0].clone(),
            at_ms: words[0].parse().unwrap(),
            act,
        }
    }

    /// `a=reported b>a`: marks, then leads.
    fn standing(decisions: &[&str]) -> String {
        let decisions: Vec<Decision> = decisions.iter().map(|text| decision(text)).collect();
        let standing = Standing::of(&decisions);
        let mut reversed = decisions.clone();
        reversed.reverse();
        reversed.extend(decisions);
        assert_eq!(
            Standing::of(&reversed),
            standing,
            "in any order, also twice"
        );
        let marks = standing.marks.iter();
        let marks = marks.map(|(finding, mark)| format!("{finding}:{}", mark.status));
        let leads = standing.leads.iter().map(|(f, lead)| format!("{f}>{lead}"));
        marks.chain(leads).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn findings_stand_as_the_last_decisions_say() {
        for (decisions, expected) in [
            (vec!["1 mark a reported", "2 mark a wontfix"], "a:wontfix"),
            (
                vec!["1 mark a reported", "2 mark a wontfix", "3 undo 2"],
                "a:reported",
            ),
            (vec!["1 merge a b c"], "b>a c>a"),
            (vec!["1 merge a b", "2 merge c a"], "a>c b>c"),
            (vec!["1 merge a b", "2 merge b c"], "b>a c>a"),
            (vec!["1 merge a b", "2 merge b a"], "b>a"),
            (vec!["1 merge a a"], ""),
            (vec!["1 merge a b c", "2 split b"], "c>a"),
            (vec!["1 merge a b c", "2 split a"], ""),
            (vec!["1 merge a b c", "2 split a", "3 undo 2"], "b>a c>a"),
            (vec!["1 merge a b c", "2 undo 1"], ""),
            (vec!["1 undo 9", "2 mark a fixed-in=4.8"], "a:fixed-in=4.8"),
        ] {
            assert_eq!(standing(&decisions), expected, "{decisions:?}");
        }
    }

    #[test]
    fn a_status_reads_back_what_it_shows() {
        for text in [
            "reported", "duplicate-of=z3-crash-1", "known=#12", "wontfix", "fixed-in=4.8.10",
        ] {
            assert_eq!(text.parse::<Status>().unwrap().to_string(), text);
        }
        for (bad, near) in [
            ("reportd", "did you mean `reported`"),
            ("known", "known=UPSTREAM"),
            ("fixed-in=", "fixed-in=VERSION"),
            ("", "expected"),
            ("reported=3", "expected"),
        ] {
            let error = bad.parse::<Status>().unwrap_err().to_string();
            assert!(error.contains(near), "{error}");
        }
    }
}

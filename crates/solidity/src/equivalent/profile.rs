//! Profiles: the values that live variables take at each point while certain
//! transactions are run, written into comments at the end of the text.
//!
//! ```text
//! //# profile 1
//! //# solc 0.8.28
//! //# bytes 1234                    of the text above
//! //# tx new Token(1000)            a line of the transactions
//! //# at 812 amount sender          the point before byte 812, and what is live
//! //# = 12 77                       the values of one visit; equal ones once
//! //# many 901                      too many values to be told
//! ```
//!
//! A point of which nothing is said was never reached.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use dashu_int::IBig;

use super::probe::{Probes, Shown};

/// The number of this format.
const FORMAT: &str = "1";

const HEAD: &str = "//# profile ";

/// How large the text of a profile may get.
const TEXT_BYTES: usize = 4 << 20;

/// What was seen of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The version of solc that compiled it.
    pub solc: String,
    /// The transactions, one per line.
    pub transactions: String,
    /// Points that were reached, or may have been, by the place of their statement.
    pub points: BTreeMap<usize, Seen>,
}

/// What was seen at a point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The variables that are known.
    pub variables: Vec<String>,
    /// Their values at each visit, without repetition; nothing if there were
    /// too many to know them all.
    pub environments: Option<BTreeSet<Vec<IBig>>>,
}

/// Why a text has no profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// There is none.
    #[error("no profile (lydite profile FILE writes one)")]
    Missing,
    /// A line of it cannot be read.
    #[error("line {0} of the profile cannot be read")]
    Line(usize),
    /// The text was changed after it was made.
    #[error("the profile is of another text ({0} bytes)")]
    Stale(usize),
}

impl Profile {
    /// What probes have shown: one list of marks (number and word) for each
    /// transaction.
    pub fn of<M>(solc: &str, transactions: &str, probes: &Probes, marks: M) -> Profile
    where
        M: Iterator,
        M::Item: IntoIterator<Item = (u128, [u8; 32])>,
    {
        let mut shown = vec![Shown::default(); probes.probes.len()];
        for transaction in marks {
            probes.read(transaction.into_iter(), &mut shown);
        }
        let reached = probes.probes.iter().zip(shown);
        let reached = reached.filter(|(_, one)| one.incomplete || !one.environments.is_empty());
        let points = reached.map(|(probe, one)| {
            let seen = Seen {
                variables: probe
                    .variables
                    .iter()
                    .map(|(name, _)| name.clone())
                    .collect(),
                environments: (!one.incomplete).then_some(one.environments),
            };
            (probe.offset, seen)
        });
        let unknown = probes
            .unprobed
            .iter()
            .map(|offset| (*offset, Seen::default()));
        Profile {
            solc: solc.to_string(),
            transactions: transactions.to_string(),
            points: points.chain(unknown).collect(),
        }
    }

    /// The text with the profile behind it.
    pub fn attach(&self, source: &str) -> String {
        let mut text = source.to_string();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let bytes = text.len();
        let _ = write!(
            text,
            "{HEAD}{FORMAT}\n//# solc {}\n//# bytes {bytes}\n",
            self.solc
        );
        for line in self.transactions.lines() {
            let _ = writeln!(text, "//# tx {line}");
        }
        for (offset, seen) in &self.points {
            let environments = seen.environments.as_ref();
            let room = text.len() - bytes < TEXT_BYTES;
            let Some(environments) = environments.filter(|_| room) else {
                let _ = writeln!(text, "//# many {offset}");
                continue;
            };
            let names = seen.variables.iter().map(|name| format!(" {name}"));
            let _ = writeln!(text, "//# at {offset}{}", names.collect::<String>());
            for values in environments {
                let values = values.iter().map(|value| format!(" {value}"));
                let _ = writeln!(text, "//# ={}", values.collect::<String>());
            }
        }
        text
    }

    /// A text and its profile.
    pub fn detach(text: &str) -> Result<(&str, Profile), ProfileError> {
        let at = match text.starts_with(HEAD) {
            true => 0,
            false => {
                1 + text
                    .rfind(&format!("\n{HEAD}"))
                    .ok_or(ProfileError::Missing)?
            }
        };
        let (source, rest) = text.split_at(at);
        let mut profile = Profile::default();
        let mut current = None;
        for (number, line) in rest.lines().enumerate() {
            let error = || ProfileError::Line(number + 1);
            let line = line.strip_prefix("//# ").ok_or_else(error)?;
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "profile" if rest == FORMAT => {}
                "solc" => profile.solc = rest.to_string(),
                "bytes" => {
                    let bytes: usize = rest.parse().map_err(|_| error())?;
                    if bytes != source.len() {
                        return Err(ProfileError::Stale(bytes));
                    }
                }
                "tx" => profile.transactions += &format!("{rest}\n"),
                "many" => {
                    let offset = rest.parse().map_err(|_| error())?;
                    profile.points.insert(offset, Seen::default());
                }
                "at" => {
                    let mut words = rest.split(' ').filter(|word| !word.is_empty());
                    let offset = words.next().and_then(|offset| offset.parse().ok());
                    let offset = offset.ok_or_else(error)?;
                    let seen = Seen {
                        variables: words.map(str::to_string).collect(),
                        environments: Some(BTreeSet::new()),
                    };
                    profile.points.insert(offset, seen);
                    current = Some(offset);
                }
                "=" => {
                    let offset = current.ok_or_else(error)?;
                    let seen = profile.points.get_mut(&offset).ok_or_else(error)?;
                    let values = rest.split(' ').filter(|word| !word.is_empty());
                    let values: Result<Vec<IBig>, _> = values.map(str::parse).collect();
                    let values = values.map_err(|_| error())?;
                    if values.len() != seen.variables.len() {
                        return Err(error());
                    }
                    seen.environments.get_or_insert_default().insert(values);
                }
                _ => return Err(error()),
            }
        }
        Ok((source, profile))
    }
}

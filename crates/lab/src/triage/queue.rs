//! What to report next, and why: a pure function of findings, what upstream
//! wants of them, and the time.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Status;
use crate::finding::Finding;
use lydite_store::clock;
use lydite_target::{Family, Field};

/// What to do with a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Report it now.
    Report,
    /// It would be its turn, but something that upstream wants is missing.
    Prepare,
    /// The reports of this week are used up.
    Wait,
    /// Not to be reported.
    Skip,
}

/// A finding in the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QueueEntry {
    /// The finding's id.
    pub id: String,
    /// Its family.
    pub family: String,
    /// Its kind.
    pub kind: String,
    /// The size of its case, in bytes.
    pub bytes: u64,
    /// What to do.
    pub action: Action,
    /// The reasons for that.
    pub why: Vec<String>,
    /// What upstream wants and is missing, with the command that gets it.
    pub missing: Vec<String>,
}

/// Seven days.
const WEEK_MS: i64 = 7 * 86_400_000;

/// The findings in the order in which they should be reported; `family` finds
/// the target file of each.
pub fn queue(
    findings: &[Finding],
    family: &dyn Fn(&str) -> Option<Family>,
    now_ms: i64,
) -> Vec<QueueEntry> {
    let mut families: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        families.entry(finding.family()).or_default().push(finding);
    }
    let mut entries = Vec::new();
    for (name, findings) in families {
        let family = family(name);
        entries.extend(of_family(&findings, family.as_ref(), now_ms));
    }
    // Families take turns: the first of each, then the second of each.
    entries.sort_by_key(|(turn, entry)| (entry.action == Action::Skip, *turn));
    entries.into_iter().map(|(_, entry)| entry).collect()
}

/// The findings of one family, each with its place.
fn of_family(
    findings: &[&Finding],
    family: Option<&Family>,
    now_ms: i64,
) -> Vec<(usize, QueueEntry)> {
    let policy = family
        .map(|family| family.policy.clone())
        .unwrap_or_default();
    let mut ordered: Vec<(&Finding, Option<String>)> = findings
        .iter()
        .map(|finding| (*finding, reason_to_skip(finding, family)))
        .collect();
    ordered.sort_by_key(|(finding, skip)| {
        let bytes = finding.reduced_bytes.unwrap_or(finding.bytes);
        (
            skip.is_some(),
            finding.nondeterministic,
            policy.rank(finding.kind),
            bytes,
            finding.id.clone(),
        )
    });
    let reported = reported_at(findings, now_ms);
    let mut left = policy
        .per_week
        .map(|quota| (quota as usize).saturating_sub(reported.len()));
    let mut entries = Vec::new();
    for (turn, (finding, skip)) in ordered.into_iter().enumerate() {
        let mut entry = QueueEntry {
            id: finding.id.clone(),
            family: finding.family().to_string(),
            kind: finding.kind.to_string(),
            bytes: finding.reduced_bytes.unwrap_or(finding.bytes),
            action: Action::Report,
            why: Vec::new(),
            missing: Vec::new(),
        };
        match skip {
            Some(reason) => {
                entry.action = Action::Skip;
                entry.why.push(reason);
            }
            None => {
                entry.why.push(place(finding, &policy));
                if finding.nondeterministic {
                    entry
                        .why
                        .push("nondeterministic ones come last".to_string());
                }
                entry.missing = missing(finding, &policy.require);
                take_turn(&mut entry, &mut left, policy.per_week, &reported);
            }
        }
        entries.push((turn, entry));
    }
    entries
}

/// Uses up one of the week's reports, or waits for one.
fn take_turn(
    entry: &mut QueueEntry,
    left: &mut Option<usize>,
    per_week: Option<u32>,
    reported: &[i64],
) {
    if let (Some(left), Some(quota)) = (left, per_week) {
        if *left == 0 {
            let when = match reported.first() {
                Some(first) => format!("the next one from {}", clock::shown(first + WEEK_MS)),
                None => "after those above".to_string(),
            };
            entry.action = Action::Wait;
            entry
                .why
                .push(format!("upstream wants {quota} a week: {when}"));
            return;
        }
        entry.why.push(format!("{left} of {quota} left this week"));
        *left -= 1;
    }
    if !entry.missing.is_empty() {
        entry.action = Action::Prepare;
    }
}

/// When findings were reported in the last seven days, the oldest first.
fn reported_at(findings: &[&Finding], now_ms: i64) -> Vec<i64> {
    let marks = findings.iter().filter_map(|finding| finding.mark.as_ref());
    let reported = marks.filter(|mark| mark.status == Status::Reported);
    let mut times: Vec<i64> = reported
        .map(|mark| mark.at_ms)
        .filter(|at| (now_ms - WEEK_MS..=now_ms).contains(at))
        .collect();
    times.sort_unstable();
    times
}

fn place(finding: &Finding, policy: &lydite_target::Policy) -> String {
    let kind = finding.kind;
    match policy.priority.iter().position(|wanted| *wanted == kind) {
        Some(at) => format!("{kind} is number {} of what upstream wants", at + 1),
        None if policy.priority.is_empty() => format!("{kind}, gravest first"),
        None => format!("{kind} is not among what upstream wants first"),
    }
}

/// Why a finding is not to be reported.
fn reason_to_skip(finding: &Finding, family: Option<&Family>) -> Option<String> {
    if let Some(lead) = &finding.merged_into {
        return Some(format!("merged into {lead}"));
    }
    match finding.mark.as_ref().map(|mark| &mark.status) {
        // Said to be fixed and still there: tell them.
        Some(Status::FixedIn(_)) if finding.is_news() => {}
        Some(status) => return Some(status.to_string()),
        None => {}
    }
    if let Some(issue) = &finding.known_issue {
        return Some(format!("known upstream: {issue}"));
    }
    if let Some(version) = &finding.fixed_in {
        return Some(format!("fixed in {version}"));
    }
    let policy = &family?.policy;
    if policy.per_week == Some(0) {
        return Some("upstream takes no reports".to_string());
    }
    if policy.unwanted.contains(&finding.kind) {
        return Some(format!("upstream takes no reports of {}", finding.kind));
    }
    let options = foreign_options(finding, family?);
    (!options.is_empty()).then(|| {
        format!(
            "needs {}, for which upstream takes no reports",
            options.join(" ")
        )
    })
}

/// The options of its target that a finding needs and upstream does not want
/// to hear of.
fn foreign_options(finding: &Finding, family: &Family) -> Vec<String> {
    let variant = family.variant(finding.target.variant.as_deref());
    let variant = variant.map(|variant| variant.options).unwrap_or_default();
    // Those of another family begin with its name.
    let own = finding.options.iter().filter(|word| !word.contains(':'));
    let words = variant.iter().chain(own);
    let foreign = words.filter(|word| !family.policy.allows(word, &family.option));
    foreign.cloned().collect()
}

/// What a report of this finding lacks.
fn missing(finding: &Finding, required: &[Field]) -> Vec<String> {
    let id = &finding.id;
    let lacks = |field: &Field| match field {
        Field::Reduced if !finding.reduced => Some(format!("not reduced (lydite reduce {id})")),
        Field::Versions | Field::Newest if finding.since.is_none() => {
            Some(format!("versions not tried (lydite bisect {id})"))
        }
        Field::Newest if finding.newest_shows.is_none_or(|shows| !shows) => Some(format!(
            "the newest version that was tried gave no clear answer (lydite bisect {id})"
        )),
        Field::Replayed if finding.nondeterministic => Some("it comes and goes".to_string()),
        Field::Expected if finding.kind == lydite_core::Kind::Disagreement => {
            Some("who is at fault is not decided".to_string())
        }
        _ => None,
    };
    let mut missing: Vec<String> = required.iter().filter_map(lacks).collect();
    missing.dedup();
    missing
}

#[cfg(test)]
mod tests {
    use lydite_core::Kind;

    use super::*;
    use crate::campaign::Replays;
    use crate::triage::Mark;
    use lydite_target::{Catalogue, Version};

    const NOW: i64 = 1_794_773_913_000;
    const DAY: i64 = 86_400_000;

    fn ready(id: &str, target: &str, kind: Kind) -> Finding {
        Finding {
            reduced: true,
            since: Some("1.0".to_string()),
            newest_shows: Some(true),
            ..Finding::sample(id, target, kind)
        }
    }

    fn marked(mut finding: Finding, status: Status, days_ago: i64) -> Finding {
        finding.mark = Some(Mark {
            status,
            upstream: None,
            note: None,
            at_ms: NOW - days_ago * DAY,
        });
        finding
    }

    /// `ACTION id: reasons` per finding.
    fn lines(findings: &[Finding]) -> Vec<String> {
        let catalogue = Catalogue::load(&[]).unwrap();
        let family = |name: &str| {
            let mut families = catalogue.families();
            families
                .find(|f| f.family == name)
                .map(|f| f.as_ref().clone())
        };
        let line = |entry: QueueEntry| {
            let reasons = entry.missing.iter().chain(&entry.why);
            let reasons: Vec<&str> = reasons.map(String::as_str).collect();
            format!("{:?} {}: {}", entry.action, entry.id, reasons.join("; "))
        };
        queue(findings, &family, NOW)
            .into_iter()
            .map(line)
            .collect()
    }

    #[test]
    fn upstreams_order_and_number_decide_and_what_comes_and_goes_is_last() {
        let target = "cvc5@1.2.0";
        let mut flaky = ready("flaky", target, Kind::RefutationUnsound);
        flaky.replays = Replays { shown: 1, of: 3 };
        flaky.nondeterministic = true;
        let findings = [
            ready("crash", target, Kind::Crash),
            flaky,
            ready("model", target, Kind::InvalidModel),
            ready("unsound", target, Kind::RefutationUnsound),
            marked(ready("told", target, Kind::Crash), Status::Reported, 2),
            marked(ready("long-ago", target, Kind::Crash), Status::Reported, 8),
        ];
        assert_eq!(
            lines(&findings),
            [
                "Report unsound: refutation-unsound is number 1 of what upstream wants; 2 of 3 left this week",
                "Report model: invalid-model is number 3 of what upstream wants; 1 of 3 left this week",
                "Wait crash: crash is number 4 of what upstream wants; upstream wants 3 a week: the next one from 2026-11-20 20:18 UTC",
                "Wait flaky: it comes and goes; refutation-unsound is number 1 of what upstream wants; nondeterministic ones come last; upstream wants 3 a week: the next one from 2026-11-20 20:18 UTC",
                "Skip long-ago: reported",
                "Skip told: reported",
            ]
        );
    }

    #[test]
    fn what_upstream_knows_or_does_not_want_is_skipped() {
        let sample = || ready("x", "cvc5@1.2.0", Kind::Crash);
        let with = |change: fn(&mut Finding)| {
            let mut finding = sample();
            change(&mut finding);
            finding
        };
        let of = |target: &str| Finding {
            target: target.parse().unwrap(),
            ..sample()
        };
        let is = |status: Status| marked(sample(), status, 1);
        let fixed = |version: &str| is(Status::FixedIn(Version::new(version)));
        for (finding, expected) in [
            (
                with(|finding| finding.known_issue = Some("#7".into())),
                "Skip x: known upstream: #7",
            ),
            (
                with(|finding| finding.merged_into = Some("y".into())),
                "Skip x: merged into y",
            ),
            (
                with(|finding| finding.fixed_in = Some("1.3.0".into())),
                "Skip x: fixed in 1.3.0",
            ),
            (is(Status::Wontfix), "Skip x: wontfix"),
            (
                is(Status::DuplicateOf("y".into())),
                "Skip x: duplicate-of=y",
            ),
            (fixed("1.2.1"), "Skip x: fixed-in=1.2.1"),
            (fixed("1.2.0"), "Report x"),
            (
                of("cvc5@1.2.0:exp"),
                "Skip x: needs --fp-exp --arrays-exp, for which",
            ),
            (of("cvc5@1.2.0:check"), "Report x"),
            (
                with(|finding| finding.options = vec!["--nl-cov".into(), "z3:a=b".into()]),
                "Report x",
            ),
            (
                with(|finding| finding.options = vec!["--weird".into()]),
                "Skip x: needs --weird",
            ),
            (of("cvc4@1.8"), "Skip x: upstream takes no reports"),
            (
                ready("x", "gcc@12", Kind::SlowRegression),
                "Skip x: upstream takes no reports of slow",
            ),
            (
                ready("x", "nobody@1", Kind::Crash),
                "Report x: crash, gravest first",
            ),
        ] {
            let shown = lines(std::slice::from_ref(&finding));
            assert!(shown[0].starts_with(expected), "{expected}: {shown:?}");
        }
    }

    #[test]
    fn what_a_report_lacks_is_prepared_first() {
        let with = |change: fn(&mut Finding)| {
            let mut finding = ready("x", "cvc5@1.2.0", Kind::Crash);
            change(&mut finding);
            finding
        };
        for (finding, expected) in [
            (
                with(|finding| finding.reduced = false),
                "Prepare x: not reduced (lydite reduce x)",
            ),
            (
                with(|finding| finding.since = None),
                "Prepare x: versions not tried (lydite bisect x)",
            ),
            (
                with(|finding| finding.newest_shows = Some(false)),
                "Prepare x: the newest version",
            ),
            (
                ready("x", "cvc5@1.2.0", Kind::Disagreement),
                "Prepare x: who is at fault",
            ),
        ] {
            let shown = lines(std::slice::from_ref(&finding));
            assert!(shown[0].starts_with(expected), "{expected}: {shown:?}");
        }
    }

    #[test]
    fn families_take_turns() {
        let findings = [
            ready("a1", "cvc5@1", Kind::Crash),
            ready("a2", "cvc5@1", Kind::Crash),
            ready("b1", "z3@1", Kind::Hang),
        ];
        let ids: Vec<String> = lines(&findings)
            .iter()
            .map(|line| line.split([' ', ':']).nth(1).unwrap().to_string())
            .collect();
        assert_eq!(ids, ["a1", "b1", "a2"]);
    }
}

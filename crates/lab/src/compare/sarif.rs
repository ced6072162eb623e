//! SARIF 2.1.0, which code hosts show beside the code.

use std::collections::BTreeSet;

use lydite_core::Kind;
use serde_json::{Value, json};

use super::{ComparedAs, ComparedFinding, Comparison};
use lydite_core::visible::visible;

/// The log.
pub(super) fn log(comparison: &Comparison) -> Value {
    let kinds: BTreeSet<Kind> = comparison.entries.iter().map(|e| e.finding.kind).collect();
    let rule = |kind: &Kind| json!({ "id": kind.name(), "name": kind.name() });
    let rules: Vec<Value> = kinds.iter().map(rule).collect();
    let results: Vec<Value> = comparison
        .entries
        .iter()
        .map(|e| result(comparison, e))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "lydite",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "properties": {
                "baseline": comparison.baseline,
                "candidate": comparison.candidate,
                "cases": comparison.cases,
            },
            "results": results,
        }],
    })
}

fn result(comparison: &Comparison, entry: &ComparedFinding) -> Value {
    let finding = &entry.finding;
    let new = entry.standing == ComparedAs::New;
    let mut text = format!("{}: {}", finding.kind, finding.evidence);
    if !new {
        text += &format!(" ({})", entry.standing.reason(comparison));
    }
    json!({
        "ruleId": finding.kind.name(),
        "level": if new { "error" } else { "note" },
        "baselineState": if new { "new" } else { "unchanged" },
        "message": { "text": visible(&text) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": entry.file },
            "region": { "startLine": 1 },
        }}],
        "partialFingerprints": { "signature/v1": finding.signature },
        "properties": {
            "standing": entry.standing.name(),
            "target": finding.target,
            "against": finding.against,
            "reproduce": finding.reproduce,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::comparison;

    #[test]
    fn a_result_says_whether_it_is_new() {
        let log = log(&comparison());
        let results = log["runs"][0]["results"].as_array().unwrap();
        let new: Vec<bool> = results
            .iter()
            .map(|r| r["level"] == "error" && r["baselineState"] == "new")
            .collect();
        assert_eq!(new, [true, false, false, false, false]);
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][0]["id"], "crash");
        assert!(!log.to_string().contains("\\u001b"));
    }
}

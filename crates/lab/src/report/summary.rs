//! How a campaign stands, as one JSON object: what `lydite hunt --json` ends
//! with and what the server of pages answers.

use serde_json::{Value, json};

use lydite_store::{Times, Totals};

/// The totals of a campaign over these targets, as JSON.
pub fn summary(totals: &Totals, targets: &[String], findings: usize) -> Value {
    let times = &totals.times;
    let outcomes: Vec<Value> = totals
        .outcomes
        .iter()
        .map(|count| {
            json!({
                "target": targets.get(count.target),
                "outcome": count.outcome,
                "runs": count.runs,
            })
        })
        .collect();
    let remarks: Vec<Value> = totals
        .remarks
        .iter()
        .map(|remark| {
            json!({
                "target": targets.get(remark.target),
                "what": remark.what,
                "decided": remark.decided,
                "count": remark.count,
            })
        })
        .collect();
    json!({
        "cases": totals.cases,
        "rejects": totals.rejects,
        "reject_reasons": totals.reject_reasons,
        "own_failures": totals.own_failures,
        "contested": totals.contested().map_or(0, |(cases, _)| cases),
        "bytes": totals.bytes,
        "runs": totals.runs,
        "unconfirmed": totals.unconfirmed,
        "findings": findings,
        "cpu_s": times.targets_s + times.own_s,
        "wall_s": times.wall_s,
        "share": {
            "make": share(times.make_s, times),
            "run": share(times.targets_s, times),
            "judge": share(times.judge_s, times),
        },
        "outcomes": outcomes,
        "remarks": remarks,
    })
}

/// The share of `part_s` in all CPU time, from 0 to 1.
pub fn share(part_s: f64, times: &Times) -> f64 {
    part_s / (times.targets_s + times.own_s).max(1e-9)
}

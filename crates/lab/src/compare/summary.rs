//! The Markdown that a job shows on its page.

use std::fmt::Write;

use super::{ComparedFinding, Comparison};
use lydite_target::Markup;

/// The summary.
pub(super) fn markdown(comparison: &Comparison) -> String {
    let new: Vec<&ComparedFinding> = comparison.new_entries().collect();
    let mut text = match new.len() {
        0 => "## Lydite: nothing new\n\n".to_string(),
        1 => "## Lydite: 1 new finding\n\n".to_string(),
        count => format!("## Lydite: {count} new findings\n\n"),
    };
    let _ = writeln!(
        text,
        "`{}` against `{}`: {} cases, {} runs, {} answers kept from earlier.\n",
        comparison.candidate,
        comparison.baseline,
        comparison.cases,
        comparison.runs,
        comparison.reused
    );
    for entry in &new {
        let finding = &entry.finding;
        let _ = writeln!(
            text,
            "### {} `{}`\n\n{}\n",
            finding.kind,
            finding.id,
            Markup::Markdown.words(&short(&finding.evidence))
        );
        let program = Markup::Markdown.block(entry.program.trim_end(), "");
        let _ = writeln!(
            text,
            "{program}\n{} case(s), the smallest of {} bytes; `{}`\n",
            finding.count, finding.bytes, finding.reproduce
        );
    }
    let others: Vec<&ComparedFinding> = comparison
        .entries
        .iter()
        .filter(|entry| !new.iter().any(|n| n.finding.id == entry.finding.id))
        .collect();
    if !others.is_empty() {
        text += "### Not new\n\n| finding | target | why it does not fail |\n|---|---|---|\n";
    }
    for entry in others {
        let reason = Markup::Markdown.words(&entry.standing.reason(comparison));
        let (id, target) = (&entry.finding.id, &entry.finding.target);
        let _ = writeln!(text, "| `{id}` | {target} | {reason} |");
    }
    text
}

/// How much of the evidence is shown: models can be long, and the report has
/// all of it.
const SHOWN_CHARS: usize = 400;

fn short(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN_CHARS).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::comparison;

    #[test]
    fn the_summary_begins_with_what_is_new_and_obeys_nothing() {
        let text = markdown(&comparison());
        assert!(text.starts_with("## Lydite: 1 new finding\n"), "{text}");
        assert_eq!(text.matches("\n### ").count(), 2);
        let outside: String = text.split("```").step_by(2).collect();
        assert!(
            !outside.contains("<b>") && outside.contains("\\|\\<b\\>\\`"),
            "{outside}"
        );
        assert!(text.contains("known as \\#12"));
    }
}

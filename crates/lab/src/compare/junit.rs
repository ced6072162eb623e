//! The form that test reporters read: a finding is a test case, new ones
//! fail, others are skipped with the reason.

use std::fmt::Write;

use super::{ComparedAs, ComparedFinding, Comparison};
use lydite_core::visible::{escape, visible};

/// The document.
pub(super) fn document(comparison: &Comparison) -> String {
    let failures = comparison.new_entries().count();
    let skipped = comparison.entries.len() - failures;
    let tests = comparison.entries.len() + 1;
    let name = format!(
        "lydite: {} against {}",
        comparison.candidate, comparison.baseline
    );
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">\n  \
         <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n",
        as_xml(&name)
    );
    // So that a reporter shows something where nothing was found.
    let _ = writeln!(
        xml,
        "    <testcase classname=\"lydite\" name=\"{} cases run\"/>",
        comparison.cases
    );
    for entry in &comparison.entries {
        add(&mut xml, comparison, entry);
    }
    xml + "  </testsuite>\n</testsuites>\n"
}

fn add(xml: &mut String, comparison: &Comparison, entry: &ComparedFinding) {
    let finding = &entry.finding;
    let _ = writeln!(
        xml,
        "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\">",
        finding.kind,
        as_xml(&finding.id),
        as_xml(&entry.file)
    );
    let _ = match entry.standing {
        ComparedAs::New => writeln!(
            xml,
            "      <failure type=\"{}\" message=\"{}\">{}</failure>",
            finding.kind,
            as_xml(&finding.evidence),
            as_xml(&format!(
                "{}\n\n{}\nreproduce: {}\n",
                finding.signature, entry.program, finding.reproduce
            ))
        ),
        _ => writeln!(
            xml,
            "      <skipped message=\"{}\"/>",
            as_xml(&entry.standing.reason(comparison))
        ),
    };
    xml.push_str("    </testcase>\n");
}

/// Text as XML takes it, in attributes too. Characters that XML does not know
/// at all are shown as pictures.
fn as_xml(text: &str) -> String {
    escape(&visible(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::comparison;

    #[test]
    fn new_findings_fail_and_others_are_skipped() {
        let xml = document(&comparison());
        assert!(xml.contains("tests=\"6\" failures=\"1\" errors=\"0\" skipped=\"4\""));
        assert_eq!(xml.matches("<failure").count(), 1);
        assert_eq!(xml.matches("</failure>").count(), 1);
        assert_eq!(xml.matches("<skipped").count(), 4);
        assert!(xml.contains("z3@4.8.7 shows it too") && xml.contains("known as #12"));
        assert!(!xml.contains('\u{1b}') && !xml.contains("<b>"));
    }
}

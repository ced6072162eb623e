//! The form that test reporters read: a finding is a test case, new ones
//! fail, others are skipped with the reason.

use std::fmt::Write;

use super::{Entry, Gate, Standing};
use crate::report::visible;

/// The document.
pub(super) fn document(gate: &Gate) -> String {
    let failures = gate.new_entries().count();
    let skipped = gate.entries.len() - failures;
    let tests = gate.entries.len() + 1;
    let name = format!("lydite: {} against {}", gate.candidate, gate.baseline);
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">\n  \
         <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n",
        escape(&name)
    );
    // So that a reporter shows something where nothing was found.
    let _ = writeln!(
        xml,
        "    <testcase classname=\"lydite\" name=\"{} cases run\"/>",
        gate.cases
    );
    for entry in &gate.entries {
        add(&mut xml, gate, entry);
    }
    xml + "  </testsuite>\n</testsuites>\n"
}

fn add(xml: &mut String, gate: &Gate, entry: &Entry) {
    let finding = &entry.finding;
    let _ = writeln!(
        xml,
        "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\">",
        finding.kind,
        escape(&finding.id),
        escape(&entry.file)
    );
    let _ = match entry.standing {
        Standing::New => writeln!(
            xml,
            "      <failure type=\"{}\" message=\"{}\">{}</failure>",
            finding.kind,
            escape(&finding.evidence),
            escape(&format!(
                "{}\n\n{}\nreproduce: {}\n",
                finding.signature, entry.program, finding.reproduce
            ))
        ),
        _ => writeln!(
            xml,
            "      <skipped message=\"{}\"/>",
            escape(&entry.standing.reason(gate))
        ),
    };
    xml.push_str("    </testcase>\n");
}

/// Text as XML takes it, in attributes too. Characters that XML does not know
/// at all are shown as pictures.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::tests::gate;

    #[test]
    fn new_findings_fail_and_others_are_skipped() {
        let xml = document(&gate());
        assert!(xml.contains("tests=\"6\" failures=\"1\" errors=\"0\" skipped=\"4\""));
        assert_eq!(xml.matches("<failure").count(), 1);
        assert_eq!(xml.matches("</failure>").count(), 1);
        assert_eq!(xml.matches("<skipped").count(), 4);
        assert!(xml.contains("z3@4.8.7 shows it too") && xml.contains("known as #12"));
        assert!(!xml.contains('\u{1b}') && !xml.contains("<b>"));
    }
}

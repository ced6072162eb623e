//! What is said of spec files, for tests of the checks.

#![allow(dead_code, reason = "each test file uses a part of this")]

use lydite_grammar::spec::{Severity, Spec};

/// All messages of a spec, as `line:column: message`.
pub(crate) fn problems(text: &str) -> Vec<String> {
    let diagnostics = match Spec::read("test", text) {
        Ok(spec) => spec.warnings().to_vec(),
        Err(error) => error.diagnostics,
    };
    let shown = diagnostics.iter().map(|d| {
        let kind = match d.severity {
            Severity::Error => "",
            Severity::Warning => "warning: ",
        };
        format!("{}: {kind}{}", d.at, d.message)
    });
    shown.collect()
}

/// Each spec has that message, among others.
pub(crate) fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let found = problems(text);
        assert!(
            found.iter().any(|problem| problem == expected),
            "{text}\nexpected {expected}\nfound    {}",
            found.join("\n         ")
        );
    }
}

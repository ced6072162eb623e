//! Solidity as a language of the workbench: its syntax, and transactions.

use std::collections::BTreeSet;

use lydite_core::{Case, Edit, Language, Program};
use lydite_syntax::SyntaxLanguage;

use crate::{equivalent, transactions};

/// Words of the language that say what a program is about. They are few: each
/// further one can make two findings of one bug.
const FEATURES: [(&str, &str); 7] = [
    ("assembly", "assembly"),
    ("calldata", "calldata"),
    ("is", "inheritance"),
    ("library", "library"),
    ("storage", "pointer"),
    ("transient", "transient"),
    ("try", "try"),
];

/// Programs in Solidity, with transactions beside them.
#[derive(Clone, Copy, Debug)]
pub struct Solidity(SyntaxLanguage);

impl Default for Solidity {
    fn default() -> Solidity {
        Solidity(SyntaxLanguage::of("solidity").expect("a language that is built in"))
    }
}

impl Language for Solidity {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn about(&self) -> &'static str {
        self.0.about()
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.0.extensions()
    }

    fn line_comment(&self) -> &'static str {
        self.0.line_comment()
    }

    fn check(&self, program: &Program) -> Result<(), String> {
        self.0.check(program)
    }

    fn upholds(&self, case: &Case) -> bool {
        self.0.upholds(case)
    }

    fn features(&self, program: &Program) -> Vec<String> {
        let mut features: BTreeSet<&str> = BTreeSet::new();
        for file in &program.files {
            let text = String::from_utf8_lossy(&file.text);
            if file.name.ends_with(".sol") {
                let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                let known = |word| FEATURES.iter().find(|(known, _)| *known == word);
                features.extend(words.filter_map(known).map(|(_, feature)| *feature));
            }
        }
        features.into_iter().map(str::to_string).collect()
    }

    fn constructs(&self, program: &Program) -> BTreeSet<String> {
        self.0.constructs(program)
    }

    fn fingerprint(&self, program: &Program) -> String {
        self.0.fingerprint(program)
    }

    fn knows_syntax_alone(&self) -> bool {
        self.0.knows_syntax_alone()
    }

    /// Of the transactions first: each that goes makes every further run
    /// faster.
    fn edits<'a>(&'a self, program: &'a Program) -> Box<dyn Iterator<Item = Edit> + 'a> {
        Box::new(transactions::edits(program).chain(self.0.edits(program)))
    }

    fn edits_of_equals<'a>(
        &'a self,
        programs: &'a [Program],
    ) -> Box<dyn Iterator<Item = (String, Vec<Program>)> + 'a> {
        transactions::shorter_everywhere(programs)
    }

    fn edits_in_step<'a>(
        &'a self,
        programs: &'a [Program],
    ) -> Box<dyn Iterator<Item = (String, Vec<Program>)> + 'a> {
        equivalent::in_step(self.0, programs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_words_of_the_program_and_not_of_its_transactions() {
        let text = *b"contract C is A { function f(uint[] calldata try_) external {} }";
        let program = Program::single("case.sol", text);
        let features = Solidity::default().features(&program);
        assert_eq!(features, ["calldata", "inheritance"]);
        let script = Program::single("case.tx", *b"C.f() is library");
        assert!(Solidity::default().features(&script).is_empty());
    }
}

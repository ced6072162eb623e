//! What the lab needs to know about a language, and no more.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::plain_edits;
use crate::{Answer, Case, Claim, Edit, Program, Seed, SourceFile};

/// The setting of strategies that names a file which adds to the language.
pub const LANGUAGE_FILE: &str = "operators";

/// A language that programs are written in.
///
/// Contract: pure and total; hostile programs get an answer, never a panic.
pub trait Language: Send + Sync {
    /// Its name in target files and on the command line.
    fn name(&self) -> &'static str;

    /// One sentence for `lydite list languages`.
    fn about(&self) -> &'static str;

    /// File name endings, the usual one first, without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// What starts a comment to the end of the line.
    fn line_comment(&self) -> &'static str;

    /// `Err` says why this is not a well-formed program.
    fn check(&self, program: &Program) -> Result<(), String>;

    /// True if the claim of `case` can be seen to hold for the programs as
    /// they stand; asked after an edit.
    fn upholds(&self, case: &Case) -> bool;

    /// The program without what it says of its own answer: targets are not
    /// told what is expected of them (some compare, and fail where they
    /// differ).
    fn without_hints(&self, program: &Program) -> Program {
        program.clone()
    }

    /// The program with its answer stated in it, in place of what it may state
    /// already: what [`Language::stated_claim`] then reads. `None` if the
    /// language has no way to say it, or the answer does not fit.
    fn stating(&self, program: &Program, answer: &Answer) -> Option<Program> {
        let _ = (program, answer);
        None
    }

    /// The program in a dialect that some targets want, named in their files;
    /// the same program if it is in that dialect already or cannot be read.
    fn in_dialect(&self, program: &Program, dialect: &str) -> Program {
        let _ = dialect;
        program.clone()
    }

    /// The language with what a user's file adds to it (the setting
    /// [`LANGUAGE_FILE`] of a strategy); none if it takes no such file. `Err`
    /// says what is wrong with the file.
    fn extended(&self, file: &str) -> Result<Option<Arc<dyn Language>>, String> {
        let _ = file;
        Ok(None)
    }

    /// The program changed so that targets also print the witness of their
    /// answers (a model); the same program if there is no such change.
    /// Asking twice is the same as asking once.
    fn asking_for_witness(&self, program: &Program) -> Program {
        program.clone()
    }

    /// The program changed so that targets also print which parts of it a
    /// negative answer rests on (an unsat core); the same program if there is
    /// no such change, or it is not worth its cost here. Asking twice is the
    /// same as asking once.
    fn asking_for_core(&self, program: &Program) -> Program {
        program.clone()
    }

    /// What the seed itself says about its answer.
    fn stated_claim(&self, seed: &Seed) -> Option<Claim> {
        let _ = seed;
        None
    }

    /// Coarse features (theories, constructs) that help to tell bugs apart
    /// when the symptom alone does not. Sorted, without duplicates.
    fn features(&self, program: &Program) -> Vec<String> {
        let _ = program;
        Vec::new()
    }

    /// The features without which a processor cannot take the program: those of
    /// [`Language::features`], but for what only may be one.
    fn needs(&self, program: &Program) -> Vec<String> {
        self.features(program)
    }

    /// The operators and constructs that a program uses, as fine as the
    /// language has them: what a reduced case still needs tells bugs apart.
    /// Empty if the language cannot say.
    fn constructs(&self, program: &Program) -> BTreeSet<String> {
        let _ = program;
        BTreeSet::new()
    }

    /// True if the program uses an operator, a word or a feature of that
    /// name. Here: one of [`Language::features`], or the word itself anywhere
    /// but in a comment to the end of the line.
    fn uses(&self, program: &Program, feature: &str) -> bool {
        let text = |file: &SourceFile| {
            let text = String::from_utf8_lossy(&file.text);
            let mut lines = text.lines();
            lines.any(|line| {
                let code = line.split(self.line_comment()).next().unwrap_or(line);
                has_word(code, feature)
            })
        };
        self.features(program).iter().any(|own| own == feature) || program.files.iter().any(text)
    }

    /// Equal for programs that differ only in names and layout.
    fn fingerprint(&self, program: &Program) -> String;

    /// True if there is no more to [`Language::check`] and [`Language::edits`] than
    /// syntax: a processor says as much of a program, most edits fail, and one that
    /// failed mostly fails again however else the program has changed.
    fn knows_syntax_alone(&self) -> bool {
        false
    }

    /// Smaller programs to try, largest cut first. Each passes [`Language::check`]
    /// and is made only when it is asked for: there can be very many.
    fn edits<'a>(&'a self, program: &'a Program) -> Box<dyn Iterator<Item = Edit> + 'a> {
        let _ = program;
        Box::new(std::iter::empty())
    }

    /// Smaller forms of programs that are equivalent, after which they are
    /// equivalent still, each with what was done.
    fn edits_of_equals<'a>(
        &'a self,
        programs: &'a [Program],
    ) -> Box<dyn Iterator<Item = (String, Vec<Program>)> + 'a> {
        let _ = programs;
        Box::new(std::iter::empty())
    }

    /// Smaller forms of a program and its parts ([`crate::Claim::Partition`]), all
    /// edited alike, after which they are a program and its parts still.
    fn edits_of_parts<'a>(
        &'a self,
        programs: &'a [Program],
    ) -> Box<dyn Iterator<Item = (String, Vec<Program>)> + 'a> {
        let _ = programs;
        Box::new(std::iter::empty())
    }

    /// Smaller forms of programs that are equivalent, all edited alike where
    /// they are the same. Whether they are equivalent after it has to be found
    /// out by running them.
    fn edits_in_step<'a>(
        &'a self,
        programs: &'a [Program],
    ) -> Box<dyn Iterator<Item = (String, Vec<Program>)> + 'a> {
        let _ = programs;
        Box::new(std::iter::empty())
    }

    /// What the named step of a strategy ([`Case::steps`]) makes of the
    /// program, at each place where it applies: a reduction of two programs
    /// keeps them in step with it.
    fn successors<'a>(
        &'a self,
        program: &'a Program,
        step: &'a str,
    ) -> Box<dyn Iterator<Item = Program> + 'a> {
        let _ = (program, step);
        Box::new(std::iter::empty())
    }
}

/// True if `word` stands in the line and not as a part of a longer name or
/// operator.
fn has_word(line: &str, word: &str) -> bool {
    let of_name = |c: char| c.is_alphanumeric() || c == '_';
    let of_operator = |c: char| "+-*/%=<>!&|^~?:".contains(c);
    let joins = |inner: Option<char>, outer: Option<char>| match (inner, outer) {
        (Some(a), Some(b)) => of_name(a) && of_name(b) || of_operator(a) && of_operator(b),
        _ => false,
    };
    let (first, last) = (word.chars().next(), word.chars().next_back());
    !word.is_empty()
        && line.match_indices(word).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + word.len()..].chars().next();
            !joins(first, before) && !joins(last, after)
        })
}

/// A language of which only the surface is known: every program passes.
#[derive(Clone, Copy, Debug)]
pub struct PlainLanguage {
    /// See [`Language::name`].
    pub name: &'static str,
    /// See [`Language::about`].
    pub about: &'static str,
    /// See [`Language::extensions`].
    pub extensions: &'static [&'static str],
    /// See [`Language::line_comment`].
    pub line_comment: &'static str,
}

impl Language for PlainLanguage {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    fn line_comment(&self) -> &'static str {
        self.line_comment
    }

    fn check(&self, _program: &Program) -> Result<(), String> {
        Ok(())
    }

    fn upholds(&self, case: &Case) -> bool {
        case.claim == Claim::Silent
    }

    fn knows_syntax_alone(&self) -> bool {
        true
    }

    fn edits<'a>(&'a self, program: &'a Program) -> Box<dyn Iterator<Item = Edit> + 'a> {
        Box::new(plain_edits::edits(program))
    }

    /// The text with white space folded: names are not understood here.
    fn fingerprint(&self, program: &Program) -> String {
        let texts = program.files.iter().map(|file| {
            let text = String::from_utf8_lossy(&file.text);
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_is_a_word_or_an_operator_of_its_own() {
        let c = PlainLanguage {
            name: "c",
            about: "",
            extensions: &["c"],
            line_comment: "//",
        };
        for (text, feature, expected) in [
            ("int f(void);", "void", true),
            ("int avoid;", "void", false),
            ("int void_;", "void", false),
            ("x; // void", "void", false),
            ("// x\nvoid", "void", true),
            ("a%b", "%", true),
            ("a %= b", "%", false),
            ("a %= b", "%=", true),
            ("a->b", "-", false),
            ("é void é", "void", true),
            ("", "", false),
        ] {
            let program = Program::single("case.c", text.as_bytes().to_vec());
            assert_eq!(c.uses(&program, feature), expected, "{text} {feature}");
        }
        let program = Program::single("case.c", vec![0xff, b'%', 0xfe]);
        assert!(c.uses(&program, "%"));
    }
}

//! Texts with marked pieces of new code, edited together.
//!
//! A variant is its original with pieces of new code put in, each between two
//! marks. So original and variant can be edited alike: the text that they have
//! in common changes, and the pieces stay where they are in it ([`in_step`]).
//!
//! Is the new code still without effect? It was drawn to have none in every
//! environment of a profile; so it has none if all the environments in which
//! it stands now are among those ([`Ground::bears`]). That takes a new profile,
//! of the edited text under the transactions that are left.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use dashu_int::IBig;
use lydite_core::Program;
use lydite_syntax::SyntaxLanguage;

use super::outline::{Outline, Point};
use super::profile::Profile;
use super::snippet::project;
use crate::transactions;
use crate::types::Elementary;

/// What stands before a piece of new code.
const BEGIN: &str = "/*+*/";

/// What stands behind it.
const END: &str = "/*-*/";

/// What stands before and behind a piece of the text that was taken away; the comment
/// between them has it.
const CUT: [&str; 2] = ["/*~", "~*/"];

/// The piece between its marks.
pub(super) fn marked(piece: &str) -> String {
    match piece.is_empty() {
        true => String::new(),
        false => format!("{BEGIN}{piece}{END}"),
    }
}

/// A statement that was taken away, between its marks.
pub(super) fn cut(text: &str) -> String {
    format!("{}{text}{}", CUT[0], CUT[1])
}

/// True if a statement can stand in a comment.
pub(super) fn can_be_cut(text: &str) -> bool {
    !text.contains("*/")
}

/// True if a text has marks, or what looks like them.
pub(super) fn has_marks(text: &str) -> bool {
    [BEGIN, END, CUT[0], CUT[1]]
        .iter()
        .any(|mark| text.contains(mark))
}

/// A text with new code in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grown {
    /// The text without the new code.
    pub base: String,
    /// In the order of the text.
    pieces: Vec<Piece>,
}

/// A piece of new code, or a mark of text that was taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    /// Where it stands in the base.
    at: usize,
    text: String,
}

/// New code before a piece of the base or around it, or text that was taken away: the
/// numbers of its pieces.
struct Growth {
    before: usize,
    behind: Option<usize>,
}

impl Piece {
    fn cuts(&self, mark: usize) -> bool {
        self.text == CUT[mark]
    }

    /// How many more brackets it opens than it closes.
    fn opened(&self) -> isize {
        let count = |brackets: [char; 2]| self.text.matches(brackets).count() as isize;
        count(['(', '{']) - count([')', '}'])
    }

    /// It stands before a piece of the base, and another one behind that.
    fn opens(&self) -> bool {
        self.cuts(0) || self.opened() > 0
    }

    fn closes(&self) -> bool {
        self.cuts(1) || self.opened() < 0
    }

    /// New functions, of which nothing but their texts matters.
    fn is_definition(&self) -> bool {
        self.text.trim_start().starts_with("function ")
    }
}

impl Grown {
    /// Reads the marks of a text; `None` if they are not as they should be.
    pub fn read(text: &str) -> Option<Grown> {
        let mut base = String::with_capacity(text.len());
        let mut pieces = Vec::new();
        let mut rest = text;
        let marks = || [BEGIN, CUT[0], CUT[1]].into_iter();
        while let Some((found, mark)) = marks()
            .filter_map(|mark| Some((rest.find(mark)?, mark)))
            .min()
        {
            base.push_str(&rest[..found]);
            rest = &rest[found + mark.len()..];
            let mut piece = mark;
            if mark == BEGIN {
                (piece, rest) = rest.split_once(END)?;
            }
            pieces.push(Piece {
                at: base.len(),
                text: piece.to_string(),
            });
        }
        base.push_str(rest);
        let grown = Grown { base, pieces };
        let is_cut = |one: &Piece| CUT.contains(&one.text.as_str());
        let mut new = grown.pieces.iter().filter(|one| !is_cut(one));
        let sound = !has_marks(&grown.base) && !new.any(|one| has_marks(&one.text));
        (sound && grown.growths().is_some()).then_some(grown)
    }

    fn of(program: &Program) -> Option<Grown> {
        Grown::read(std::str::from_utf8(&program.source().text).ok()?)
    }

    fn print(&self) -> String {
        let mut text = String::with_capacity(self.base.len());
        let mut done = 0;
        for piece in &self.pieces {
            text.push_str(&self.base[done..piece.at]);
            match CUT.contains(&piece.text.as_str()) {
                true => text.push_str(&piece.text),
                false => text.push_str(&marked(&piece.text)),
            }
            done = piece.at;
        }
        text.push_str(&self.base[done..]);
        text
    }

    /// What opens is closed, as brackets are; `None` if it is not.
    fn growths(&self) -> Option<Vec<Growth>> {
        let mut growths: Vec<Growth> = Vec::new();
        let mut open = Vec::new();
        for (number, piece) in self.pieces.iter().enumerate() {
            if piece.closes() {
                let opened: usize = open.pop()?;
                let begun: &Piece = &self.pieces[growths[opened].before];
                if begun.cuts(0) != piece.cuts(1) {
                    return None;
                }
                growths[opened].behind = Some(number);
                continue;
            }
            if piece.opens() {
                open.push(growths.len());
            }
            growths.push(Growth {
                before: number,
                behind: None,
            });
        }
        open.is_empty().then_some(growths)
    }

    /// The same new code in the edited base. Code inside of what goes, goes
    /// with it; `None` if half of it would.
    fn follow(&self, base: &str, replaced: &[(Range<usize>, Vec<u8>)]) -> Option<Grown> {
        let mut moved: Vec<Option<usize>> = Vec::with_capacity(self.pieces.len());
        let mut replaced = replaced.iter().peekable();
        // How long the text before is, and how long it was.
        let (mut now, mut then) = (0, 0);
        for piece in &self.pieces {
            while let Some((range, by)) = replaced.next_if(|(range, _)| range.end <= piece.at) {
                now += range.start - then + by.len();
                then = range.end;
            }
            let inside = replaced
                .peek()
                .is_some_and(|(range, _)| range.start < piece.at);
            moved.push((!inside).then(|| now + piece.at - then));
        }
        let whole = |growth: &Growth| {
            let behind = growth.behind.map(|behind| moved[behind].is_some());
            behind.is_none_or(|behind| behind == moved[growth.before].is_some())
        };
        if !self.growths()?.iter().all(whole) {
            return None;
        }
        let pieces = self.pieces.iter().zip(moved);
        let pieces = pieces.filter_map(|(piece, at)| {
            at.map(|at| Piece {
                at,
                text: piece.text.clone(),
            })
        });
        Some(Grown {
            base: base.to_string(),
            pieces: pieces.collect(),
        })
    }
}

/// Programs with the same base and the same transactions, edited alike: first
/// the transactions, then the base.
pub fn in_step(
    language: SyntaxLanguage,
    programs: &[Program],
) -> Box<dyn Iterator<Item = (String, Vec<Program>)> + '_> {
    let grown: Option<Vec<Grown>> = programs.iter().map(Grown::of).collect();
    let grown = grown.unwrap_or_default();
    let Some(first) = grown.first() else {
        return Box::new(std::iter::empty());
    };
    let same = grown.iter().all(|one| one.base == first.base)
        && programs
            .iter()
            .all(|one| one.files[1..] == programs[0].files[1..]);
    if !same {
        return Box::new(std::iter::empty());
    }
    let with_files = move |edited: &Program| {
        let programs = programs.iter().map(|program| {
            let mut program = program.clone();
            program.files[1..].clone_from_slice(&edited.files[1..]);
            program
        });
        programs.collect::<Vec<Program>>()
    };
    let scripts = transactions::edits(&programs[0]);
    let scripts = scripts.map(move |edit| (edit.what, with_files(&edit.program)));
    let mut base = programs[0].clone();
    base.files[0].text = first.base.clone().into_bytes().into();
    let texts = rewritten(language, base, grown, programs);
    Box::new(scripts.chain(texts))
}

fn rewritten(
    language: SyntaxLanguage,
    base: Program,
    grown: Vec<Grown>,
    programs: &[Program],
) -> impl Iterator<Item = (String, Vec<Program>)> + '_ {
    // Read only when the transactions are through.
    let rewrites = std::iter::once_with(move || language.rewrites(&base)).flatten();
    rewrites.filter_map(move |rewrite| {
        let text = std::str::from_utf8(&rewrite.edit.program.source().text).ok()?;
        let followed = grown
            .iter()
            .map(|one| one.follow(text, &rewrite.replaced))
            .collect::<Option<Vec<Grown>>>()?;
        // Without any difference there is nothing to find.
        if followed.windows(2).all(|pair| pair[0] == pair[1]) {
            return None;
        }
        let made = programs.iter().zip(&followed).map(|(program, grown)| {
            let mut program = program.clone();
            program.files[0].text = grown.print().into_bytes().into();
            program
        });
        let made = made.collect();
        Some((rewrite.edit.what, made))
    })
}

/// The environments in which new code stands, by its text: what two equal
/// texts do depends on their environments alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ground(BTreeMap<String, Known>);

/// What is known of the variables that a piece of code names.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    variables: Vec<(String, Elementary)>,
    environments: BTreeSet<Vec<IBig>>,
}

impl Ground {
    /// Of all new code in programs whose base has this profile; `None` if
    /// something stands where it should not, or in environments that are not
    /// known.
    pub fn of(programs: &[Program], profile: &Profile) -> Option<Ground> {
        let mut ground = Ground::default();
        for program in programs {
            let grown = Grown::of(program)?;
            let outline = Outline::of(grown.base.as_bytes()).ok()?;
            for growth in grown.growths()? {
                let piece = &grown.pieces[growth.before];
                if piece.is_definition() {
                    continue;
                }
                let behind = growth.behind.map(|behind| &grown.pieces[behind]);
                let (text, known) = match piece.text.starts_with('(') {
                    true => Known::in_expression(piece, behind?, &outline)?,
                    false => Known::at_statement(piece, behind, &outline, profile)?,
                };
                ground.learn(&text, known)?;
            }
        }
        Some(ground)
    }

    fn learn(&mut self, text: &str, known: Known) -> Option<()> {
        let so_far = self.0.entry(text.to_string()).or_insert(Known {
            environments: BTreeSet::new(),
            variables: known.variables.clone(),
        });
        so_far.environments.extend(known.environments);
        (so_far.variables == known.variables).then_some(())
    }

    /// True if all code of `other` is here too, and stands there in no
    /// environment in which it does not stand here.
    pub fn bears(&self, other: &Ground) -> bool {
        other.0.iter().all(|(text, there)| {
            self.0.get(text).is_some_and(|here| {
                here.variables == there.variables
                    && there.environments.is_subset(&here.environments)
            })
        })
    }
}

impl Known {
    /// Of new code before a statement or around it, or in its place.
    fn at_statement(
        piece: &Piece,
        behind: Option<&Piece>,
        outline: &Outline,
        profile: &Profile,
    ) -> Option<(String, Known)> {
        let mut points = outline.points.iter();
        let point = points.find(|point| point.offset == piece.at)?;
        if behind.is_some_and(|one| one.at != point.end || !point.guardable) {
            return None;
        }
        let known = Known::of(&piece.text, point, profile)?;
        Some((piece.text.clone(), known))
    }

    /// Of an identity: whatever the values are, it holds for variables of these types.
    fn in_expression(piece: &Piece, behind: &Piece, outline: &Outline) -> Option<(String, Known)> {
        let mut uses = outline.uses.iter();
        let found = uses.find(|one| one.offset == piece.at && one.end == behind.at)?;
        let point = &outline.points[found.point];
        let name = &point.variables[found.variable].name;
        let text = format!("{}{name}{}", piece.text, behind.text);
        let known = Known::of(&text, point, &Profile::default())?;
        Some((text, known))
    }

    fn of(text: &str, point: &Point, profile: &Profile) -> Option<Known> {
        let used = point.variables.iter();
        let mut used: Vec<(String, Elementary)> = used
            .filter(|variable| names(text, &variable.name))
            .map(|variable| (variable.name.clone(), variable.kind))
            .collect();
        used.sort_by(|one, other| one.0.cmp(&other.0));
        let environments = match profile.points.get(&point.offset) {
            None => BTreeSet::new(),
            Some(seen) => {
                let column = |(name, _): &(String, Elementary)| {
                    seen.variables.iter().position(|seen| seen == name)
                };
                let columns: Vec<usize> = used.iter().map(column).collect::<Option<_>>()?;
                let environments = seen.environments.as_ref()?;
                project(environments, &columns).into_iter().collect()
            }
        };
        Some(Known {
            variables: used,
            environments,
        })
    }
}

/// True if a text names a variable, or a part of one.
fn names(text: &str, name: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + name.len()..].chars().next();
        !before.is_some_and(|c| is_name(c) || c == '.') && !behind.is_some_and(is_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lydite_core::SourceFile;

    const BASE: &str = "contract A { function f(uint8 a) public { a++; if (a > 3) { a--; } } }";

    fn program(text: &str) -> Program {
        let mut program = Program::single("case.sol", text.as_bytes().to_vec());
        program.files.push(SourceFile {
            name: "case.tx".to_string(),
            text: b"A.f(1)\nA.f(2)\n".as_slice().into(),
        });
        program
    }

    fn solidity() -> SyntaxLanguage {
        SyntaxLanguage::of("solidity").unwrap()
    }

    fn grown(with: &[(&str, &str)]) -> String {
        let put = |text: String, (place, piece): &(&str, &str)| {
            text.replacen(place, &format!("{}{place}", marked(piece)), 1)
        };
        with.iter().fold(BASE.to_string(), put)
    }

    #[test]
    fn marks_are_read_as_they_were_written() {
        for with in [
            vec![],
            vec![("a--;", "if (a == 9) { revert(); } ")],
            vec![("a++;", "if (a < 9) { "), (" if (a > 3)", " }")],
            vec![("a > 3", "((~(~"), (" > 3", ")))"), ("a--;", "revert(); ")],
        ] {
            let text = grown(&with);
            let read = Grown::read(&text).unwrap();
            assert_eq!((read.base.as_str(), read.print()), (BASE, text));
        }
        let cut = BASE.replace("a--;", "/*~a--;~*/");
        let read = Grown::read(&cut).unwrap();
        assert_eq!((read.base.as_str(), read.print()), (BASE, cut));
        for text in [
            "/*+*/ a",
            "/*-*/ a",
            "/*+*/if (a) { /*-*/",
            "/*+*/ }/*-*/",
            "/*+*/ /*+*/ /*-*/",
            "/*~ a",
            "a ~*/",
            "/*+*/(/*-*/ /*~ /*+*/)/*-*/ ~*/",
            "/*+*/(/*-*/a~*/",
        ] {
            assert_eq!(Grown::read(text), None, "{text}");
        }
    }

    #[test]
    fn original_and_variant_are_edited_alike_and_differ_by_the_new_code_alone() {
        let text = grown(&[
            ("a++;", "if (a < 9) { "),
            (" if (a > 3)", " }"),
            ("a--;", "if (a == 9) { revert(); } "),
        ]);
        let programs = [program(BASE), program(&text)];
        let mut bases = BTreeSet::new();
        let mut scripts = BTreeSet::new();
        for (what, made) in in_step(solidity(), &programs) {
            let [first, second] = [0, 1].map(|at| Grown::of(&made[at]).unwrap());
            assert_eq!(first.base, second.base, "{what}");
            assert!(first.pieces.is_empty() && !second.pieces.is_empty());
            assert_eq!(made[0].files[1], made[1].files[1]);
            assert!(made[1].bytes() < programs[1].bytes(), "{what}");
            bases.insert(second.print());
            scripts.insert(made[0].files[1].text.to_vec());
        }
        assert!(scripts.contains(b"A.f(2)\n".as_slice()));
        // A statement goes, the code around it and the code inside another stay.
        let kept = |text: &&String| text.contains("if (a < 9) {") && text.contains("a == 9");
        let unwrapped = |text: &&String| kept(text) && !text.contains("a > 3");
        assert!(bases.iter().any(|text| unwrapped(&text)), "{bases:#?}");
        // What stands inside of what goes, goes with it.
        let lost = |text: &&String| !text.contains("a == 9") && text.contains("if (a < 9) {");
        assert!(bases.iter().any(|text| lost(&text)), "{bases:#?}");
        let strangers = [program(BASE), program("contract B {}")];
        assert_eq!(in_step(solidity(), &strangers).count(), 0);
    }

    #[test]
    fn code_may_stand_where_its_environments_are_known_and_nowhere_else() {
        let text = grown(&[("a--;", "if (a == 9) { revert(); } ")]);
        let programs = [program(BASE), program(&text)];
        let at = BASE.find("a--;").unwrap();
        let profile = |lines: &str| {
            let text = format!("{BASE}\n//# profile 1\n{lines}");
            Profile::detach(&text).unwrap().1
        };
        let ground = |lines: &str| Ground::of(&programs, &profile(lines));
        let start = ground(&format!("//# at {at} a\n//# = 4\n//# = 5\n")).unwrap();
        for (lines, expected) in [
            (String::new(), true),
            (format!("//# at {at} a\n//# = 5\n"), true),
            (format!("//# at {at} b a\n//# = 1 5\n//# = 2 5\n"), true),
            (format!("//# at {at} a\n//# = 9\n"), false),
        ] {
            let found = ground(&lines).unwrap();
            assert_eq!(start.bears(&found), expected, "{lines}");
        }
        assert_eq!(ground(&format!("//# many {at}\n")), None);
        assert_eq!(ground(&format!("//# at {at} b\n//# = 5\n")), None);
        // What goes must never be reached.
        let programs = [program(BASE), program(&BASE.replace("a--;", "/*~a--;~*/"))];
        let ground = |lines: &str| Ground::of(&programs, &profile(lines));
        let start = ground("").unwrap();
        assert!(!start.bears(&ground(&format!("//# at {at} a\n//# = 5\n")).unwrap()));
        // An identity holds everywhere, for variables of its types.
        let text = grown(&[("a > 3", "((~(~"), (" > 3", ")))")]);
        let ground = |text: &str| Ground::of(&[program(text)], &profile(""));
        let start = ground(&text).unwrap();
        assert!(start.bears(&ground(&text.replace("a--;", "")).unwrap()));
        assert!(!start.bears(&ground(&text.replace("uint8 a", "uint16 a")).unwrap()));
        assert_eq!(ground(&grown(&[("a--;", "((~(~"), ("--;", ")))")])), None);
        // In the middle of a statement it is no statement.
        let text = grown(&[("> 3", "if (a == 9) { revert(); } ")]);
        assert_eq!(Ground::of(&[program(&text)], &profile("")), None);
    }
}

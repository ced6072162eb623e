//! Programs with other types and qualifiers, as a space of cases.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use lydite_core::{Case, Choices, Claim, OpenError, Program, Reject, SEED_ARM, Seed, Space};

use super::words::Words;
use crate::extract::captures::{Captures, QUALIFIER_HOLE, Role, TYPE_HOLE};
use crate::extract::{Dialect, Refusal, parse};

/// Of a seed with more holes, the first ones.
const MAX_HOLES: usize = 20_000;

/// A place for another word.
#[derive(Clone, Debug)]
struct Hole {
    range: Range<usize>,
    is_type: bool,
}

/// A seed, its holes in the order of the text, and the types that it names.
struct Member {
    seed: Seed,
    holes: Vec<Hole>,
    types: Vec<String>,
}

pub(crate) struct RetypeSpace {
    members: Vec<Member>,
    words: &'static Words,
    most: u64,
    /// The file name of every program.
    file: String,
}

impl RetypeSpace {
    pub(crate) fn read(
        dialect: &Dialect,
        seeds: &[Seed],
        most: u64,
        extension: &str,
    ) -> Result<RetypeSpace, OpenError> {
        let Some(words) = Words::of(dialect) else {
            let what = format!(
                "declarations of {} have neither types nor qualifiers, which is what retype exchanges",
                dialect.language
            );
            return Err(OpenError::Seeds(what));
        };
        let mut members = Vec::new();
        let mut refusal = None;
        for seed in seeds {
            match read_member(dialect, seed) {
                Ok(member) if member.holes.is_empty() => {}
                Ok(member) => members.push(member),
                Err(why) => {
                    refusal.get_or_insert(format!("{}: {why}", seed.name));
                }
            }
        }
        if members.is_empty() {
            return Err(OpenError::Seeds(match refusal {
                Some(why) => format!("no seed can be read; {why}"),
                None => "no seed has a declaration with a type or a qualifier".to_string(),
            }));
        }
        Ok(RetypeSpace {
            members,
            words,
            most,
            file: format!("case.{extension}"),
        })
    }

    /// What stands in a hole from now on.
    fn fill(
        &self,
        member: &Member,
        hole: &Hole,
        choices: &mut Choices,
    ) -> Result<Option<String>, Reject> {
        let before = String::from_utf8_lossy(&member.seed.text[hole.range.clone()]).into_owned();
        let after = match hole.is_type {
            // One in four gets a further word instead of another type.
            true if self.words.can_insert && choices.chance(1, 4)? => {
                let word = choices.pick(self.words.qualifiers)?;
                format!("{word} {before}")
            }
            true => {
                let own = member.types.len();
                let all = own + self.words.types.len();
                // The seed's own types are as likely as all the others.
                match own > 0 && (all == own || choices.chance(1, 2)?) {
                    true => choices.pick(&member.types)?.clone(),
                    false => choices.pick(self.words.types)?.to_string(),
                }
            }
            false if choices.chance(1, 4)? => String::new(),
            false => choices.pick(self.words.qualifiers)?.to_string(),
        };
        Ok((after != before).then_some(after))
    }
}

impl Space for RetypeSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let member = &self.members[choices.arm(SEED_ARM, self.members.len())?];
        let mut drawn: Vec<(&Hole, String)> = Vec::new();
        for _ in 0..choices.between(1, self.most)? {
            let hole = choices.pick(&member.holes)?;
            let apart = |(other, _): &(&Hole, String)| {
                other.range.end <= hole.range.start || hole.range.end <= other.range.start
            };
            if let Some(text) = self.fill(member, hole, choices)?
                && drawn.iter().all(apart)
            {
                drawn.push((hole, text));
            }
        }
        if drawn.is_empty() {
            return Err(Reject::NotApplicable("no hole got another word"));
        }
        drawn.sort_by_key(|(hole, _)| hole.range.start);
        let whole = &member.seed.text;
        let mut text = Vec::with_capacity(whole.len() + 64);
        let mut done = 0;
        let mut steps = Vec::new();
        for (hole, word) in &drawn {
            text.extend_from_slice(&whole[done..hole.range.start]);
            text.extend_from_slice(word.as_bytes());
            done = hole.range.end;
            let line = 1 + whole[..hole.range.start]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count();
            let before = String::from_utf8_lossy(&whole[hole.range.clone()]).into_owned();
            steps.push(format!("line {line}: `{before}` becomes `{word}`"));
        }
        text.extend_from_slice(&whole[done..]);
        let program = Program::single(self.file.as_str(), text);
        let mut case =
            Case::single(program, Claim::Silent).made_from(std::iter::once(&member.seed));
        case.steps = steps;
        Ok(case)
    }
}

fn read_member(dialect: &Dialect, seed: &Seed) -> Result<Member, Refusal> {
    let text: &Arc<[u8]> = &seed.text;
    let (surface, tree) = parse(dialect, text)?;
    let captures = Captures::find(dialect.query(), &tree, &surface.text);
    let mut holes = Vec::new();
    let mut types = BTreeSet::new();
    for (number, node) in tree.nodes().iter().enumerate() {
        let is_type = captures.is(number, TYPE_HOLE);
        if !is_type && !captures.is(number, QUALIFIER_HOLE) || node.is_error || node.is_missing {
            continue;
        }
        let range = surface.origin_range(&node.range);
        // What the grammar did not read as it stands is not what it seems.
        if range.is_empty() || text[range.clone()] != surface.text[node.range.clone()] {
            continue;
        }
        if is_type && let Ok(own) = std::str::from_utf8(&text[range.clone()]) {
            types.insert(own.to_string());
        }
        holes.push(Hole { range, is_type });
        if holes.len() == MAX_HOLES {
            break;
        }
    }
    for one in captures
        .definitions
        .iter()
        .filter(|one| one.role == Role::Type)
    {
        let name = surface.text[tree.node(one.name).range.clone()].to_vec();
        types.extend(String::from_utf8(name));
    }
    Ok(Member {
        seed: seed.clone(),
        holes,
        types: types.into_iter().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::DIALECTS;

    const PROGRAMS: [(&str, &str); 7] = [
        (
            "c",
            "union U { int a; }; union U u; static int f(const struct U *a) { unsigned b = sizeof(long); return b; }\n",
        ),
        (
            "cpp",
            "template <class T> struct Box { T held; }; Box<int> box; int f(const Box<int> &a) { auto b = a.held; return b; }\n",
        ),
        (
            "solidity",
            "contract C { uint x; function f(uint8 a) public view returns (uint) { uint b = a; return b; } }\n",
        ),
        ("lua", "local a <const> = 1 print(a)\n"),
        (
            "javascript",
            "let a = 1; const b = 2; var c = a + b; print(c);\n",
        ),
        (
            "rust",
            "pub fn f(a: i32) -> u64 { let mut b: Vec<u8> = Vec::new(); b.push(a as u8); 1 }\n",
        ),
        (
            "scala",
            "object T { private val a: Int = 1; def f(b: List[Int]): Int = { var c: Int = a; c } }\n",
        ),
    ];

    fn space(language: &str, text: &str) -> RetypeSpace {
        let seed = Seed {
            name: "seed".to_string(),
            text: Arc::from(text.as_bytes()),
            claim: None,
        };
        RetypeSpace::read(Dialect::of(language).unwrap(), &[seed], 3, "x").unwrap()
    }

    fn texts(space: &RetypeSpace, count: u64) -> BTreeSet<String> {
        let sample = |index| space.sample(&mut Choices::seeded(3, index)).ok();
        let cases = (0..count).filter_map(sample);
        cases
            .map(|case| {
                assert_eq!(case.claim, Claim::Silent);
                String::from_utf8(case.programs[0].source().text.to_vec()).unwrap()
            })
            .collect()
    }

    #[test]
    fn every_language_has_words_and_gets_other_programs() {
        for (language, text) in PROGRAMS {
            let made = texts(&space(language, text), 300);
            let least = if language == "lua" { 2 } else { 20 };
            assert!(made.len() >= least, "{language}: {made:?}");
            assert!(!made.contains(text), "{language}");
        }
        let with_words = DIALECTS.iter().filter(|one| Words::of(one).is_some());
        let with_words: Vec<&str> = with_words.map(|one| one.language).collect();
        assert_eq!(
            PROGRAMS.map(|(language, _)| language).as_slice(),
            with_words
        );
    }

    #[test]
    fn the_programs_of_figure_12_come_up() {
        let union = texts(&space("c", "int u = { 0 };\n"), 2_000);
        assert!(union.contains("union undeclared u = { 0 };\n"));
        let parameter = texts(&space("c", "void foo(int a) { a++; }\n"), 2_000);
        assert!(parameter.contains("void foo(struct undeclared a) { a++; }\n"));
        let template = texts(
            &space(
                "cpp",
                "enum C { R }; template <typename T> void f(T, int) {}\n",
            ),
            4_000,
        );
        assert!(template.iter().any(|one| one.contains("f(T, T)")));
    }

    #[test]
    fn template_arguments_are_holes() {
        let made = texts(
            &space("cpp", "template <class T> struct S; S<int> *s;\n"),
            2_000,
        );
        assert!(
            made.iter().any(|one| one.contains("S<double> *s")),
            "{made:?}"
        );
        assert!(
            made.iter().any(|one| one.contains("S<S<int>> *s")),
            "{made:?}"
        );
    }

    #[test]
    fn a_language_whose_declarations_are_names_alone_is_refused() {
        let seed = Seed {
            name: "seed".to_string(),
            text: Arc::from(&b"BEGIN { print 1 }"[..]),
            claim: None,
        };
        for dialect in DIALECTS.iter().filter(|one| Words::of(one).is_none()) {
            let error = RetypeSpace::read(dialect, std::slice::from_ref(&seed), 3, "x").err();
            let error = error.unwrap().to_string();
            assert!(error.contains(dialect.language), "{error}");
            assert!(error.contains("neither types nor qualifiers"), "{error}");
        }
        let without = DIALECTS.iter().filter(|one| Words::of(one).is_none());
        assert_eq!(without.count(), 2, "awk and jq");
    }

    #[test]
    fn a_seed_without_declarations_is_an_error_that_says_so() {
        let seed = Seed {
            name: "seed".to_string(),
            text: Arc::from(&b"print(1)"[..]),
            claim: None,
        };
        let error = RetypeSpace::read(Dialect::of("lua").unwrap(), &[seed], 3, "lua").err();
        assert!(
            error
                .unwrap()
                .to_string()
                .contains("no seed has a declaration")
        );
    }
}

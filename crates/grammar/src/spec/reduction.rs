//! Cases of trees, and smaller ones: pieces are cut out of the tree, and all its texts are
//! written anew.

use std::sync::Arc;

use lydite_core::{Answer, Case, CaseTree, Choices, Claim, Program, SmallerTree};

use super::engine::{Draft, Graft, Wish, simplest};
use super::{Programs, Written};

/// What a case is made of a tree.
pub(super) struct Cases {
    pub programs: Programs,
    /// Programs are claimed to be valid, and to print what the spec says.
    pub is_claimed: bool,
    pub file: String,
}

/// A text of a tree: the first one, or a further one by its number.
pub(super) type Text = Option<u32>;

impl Cases {
    /// The case with these texts of a tree, of which `written` has the first one and the further
    /// ones among them. Texts that are like one before them say nothing new; those that are left
    /// are told.
    pub(super) fn case(&self, written: Written, texts: &[Text]) -> (Case, Vec<Text>) {
        let has_first = texts.first() == Some(&None);
        let skipped = usize::from(!has_first);
        let mut kept: Vec<(Text, Vec<u8>)> = Vec::new();
        for (&name, text) in texts.iter().zip(written.texts.into_iter().skip(skipped)) {
            if !kept.iter().any(|(_, before)| *before == text) {
                kept.push((name, text));
            }
        }
        let claim = match (self.is_claimed, written.output, kept.len()) {
            (true, Some(text), _) => Claim::Answers(Answer::Output {
                status: 0,
                text: text.into(),
            }),
            (true, None, 0 | 1) => Claim::Accepted,
            (true, None, _) => Claim::AcceptedEquivalent,
            (false, _, 0 | 1) => Claim::Silent,
            (false, _, _) => Claim::Equivalent,
        };
        let names: Vec<Text> = kept.iter().map(|(name, _)| *name).collect();
        let all = self.programs.spec().texts();
        let steps = names.iter().skip(1).flatten();
        let steps = steps.map(|&number| format!("text {}", all[number as usize]));
        let steps = steps.collect();
        let programs = kept.into_iter();
        let programs = programs.map(|(_, text)| Program::single(self.file.as_str(), text));
        let case = Case {
            programs: programs.collect(),
            claim,
            steps,
            seeds: Vec::new(),
        };
        (case, names)
    }

    /// The tree that these choices make, with all of `further`.
    pub(super) fn tree(
        self: &Arc<Cases>,
        height: u32,
        further: &[u32],
        choices: &mut Choices,
    ) -> Option<SpecTree> {
        let made = self.programs.make_drafted(height, further, choices, None);
        let (written, draft) = made.ok()?;
        let first = std::iter::once(None);
        let texts: Vec<Text> = first.chain(further.iter().copied().map(Some)).collect();
        let (case, texts) = self.case(written, &texts);
        Some(SpecTree {
            cases: self.clone(),
            height,
            rank: (case.bytes(), draft.weight()),
            draft,
            texts,
        })
    }
}

/// See the module's documentation.
pub(super) struct SpecTree {
    cases: Arc<Cases>,
    height: u32,
    draft: Draft,
    texts: Vec<Text>,
    /// How large the case is: its bytes, and what is less simple of as many.
    rank: (u64, u64),
}

/// What is made smaller.
enum Step {
    /// These texts alone.
    Texts(Vec<Text>),
    Graft(Graft),
}

impl SpecTree {
    fn steps(&self) -> Vec<Step> {
        let fewer = fewer_texts(&self.texts).into_iter().map(Step::Texts);
        let grafts = self.cases.programs.grafts(&self.draft).into_iter();
        fewer.chain(grafts.map(Step::Graft)).collect()
    }

    /// The same tree in fewer texts, or a smaller one; none if it is not simpler.
    fn take(&self, number: usize, step: &Step) -> Option<SmallerTree> {
        let (wanted, graft) = match step {
            Step::Texts(texts) => (texts, &Graft::NONE),
            Step::Graft(graft) => (&self.texts, graft),
        };
        let wish = Wish {
            draft: &self.draft,
            graft,
        };
        let further: Vec<u32> = wanted.iter().flatten().copied().collect();
        let programs = &self.cases.programs;
        let made = programs.make_drafted(self.height, &further, &mut simplest(), Some(wish));
        let (written, draft) = made.ok()?;
        let (case, texts) = self.cases.case(written, wanted);
        let rank = (case.bytes(), draft.weight());
        let tree = SpecTree {
            cases: self.cases.clone(),
            height: self.height,
            draft,
            texts,
            rank,
        };
        (rank < self.rank).then(|| SmallerTree {
            // With fewer texts all is tried that can be cut out.
            number: match step {
                Step::Texts(_) => 0,
                Step::Graft(_) => number,
            },
            what: match step {
                Step::Texts(_) => "fewer texts of the tree",
                Step::Graft(_) => "a smaller tree",
            },
            case,
            tree: Arc::new(tree),
        })
    }
}

impl CaseTree for SpecTree {
    fn smaller(&self, from: usize) -> Box<dyn Iterator<Item = SmallerTree> + '_> {
        let steps = self.steps().into_iter().enumerate().skip(from);
        Box::new(steps.filter_map(|(number, step)| self.take(number, &step)))
    }
}

/// Each text alone, then two of them, with the first one before others.
fn fewer_texts(texts: &[Text]) -> Vec<Vec<Text>> {
    let mut fewer = Vec::new();
    if texts.len() > 1 {
        fewer.extend(texts.iter().map(|&text| vec![text]));
    }
    if texts.len() > 2 {
        for (at, &text) in texts.iter().enumerate() {
            let others = texts[at + 1..].iter();
            fewer.extend(others.map(|&other| vec![text, other]));
        }
    }
    fewer
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::spec::{Limits, Spec, library};

    fn cases(name: &str, height: u32) -> Arc<Cases> {
        let text = library::find_spec(name).unwrap().text;
        let limits = Limits {
            height,
            verify: true,
            ..Limits::default()
        };
        let spec = Spec::read(name, text).unwrap();
        Arc::new(Cases {
            programs: spec.programs(&BTreeMap::new(), limits).unwrap(),
            is_claimed: true,
            file: "case".to_string(),
        })
    }

    #[test]
    fn a_tree_that_nothing_is_cut_out_of_is_written_the_same_again() {
        for name in ["sql", "sql-known", "lua", "c-safe", "javascript"] {
            let cases = cases(name, 5);
            let further: Vec<u32> = (0..cases.programs.spec().texts().len() as u32).collect();
            let mut texts = vec![None];
            texts.extend(further.iter().copied().map(Some));
            for index in 0..3 {
                let mut choices = Choices::seeded(7, index);
                let made = cases.programs.make_drafted(5, &further, &mut choices, None);
                let Ok((written, draft)) = made else { continue };
                let wish = Wish {
                    draft: &draft,
                    graft: &Graft::NONE,
                };
                let programs = &cases.programs;
                let again = programs.make_drafted(5, &further, &mut simplest(), Some(wish));
                assert_eq!(again.unwrap().0, written, "{name} {index}");
            }
        }
    }

    #[test]
    fn what_is_cut_out_of_a_tree_is_gone_from_all_its_texts() {
        let cases = cases("sql", 5);
        let further: Vec<u32> = (0..cases.programs.spec().texts().len() as u32).collect();
        let tree = cases.tree(5, &further, &mut Choices::seeded(7, 1)).unwrap();
        let (from, mut tree) = (tree.rank.0, Arc::new(tree) as Arc<dyn CaseTree>);
        // As long as two texts differ, and one of them groups its rows.
        let wanted = |case: &Case| {
            let text = |at: usize| String::from_utf8_lossy(&case.programs[at].source().text);
            case.programs.len() == 2 && text(0).contains("GROUP BY") && text(1).contains("GROUP BY")
        };
        let (mut start, mut last) = (0, None);
        loop {
            let next = tree.smaller(start).find(|smaller| wanted(&smaller.case));
            match next {
                Some(next) => {
                    assert_eq!(next.case.claim, Claim::AcceptedEquivalent);
                    assert_eq!(next.case.steps.len(), 1);
                    (tree, start, last) = (next.tree, next.number, Some(next.case));
                }
                None if start == 0 => break,
                None => start = 0,
            }
        }
        let bytes = last.unwrap().bytes();
        assert!(bytes < 1500 && bytes * 20 < from, "{from} to {bytes}");
    }
}

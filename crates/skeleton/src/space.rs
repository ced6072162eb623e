//! The variants of seeds as a space of cases.

use std::sync::Arc;

use lydite_core::{BigUint, Case, Choices, Claim, Part, Program, Reject, SEED_ARM, Seed, Space};

use crate::combine::Walk;
use crate::deal::Deal;
use crate::extract::Refusal;
use crate::skeleton::Skeleton;

/// A seed that was read.
pub(crate) struct Member {
    pub seed: Seed,
    pub skeleton: Result<Skeleton, Refusal>,
    /// How many cases it has.
    pub cases: u64,
}

pub(crate) struct SkeletonSpace {
    members: Vec<Member>,
    /// Those that have a skeleton.
    usable: Vec<usize>,
    deal: Deal,
    /// The file name of every program.
    file: String,
}

impl SkeletonSpace {
    pub(crate) fn new(members: Vec<Member>, extension: &str) -> SkeletonSpace {
        let cases: Vec<u64> = members.iter().map(|member| member.cases).collect();
        let usable = (0..members.len())
            .filter(|&number| cases[number] > 0)
            .collect();
        SkeletonSpace {
            deal: Deal::new(&cases),
            usable,
            members,
            file: format!("case.{extension}"),
        }
    }

    fn case(&self, member: usize, text: Vec<u8>, what: &str) -> Case {
        let program = Program::single(self.file.as_str(), text);
        let seed = &self.members[member].seed;
        let mut case = Case::single(program, Claim::Silent).made_from([seed]);
        case.steps.push(format!("{what} of {}", seed.name));
        case
    }

    fn skeleton(&self, member: usize) -> Result<&Skeleton, Reject> {
        let skeleton = self.members[member].skeleton.as_ref();
        skeleton.map_err(|_| Reject::NotApplicable("a seed without a skeleton"))
    }

    /// The pattern that case number `number` of a seed is: all of them in
    /// order, or, of too many, as many spread evenly.
    fn pattern(&self, member: usize, number: u64) -> Result<BigUint, Reject> {
        let patterns = self.skeleton(member)?.fillings().count();
        let cases = BigUint::from(self.members[member].cases);
        Ok(match cases == *patterns {
            true => BigUint::from(number),
            false => BigUint::from(number) * patterns / cases,
        })
    }

    fn is_whole(&self, member: usize) -> bool {
        self.skeleton(member).is_ok_and(|skeleton| {
            *skeleton.fillings().count() == BigUint::from(self.members[member].cases)
        })
    }
}

impl Space for SkeletonSpace {
    /// A seed, then one of all its patterns, uniformly.
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let member = self.usable[choices.arm_of(SEED_ARM, &self.usable)?];
        let text = self.skeleton(member)?.sample(choices)?;
        Ok(self.case(member, text, "a pattern"))
    }

    fn len(&self) -> Option<BigUint> {
        Some(self.deal.len().clone())
    }

    fn nth(&self, index: &BigUint) -> Result<Case, Reject> {
        const BEYOND: Reject = Reject::NotApplicable("an index beyond the last variant");
        let (member, number) = self.deal.at(index).ok_or(BEYOND)?;
        let pattern = self.pattern(member, number)?;
        let text = self.skeleton(member)?.nth(&pattern).ok_or(BEYOND)?;
        Ok(self.case(member, text, &format!("pattern {pattern}")))
    }

    fn walk<'a>(&'a self, index: &BigUint) -> Box<dyn Iterator<Item = Result<Case, Reject>> + 'a> {
        Box::new(Cases {
            space: self,
            next: index.clone(),
            walks: self.members.iter().map(|_| None).collect(),
        })
    }

    fn parts(&self) -> Vec<Part> {
        self.members.iter().map(part).collect()
    }
}

fn part(member: &Member) -> Part {
    let zero = || BigUint::ZERO;
    let (name, figures, paper) = match &member.skeleton {
        Ok(skeleton) => (
            member.seed.name.clone(),
            Some(skeleton.figures()),
            skeleton.paper_count(),
        ),
        Err(refusal) => (
            format!("{} (left out: {refusal})", member.seed.name),
            None,
            None,
        ),
    };
    let number = |pick: fn(&crate::Figures) -> usize| {
        figures.map_or(zero(), |figures| BigUint::from(pick(figures)))
    };
    Part {
        name,
        cases: BigUint::from(member.cases),
        unique: None,
        columns: vec![
            ("holes", number(|figures| figures.holes)),
            ("scopes", number(|figures| figures.scopes)),
            ("functions", number(|figures| figures.functions)),
            ("types", number(|figures| figures.types)),
            ("candidates", number(|figures| figures.candidates)),
            (
                "naive",
                figures.map_or(zero(), |figures| figures.naive.clone()),
            ),
            (
                "exact",
                figures.map_or(zero(), |figures| figures.exact.clone()),
            ),
            ("paper", paper.unwrap_or_default()),
        ],
    }
}

/// Cases in order, with one walk per seed that is enumerated whole.
struct Cases<'a> {
    space: &'a SkeletonSpace,
    next: BigUint,
    walks: Vec<Option<(u64, Walk)>>,
}

impl Cases<'_> {
    fn make(&mut self, member: usize, number: u64) -> Result<Case, Reject> {
        let space = self.space;
        let skeleton = space.skeleton(member)?;
        if !space.is_whole(member) {
            return space.nth(&self.next);
        }
        let kept = self.walks[member].take().and_then(|(at, mut walk)| {
            let follows = at + 1 == number && walk.advance();
            follows.then_some(walk)
        });
        let walk = match kept {
            Some(walk) => walk,
            None => skeleton
                .walk(&BigUint::from(number))
                .ok_or(Reject::NotApplicable("an index beyond the last variant"))?,
        };
        let text = skeleton.render(walk.filling());
        self.walks[member] = Some((number, walk));
        Ok(space.case(member, text, &format!("pattern {number}")))
    }
}

impl Iterator for Cases<'_> {
    type Item = Result<Case, Reject>;

    fn next(&mut self) -> Option<Result<Case, Reject>> {
        let (member, number) = self.space.deal.at(&self.next)?;
        let case = self.make(member, number);
        self.next += BigUint::ONE;
        Some(case)
    }
}

/// The skeletons of seeds, with at most `threshold` cases each.
pub(crate) fn members(
    seeds: &[Seed],
    read: impl Fn(&Arc<[u8]>) -> Result<Skeleton, Refusal>,
    threshold: u64,
) -> Vec<Member> {
    let member = |seed: &Seed| {
        let skeleton = read(&seed.text);
        let cases = match &skeleton {
            Ok(skeleton) => u64::try_from(skeleton.fillings().count())
                .unwrap_or(u64::MAX)
                .min(threshold),
            Err(_) => 0,
        };
        Member {
            seed: seed.clone(),
            skeleton,
            cases,
        }
    };
    seeds.iter().map(member).collect()
}

//! The reduction and the solver against brute force, on random sets of
//! constraints small enough to try everything.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use lydite_core::{BigUint, Choices, Reject};
use lydite_solidity::qualify::{
    ConstraintSet, Kind, Level, Placeholder, Relation, Solutions, Theory, reduce,
};
use lydite_solidity::types::{Domain, ENUMS, Elementary, Location, values};

const ENOUGH: usize = 1 << 20;

fn theory() -> Theory {
    Theory::new(&"0.8.20".parse().unwrap())
}

/// Two chains of three and two, a type alone, and two composite types.
fn some_types() -> Domain {
    let types = [
        Elementary::BOOL,
        Elementary::uint(8),
        Elementary::uint(16),
        Elementary::uint(32),
        Elementary::int(8),
        Elementary::int(16),
    ];
    let elementary = types.iter().fold(0, |set, kind| set | kind.bit());
    values(ENUMS)
        .take(2)
        .fold(elementary, |set, kind| set | 1 << kind)
}

fn locations() -> Domain {
    Location::ALL
        .iter()
        .fold(0, |set, location| set | location.bit())
}

/// A random set of types: placeholders of declarations first, then of
/// expressions, tied together in any way.
fn random_types(choices: &mut Choices) -> Result<ConstraintSet, Reject> {
    let mut set = ConstraintSet::default();
    let declared = choices.between(2, 4)?;
    let expressions = choices.between(0, 3)?;
    for number in 0..declared + expressions {
        let level = match number < declared {
            true => Level::Declaration,
            false => Level::Expression,
        };
        let placeholder = set.add(Kind::Type, level, some_types());
        if choices.chance(1, 4)? {
            // What operators and literals leave: families, or all that is
            // wide enough.
            let narrow = [Elementary::uint(8), Elementary::int(8)];
            let bool_alone = Elementary::BOOL.bit();
            let restrictions = [!bool_alone, !narrow[0].bit(), !narrow[1].bit(), bool_alone];
            set.restrict(placeholder, *choices.pick(&restrictions)?);
        }
    }
    for _ in 0..choices.between(1, 6)? {
        let left = Placeholder(choices.below(declared + expressions)? as u32);
        let right = Placeholder(choices.below(declared + expressions)? as u32);
        match choices.below(4)? {
            0 => set.equate(left, right),
            1 => set.relate(Relation::Common, left, right),
            _ => set.relate(Relation::Converts, left, right),
        }
    }
    Ok(set)
}

/// A random set of locations: those of declarations flow to each other, also
/// through conditional expressions, whose arms must have a common one.
fn random_locations(choices: &mut Choices) -> Result<ConstraintSet, Reject> {
    let mut set = ConstraintSet::default();
    let declared = choices.between(2, 5)?;
    for _ in 0..declared {
        set.add(Kind::Location, Level::Declaration, locations());
    }
    for _ in 0..choices.between(1, 4)? {
        let mut some = || Ok(Placeholder(choices.below(declared)? as u32));
        let (one, other, to) = (some()?, some()?, some()?);
        let (flows, joins) = match choices.below(2)? {
            0 => (Relation::Flows, Relation::Joins),
            _ => (Relation::FlowsUncopied, Relation::JoinsUncopied),
        };
        match choices.below(3)? {
            0 => set.relate(flows, one, to),
            1 => set.equate(one, to),
            _ => {
                let joined = set.add(Kind::Location, Level::Expression, locations());
                set.relate(joins, one, other);
                set.relate(flows, one, joined);
                set.relate(flows, other, joined);
                set.relate(flows, joined, to);
            }
        }
    }
    Ok(set)
}

type RandomSet = fn(&mut Choices) -> Result<ConstraintSet, Reject>;

fn satisfied(set: &ConstraintSet, theory: &Theory, assignment: &[u8]) -> bool {
    let value = |placeholder: Placeholder| assignment[placeholder.0 as usize];
    let relations = set.constraints().iter().all(|constraint| {
        theory.holds(
            constraint.relation,
            value(constraint.left),
            value(constraint.right),
        )
    });
    let mut equalities = set.equalities().iter();
    relations && equalities.all(|&(left, right)| value(left) == value(right))
}

/// All assignments to declarations that some assignment to expressions
/// completes.
fn by_brute_force(set: &ConstraintSet, theory: &Theory) -> BTreeSet<Vec<u8>> {
    let mut partial: Vec<Vec<u8>> = vec![Vec::new()];
    for number in 0..set.len() as u32 {
        let domain = set.domain(Placeholder(number));
        partial = partial
            .into_iter()
            .flat_map(|begun| {
                values(domain).map(move |value| {
                    let mut next = begun.clone();
                    next.push(value);
                    next
                })
            })
            .collect();
    }
    let declared = (0..set.len() as u32)
        .filter(|&number| set.level(Placeholder(number)) == Level::Declaration)
        .count();
    let good = partial
        .into_iter()
        .filter(|assignment| satisfied(set, theory, assignment));
    good.map(|assignment| assignment[..declared].to_vec())
        .collect()
}

fn by_solutions(set: &ConstraintSet, theory: &Theory) -> (BigUint, BTreeSet<Vec<u8>>) {
    let reduced = reduce(set, theory);
    let solutions = Solutions::new(&reduced, theory, ENOUGH).unwrap();
    let mut found = BTreeSet::new();
    let mut index = BigUint::ZERO;
    while let Some(solution) = solutions.nth(&index) {
        let declared = (0..set.len() as u32)
            .map(Placeholder)
            .filter(|&placeholder| set.level(placeholder) == Level::Declaration);
        found.insert(declared.map(|p| solutions.value(&solution, p)).collect());
        index += BigUint::ONE;
    }
    (solutions.count().clone(), found)
}

#[test]
fn the_reduced_set_has_exactly_the_solutions_of_the_whole_one() {
    let theory = theory();
    let mut solvable = 0;
    let sets: [(&str, RandomSet, u64); 2] = [
        ("types", random_types, 200),
        ("locations", random_locations, 500),
    ];
    for (name, random_set, many) in sets {
        for index in 0..many {
            let set = random_set(&mut Choices::seeded(5, index)).unwrap();
            let expected = by_brute_force(&set, &theory);
            let (count, found) = by_solutions(&set, &theory);
            assert_eq!(found, expected, "{name} {index}: {set:?}");
            assert_eq!(count, BigUint::from(expected.len()), "{name} {index}");
            solvable += usize::from(!expected.is_empty());
        }
    }
    assert!(solvable > 500, "{solvable} sets have solutions");
}

#[test]
fn what_breaks_one_constraint_satisfies_all_others() {
    let theory = theory();
    let mut broken_sets = 0;
    for index in 0..150 {
        let set = random_types(&mut Choices::seeded(6, index)).unwrap();
        let reduced = reduce(&set, &theory);
        for (broken, constraint) in reduced.constraints().iter().enumerate() {
            let solutions = Solutions::breaking(&reduced, &theory, broken, ENOUGH).unwrap();
            let many = u64::try_from(solutions.count()).unwrap();
            for number in 0..many.min(50) {
                let solution = solutions.nth(&BigUint::from(number)).unwrap();
                for (other, held) in reduced.constraints().iter().enumerate() {
                    let (left, right) = (held.left.0 as usize, held.right.0 as usize);
                    let holds = theory.holds(held.relation, solution[left], solution[right]);
                    assert_eq!(holds, other != broken, "{index} {constraint:?}");
                }
                broken_sets += 1;
            }
        }
    }
    assert!(broken_sets > 500, "{broken_sets}");
}

#[test]
fn a_component_beyond_the_limit_names_its_variables() {
    let theory = theory();
    let mut set = ConstraintSet::default();
    let first = set.add(Kind::Type, Level::Declaration, some_types());
    for _ in 0..5 {
        let next = set.add(Kind::Type, Level::Declaration, some_types());
        set.relate(Relation::Converts, first, next);
    }
    let reduced = reduce(&set, &theory);
    let large = Solutions::new(&reduced, &theory, 3).unwrap_err();
    assert_eq!(large.variables.len(), 6);
    assert_eq!(large.variables[0], reduced.variable(first).unwrap());
}

//! Operators made concrete: with numbers for their indices and sorts for
//! their letters.

use super::Repertoire;
use crate::operators::{Bound, Call, Grouping, Operator, OperatorId, Operators};
use crate::sort::{Sort, Sorts};

/// An operator as it is written, and what it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instance {
    pub(crate) operator: OperatorId,
    /// `bvadd`, `(_ extract 7 0)`, `(as const (Array Int Int))`.
    pub(crate) head: String,
    pub(crate) arguments: Vec<Sort>,
    /// For each argument whether it has to be a literal.
    pub(crate) literal: Vec<bool>,
    /// True if the last argument may be repeated.
    pub(crate) repeats: bool,
}

/// What an application is given and has to give.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Class {
    pub(crate) arguments: Vec<Sort>,
    /// For each argument whether it is a literal.
    pub(crate) literal: Vec<bool>,
    pub(crate) result: Sort,
}

/// Sorts to make terms of.
pub(crate) struct Supply<'a> {
    /// Sorts of which there are terms.
    pub(crate) present: &'a [Sort],
    /// Sorts of which a term can be made in some way.
    pub(crate) allowed: &'a dyn Fn(Sort, &Sorts) -> bool,
    /// Names that mean something else here, sorted.
    pub(crate) taken: &'a [&'a str],
    /// A sort as text, if it can be written.
    pub(crate) written: &'a dyn Fn(Sort, &Sorts) -> Option<String>,
}

/// Instances of one operator for one result are at most this many.
const MAX_INSTANCES: usize = 24;

/// The operators that take what `class` says, as they are written: what an
/// application can be changed to (definition 4.3.1 of the thesis; an `Int`
/// may stand for a `Real`).
pub(crate) fn calls(
    repertoire: &Repertoire,
    operators: &Operators,
    class: &Class,
    taken: &[&str],
    sorts: &mut Sorts,
) -> Vec<(OperatorId, String)> {
    let mut found = Vec::new();
    let call = Call {
        indices: &[],
        arguments: &class.arguments,
        qualified: None,
        coerce: true,
        strict: true,
    };
    for &id in &repertoire.names {
        let operator = operators.get(id);
        let group = operators.named(&operator.name);
        let may = |&id: &OperatorId| may_take(operators.get(id), class, sorts);
        if !group.iter().any(may) || Repertoire::is_taken(operator, taken) {
            continue;
        }
        // The name means its first signature that fits.
        if let Some((id, result)) = operators.resolve(group, &call, sorts)
            && result == class.result
            && repertoire.has(id)
            && agrees(repertoire, id, class, sorts)
        {
            found.push((id, operator.name.clone()));
        }
    }
    for &id in &repertoire.usable {
        let operator = operators.get(id);
        if operator.indices.is_empty()
            || !may_take(operator, class, sorts)
            || Repertoire::is_taken(operator, taken)
            || !agrees(repertoire, id, class, sorts)
        {
            continue;
        }
        let mut bound = Bound::default();
        let parameters = operator.parameters.iter().zip(&class.arguments);
        if !{ parameters }.all(|(pattern, &sort)| pattern.fit(sort, &mut bound, false, sorts)) {
            continue;
        }
        for indices in indices(operator, class.result, bound, sorts) {
            let call = Call {
                indices: &indices,
                ..call
            };
            if operator.apply(&call, sorts) == Some(class.result) {
                found.push((id, head(operator, &indices)));
            }
        }
    }
    found
}

fn may_take(operator: &Operator, class: &Class, sorts: &Sorts) -> bool {
    let (count, wanted) = (class.arguments.len(), operator.parameters.len());
    let enough = count == wanted || count > wanted && operator.grouping != Grouping::Fixed;
    enough
        && operator
            .result
            .fit_loosely(class.result, &mut Bound::default(), sorts)
}

/// True if the cautions allow these arguments.
fn agrees(repertoire: &Repertoire, id: OperatorId, class: &Class, sorts: &Sorts) -> bool {
    let few = class.arguments.len() <= 2 || !repertoire.is_binary(id);
    let mut arguments = class.arguments.iter().zip(&class.literal);
    few && arguments.all(|(&sort, &literal)| repertoire.takes(id, sort, literal, sorts))
}

/// The ways to apply operator `id` such that it gives `result`.
pub(crate) fn makers(
    repertoire: &Repertoire,
    operators: &Operators,
    result: Sort,
    supply: &Supply<'_>,
    sorts: &mut Sorts,
) -> Vec<Vec<Instance>> {
    let mut groups: Vec<Vec<Instance>> = Vec::new();
    for &id in &repertoire.usable {
        let operator = operators.get(id);
        let fits = operator
            .result
            .fit_loosely(result, &mut Bound::default(), sorts);
        if !fits || Repertoire::is_taken(operator, supply.taken) {
            continue;
        }
        let mut search = Search {
            repertoire,
            id,
            operator,
            result,
            supply,
            arguments: Vec::new(),
            found: Vec::new(),
        };
        search.from(0, Bound::default(), sorts);
        let found = search.found;
        if found.is_empty() {
            continue;
        }
        let same =
            |group: &&mut Vec<Instance>| operators.get(group[0].operator).name == operator.name;
        match groups.iter_mut().find(same) {
            Some(group) => group.extend(found),
            None => groups.push(found),
        }
    }
    groups
}

struct Search<'a> {
    repertoire: &'a Repertoire,
    id: OperatorId,
    operator: &'a Operator,
    result: Sort,
    supply: &'a Supply<'a>,
    arguments: Vec<Sort>,
    found: Vec<Instance>,
}

impl Search<'_> {
    /// Finds sorts for the parameters from number `at` on. Recursion is
    /// bounded by the number of parameters.
    fn from(&mut self, at: usize, mut bound: Bound, sorts: &mut Sorts) {
        if self.found.len() >= MAX_INSTANCES
            || self.operator.result.solve(self.result, &mut bound, sorts) == Some(false)
        {
            return;
        }
        let Some(pattern) = self.operator.parameters.get(at) else {
            return self.finish(bound, sorts);
        };
        if let Some(sort) = pattern.instance(&bound, sorts) {
            if (self.supply.allowed)(sort, sorts) {
                self.with(at, sort, bound, sorts);
            }
            return;
        }
        let supply = self.supply;
        for &sort in supply.present {
            let mut bound = bound;
            if pattern.fit(sort, &mut bound, false, sorts) {
                self.with(at, sort, bound, sorts);
            }
        }
    }

    fn with(&mut self, at: usize, sort: Sort, bound: Bound, sorts: &mut Sorts) {
        if !self.repertoire.shuns(self.id, sort, sorts) {
            self.arguments.push(sort);
            self.from(at + 1, bound, sorts);
            self.arguments.pop();
        }
    }

    fn finish(&mut self, bound: Bound, sorts: &mut Sorts) {
        let literal: Vec<bool> = self
            .arguments
            .iter()
            .map(|&sort| self.repertoire.wants_literal(self.id, sort, sorts))
            .collect();
        for indices in indices(self.operator, self.result, bound, sorts) {
            let open = self.is_open(&indices, sorts);
            let call = Call {
                indices: &indices,
                arguments: &self.arguments,
                qualified: open.then_some(self.result),
                coerce: false,
                strict: true,
            };
            if self.operator.apply(&call, sorts) != Some(self.result) {
                continue;
            }
            let head = match open {
                false => head(self.operator, &indices),
                true => match (self.supply.written)(self.result, sorts) {
                    Some(sort) => format!("(as {} {sort})", self.operator.name),
                    None => continue,
                },
            };
            let same = self.operator.parameters.windows(2).all(|p| p[0] == p[1])
                && !self.repertoire.is_binary(self.id);
            self.found.push(Instance {
                operator: self.id,
                head,
                arguments: self.arguments.clone(),
                literal: literal.clone(),
                repeats: self.operator.grouping != Grouping::Fixed && same,
            });
        }
    }

    /// True if the arguments do not say what the result is, so that its sort
    /// has to be written.
    fn is_open(&self, indices: &[u64], sorts: &mut Sorts) -> bool {
        let mut bound = Bound::default();
        for (&letter, &number) in self.operator.indices.iter().zip(indices) {
            bound.numbers[usize::from(letter)] = Some(number);
        }
        let parameters = self.operator.parameters.iter().zip(&self.arguments);
        for (pattern, &sort) in parameters {
            pattern.fit(sort, &mut bound, false, sorts);
        }
        self.operator.result.instance(&bound, sorts).is_none()
    }
}

fn head(operator: &Operator, indices: &[u64]) -> String {
    match indices {
        [] => operator.name.clone(),
        _ => {
            let numbers: Vec<String> = indices.iter().map(u64::to_string).collect();
            format!("(_ {} {})", operator.name, numbers.join(" "))
        }
    }
}

/// Numbers for the indices that give `result`, as far as `bound` leaves them
/// open: all that follow, and a few where nothing follows.
fn indices(operator: &Operator, result: Sort, bound: Bound, sorts: &Sorts) -> Vec<Vec<u64>> {
    let mut found = Vec::new();
    let mut work = vec![bound];
    while let Some(mut bound) = work.pop() {
        if operator.result.solve(result, &mut bound, sorts) == Some(false)
            || found.len() >= MAX_INSTANCES
        {
            continue;
        }
        let number = |letter: &u8| bound.numbers[usize::from(*letter)];
        match operator
            .indices
            .iter()
            .rfind(|letter| number(letter).is_none())
        {
            None => {
                if operator.conditions.iter().all(|c| c.holds(&bound)) {
                    found.push(operator.indices.iter().filter_map(number).collect());
                }
            }
            Some(&letter) => work.extend(telling_numbers(&bound).rev().map(|number| {
                let mut bound = bound;
                bound.numbers[usize::from(letter)] = Some(number);
                bound
            })),
        }
    }
    found
}

/// Numbers at which something may change.
fn telling_numbers(bound: &Bound) -> impl DoubleEndedIterator<Item = u64> + use<> {
    let mut numbers = vec![0, 1, 2, 3];
    for &known in bound.numbers.iter().flatten() {
        numbers.extend([
            known / 2,
            known.saturating_sub(1),
            known,
            known.saturating_add(1),
        ]);
    }
    let mut seen = Vec::new();
    for number in numbers {
        if !seen.contains(&number) {
            seen.push(number);
        }
    }
    seen.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::SortKind;

    fn repertoire(operators: &Operators) -> Repertoire {
        Repertoire::open(operators, &lydite_core::Settings::default()).expect("defaults")
    }

    fn heads_of(arguments: &[Sort], literal: bool, result: Sort, sorts: &mut Sorts) -> Vec<String> {
        let operators = Operators::built_in();
        let class = Class {
            arguments: arguments.to_vec(),
            literal: vec![literal; arguments.len()],
            result,
        };
        let found = calls(&repertoire(operators), operators, &class, &["xor"], sorts);
        found.into_iter().map(|(_, head)| head).collect()
    }

    #[test]
    fn an_application_can_be_changed_to_what_takes_and_gives_the_same() {
        let mut sorts = Sorts::default();
        let wide = sorts.bit_vec(12);
        let byte = sorts.bit_vec(8);
        let float = sorts.intern(SortKind::Float([8, 24])).expect("flat");
        let (int, real, bool) = (Sort::INT, Sort::REAL, Sort::BOOL);
        for (arguments, result, expected) in [
            (&[int, int][..], int, "- + * div mod"),
            (&[int, int, int], int, "- + * div"),
            (&[int, int], real, "/"),
            (&[int, real], bool, "= distinct <= < >= >"),
            (&[real, real], real, "- + * /"),
            (&[bool, bool], bool, "=> and or = distinct"),
            (&[bool], bool, "not"),
            (&[byte], wide, "(_ zero_extend 4) (_ sign_extend 4)"),
            (&[wide, wide], byte, ""),
            (
                &[wide],
                byte,
                "(_ extract 7 0) (_ extract 8 1) (_ extract 9 2) (_ extract 10 3)",
            ),
            (
                &[Sort::ROUNDING_MODE, float],
                float,
                "fp.sqrt fp.roundToIntegral (_ to_fp 8 24)",
            ),
            (&[Sort::STRING, Sort::STRING], Sort::REG_LAN, ""),
            (
                &[],
                Sort::ROUNDING_MODE,
                "roundNearestTiesToEven roundNearestTiesToAway \
             roundTowardPositive roundTowardNegative roundTowardZero RNE RNA RTP RTN RTZ",
            ),
        ] {
            let found = heads_of(arguments, false, result, &mut sorts);
            assert_eq!(found.join(" "), expected, "{arguments:?} -> {result:?}");
        }
        let literals = heads_of(&[Sort::STRING; 2], true, Sort::REG_LAN, &mut sorts);
        assert_eq!(literals, ["re.range"]);
    }

    #[test]
    fn makers_are_concrete_for_the_sorts_at_hand() {
        let operators = Operators::built_in();
        let mut sorts = Sorts::default();
        let byte = sorts.bit_vec(8);
        let wide = sorts.bit_vec(12);
        let array = sorts
            .intern(SortKind::Array([byte, Sort::BOOL]))
            .expect("flat");
        let present = [Sort::BOOL, byte, wide, array];
        let supply = Supply {
            present: &present,
            allowed: &|sort, _| present.contains(&sort),
            taken: &["bvadd"],
            written: &|sort, sorts| Some(sorts.show(sort, &|_| String::new())),
        };
        let repertoire = repertoire(operators);
        let mut made = |result: Sort| -> Vec<String> {
            let groups = makers(&repertoire, operators, result, &supply, &mut sorts);
            groups
                .iter()
                .flatten()
                .map(|i| format!("{} {:?}", i.head, i.arguments))
                .collect()
        };
        let of_wide = made(wide);
        for expected in [
            format!("ite {:?}", [Sort::BOOL, wide, wide]),
            format!("(_ zero_extend 4) {:?}", [byte]),
            format!("(_ rotate_left 1) {:?}", [wide]),
            format!("bvsmod {:?}", [wide, wide]),
        ] {
            assert!(of_wide.contains(&expected), "{expected}: {of_wide:?}");
        }
        assert!(!of_wide.iter().any(|head| head.starts_with("bvadd ")));
        let of_bool = made(Sort::BOOL);
        assert!(
            of_bool.contains(&format!("select {:?}", [array, byte])),
            "{of_bool:?}"
        );
    }
}

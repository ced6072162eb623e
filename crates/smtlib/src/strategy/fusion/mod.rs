//! Strategy `fusion`: two seeds of known answers made one (thesis, chapter 3).
//!
//! A variable x of one seed and a variable y of the other are tied by a fresh
//! z = f(x, y), and some of their occurrences are replaced by terms that
//! recover them from z. What was known of the two seeds tells the answer of
//! the result.
//!
//! Beyond the thesis: x and y may be any closed terms, since all that counts is
//! that what replaces a term has its value, under every binder; so seeds
//! without a free variable can be fused too. And of two satisfiable seeds only
//! those are joined that do not both depend on what the standard leaves open
//! (x/0): models of such seeds need not go together.

mod combine;
mod flatten;
mod functions;
mod instance;
mod letters;
mod pool;
mod random;
mod side;
mod table;
#[cfg(test)]
mod tests;
mod values;
mod verify;

use std::sync::Arc;

use lydite_core::{
    Answer, Case, Choices, Claim, Language, Obligation, OpenError, Program, Reject, Seed, SeedNeed,
    Setting, Settings, Space, Strategy, Verdict,
};

use crate::mutate::originals::Originals;
use crate::mutate::view::View;
use crate::operators::{Operators, TableError};
use combine::{Constraints, Form, Pair, Replaced, combine};
use functions::{Fitting, Functions};
use pool::Pool;
use side::{Group, Side};

/// See the module's documentation.
pub struct Fusion;

/// Fusion variables of one case, unless a setting says so.
const MAX_PAIRS: u64 = 3;

const SETTINGS: [Setting; 7] = [
    Setting::value(
        "oracle",
        "any",
        "which kind of fusion: sat, unsat, mixed-sat, mixed-unsat or any",
    ),
    Setting::value(
        "pairs",
        "",
        "how many pairs of variables are fused in a case, 0 for the two seeds side by side (ConcatFuzz) [default: 1 to 3 at random]",
    ),
    Setting::value(
        "across",
        "sometimes",
        "whether seeds of different logics are fused: true, false, or sometimes (one case in eight)",
    ),
    Setting::file(
        "functions",
        "",
        "a file with more fusion functions; each is verified before it is used",
    ),
    Setting::value(
        "random",
        "0",
        "how many fusion functions are made up at random beside the table's; each is verified before it is used",
    ),
    Setting::value(
        "only",
        "",
        "operators, separated by commas: only fusion functions that have one of them are used",
    ),
    Setting::value("max-seed", "65536", "seeds of more bytes are left out"),
];

impl Strategy for Fusion {
    fn name(&self) -> &'static str {
        "fusion"
    }

    fn about(&self) -> &'static str {
        "two seeds with known answers made into one script with a known answer"
    }

    fn language(&self) -> Option<&'static str> {
        Some("smtlib")
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::AtLeast(1)
    }

    fn settings(&self) -> &'static [Setting] {
        &SETTINGS
    }

    fn obligations(&self, settings: &Settings) -> Result<Vec<Obligation>, OpenError> {
        let own = own_functions(settings)?;
        Functions::new(own.as_deref(), Operators::built_in())
            .and_then(|_| functions::obligations(own.as_deref()))
            .map_err(|flaw| bad_functions(settings, flaw))
    }

    fn open(
        &self,
        language: Arc<dyn Language>,
        seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        let originals = Originals::open(seeds, settings, View::ANSWERS)?;
        let functions = open_functions(&originals, settings)?;
        let across = match settings.get("across").unwrap_or("sometimes") {
            "sometimes" => Across::Sometimes,
            "true" => Across::Always,
            "false" => Across::Never,
            _ => return Err(bad(settings, "across", "true, false or sometimes")),
        };
        let pairs = match settings.get("pairs") {
            None | Some("") => None,
            Some(_) => Some(settings.read("pairs", "a number from 0 to 64", 1usize)?),
        };
        if pairs.is_some_and(|pairs| pairs > 64) {
            return Err(bad(settings, "pairs", "a number from 0 to 64"));
        }
        let pool = Pool::new(originals, language.as_ref());
        let forms = open_forms(&pool, settings)?;
        Ok(Box::new(FusionSpace {
            pool,
            functions,
            forms,
            pairs,
            across,
        }))
    }
}

fn bad(settings: &Settings, key: &str, expected: &str) -> OpenError {
    OpenError::BadSetting {
        key: key.to_string(),
        value: settings.get(key).unwrap_or_default().to_string(),
        expected: expected.to_string(),
    }
}

fn open_functions(originals: &Originals, settings: &Settings) -> Result<Functions, OpenError> {
    let own = own_functions(settings)?;
    let functions = Functions::new(own.as_deref(), originals.operators());
    let mut functions = functions.map_err(|flaw| bad_functions(settings, flaw))?;
    let only = settings.get("only").unwrap_or_default();
    if !only.is_empty() && !functions.keep(only) {
        let expected = "operators of which some fusion function has one";
        return Err(bad(settings, "only", expected));
    }
    Ok(functions)
}

/// The functions of the user's file, and those that are made up, as text.
fn own_functions(settings: &Settings) -> Result<Option<String>, OpenError> {
    let made: u64 = settings.read("random", "a number from 0 to 1000", 0)?;
    let file = settings.file("functions").map(|file| file.text.as_ref());
    Ok(match (file, made.min(MOST_RANDOM)) {
        (None, 0) => None,
        (file, made) => Some(format!("{}\n{}", file.unwrap_or(""), random::blocks(made))),
    })
}

/// More functions than this are not made up.
const MOST_RANDOM: u64 = 1000;

fn bad_functions(settings: &Settings, flaw: TableError) -> OpenError {
    let file = settings.file("functions");
    OpenError::BadFile {
        key: "functions".to_string(),
        file: file.map_or_else(String::new, |file| file.name.clone()),
        line: Some(flaw.line),
        what: flaw.problem,
    }
}

/// The forms that are wanted and for which there are seeds.
fn open_forms(pool: &Pool, settings: &Settings) -> Result<Vec<Form>, OpenError> {
    let wanted = settings.get("oracle").unwrap_or("any");
    let named = Form::ALL
        .iter()
        .filter(|(name, _)| matches!(wanted, "any") || *name == wanted);
    let named: Vec<Form> = named.map(|(_, form)| *form).collect();
    if named.is_empty() {
        let expected = "sat, unsat, mixed-sat, mixed-unsat or any";
        return Err(bad(settings, "oracle", expected));
    }
    let (sat, unsat) = (pool.has(Verdict::Sat), pool.has(Verdict::Unsat));
    let possible = |form: &Form| match form {
        Form::Sat => sat,
        Form::Unsat => unsat,
        Form::MixedSat | Form::MixedUnsat => sat && unsat,
    };
    let forms: Vec<Form> = named.into_iter().filter(possible).collect();
    match forms.is_empty() {
        false => Ok(forms),
        true => Err(OpenError::Seeds(format!(
            "oracle `{wanted}`: the answers of too few seeds are known \
             (by `:status`, by a folder named sat or unsat, or by `lydite label`)"
        ))),
    }
}

/// Whether seeds of different logics are fused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Across {
    Never,
    Sometimes,
    Always,
}

struct FusionSpace {
    pool: Pool,
    functions: Functions,
    forms: Vec<Form>,
    pairs: Option<usize>,
    across: Across,
}

impl Space for FusionSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let form = *choices.pick(&self.forms)?;
        let [first, second] = match form {
            Form::Sat => [Verdict::Sat; 2],
            Form::Unsat => [Verdict::Unsat; 2],
            _ if choices.chance(1, 2)? => [Verdict::Unsat, Verdict::Sat],
            _ => [Verdict::Sat, Verdict::Unsat],
        };
        let seeds = self.pool.with(first, None);
        let (first, x_side) = self.pool.pick(choices, seeds, false, |_| true)?;
        let (second, y_side) = self.second(choices, form, second, first, &x_side)?;
        let (x_side, y_side) = (&*x_side, &*y_side);
        let count = match self.pairs {
            Some(count) => count as u64,
            None => choices.between(1, MAX_PAIRS)?,
        };
        let mut pairs = Vec::with_capacity(count as usize);
        for number in 1..=count {
            pairs.push(self.pair(choices, form, [x_side, y_side], number)?);
        }
        let sides = [
            Replaced::new(choices, x_side, &pairs, 0)?,
            Replaced::new(choices, y_side, &pairs, 1)?,
        ];
        let text = combine(form, &sides, &pairs);
        let answer = match form.is_sat() {
            true => Verdict::Sat,
            false => Verdict::Unsat,
        };
        let program = Program::single("case.smt2", text.into_bytes());
        let claim = Claim::Answers(Answer::Verdicts(vec![answer]));
        let seeds = [first, second].map(|at| self.pool.seed(at));
        let mut case = Case::single(program, claim).made_from(seeds);
        case.steps.push(format!(
            "{} fusion of {} and {}",
            form.name(),
            seeds[0].name,
            seeds[1].name,
        ));
        let fused = pairs
            .iter()
            .map(|pair| format!("{} = {}", pair.z, pair.fusion()));
        case.steps.extend(fused);
        Ok(case)
    }
}

impl FusionSpace {
    /// The second seed, of the first one's logic for the most part.
    fn second(
        &self,
        choices: &mut Choices,
        form: Form,
        answer: Verdict,
        first: usize,
        x_side: &Side,
    ) -> Result<(usize, Arc<Side>), Reject> {
        let across = match self.across {
            Across::Never => false,
            Across::Always => true,
            Across::Sometimes => choices.chance(1, 8)?,
        };
        let goes_with = |side: &Side| form != Form::Sat || side.open & x_side.open == 0;
        let alike = self.pool.with(answer, Some(first));
        if alike.is_empty() && self.across == Across::Never {
            return Err(Reject::NotApplicable(
                "no other seed of the logic has that answer",
            ));
        }
        if !across && !alike.is_empty() {
            let found = self.pool.pick(choices, alike, true, goes_with);
            if found.is_ok() || self.across == Across::Never {
                return found;
            }
        }
        let seeds = self.pool.with(answer, None);
        self.pool.pick(choices, seeds, true, goes_with)
    }

    /// A variable of each seed and a function that fuses them.
    fn pair<'a>(
        &'a self,
        choices: &mut Choices,
        form: Form,
        sides: [&'a Side; 2],
        number: u64,
    ) -> Result<Pair<'a>, Reject> {
        let (x_group, y_group, constants_only) = groups(choices, sides)?;
        let mut fusible = |group: &'a Group| {
            let among = match constants_only {
                true => group.constants,
                false => group.fusibles.len(),
            };
            Ok(&group.fusibles[choices.index(among)?])
        };
        let fusibles = [fusible(x_group)?, fusible(y_group)?];
        let fitting: Arc<Fitting> = self.functions.fitting(&x_group.sort, &y_group.sort);
        let among = match form.is_sat() {
            true => fitting.exact,
            false => fitting.instances.len(),
        };
        if among == 0 {
            return Err(Reject::NotApplicable("no function fuses these sorts"));
        }
        let instance = choices.index(among)?;
        let constants = choices.index(fitting.instances[instance].pool.len())?;
        let constraints = match form.is_sat() {
            true if choices.chance(1, 4)? => Constraints::Fusion,
            true => Constraints::None,
            false if choices.chance(1, 2)? => Constraints::Inversions,
            false => Constraints::Fusion,
        };
        let suffix = &self.pool.fusion_suffix;
        let fresh = fitting.instances[instance].fresh.iter();
        Ok(Pair {
            fusibles,
            constants,
            z: format!("z{number}{suffix}"),
            fresh: fresh
                .map(|(name, _)| format!("{name}_{number}{suffix}"))
                .collect(),
            fitting,
            instance,
            constraints,
        })
    }
}

/// The terms of which x and y are chosen, and whether they must be constants:
/// those of a shared sort for the most part.
fn groups<'a>(
    choices: &mut Choices,
    [first, second]: [&'a Side; 2],
) -> Result<(&'a Group, &'a Group, bool), Reject> {
    let shared = shared(first, second);
    let constants = |(x, y): &&(&Group, &Group)| x.constants > 0 && y.constants > 0;
    let with_constants = shared.iter().filter(constants).count();
    let level = choices.below(8)?;
    if level < 6 && with_constants > 0 {
        let chosen = choices.index(with_constants)?;
        let mut pairs = shared.iter().filter(constants);
        let &(x, y) = pairs.nth(chosen).expect("an index below their number");
        return Ok((x, y, true));
    }
    if level < 7 && !shared.is_empty() {
        let &(x, y) = choices.pick(&shared)?;
        return Ok((x, y, false));
    }
    let x = choices.pick(&first.groups)?;
    Ok((x, choices.pick(&second.groups)?, false))
}

/// The groups of sorts that both have.
fn shared<'a>(first: &'a Side, second: &'a Side) -> Vec<(&'a Group, &'a Group)> {
    let mut found = Vec::new();
    let mut others = second.groups.iter().peekable();
    for group in &first.groups {
        while others.next_if(|other| other.sort < group.sort).is_some() {}
        if let Some(other) = others.peek()
            && other.sort == group.sort
        {
            found.push((group, *other));
        }
    }
    found
}

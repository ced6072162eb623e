//! Annotations: which there are, where they may stand, what they take.

use super::definitions::{Definitions, hint};
use super::emit::{self, Site};
use super::types::{Problems, Type};
use crate::spec::compiled::{Bound, Compiled, Weight};
use crate::spec::run::{Code, Machine, NoSources, Op};
use crate::spec::syntax::{Annotation, ExprKind};

/// Where an annotation may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Class,
    Literal,
    Production,
}

/// Name, places, and how many arguments.
const TABLE: [(&str, &[Place], std::ops::RangeInclusive<usize>); 9] = [
    ("list", &[Place::Class], 0..=1),
    ("unit", &[Place::Class], 0..=0),
    ("count", &[Place::Literal], 1..=1),
    ("max_height", &[Place::Class], 1..=1),
    ("max_alternatives", &[Place::Class], 1..=1),
    ("weight", &[Place::Production], 1..=1),
    ("feature", &[Place::Production], 1..=1),
    ("precedence", &[Place::Production], 1..=1),
    ("copy", &[Place::Class, Place::Production], 0..=100),
];

/// Checks names, places and numbers of arguments.
pub(super) fn check(annotations: &[Annotation], place: Place, problems: &mut Problems) {
    for (i, annotation) in annotations.iter().enumerate() {
        let name = &annotation.name;
        let Some((_, places, args)) = TABLE.iter().find(|(known, ..)| *known == name.text) else {
            let hint = hint(&name.text, TABLE.map(|(name, ..)| name));
            problems.error(
                name.span,
                format!("annotation @{} is not known{hint}", name.text),
            );
            continue;
        };
        if !places.contains(&place) {
            let what = match place {
                Place::Class => "a class with productions",
                Place::Literal => "a literal class",
                Place::Production => "a production",
            };
            let instead = match (place, name.text.as_str()) {
                (Place::Literal, "weight") => {
                    "; to make a text of it more likely, write the text more than once"
                }
                _ => "",
            };
            let problem = format!("@{} does not belong to {what}{instead}", name.text);
            problems.error(name.span, problem);
        }
        if !args.contains(&annotation.args.len()) {
            let wanted = match (args.start(), args.end()) {
                (low, high) if low == high => low.to_string(),
                (low, high) => format!("{low} or {high}"),
            };
            let problem = format!("@{} takes {wanted} arguments", name.text);
            problems.error(name.span, problem);
        }
        if annotations[..i]
            .iter()
            .any(|other| other.name.text == name.text)
        {
            problems.error(name.span, format!("@{} stands here twice", name.text));
        }
    }
}

pub(super) fn find<'a>(annotations: &'a [Annotation], name: &str) -> Option<&'a Annotation> {
    annotations.iter().find(|a| a.name.text == name)
}

/// Code of the argument of an annotation, which is of type `of` and may read
/// knobs.
pub(super) fn code(
    annotations: &[Annotation],
    name: &str,
    of: &Type,
    defs: &Definitions,
    code: &mut Code,
    problems: &mut Problems,
) -> Option<u32> {
    let arg = find(annotations, name)?.args.first()?;
    Some(emit::expression(defs, None, arg, Some(of), code, problems).entry)
}

/// The weight of a production.
pub(super) fn weight(
    annotations: &[Annotation],
    site: &Site,
    defs: &Definitions,
    code: &mut Code,
    problems: &mut Problems,
) -> Option<Weight> {
    let arg = find(annotations, "weight")?.args.first()?;
    let made = emit::expression(defs, Some(site), arg, Some(&Type::int()), code, problems);
    let by_height = code.ops[made.entry as usize..].contains(&Op::Height);
    Some(Weight {
        entry: made.entry,
        span: arg.span,
        sources: made.sources,
        by_height,
    })
}

/// The argument of an annotation as a bound; what it is with the knobs as they
/// stand in the file has to be right at least.
pub(super) fn bound(
    annotations: &[Annotation],
    name: &'static str,
    limit: u32,
    defs: &Definitions,
    into: &mut Code,
    problems: &mut Problems,
) -> Option<Bound> {
    let span = find(annotations, name)?.args.first()?.span;
    let before = problems.0.len();
    let entry = code(annotations, name, &Type::int(), defs, into, problems)?;
    if problems.0.len() > before {
        return None;
    }
    let bound = Bound {
        name,
        span,
        entry,
        limit,
    };
    let knobs: Vec<_> = defs.knobs.iter().map(|(_, value)| *value).collect();
    let mut machine = Machine::new(into, Compiled::knob_values(&knobs));
    match machine.run(entry, &NoSources) {
        Ok(value) => match bound.read(&value) {
            Ok(_) => return Some(bound),
            Err(problem) => problems.0.push(problem),
        },
        Err(fault) => problems.error(fault.span, fault.kind.to_string()),
    }
    None
}

/// The names that @copy lists; all if it lists none; `None` without it.
pub(super) fn copied(
    annotations: &[Annotation],
    problems: &mut Problems,
) -> Option<Option<Vec<String>>> {
    let copy = find(annotations, "copy")?;
    let mut names = Vec::new();
    for arg in &copy.args {
        match &arg.kind {
            ExprKind::Name(name) => names.push(name.clone()),
            _ => problems.error(arg.span, "@copy takes names of attributes"),
        }
    }
    Some((!names.is_empty()).then_some(names))
}

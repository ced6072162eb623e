//! Classes: their attributes, and what holds for all of them together.

use std::collections::BTreeMap;

use super::annotations;
use super::cycles;
use super::definitions::Definitions;
use super::emit::{AttributeDef, ClassDef};
use super::productions;
use super::types::{Problems, Type};
use crate::spec::compiled::{Class, Production, Rule, RuleKind};
use crate::spec::engine::POOL;
use crate::spec::literal::{Literal, split_alternatives};
use crate::spec::run::Code;
use crate::spec::syntax::{AttributeItem, AttributeKind, ClassBody, ClassItem, File};

/// The classes of a spec with their productions and rules.
#[derive(Debug, Default)]
pub(crate) struct Grammar {
    pub classes: Vec<Class>,
    pub productions: Vec<Production>,
    pub rules: Vec<Rule>,
    /// The names of further texts.
    pub texts: Vec<String>,
    /// The slot of the first class that is what the program prints.
    pub output: Option<u32>,
}

/// The attribute of the first class that is what the program prints.
const OUTPUT: &str = "output";

const NO_CLASS: &str = "there is no class: the first one is what programs are";

/// Which classes can be inside which is kept for every two of them.
const MAX_CLASSES: usize = 4000;

/// The longest list that a class may ask for.
const MAX_LIST: u32 = 1_000_000;
/// The most texts that one program draws for a literal class.
const MAX_COUNT: u32 = 100_000;

/// How likely each text is, if a program may have them all and they are not
/// alike.
fn weights(literal: &Literal, counted: bool) -> Vec<u64> {
    let most = if counted { u64::from(MAX_COUNT) } else { POOL };
    let weights: Vec<u64> = match literal.count() {
        texts if texts <= most => (0..texts).map(|index| literal.weight(index)).collect(),
        _ => Vec::new(),
    };
    match weights.iter().any(|weight| *weight != weights[0]) {
        true => weights,
        false => Vec::new(),
    }
}

pub(super) fn compile(
    file: &File,
    defs: &Definitions,
    code: &mut Code,
    problems: &mut Problems,
) -> Grammar {
    let mut grammar = Grammar::default();
    let Some(first) = file.classes.first() else {
        problems.error(crate::spec::source::Span::default(), NO_CLASS);
        return grammar;
    };
    if let Some(beyond) = file.classes.get(MAX_CLASSES) {
        problems.error(beyond.name.span, format!("more than {MAX_CLASSES} classes"));
        return grammar;
    }
    let names = names(file, problems);
    let class_defs: Vec<ClassDef> = file
        .classes
        .iter()
        .map(|class| class_def(class, defs, problems))
        .collect();
    let mut attributes = class_defs[0].attributes.iter();
    if attributes.any(|attribute| attribute.kind == AttributeKind::Inherited) {
        let problem = "the first class has nothing above it: it inherits no attributes";
        problems.error(first.name.span, problem);
    }
    grammar.output = output(&class_defs[0], problems);
    for (number, item) in file.classes.iter().enumerate() {
        let class = class(number, item, &class_defs, defs, code, problems, &grammar);
        grammar.classes.push(class);
        let start = grammar.productions.len();
        if let ClassBody::Members { productions, .. } = &item.body {
            if productions.is_empty() {
                let problem = format!("class {} has no production", item.name.text);
                problems.error(item.name.span, problem);
            }
            let context = productions::Context {
                defs,
                classes: &class_defs,
                names: &names,
                class: number,
                item,
            };
            for production in productions {
                context.compile(production, &mut grammar, code, problems);
            }
            productions::check_names(productions, problems);
        }
        grammar.classes[number].productions = start..grammar.productions.len();
        finish(number, &mut grammar);
    }
    if !problems.has_errors() {
        unused(&class_defs, &grammar, problems);
        cycles::check(&class_defs, &mut grammar, problems);
        never_ending(&class_defs, &grammar, problems);
    }
    grammar
}

/// The number of each class.
fn names<'f>(file: &'f File, problems: &mut Problems) -> BTreeMap<&'f str, usize> {
    let mut names = BTreeMap::new();
    for (number, class) in file.classes.iter().enumerate() {
        if names.insert(class.name.text.as_str(), number).is_some() {
            let problem = format!("class {} is declared twice", class.name.text);
            problems.error(class.name.span, problem);
        }
    }
    names
}

/// The slot of what the program prints, if the first class knows it.
fn output(first: &ClassDef, problems: &mut Problems) -> Option<u32> {
    let mut attributes = first.attributes.iter().enumerate();
    let (slot, attribute) =
        attributes.find(|(_, a)| a.kind == AttributeKind::Synthesized && a.name == OUTPUT)?;
    if attribute.of != Type::text() {
        let problem = "`output` of the first class is what the program prints: a String";
        problems.error(attribute.span, problem);
    }
    Some(slot as u32)
}

fn class_def(item: &ClassItem, defs: &Definitions, problems: &mut Problems) -> ClassDef {
    let mut attributes: Vec<AttributeDef> = Vec::new();
    match &item.body {
        ClassBody::Literal(_) | ClassBody::Texts(_) => attributes.push(AttributeDef {
            name: "str".to_string(),
            span: item.name.span,
            kind: AttributeKind::Synthesized,
            of: Type::text(),
        }),
        ClassBody::Members {
            attributes: items, ..
        } => {
            let kinds = [
                AttributeKind::Inherited,
                AttributeKind::Synthesized,
                AttributeKind::Guard,
            ];
            for kind in kinds {
                for item in items.iter().filter(|item| item.kind == kind) {
                    attributes.push(attribute(item, defs, problems));
                }
            }
        }
    }
    for (i, attribute) in attributes.iter().enumerate() {
        if attributes[..i].iter().any(|a| a.name == attribute.name) {
            let problem = format!(
                "class {}: attribute `{}` is declared twice",
                item.name.text, attribute.name
            );
            problems.error(attribute.span, problem);
        }
    }
    ClassDef {
        name: item.name.text.clone(),
        span: item.name.span,
        attributes,
    }
}

fn attribute(item: &AttributeItem, defs: &Definitions, problems: &mut Problems) -> AttributeDef {
    let of = match &item.type_text {
        Some(text) => defs.resolve(text, &[], problems),
        None => Type::bool(),
    };
    AttributeDef {
        name: item.name.text.clone(),
        span: item.name.span,
        kind: item.kind,
        of,
    }
}

fn class(
    number: usize,
    item: &ClassItem,
    class_defs: &[ClassDef],
    defs: &Definitions,
    code: &mut Code,
    problems: &mut Problems,
    grammar: &Grammar,
) -> Class {
    let attributes = &class_defs[number].attributes;
    let of = |kind| attributes.iter().filter(|a| a.kind == kind).count() as u32;
    let (inherited, guards) = (of(AttributeKind::Inherited), of(AttributeKind::Guard));
    let slots = attributes.len() as u32;
    let literal = literal(item, problems);
    let mut bound = |name: &'static str, limit: u32| {
        annotations::bound(&item.annotations, name, limit, defs, code, problems)
    };
    Class {
        name: item.name.text.clone(),
        span: item.name.span,
        productions: grammar.productions.len()..grammar.productions.len(),
        inherited,
        guards: slots - guards..slots,
        slots,
        guarded: guards > 0 || annotations::find(&item.annotations, "unit").is_some(),
        texts: literal.as_ref().map_or(0, Literal::count),
        pool: match &item.body {
            // Texts that are written down are all meant.
            ClassBody::Texts(texts) => POOL.max(texts.len() as u64),
            _ => POOL,
        },
        weights: literal.as_ref().map_or_else(Vec::new, |literal| {
            let counted = annotations::find(&item.annotations, "count").is_some();
            weights(literal, counted)
        }),
        shown: shown_alternatives(item),
        literal,
        is_list: annotations::find(&item.annotations, "list").is_some(),
        list_max: bound("list", MAX_LIST),
        count: bound("count", MAX_COUNT),
        max_height: bound("max_height", 1000),
        max_alternatives: bound("max_alternatives", 1 << 30),
    }
}

/// The texts of a literal class.
fn literal(item: &ClassItem, problems: &mut Problems) -> Option<Literal> {
    let place = match &item.body {
        ClassBody::Members { .. } => annotations::Place::Class,
        _ => annotations::Place::Literal,
    };
    annotations::check(&item.annotations, place, problems);
    match &item.body {
        ClassBody::Literal(text) => match Literal::read(&text.text) {
            Ok(literal) => Some(literal),
            Err(problem) => {
                let problem = format!("the regular expression of {}: {problem}", item.name.text);
                problems.error(text.span, problem);
                None
            }
        },
        ClassBody::Texts(texts) => {
            if texts.len() > MAX_COUNT as usize {
                let problem = format!("more than {MAX_COUNT} texts");
                problems.error(item.name.span, problem);
                return None;
            }
            Some(Literal::of_texts(
                texts.iter().map(|text| text.text.as_str()),
            ))
        }
        ClassBody::Members { .. } => None,
    }
}

/// The alternatives of a literal class, as they are written.
fn shown_alternatives(item: &ClassItem) -> Vec<String> {
    match &item.body {
        ClassBody::Literal(text) => split_alternatives(&text.text),
        ClassBody::Texts(texts) => texts.iter().map(|text| text.text.clone()).collect(),
        ClassBody::Members { .. } => Vec::new(),
    }
}

/// What a class learns from its productions: how many slots its nodes need,
/// and whether a generator, or a weight that reads attributes, guards it.
fn finish(number: usize, grammar: &mut Grammar) {
    let productions = &grammar.productions[grammar.classes[number].productions.clone()];
    let slots = productions.iter().map(|p| p.own.len() as u32).max();
    let generated = productions.iter().any(|p| p.generator.is_some());
    let weighted = productions.iter().any(Production::weighs_attributes);
    let class = &mut grammar.classes[number];
    class.slots = slots.unwrap_or(0).max(class.slots);
    class.guarded |= generated || weighted;
}

/// Classes that no program has, attributes that nobody reads.
fn unused(defs: &[ClassDef], grammar: &Grammar, problems: &mut Problems) {
    let mut used = vec![false; defs.len()];
    let mut todo = vec![0usize];
    used[0] = true;
    while let Some(class) = todo.pop() {
        for production in &grammar.productions[grammar.classes[class].productions.clone()] {
            for &child in &production.children {
                if !used[child as usize] {
                    used[child as usize] = true;
                    todo.push(child as usize);
                }
            }
        }
    }
    let mut read: Vec<Vec<bool>> = defs
        .iter()
        .map(|def| vec![false; def.attributes.len()])
        .collect();
    for production in &grammar.productions {
        productions::mark_read(production, grammar, &mut read);
    }
    if let Some(slot) = grammar.output {
        read[0][slot as usize] = true;
    }
    for (number, def) in defs.iter().enumerate() {
        // What a spec leaves of the one that it extends is its own affair.
        if !used[number] && def.span.file != 0 {
            continue;
        }
        if !used[number] {
            let problem = format!("class {} cannot be reached from {}", def.name, defs[0].name);
            problems.error(def.span, problem);
            continue;
        }
        if grammar.classes[number].literal.is_some() {
            continue;
        }
        for (slot, attribute) in def.attributes.iter().enumerate() {
            if attribute.kind != AttributeKind::Guard && !read[number][slot] {
                let problem = format!(
                    "attribute `{}` of {} is never read",
                    attribute.name, def.name
                );
                problems.warning(attribute.span, problem);
            }
        }
    }
}

/// Classes without a finite tree, whatever the knobs.
fn never_ending(defs: &[ClassDef], grammar: &Grammar, problems: &mut Problems) {
    let mut ends: Vec<bool> = grammar
        .classes
        .iter()
        .map(|c| c.literal.is_some())
        .collect();
    loop {
        let mut changed = false;
        // Most specs are written from the top: what ends is known below first.
        for production in grammar.productions.iter().rev() {
            let class = production.class as usize;
            let all = production
                .children
                .iter()
                .all(|child| ends[*child as usize]);
            if all && !ends[class] {
                ends[class] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for (number, def) in defs.iter().enumerate() {
        if !ends[number] {
            let problem = format!(
                "class {} never ends: each production leads back to it, so there is no program",
                def.name
            );
            problems.error(def.span, problem);
        }
    }
    // A guard that is written as `false` is a mistake that can be seen here.
    for production in &grammar.productions {
        let class = &grammar.classes[production.class as usize];
        for slot in class.guards.clone() {
            let Some(rule) = production.own[slot as usize] else {
                continue;
            };
            if let RuleKind::Const(_) = grammar.rules[rule as usize].kind {
                let name = &defs[production.class as usize].attributes[slot as usize].name;
                let problem = format!("guard `{name}` is always the same here");
                problems.warning(production.span, problem);
            }
        }
    }
}

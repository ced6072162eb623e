//! Productions: children and rules; their templates are in [`super::texts`].
//!
//! Rules are in Bochmann form: they set the node's own synthesized attributes
//! and guards and the children's inherited attributes, each exactly once, from
//! the node's inherited and the children's synthesized attributes.

use std::collections::BTreeMap;

use super::annotations::{self, Place as Where};
use super::classes::Grammar;
use super::definitions::{Definitions, hint};
use super::emit::{self, ClassDef, Place, Reach, Site};
use super::types::{LIST, Problems, Type};
use crate::spec::compiled::{Generator, Production, Rule, RuleKind, Segment};
use crate::spec::run::{Code, Op};
use crate::spec::source::Span;
use crate::spec::syntax::{AttributeKind, ClassItem, Name, Piece, ProductionItem, RuleItem};

/// The class that productions are compiled for.
pub(super) struct Context<'a> {
    pub defs: &'a Definitions<'a>,
    pub classes: &'a [ClassDef],
    pub names: &'a BTreeMap<&'a str, usize>,
    pub class: usize,
    pub item: &'a ClassItem,
}

const MAX_CHILDREN: usize = 1000;

/// Rules by what they set, while a production is compiled.
struct Rules {
    own: Vec<Option<u32>>,
    passed: Vec<Vec<Option<u32>>>,
}

impl Rules {
    /// For so many attributes of the node's own, and so many of each child.
    fn none(own: usize, passed: impl Iterator<Item = usize>) -> Rules {
        Rules {
            own: vec![None; own],
            passed: passed.map(|count| vec![None; count]).collect(),
        }
    }

    /// The rules that children are given their attributes by; one that is missing was
    /// complained of.
    fn passed(&self) -> Vec<Vec<u32>> {
        let passed = self.passed.iter();
        passed
            .map(|child| child.iter().map(|rule| rule.unwrap_or(0)).collect())
            .collect()
    }
}

impl Context<'_> {
    pub(super) fn compile(
        &self,
        item: &ProductionItem,
        grammar: &mut Grammar,
        code: &mut Code,
        problems: &mut Problems,
    ) {
        annotations::check(&item.annotations, Where::Production, problems);
        let before = problems.errors();
        let children = self.children(item, problems);
        if problems.since(before) {
            return;
        }
        let own_slots = self.classes[self.class].attributes.len() as u32;
        let mut site = Site::new(self.classes, self.class, &children);
        let generator = self.generator(item, &mut site, own_slots, code, problems);
        site.reach = Reach::Rule;
        let mut rules = Rules::none(
            own_slots as usize + usize::from(generator.is_some()),
            children.iter().map(|(_, class)| self.inherited(*class)),
        );
        self.rules(item, &mut site, &mut rules, grammar, code, problems);
        // A rule that is missing is perhaps one of those that are wrong.
        if !problems.since(before) {
            self.missing(item, &children, &rules, problems);
        }
        site.reach = Reach::Template;
        let template = self.template(item, &site, code, problems);
        let texts = self.texts(item, &site, grammar, code, problems);
        let (defs, notes) = (self.defs, &item.annotations);
        site.reach = Reach::Weight;
        let weight = annotations::weight(notes, &site, defs, code, problems);
        let feature = annotations::code(notes, "feature", &Type::bool(), defs, code, problems);
        let precedence = annotations::bound(notes, "precedence", 1 << 20, defs, code, problems);
        let tail = self.tail(item, &children, problems);
        let mut production = Production {
            name: item.name.text.clone(),
            span: item.name.span,
            class: self.class as u32,
            children: children.iter().map(|(_, class)| *class as u32).collect(),
            child_names: children.iter().map(|(name, _)| name.clone()).collect(),
            local_names: site.locals.iter().map(|(name, ..)| name.clone()).collect(),
            passed: rules.passed(),
            own: rules.own,
            generator,
            template,
            texts,
            weight,
            feature,
            precedence,
            tail,
            ..Production::default()
        };
        self.readers(&mut production, grammar);
        grammar.productions.push(production);
    }

    /// The rules that are written, and those that copy attributes.
    fn rules(
        &self,
        item: &ProductionItem,
        site: &mut Site,
        rules: &mut Rules,
        grammar: &mut Grammar,
        code: &mut Code,
        problems: &mut Problems,
    ) {
        for rule in &item.rules {
            self.rule(rule, site, rules, grammar, code, problems);
        }
        self.copy(item, site.children, rules, grammar, problems);
    }

    /// The child that continues a list.
    fn tail(
        &self,
        item: &ProductionItem,
        children: &[(String, usize)],
        problems: &mut Problems,
    ) -> Option<u16> {
        annotations::find(&self.item.annotations, "list")?;
        let mut tails = (0u16..)
            .zip(children)
            .filter(|(_, (_, class))| *class == self.class);
        let tail = tails.next();
        if tails.next().is_some() {
            let problem = "a production of a list continues it at most once";
            problems.error(item.name.span, problem);
        }
        tail.map(|(at, _)| at)
    }

    fn inherited(&self, class: usize) -> usize {
        let attributes = self.classes[class].attributes.iter();
        attributes
            .filter(|a| a.kind == AttributeKind::Inherited)
            .count()
    }

    /// Children in the order of the template.
    fn children(&self, item: &ProductionItem, problems: &mut Problems) -> Vec<(String, usize)> {
        let mut children: Vec<(String, usize)> = Vec::new();
        for piece in &item.template {
            let Piece::Child { name, class, .. } = piece else {
                continue;
            };
            if children.len() == MAX_CHILDREN {
                problems.error(name.span, format!("more than {MAX_CHILDREN} children"));
                break;
            }
            if name.text == "this" || children.iter().any(|(known, _)| *known == name.text) {
                problems.error(name.span, format!("the name `{}` is taken", name.text));
            }
            match self.names.get(class.text.as_str()) {
                Some(number) => children.push((name.text.clone(), *number)),
                None => {
                    let hint = hint(&class.text, self.names.keys().copied());
                    let problem = format!("class {} is not declared{hint}", class.text);
                    problems.unknown(class.span, problem);
                }
            }
        }
        children
    }

    fn generator(
        &self,
        item: &ProductionItem,
        site: &mut Site,
        slot: u32,
        code: &mut Code,
        problems: &mut Problems,
    ) -> Option<Generator> {
        let Some(expr) = &item.generator else {
            if let Some(text) = &item.value_type {
                let problem = "only a generator production has a type";
                problems.error(text.span, problem);
            }
            return None;
        };
        let wanted = item.value_type.as_ref();
        let wanted = wanted.map(|text| Type::list(self.defs.resolve(text, &[], problems)));
        let made = emit::expression(self.defs, Some(site), expr, wanted.as_ref(), code, problems);
        let of = match made.of {
            Type::Named(LIST, mut args) => args.remove(0),
            Type::Unknown => Type::Unknown,
            other => {
                let shown = self.defs.shown(&other);
                let problem = format!("a generator gives a list to choose from, not {shown}");
                problems.error(expr.span, problem);
                Type::Unknown
            }
        };
        site.value = Some((slot, of));
        Some(Generator {
            entry: made.entry,
            slot,
            sources: made.sources,
        })
    }

    fn rule(
        &self,
        item: &RuleItem,
        site: &mut Site,
        rules: &mut Rules,
        grammar: &mut Grammar,
        code: &mut Code,
        problems: &mut Problems,
    ) {
        let Some(owner) = &item.owner else {
            return self.local(item, site, rules, grammar, code, problems);
        };
        let child = site
            .children
            .iter()
            .position(|(name, _)| *name == owner.text);
        if child.is_none() && owner.text != "this" {
            let names = site.children.iter().map(|(name, _)| name.as_str());
            let hint = hint(&owner.text, names.chain(["this"]));
            let problem = format!("there is no child `{}`{hint}", owner.text);
            return problems.error(owner.span, problem);
        }
        let class = &self.classes[child.map_or(self.class, |child| site.children[child].1)];
        let found = class
            .attributes
            .iter()
            .position(|a| a.name == item.name.text);
        let Some(slot) = found else {
            let names = class.attributes.iter().map(|a| a.name.as_str());
            let hint = hint(&item.name.text, names);
            let name = &item.name.text;
            let problem = format!("class {} has no attribute `{name}`{hint}", class.name);
            return problems.unknown(item.name.span, problem);
        };
        let kind = class.attributes[slot].kind;
        let of = class.attributes[slot].of.clone();
        if child.is_some() != (kind == AttributeKind::Inherited) {
            let problem = match child {
                Some(_) => "a rule sets inherited attributes of children; this one is their own",
                None => {
                    "a rule sets synthesized attributes and guards of `this`; \
                         this one is set from above"
                }
            };
            return problems.error(item.name.span, problem);
        }
        let made = emit::expression(self.defs, Some(site), &item.body, Some(&of), code, problems);
        let place = match child {
            Some(child) => &mut rules.passed[child][slot],
            None => &mut rules.own[slot],
        };
        if place.is_some() {
            let problem = format!("`{}.{}` is set twice", owner.text, item.name.text);
            problems.error(item.name.span, problem);
        }
        *place = Some(push_rule(made, grammar, code));
    }

    fn local(
        &self,
        item: &RuleItem,
        site: &mut Site,
        rules: &mut Rules,
        grammar: &mut Grammar,
        code: &mut Code,
        problems: &mut Problems,
    ) {
        let name = &item.name;
        let taken = site.locals.iter().any(|(known, ..)| *known == name.text)
            || site.children.iter().any(|(known, _)| *known == name.text);
        if taken {
            problems.error(name.span, format!("the name `{}` is taken", name.text));
        }
        let made = emit::expression(self.defs, Some(site), &item.body, None, code, problems);
        let slot = rules.own.len() as u32;
        site.locals.push((name.text.clone(), slot, made.of.clone()));
        rules.own.push(Some(push_rule(made, grammar, code)));
    }

    /// What @copy passes down and up by name.
    fn copy(
        &self,
        item: &ProductionItem,
        children: &[(String, usize)],
        rules: &mut Rules,
        grammar: &mut Grammar,
        problems: &mut Problems,
    ) {
        let on_production = annotations::copied(&item.annotations, problems);
        let on_class = annotations::copied(&self.item.annotations, problems);
        let Some(names) = on_production.or(on_class) else {
            return;
        };
        let wanted = |name: &str| match &names {
            Some(names) => names.iter().any(|known| known == name),
            None => true,
        };
        let own = &self.classes[self.class].attributes;
        for (child, (_, class)) in children.iter().enumerate() {
            let inherited = self.classes[*class].attributes.iter().enumerate();
            for (slot, attribute) in inherited.take(self.inherited(*class)) {
                let from = own.iter().position(|a| {
                    a.kind == AttributeKind::Inherited
                        && a.name == attribute.name
                        && a.of == attribute.of
                });
                let Some(from) = from.filter(|_| wanted(&attribute.name)) else {
                    continue;
                };
                if rules.passed[child][slot].is_none() {
                    let rule = copy_rule(Place::Own(from as u32), grammar);
                    rules.passed[child][slot] = Some(rule);
                }
            }
        }
        for (slot, attribute) in own.iter().enumerate() {
            let is_syn = attribute.kind == AttributeKind::Synthesized;
            if !is_syn || rules.own[slot].is_some() || !wanted(&attribute.name) {
                continue;
            }
            let mut froms = children
                .iter()
                .enumerate()
                .filter_map(|(child, (_, class))| {
                    let attributes = self.classes[*class].attributes.iter();
                    let from = attributes.enumerate().find(|(_, a)| {
                        a.kind == AttributeKind::Synthesized
                            && a.name == attribute.name
                            && a.of == attribute.of
                    });
                    from.map(|(from, _)| Place::Child(child as u16, from as u32))
                });
            // Of several children none is meant more than another.
            if let (Some(from), None) = (froms.next(), froms.next()) {
                rules.own[slot] = Some(copy_rule(from, grammar));
            }
        }
    }

    fn missing(
        &self,
        item: &ProductionItem,
        children: &[(String, usize)],
        rules: &Rules,
        problems: &mut Problems,
    ) {
        let own = &self.classes[self.class].attributes;
        for (slot, attribute) in own.iter().enumerate() {
            if attribute.kind != AttributeKind::Inherited && rules.own[slot].is_none() {
                let problem = format!(
                    "production `{}` has no rule for `this.{}`",
                    item.name.text, attribute.name
                );
                problems.error(item.name.span, problem);
            }
        }
        for ((name, class), passed) in children.iter().zip(&rules.passed) {
            for (slot, rule) in passed.iter().enumerate() {
                if rule.is_none() {
                    let attribute = &self.classes[*class].attributes[slot].name;
                    let problem = format!(
                        "production `{}` has no rule for `{name}.{attribute}`",
                        item.name.text
                    );
                    problems.error(item.name.span, problem);
                }
            }
        }
    }

    fn template(
        &self,
        item: &ProductionItem,
        site: &Site,
        code: &mut Code,
        problems: &mut Problems,
    ) -> Vec<Segment> {
        if !item.has_template {
            // A generator prints what it chose.
            let Some((slot, of)) = &site.value else {
                return Vec::new();
            };
            let plain = [Type::text(), Type::int(), Type::Unknown];
            if !plain.contains(of) {
                let shown = self.defs.shown(of);
                let problem = format!(
                    "how is a {shown} printed? give a template: `{}(…, \"#{{…}}\")`",
                    item.name.text
                );
                problems.error(item.name.span, problem);
            }
            let entry = code.ops.len() as u32;
            for op in [Op::Own(*slot), Op::Print, Op::Return] {
                code.ops.push(op);
                code.spans.push(item.name.span);
            }
            let sources = vec![Place::Own(*slot)];
            return vec![Segment::Print { entry, sources }];
        }
        self.segments(item, &item.template, site, code, problems)
    }

    /// Who reads what: rules seen from their sources.
    fn readers(&self, production: &mut Production, grammar: &Grammar) {
        production.own_readers = vec![Vec::new(); production.own.len()];
        let children = production.children.iter();
        production.child_readers = children
            .map(|class| vec![Vec::new(); self.classes[*class as usize].attributes.len()])
            .collect();
        let own = production.own.iter().enumerate();
        let own = own.filter_map(|(slot, rule)| Some((Place::Own(slot as u32), (*rule)?)));
        let passed = production.passed.iter().enumerate();
        let passed = passed.flat_map(|(child, rules)| {
            let rules = rules.iter().enumerate();
            rules.map(move |(slot, rule)| (Place::Child(child as u16, slot as u32), *rule))
        });
        let all: Vec<(Place, u32)> = own.chain(passed).collect();
        for (target, rule) in all {
            let Some(rule) = grammar.rules.get(rule as usize) else {
                continue;
            };
            for source in &rule.sources {
                match *source {
                    Place::Own(slot) => production.own_readers[slot as usize].push(target),
                    Place::Child(child, slot) => {
                        production.child_readers[usize::from(child)][slot as usize].push(target);
                    }
                }
            }
        }
    }
}

/// The rule that the code of an expression is; the simplest ones need none.
fn push_rule(made: emit::Emitted, grammar: &mut Grammar, code: &Code) -> u32 {
    let kind = match code.ops[made.entry as usize..] {
        [Op::Own(slot), Op::Return] => RuleKind::Copy(Place::Own(slot)),
        [Op::Child(child, slot), Op::Return] => RuleKind::Copy(Place::Child(child, slot)),
        [Op::Const(constant), Op::Return] => RuleKind::Const(constant),
        _ => RuleKind::Code(made.entry),
    };
    grammar.rules.push(Rule {
        kind,
        sources: made.sources,
    });
    grammar.rules.len() as u32 - 1
}

fn copy_rule(from: Place, grammar: &mut Grammar) -> u32 {
    grammar.rules.push(Rule {
        kind: RuleKind::Copy(from),
        sources: vec![from],
    });
    grammar.rules.len() as u32 - 1
}

/// The names of productions are unique within their class.
pub(super) fn check_names(productions: &[ProductionItem], problems: &mut Problems) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for Name { text, span } in productions.iter().map(|production| &production.name) {
        if seen.insert(text, *span).is_some() {
            problems.error(*span, format!("production `{text}` is declared twice"));
        }
    }
}

/// Marks the attributes that a production reads.
pub(super) fn mark_read(production: &Production, grammar: &Grammar, read: &mut [Vec<bool>]) {
    let passed = production.passed.iter().flatten().copied();
    let rules = production.own.iter().flatten().copied().chain(passed);
    let of_rules = rules.flat_map(|rule| &grammar.rules[rule as usize].sources);
    let further = production.texts.iter().flat_map(|(_, segments)| segments);
    let printed = production
        .template
        .iter()
        .chain(further)
        .flat_map(|segment| match segment {
            Segment::Print { sources, .. } => sources.as_slice(),
            _ => &[],
        });
    let generator = production.generator.iter().flat_map(|g| &g.sources);
    let weight = production.weight.iter().flat_map(|weight| &weight.sources);
    for source in of_rules.chain(printed).chain(generator).chain(weight) {
        let (class, slot) = match *source {
            Place::Own(slot) => (production.class, slot),
            Place::Child(child, slot) => (production.children[usize::from(child)], slot),
        };
        if let Some(mark) = read[class as usize].get_mut(slot as usize) {
            *mark = true;
        }
    }
}

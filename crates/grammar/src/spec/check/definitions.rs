//! What names mean: types, variants, functions, knobs.

use std::collections::BTreeMap;

use lydite_core::nearest::nearest;

use super::types::{MAX_SIZE, Problems, TUPLE, Type};
use crate::spec::library::{BuiltIn, LIBRARIES};
use crate::spec::run::Builtin;
use crate::spec::syntax::{
    Expr, File, FunctionItem, KnobValue, Name, TypeItem, TypeKind, TypeText,
};

/// Everything that is declared outside classes.
#[derive(Debug, Default)]
pub(crate) struct Definitions<'f> {
    pub types: Vec<TypeDef>,
    type_names: BTreeMap<String, u32>,
    /// Variants of types and records, by name.
    pub makers: BTreeMap<String, Maker>,
    /// The name of each tag; that of tuples and records is empty.
    pub tag_names: Vec<String>,
    pub functions: Vec<FunctionDef>,
    pub function_names: BTreeMap<String, usize>,
    pub knobs: Vec<(String, KnobValue)>,
    /// The bodies of functions that are put where they are called ([`super::small`]).
    pub small: Vec<Option<&'f Expr>>,
}

#[derive(Debug)]
pub(crate) struct TypeDef {
    pub name: String,
    pub params: usize,
    pub kind: DefKind,
}

#[derive(Debug)]
pub(crate) enum DefKind {
    BuiltIn,
    /// An alias that stands further below.
    Below,
    Alias(Type),
    /// Tag and fields of each.
    Variant(Vec<(u32, Vec<Type>)>),
    Record(Vec<(String, Type)>),
}

/// What makes a value of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Maker {
    Variant { of: u32, index: usize },
    Record { of: u32 },
}

#[derive(Debug)]
pub(crate) struct FunctionDef {
    pub params: usize,
    pub args: Vec<(String, Type)>,
    pub result: Type,
    pub builtin: Option<Builtin>,
}

/// A half sentence that names what was perhaps meant.
pub(crate) fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    // Of short names any is near any other.
    match nearest(word, known).filter(|_| word.len() > 2) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    }
}

impl<'f> Definitions<'f> {
    /// Collects what the files declare; the first one is the prelude.
    pub(crate) fn collect(files: &[&'f File], problems: &mut Problems) -> Definitions<'f> {
        let mut all = Definitions {
            tag_names: vec![String::new()],
            ..Definitions::default()
        };
        let types: Vec<&TypeItem> = files.iter().flat_map(|file| &file.types).collect();
        for item in &types {
            let id = all.types.len() as u32;
            let name = item.name.text.clone();
            if all.type_names.insert(name.clone(), id).is_some() {
                problems.error(item.name.span, format!("type `{name}` is declared twice"));
            }
            all.types.push(TypeDef {
                name,
                params: item.params.len(),
                kind: match item.kind {
                    TypeKind::Alias(_) => DefKind::Below,
                    _ => DefKind::BuiltIn,
                },
            });
        }
        // Aliases first, in the order of the files: others may use them.
        for (id, item) in types.iter().enumerate() {
            if let TypeKind::Alias(text) = &item.kind {
                let of = all.resolve(text, &item.params, problems);
                all.types[id].kind = DefKind::Alias(of);
            }
        }
        for (id, item) in types.iter().enumerate() {
            all.declare_type(id as u32, item, problems);
        }
        for file in files {
            for knob in &file.knobs {
                if all.knob(&knob.name.text).is_some() {
                    let problem = format!("knob `{}` is declared twice", knob.name.text);
                    problems.error(knob.name.span, problem);
                }
                all.knobs.push((knob.name.text.clone(), knob.value));
            }
            for function in &file.functions {
                all.declare_function(function, problems);
            }
        }
        all
    }

    fn declare_type(&mut self, id: u32, item: &TypeItem, problems: &mut Problems) {
        let kind = match &item.kind {
            TypeKind::Alias(_) | TypeKind::BuiltIn => return,
            TypeKind::Variant(variants) => {
                let mut all = Vec::new();
                for (index, (name, fields)) in variants.iter().enumerate() {
                    let fields = fields.iter();
                    let fields = fields.map(|text| self.resolve(text, &item.params, problems));
                    let fields = fields.collect();
                    all.push((self.tag_names.len() as u32, fields));
                    self.tag_names.push(name.text.clone());
                    self.declare_maker(name, Maker::Variant { of: id, index }, problems);
                }
                DefKind::Variant(all)
            }
            TypeKind::Record(fields) => {
                let mut all: Vec<(String, Type)> = Vec::new();
                for (name, text) in fields {
                    if all.iter().any(|(known, _)| *known == name.text) {
                        let problem = format!("field `{}` is declared twice", name.text);
                        problems.error(name.span, problem);
                    }
                    let of = self.resolve(text, &item.params, problems);
                    all.push((name.text.clone(), of));
                }
                if all.is_empty() {
                    problems.error(item.name.span, "a record has at least one field");
                }
                self.declare_maker(&item.name, Maker::Record { of: id }, problems);
                DefKind::Record(all)
            }
        };
        self.types[id as usize].kind = kind;
    }

    fn declare_maker(&mut self, name: &Name, maker: Maker, problems: &mut Problems) {
        if self.makers.insert(name.text.clone(), maker).is_some() {
            let problem = format!("`{}` already makes a value of another type", name.text);
            problems.error(name.span, problem);
        }
    }

    fn declare_function(&mut self, item: &FunctionItem, problems: &mut Problems) {
        let name = item.name.text.clone();
        let mut args: Vec<(String, Type)> = Vec::new();
        for (arg, text) in &item.args {
            if args.iter().any(|(known, _)| *known == arg.text) {
                let problem = format!("argument `{}` is declared twice", arg.text);
                problems.error(arg.span, problem);
            }
            let of = self.resolve(text, &item.params, problems);
            args.push((arg.text.clone(), of));
        }
        let result = self.resolve(&item.result, &item.params, problems);
        let builtin = match item.body {
            Some(_) => None,
            None => Builtin::named(&name),
        };
        if item.body.is_none() && builtin.is_none() {
            let problem = format!("function `{name}`: only the prelude has built-in functions");
            problems.error(item.name.span, problem);
        }
        let number = self.functions.len();
        if self.function_names.insert(name.clone(), number).is_some() {
            let problem = format!("function `{name}` is declared twice, or in the prelude already");
            problems.error(item.name.span, problem);
        }
        self.functions.push(FunctionDef {
            params: item.params.len(),
            args,
            result,
            builtin,
        });
    }

    /// The type that a text names; `params` are its parameters.
    pub(crate) fn resolve(
        &self,
        text: &TypeText,
        params: &[Name],
        problems: &mut Problems,
    ) -> Type {
        let args = text.args.iter();
        let args: Vec<Type> = args
            .map(|arg| self.resolve(arg, params, problems))
            .collect();
        let Some(name) = &text.name else {
            return Type::Named(TUPLE, args);
        };
        if let Some(param) = params.iter().position(|param| param.text == *name) {
            return Type::Param(param as u32);
        }
        let Some(&id) = self.type_names.get(name) else {
            let known = self.type_names.keys().map(String::as_str);
            let hint = hint(name, known);
            problems.unknown(text.span, format!("type `{name}` is not declared{hint}"));
            return Type::Unknown;
        };
        let def = &self.types[id as usize];
        if def.params != args.len() {
            let problem = format!(
                "type `{name}` takes {} arguments, not {}",
                def.params,
                args.len()
            );
            problems.error(text.span, problem);
            return Type::Unknown;
        }
        match &def.kind {
            DefKind::Below => {
                let problem = format!("alias `{name}` is used above its declaration, or in it");
                problems.error(text.span, problem);
                Type::Unknown
            }
            DefKind::Alias(of) => {
                let whole = of.with(&args);
                match whole.size() > MAX_SIZE {
                    true => Type::Unknown,
                    false => whole,
                }
            }
            _ => Type::Named(id, args),
        }
    }

    /// What was perhaps meant by a function that is not declared: another one, or
    /// one of a library that is not used.
    pub(crate) fn hint_of_function(&self, name: &str) -> String {
        let declares = |library: &&BuiltIn| {
            let mut lines = library.text.lines();
            lines.any(|line| {
                let rest = line.strip_prefix("fn ").and_then(|l| l.strip_prefix(name));
                rest.is_some_and(|rest| rest.starts_with(['(', '<']))
            })
        };
        match LIBRARIES.iter().find(declares) {
            Some(library) => format!("; a library has it: `use {};`", library.name),
            None => hint(name, self.function_names.keys().map(String::as_str)),
        }
    }

    pub(crate) fn knob(&self, name: &str) -> Option<u32> {
        let position = self.knobs.iter().position(|(known, _)| known == name);
        position.map(|position| position as u32)
    }

    /// The type as it is written.
    pub(crate) fn shown(&self, of: &Type) -> String {
        let list = |parts: &[Type]| {
            let parts = parts.iter().map(|part| self.shown(part));
            parts.collect::<Vec<_>>().join(", ")
        };
        match of {
            Type::Named(TUPLE, parts) => format!("({})", list(parts)),
            Type::Named(id, parts) => {
                let name = &self.types[*id as usize].name;
                match parts.is_empty() {
                    true => name.clone(),
                    false => format!("{name}<{}>", list(parts)),
                }
            }
            Type::Param(param) => {
                let letter = char::from(b'A' + (*param % 26) as u8);
                format!("parameter {letter}")
            }
            Type::Var(_) | Type::Unknown => "_".to_string(),
        }
    }
}

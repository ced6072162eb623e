//! `lydite spec doc`: what a spec offers, as Markdown.

use std::fmt::Write;

use super::SpecFiles;
use super::source::{Source, SpecError};
use super::syntax::{
    self, AttributeKind, ClassBody, File, KnobValue, Name, Piece, ProductionItem, TypeKind,
    TypeText,
};

/// The documentation of the spec `text`: its comments with two `#`, its knobs,
/// functions and classes; `files` are those that it names.
pub fn document(name: &str, text: &str, files: &SpecFiles) -> Result<String, SpecError> {
    // Only specs without errors are worth documenting.
    super::Spec::read_with(name, text, files)?;
    let file = syntax::parse(text, 0).map_err(|problem| {
        SpecError::one(problem.shown(&[Source {
            name: name.to_string(),
            text: text.to_string(),
        }]))
    })?;
    let mut out = format!("# {name}\n");
    paragraph(&mut out, &file.doc);
    knobs(&mut out, &file);
    types(&mut out, &file);
    functions(&mut out, &file);
    classes(&mut out, &file);
    Ok(out)
}

fn paragraph(out: &mut String, doc: &str) {
    if !doc.is_empty() {
        write!(out, "\n{doc}\n").expect("a string takes everything");
    }
}

/// One line of a list, with its documentation.
fn line(out: &mut String, what: &str, doc: &str) {
    let doc = doc.replace('\n', " ");
    let colon = if doc.is_empty() { "" } else { ": " };
    writeln!(out, "- `{what}`{colon}{doc}").expect("a string takes everything");
}

fn knobs(out: &mut String, file: &File) {
    if file.knobs.is_empty() {
        return;
    }
    out.push_str("\n## Knobs\n\n");
    for knob in &file.knobs {
        let value = match knob.value {
            KnobValue::Int(number) => number.to_string(),
            KnobValue::Bool(value) => value.to_string(),
        };
        line(out, &format!("{} = {value}", knob.name.text), &knob.doc);
    }
}

fn types(out: &mut String, file: &File) {
    if file.types.is_empty() {
        return;
    }
    out.push_str("\n## Types\n\n");
    for item in &file.types {
        let parts: Vec<String> = match &item.kind {
            TypeKind::BuiltIn => Vec::new(),
            TypeKind::Alias(of) => vec![shown(of)],
            TypeKind::Variant(variants) => {
                let variants = variants.iter().map(|(name, fields)| {
                    let fields: Vec<String> = fields.iter().map(shown).collect();
                    match fields.is_empty() {
                        true => name.text.clone(),
                        false => format!("{}({})", name.text, fields.join(", ")),
                    }
                });
                vec![variants.collect::<Vec<_>>().join(" | ")]
            }
            TypeKind::Record(fields) => {
                let fields = fields.iter();
                let fields = fields.map(|(name, of)| format!("{} : {}", name.text, shown(of)));
                vec![format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))]
            }
        };
        let what = format!(
            "{}{} = {}",
            item.name.text,
            params(&item.params),
            parts.concat()
        );
        line(out, &what, &item.doc);
    }
}

fn functions(out: &mut String, file: &File) {
    if file.functions.is_empty() {
        return;
    }
    out.push_str("\n## Functions\n\n");
    for function in &file.functions {
        let args = function.args.iter();
        let args = args.map(|(name, of)| format!("{} : {}", name.text, shown(of)));
        let what = format!(
            "{}{}({}) : {}",
            function.name.text,
            params(&function.params),
            args.collect::<Vec<_>>().join(", "),
            shown(&function.result)
        );
        line(out, &what, &function.doc);
    }
}

fn classes(out: &mut String, file: &File) {
    out.push_str("\n## Classes\n");
    for class in &file.classes {
        write!(out, "\n### {}\n", class.name.text).expect("a string takes everything");
        paragraph(out, &class.doc);
        out.push('\n');
        match &class.body {
            ClassBody::Literal(text) => line(out, &text.text, "the texts of this expression"),
            ClassBody::Texts(texts) => {
                let texts: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
                line(out, &texts.join("` `"), "one of these texts");
            }
            ClassBody::Members {
                attributes,
                productions,
                ..
            } => {
                for attribute in attributes {
                    let kind = match attribute.kind {
                        AttributeKind::Inherited => "inh",
                        AttributeKind::Synthesized => "syn",
                        AttributeKind::Guard => "grd",
                    };
                    let of = attribute.type_text.as_ref();
                    let of = of.map(|of| format!(" : {}", shown(of))).unwrap_or_default();
                    line(out, &format!("{kind} {}{of}", attribute.name.text), "");
                }
                for production in productions {
                    let what = format!("{}{}", production.name.text, written(production));
                    line(out, &what, &production.doc);
                }
            }
        }
    }
}

fn params(names: &[Name]) -> String {
    let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("<{}>", names.join(", ")),
    }
}

/// Longer templates are cut.
const SHOWN_CHARACTERS: usize = 100;

/// What a production looks like: its template, with line breaks as they are
/// written.
fn written(production: &ProductionItem) -> String {
    let mut all = String::new();
    for piece in &production.template {
        match piece {
            Piece::Text(text) => all.extend(text.chars().flat_map(char::escape_default)),
            Piece::Child { hidden: true, .. } => {}
            Piece::Child { name, class, .. } => {
                all.push_str(&format!("${{{} : {}}}", name.text, class.text));
            }
            Piece::Again(name) => all.push_str(&format!("${{{}}}", name.text)),
            Piece::Print(_) => all.push_str("#{…}"),
            Piece::Indent | Piece::Unindent | Piece::Open | Piece::Close => {}
        }
    }
    let all = all.replace('`', "'").replace("\\\"", "\"");
    let cut: String = all.chars().take(SHOWN_CHARACTERS).collect();
    match (all.is_empty(), cut.len() < all.len()) {
        (true, _) => String::new(),
        (false, true) => format!(" {cut}…"),
        (false, false) => format!(" {cut}"),
    }
}

fn shown(text: &TypeText) -> String {
    let args: Vec<String> = text.args.iter().map(shown).collect();
    let args = args.join(", ");
    match (&text.name, args.is_empty()) {
        (None, _) => format!("({args})"),
        (Some(name), true) => name.clone(),
        (Some(name), false) => format!("{name}<{args}>"),
    }
}

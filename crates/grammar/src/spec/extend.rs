//! Specs that build on others: `extends`, `use`, and the files that they name.
//!
//! A file of the user's is named relative to the one that names it, and lies
//! beside or below it: a spec that comes from somebody else reads nothing
//! outside of its own folder.

use std::collections::BTreeMap;

use super::check::types::Problems;
use super::library;
use super::source::{Problem, Source};
use super::syntax::{
    self, Annotation, AttributeItem, ClassBody, ClassItem, File, Name, ProductionItem, Reference,
};

/// More files than this do not make one spec.
pub const MAX_FILES: usize = 64;

/// The user's files that a spec consists of besides the first one: their texts by
/// path, as [`beside`] gives it.
pub type SpecFiles = BTreeMap<String, String>;

/// The files that `text` names, as they are written there. A text that is no
/// spec names none: whoever reads it says what is wrong.
pub fn named_files(text: &str) -> Vec<String> {
    let Ok(file) = syntax::parse(text, 0) else {
        return Vec::new();
    };
    let all = file.extends.iter().chain(&file.uses);
    let files = all.filter(|reference| reference.is_file);
    files.map(|reference| reference.name.text.clone()).collect()
}

/// The path of a file that the file at `path` names, or why it is none.
pub fn beside(path: &str, named: &str) -> Result<String, &'static str> {
    let plain = |part: &str| !part.is_empty() && part != "..";
    if named.contains('\\') || !named.split('/').all(plain) {
        return Err("a file is named by its path from this one on, without `..`");
    }
    let named: Vec<&str> = named.split('/').filter(|part| *part != ".").collect();
    let named = named.join("/");
    Ok(match path.rfind('/') {
        Some(at) => format!("{}/{named}", &path[..at]),
        None => named,
    })
}

/// All files of a spec, as they are compiled: libraries, and the user's file
/// joined with what it extends.
pub(super) struct Files {
    pub libraries: Vec<File>,
    pub whole: File,
}

/// Reads the user's file, which is the first source, and all that it names.
pub(super) fn read(
    sources: &mut Vec<Source>,
    files: &SpecFiles,
    problems: &mut Problems,
) -> Option<Files> {
    let mut reader = Reader {
        sources,
        files,
        problems,
        used: Vec::new(),
        libraries: Vec::new(),
    };
    reader.library(library::PRELUDE.name.to_string(), library::PRELUDE.text);
    let name = reader.sources[0].name.clone();
    let whole = reader.spec(0, &name, &mut vec![name.clone()])?;
    let libraries = reader.libraries;
    Some(Files { libraries, whole })
}

struct Reader<'a> {
    sources: &'a mut Vec<Source>,
    files: &'a SpecFiles,
    problems: &'a mut Problems,
    /// Libraries that were read, by name or path.
    used: Vec<String>,
    libraries: Vec<File>,
}

impl Reader<'_> {
    /// Source number `number`, with what it extends; `above` are the specs that
    /// led here.
    fn spec(&mut self, number: usize, path: &str, above: &mut Vec<String>) -> Option<File> {
        let mut file = self.parse(number)?;
        for reference in std::mem::take(&mut file.uses) {
            self.use_library(&reference, path, &mut file);
        }
        let Some(base) = file.extends.take() else {
            return Some(file);
        };
        let (base_path, text) = self.find(&base, path, library::find_spec)?;
        if above.contains(&base_path) {
            let problem = format!("{base_path} extends itself");
            self.problems.error(base.name.span, problem);
            return None;
        }
        let base_number = self.source(&base.name, &base_path, &text)?;
        above.push(base_path.clone());
        let base = self.spec(base_number, &base_path, above)?;
        Some(join(base, file, self.problems))
    }

    fn parse(&mut self, number: usize) -> Option<File> {
        let file = syntax::parse(&self.sources[number].text, number as u16);
        file.map_err(|problem| self.problems.0.push(problem)).ok()
    }

    /// The path and text of what is named.
    fn find(
        &mut self,
        reference: &Reference,
        path: &str,
        built_in: fn(&str) -> Result<library::BuiltIn, String>,
    ) -> Option<(String, String)> {
        let name = &reference.name;
        let found = match reference.is_file {
            false => built_in(&name.text).map(|found| {
                let text = found.text.to_string();
                (found.name.to_string(), text)
            }),
            true => beside(path, &name.text)
                .map_err(str::to_string)
                .and_then(|path| match self.files.get(&path) {
                    Some(text) => Ok((path, text.clone())),
                    None => Err(format!("there is no file {path}")),
                }),
        };
        let tell = |problem| self.problems.error(name.span, problem);
        found.map_err(tell).ok()
    }

    fn source(&mut self, name: &Name, path: &str, text: &str) -> Option<usize> {
        let problem = match self.sources.len() > MAX_FILES {
            true => format!("more than {MAX_FILES} files"),
            false if text.len() > super::MAX_BYTES => {
                format!("{path} has more than {} bytes", super::MAX_BYTES)
            }
            false => {
                self.sources.push(Source {
                    name: path.to_string(),
                    text: text.to_string(),
                });
                return Some(self.sources.len() - 1);
            }
        };
        self.problems.error(name.span, problem);
        None
    }

    /// A library is read once, whoever uses it. Classes of a library of the user's
    /// become those of the spec.
    fn use_library(&mut self, reference: &Reference, path: &str, into: &mut File) {
        let Some((found, text)) = self.find(reference, path, library::find) else {
            return;
        };
        if reference.is_file && found == self.sources[0].name {
            let problem = format!("{found} uses itself");
            self.problems.error(reference.name.span, problem);
            return;
        }
        if self.used.contains(&found) {
            if reference.name.span.file == 0 && !reference.is_file {
                let problem = format!("library {} is used twice", reference.name.text);
                self.problems.error(reference.name.span, problem);
            }
            return;
        }
        self.used.push(found.clone());
        let Some(number) = self.source(&reference.name, &found, &text) else {
            return;
        };
        let Some(mut file) = self.parse(number) else {
            return;
        };
        if let Some(base) = &file.extends {
            let problem = "a library extends nothing: `use` it instead";
            self.problems.error(base.name.span, problem);
        }
        for inner in std::mem::take(&mut file.uses) {
            self.use_library(&inner, &found, into);
        }
        into.classes.append(&mut file.classes);
        self.libraries.push(file);
    }

    fn library(&mut self, name: String, text: &str) {
        self.sources.push(Source {
            name,
            text: text.to_string(),
        });
        if let Some(file) = self.parse(self.sources.len() - 1) {
            self.libraries.push(file);
        }
    }
}

/// The spec that `more` makes of `base`: what is new is added, what has a name
/// that is there already takes its place, and classes have the productions of
/// both.
fn join(mut base: File, more: File, problems: &mut Problems) -> File {
    if let (Some(theirs), Some(own)) = (&base.language, &more.language)
        && theirs.text != own.text
    {
        let problem = format!("the spec that it extends is of {}", theirs.text);
        problems.error(own.span, problem);
    }
    base.language = more.language.or(base.language);
    base.extension = more.extension.or(base.extension);
    base.comment = more.comment.or(base.comment);
    base.height = more.height.or(base.height);
    if !more.doc.is_empty() {
        base.doc = more.doc;
    }
    put_all(&mut base.knobs, more.knobs, |knob| &knob.name.text);
    put_all(&mut base.types, more.types, |item| &item.name.text);
    put_all(&mut base.functions, more.functions, |item| &item.name.text);
    for class in more.classes {
        let known = base.classes.iter_mut();
        match known
            .into_iter()
            .find(|known| known.name.text == class.name.text)
        {
            Some(known) => join_class(known, class, problems),
            None => base.classes.push(class),
        }
    }
    base
}

/// Adds items; one that has the name of another takes its place.
fn put_all<T>(all: &mut Vec<T>, more: Vec<T>, name: fn(&T) -> &String) {
    let before = all.len();
    for item in more {
        // Twice in one file is a mistake, which is told later.
        match all[..before]
            .iter()
            .position(|known| name(known) == name(&item))
        {
            Some(at) => all[at] = item,
            None => all.push(item),
        }
    }
}

fn join_class(base: &mut ClassItem, more: ClassItem, problems: &mut Problems) {
    put_all(
        &mut base.annotations,
        more.annotations,
        |note: &Annotation| &note.name.text,
    );
    if !more.doc.is_empty() {
        base.doc = more.doc;
    }
    let more_span = more.name.span;
    match (&mut base.body, more.body) {
        (
            ClassBody::Members {
                attributes,
                productions,
                ..
            },
            ClassBody::Members {
                attributes: new_attributes,
                productions: new_productions,
                without,
            },
        ) => {
            put_all(attributes, new_attributes, |item: &AttributeItem| {
                &item.name.text
            });
            for name in &without {
                match productions.iter().position(|p| p.name.text == name.text) {
                    Some(at) => drop(productions.remove(at)),
                    None => not_there(name, &base.name.text, productions, problems),
                }
            }
            put_all(productions, new_productions, |item: &ProductionItem| {
                &item.name.text
            });
        }
        (ClassBody::Members { .. }, _) | (_, ClassBody::Members { .. }) => {
            let problem = format!(
                "class {} has productions in one of the files and texts in the other",
                base.name.text
            );
            problems.error(more_span, problem);
        }
        (texts, own) => *texts = own,
    }
}

fn not_there(name: &Name, class: &str, all: &[ProductionItem], problems: &mut Problems) {
    let names = all.iter().map(|production| production.name.text.as_str());
    let hint = super::check::definitions::hint(&name.text, names);
    let problem = format!("class {class} has no production `{}`{hint}", name.text);
    problems.error(name.span, problem);
}

/// `without` takes out what another file has.
pub(super) fn check_without(file: &File, problems: &mut Problems) {
    for class in &file.classes {
        if let ClassBody::Members { without, .. } = &class.body
            && let Some(name) = without.first()
        {
            let problem = format!(
                "`without` takes productions out of a class of the spec that is extended; \
                 class {} is not one of them",
                class.name.text
            );
            problems.0.push(Problem::error(name.span, problem));
        }
    }
}

//! Atoms from a bank: the terms of sort Bool among those of many scripts.
//!
//! The bank that ships (`seeds/smtlib.bank`) was made by `lydite bank` of the seeds that
//! ship, and a test holds it to them. Where a seed had its own constants a line has holes;
//! they become constants of the script, or new ones.

use lydite_core::{Choices, OpenError, Reject, SettingFile};

use super::{Guest, MAX_ATOM, constants, fresh_stem};
use crate::mutate::bank::HEADER;
use crate::print;
use crate::strategy::witness::Subject;
use crate::syntax::{CommandKind, Script, parse_str};

/// The bank that ships.
const SHIPPED: &str = include_str!("../../../../../seeds/smtlib.bank");

/// At most so many atoms of a bank make up a guest.
const MOST_ATOMS: u64 = 4;

/// Lines of sort Bool.
pub(super) struct Atoms {
    lines: Vec<String>,
}

impl Atoms {
    /// The atoms of a user's bank, or of the one that ships.
    pub(super) fn open(file: Option<&SettingFile>) -> Result<Atoms, OpenError> {
        let text = file.map_or(SHIPPED, |file| &file.text);
        let flaw = |line: usize, what: &str| match file {
            Some(file) => file.flaw("bank", Some(line), what.to_string()),
            None => OpenError::Seeds(format!("the bank that ships, line {line}: {what}")),
        };
        let mut lines = text.lines();
        if lines.next().map(str::trim_end) != Some(HEADER) {
            return Err(flaw(1, "expected a bank (lydite bank makes such a file)"));
        }
        let mut atoms = Atoms { lines: Vec::new() };
        for (at, line) in lines.enumerate() {
            // What has another sort is not read: a bank may be large.
            if line.len() > 4 * MAX_ATOM || !line.contains(" Bool (") {
                continue;
            }
            let Some((script, is_truth)) = read(line) else {
                return Err(flaw(at + 2, "expected holes, a sort and one term"));
            };
            if is_truth && term_text(&script).is_some_and(|text| text.len() <= MAX_ATOM) {
                atoms.lines.push(line.to_string());
            }
        }
        Ok(atoms)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Some atoms that speak of constants of the host and of new ones.
    pub(super) fn guest(
        &self,
        host: &Subject,
        number: u64,
        share: bool,
        choices: &mut Choices,
    ) -> Result<Guest, Reject> {
        let own = constants(host);
        let stem = fresh_stem(host, number);
        let mut new: Vec<(String, String)> = Vec::new();
        let mut guest = Guest {
            declarations: String::new(),
            atoms: Vec::new(),
            logic: None,
        };
        for _ in 0..choices.between(1, MOST_ATOMS)? {
            let line = choices.pick(&self.lines)?;
            let Some((mut script, _)) = read(line) else {
                continue;
            };
            let mut texts: Vec<String> = script
                .symbols()
                .iter()
                .map(|(_, text)| text.to_string())
                .collect();
            for (symbol, sort) in holes(&script) {
                let same: Vec<&str> = own
                    .iter()
                    .filter(|(_, other)| *other == sort)
                    .map(|(name, _)| host.script.name(*name))
                    .chain(
                        new.iter()
                            .filter(|(_, other)| *other == sort)
                            .map(|(n, _)| n.as_str()),
                    )
                    .collect();
                let name = match share && !same.is_empty() && choices.chance(2, 3)? {
                    true => choices.pick(&same)?.to_string(),
                    false => {
                        let name = format!("{stem}{}", new.len());
                        let quoted = print::quoted(&name);
                        guest
                            .declarations
                            .push_str(&format!("(declare-const {quoted} {sort})\n"));
                        new.push((name.clone(), sort));
                        name
                    }
                };
                texts[symbol] = name;
            }
            script.replace_symbols(&texts);
            guest.atoms.extend(term_text(&script));
        }
        Ok(guest)
    }
}

/// A line as a definition, and whether it is of sort Bool.
fn read(line: &str) -> Option<(Script, bool)> {
    let script = parse_str(&format!("(define-fun term {line}\n)")).ok()?;
    let [command] = script.commands.as_slice() else {
        return None;
    };
    let CommandKind::DefineFun(definition) = &command.kind else {
        return None;
    };
    let is_truth = print::sort(&script, definition.sort) == "Bool";
    Some((script, is_truth))
}

/// The names of holes, by number, and their sorts.
fn holes(script: &Script) -> Vec<(usize, String)> {
    let of = |command: &crate::syntax::Command| match &command.kind {
        CommandKind::DefineFun(definition) => {
            let holes = definition.parameters.iter();
            holes
                .map(|hole| (hole.symbol.index(), print::sort(script, hole.sort)))
                .collect()
        }
        _ => Vec::new(),
    };
    script.commands.first().map(of).unwrap_or_default()
}

fn term_text(script: &Script) -> Option<String> {
    match &script.commands.first()?.kind {
        CommandKind::DefineFun(definition) => Some(print::term(script, definition.body)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bank_that_ships_is_made_of_the_seeds_that_ship_and_has_atoms_of_every_theory() {
        let atoms = Atoms::open(None).unwrap();
        assert!(atoms.lines.len() > 300, "{}", atoms.lines.len());
        for word in [
            "bvult", "fp.", "str.", "re.", "seq.", "select", "set.", "bag", "ff.", "to_real", "mod",
        ] {
            let has = atoms.lines.iter().any(|line| line.contains(word));
            assert!(has, "no atom with {word}");
        }
    }

    #[test]
    fn a_bank_that_is_none_is_refused() {
        let file = |text: &str| SettingFile {
            name: "my.bank".to_string(),
            text: text.into(),
        };
        let error = Atoms::open(Some(&file("x"))).err().unwrap().to_string();
        assert!(error.contains("expected a bank"), "{error}");
        let broken = format!("{HEADER}\n((?0 Int)) Bool (> ?0\n");
        let error = Atoms::open(Some(&file(&broken))).err().unwrap().to_string();
        assert!(error.contains(":2"), "{error}");
        let empty = Atoms::open(Some(&file(HEADER))).unwrap();
        assert!(empty.is_empty());
    }
}

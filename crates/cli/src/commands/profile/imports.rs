//! A file and everything that it imports, read and joined.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lydite_solidity::equivalent::{Outline, Unit, flatten, imports};

/// More files than this are not read.
const FILES: usize = 1000;

/// More bytes than this are not read.
const BYTES: usize = 8 << 20;

/// The joined text, and the contracts of the file itself.
pub(super) fn joined(path: &Path, roots: &[PathBuf]) -> Result<(String, Vec<String>)> {
    let main = fs::canonicalize(path).context("cannot be read")?;
    let mut numbers = BTreeMap::from([(main.clone(), 0)]);
    let mut paths = vec![main];
    let mut units: Vec<Unit> = Vec::new();
    let mut bytes = 0;
    while let Some(path) = paths.get(units.len()).cloned() {
        let named = || path.display().to_string();
        let text = fs::read_to_string(&path).with_context(named)?;
        bytes += text.len();
        if paths.len() > FILES || bytes > BYTES {
            bail!("imports more than {FILES} files or {BYTES} bytes");
        }
        let mut unit = Unit {
            name: named(),
            imports: Vec::new(),
            text,
        };
        for import in imports(&unit.text).with_context(named)? {
            let found = find(&import, &path, roots);
            let found = found.with_context(|| format!("imports `{import}`, which is not found"))?;
            let number = *numbers.entry(found.clone()).or_insert_with(|| {
                paths.push(found);
                paths.len() - 1
            });
            unit.imports.push(number);
        }
        units.push(unit);
    }
    let own = Outline::of(units[0].text.as_bytes())?.contracts;
    let own = own.into_iter().map(|contract| contract.name).collect();
    Ok((flatten(&units, 0)?, own))
}

/// The file that is imported: beside the one that does, or below a root.
fn find(import: &str, from: &Path, roots: &[PathBuf]) -> Option<PathBuf> {
    let folder = from.parent()?;
    let mut places = vec![folder.join(import)];
    if !import.starts_with('.') {
        places.extend(roots.iter().map(|root| root.join(import)));
        let above = folder.ancestors();
        places.extend(above.map(|folder| folder.join("node_modules").join(import)));
    }
    places
        .iter()
        .find_map(|place| fs::canonicalize(place).ok().filter(|path| path.is_file()))
}

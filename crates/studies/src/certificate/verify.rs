//! Checking a certificate: everything in it is computed again, as far as what
//! it was made of is there.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use lydite_core::Language;
use serde_json::Value;

use super::{Certificate, Evidence, FILE_NAME, FORMAT, Statement, hash_of};
use lydite_core::fault::Blame;
use lydite_lab::registry::Registry;
use lydite_store::folder::ReadFolder;

/// A larger file is no certificate: findings are few.
const MAX_BYTES: u64 = 64 << 20;

/// What a check of a certificate gave.
pub struct Verified {
    /// The certificate as it is written.
    pub certificate: Certificate,
    /// The checks that were made, in words.
    pub checked: Vec<String>,
    /// What is not as the certificate says; it holds if there is none.
    pub differences: Vec<String>,
}

/// Checks the certificate at `path`, a file or a campaign's folder. A
/// certificate that lies in its campaign's folder is made again from plan and
/// store; one by itself can only be checked against itself.
pub fn verify(
    path: &Path,
    language_of: &dyn Fn(&str) -> Arc<dyn Language>,
    registry: &Registry,
) -> Result<Verified> {
    let file = match path.is_dir() {
        true => path.join(FILE_NAME),
        false => path.to_path_buf(),
    };
    let certificate = read(&file).or_usage()?;
    let mut verified = Verified {
        checked: vec!["its own hash and sums".to_string()],
        differences: own_differences(&certificate)?,
        certificate,
    };
    let folder = file.parent().unwrap_or(Path::new(""));
    if !ReadFolder::is_campaign(folder) {
        return Ok(verified);
    }
    let folder = &ReadFolder::campaign(folder)?;
    let statement = &verified.certificate.statement;
    let language = language_of(statement.identity["language"].as_str().unwrap_or_default());
    let made = Evidence::read(folder, &language, registry)
        .and_then(|evidence| evidence.certificate(statement.range.cases));
    verified.checked.extend(
        [
            "the plan and its hash",
            "the text of the grammar and the seeds",
            "every case in the store",
        ]
        .map(str::to_string),
    );
    match made {
        Ok(made) => {
            let (said, is) = (json(statement)?, json(&made.statement)?);
            differences("", &said, &is, &mut verified.differences);
        }
        Err(error) => verified.differences.push(format!("{error:#}")),
    }
    Ok(verified)
}

fn json(statement: &Statement) -> Result<Value> {
    Ok(serde_json::to_value(statement)?)
}

fn read(path: &Path) -> Result<Certificate> {
    let context = || format!("certificate {}", path.display());
    let mut text = String::new();
    let file = File::open(path).context("cannot be read");
    let mut file = file.with_context(context)?.take(MAX_BYTES + 1);
    file.read_to_string(&mut text).with_context(context)?;
    if text.len() as u64 > MAX_BYTES {
        bail!("certificate {}: too large to be one", path.display());
    }
    let certificate: Certificate = serde_json::from_str(&text).with_context(context)?;
    let format = certificate.statement.format;
    if format != FORMAT {
        bail!(
            "certificate {}: format {format} is not {FORMAT}",
            path.display()
        );
    }
    Ok(certificate)
}

/// What contradicts itself in a certificate.
fn own_differences(certificate: &Certificate) -> Result<Vec<String>> {
    let statement = &certificate.statement;
    let mut differences = Vec::new();
    let hash = hash_of(statement)?;
    if hash != certificate.hash {
        differences.push(format!(
            "hash: the certificate says {}, its content gives {hash}",
            certificate.hash
        ));
    }
    let (all, cases) = (statement.counts.all(), statement.range.cases);
    if all != cases {
        differences.push(format!(
            "counts: they add up to {all}, not to the {cases} of the range"
        ));
    }
    let campaign = blake3::hash(statement.identity.to_string().as_bytes()).to_hex();
    if *campaign != *statement.campaign {
        differences.push(format!(
            "campaign: the certificate says {}, its identity gives {campaign}",
            statement.campaign
        ));
    }
    Ok(differences)
}

/// Names each part of two values that differs. Both are read by serde_json,
/// which bounds their depth.
fn differences(path: &str, said: &Value, is: &Value, found: &mut Vec<String>) {
    match (said, is) {
        (Value::Object(said), Value::Object(is)) => {
            let keys: std::collections::BTreeSet<&String> = said.keys().chain(is.keys()).collect();
            for key in keys {
                let path = match path {
                    "" => key.clone(),
                    path => format!("{path}.{key}"),
                };
                let value = |of: &serde_json::Map<String, Value>| {
                    of.get(key.as_str()).cloned().unwrap_or(Value::Null)
                };
                differences(&path, &value(said), &value(is), found);
            }
        }
        (said, is) if said != is => {
            found.push(format!(
                "{path}: the certificate says {said}, the campaign {is}"
            ));
        }
        _ => {}
    }
}

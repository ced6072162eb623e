//! `lydite certify`: what a campaign over a counted space has shown, in a
//! file that can be checked.

use std::path::Path;

use anyhow::Result;
use lydite_lab::campaign::Resolved;
use lydite_lab::certificate::{Certificate, verify};
use lydite_lab::plan::Mode;
use lydite_lab::registry::Registry;
use serde_json::json;

use crate::args::CertifyArgs;
use crate::console::{Console, print};
use crate::exit_code::ExitCode;
use crate::registry::{language_named, registry};

pub(crate) fn run(args: &CertifyArgs, console: &Console) -> Result<ExitCode> {
    let registry = registry();
    if args.verify {
        return verified(args, &registry, console);
    }
    let certificate = make(&args.path, &registry)?;
    let path = certificate.write(&args.path)?;
    if args.json {
        print(&serde_json::to_string(&certificate)?);
    } else {
        print(&certificate.statement.says);
        print(&format!("certificate: {}", path.display()));
    }
    Ok(ExitCode::Clean)
}

/// Writes the certificate of a campaign that has come to the end of its
/// range, and says so; of any other campaign there is none.
pub(super) fn at_end(folder: &Path, registry: &Registry, console: &Console) {
    let counted = Resolved::read(folder).is_ok_and(|plan| plan.mode == Mode::Enumerate);
    if !counted {
        return;
    }
    match make(folder, registry).and_then(|certificate| certificate.write(folder)) {
        Ok(path) => console.say(&format!("certificate: {}", path.display())),
        Err(error) => console.detail(&format!("no certificate: {error:#}")),
    }
}

fn make(folder: &Path, registry: &Registry) -> Result<Certificate> {
    let language = language_named(registry, &Resolved::read(folder)?.language);
    Certificate::make(folder, &language, registry)
}

fn verified(args: &CertifyArgs, registry: &Registry, console: &Console) -> Result<ExitCode> {
    let language = |name: &str| language_named(registry, name);
    let verified = verify(&args.path, &language, registry)?;
    let holds = verified.differences.is_empty();
    if args.json {
        let object = json!({
            "holds": holds,
            "checked": verified.checked,
            "differences": verified.differences,
        });
        print(&object.to_string());
        return Ok(ExitCode::found(!holds));
    }
    console.say(&format!("checked: {}", verified.checked.join(", ")));
    for difference in &verified.differences {
        console.warn(difference);
    }
    if holds {
        print(&verified.certificate.statement.says);
    }
    print(match holds {
        true => "the certificate holds",
        false => "the certificate does not hold",
    });
    Ok(ExitCode::found(!holds))
}

//! `lydite certify`: what a campaign over a counted space has shown, in a
//! file that can be checked.

use anyhow::Result;
use lydite_lab::campaign::Resolved;
use lydite_lab::plan::Mode;
use lydite_lab::registry::Registry;
use lydite_store::folder::{LockedFolder, ReadFolder};
use lydite_studies::certificate::{Certificate, verify};
use serde_json::json;

use crate::args::CertifyArgs;
use crate::console::{Console, print, print_json};
use crate::exit_code::ExitCode;
use crate::registry::{language_named, registry};

pub(crate) fn run(args: &CertifyArgs, console: &Console) -> Result<ExitCode> {
    let registry = registry();
    if args.verify {
        return verified(args, &registry, console);
    }
    let folder = LockedFolder::campaign(&args.path)?;
    let certificate = make(&folder, &registry)?;
    let path = certificate.write(&folder)?;
    if args.json {
        print_json(&serde_json::to_string(&certificate)?);
    } else {
        print(&certificate.statement.says);
        print(&format!("certificate: {}", path.display()));
    }
    Ok(ExitCode::Clean)
}

/// Writes the certificate of a campaign that has come to the end of its
/// range, and says so; of any other campaign there is none.
pub(super) fn at_end(folder: &LockedFolder, registry: &Registry, console: &Console) -> Result<()> {
    if Resolved::read(folder)?.mode != Mode::Enumerate {
        return Ok(());
    }
    match make(folder, registry) {
        Ok(certificate) => {
            let path = certificate.write(folder)?;
            console.say(&format!("certificate: {}", path.display()));
        }
        // What an earlier part of the campaign was certified for stays true.
        Err(error) => console.detail(&format!("no certificate: {error:#}")),
    }
    Ok(())
}

fn make(folder: &ReadFolder, registry: &Registry) -> Result<Certificate> {
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
        print_json(&object.to_string());
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

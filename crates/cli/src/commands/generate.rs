//! `lydite generate`: programs, and nothing run.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use lydite_core::fault::Fault;
use lydite_core::{BigUint, Case, Choices, Language, Reject, SeedNeed, Space};
use lydite_lab::campaign::index_from_text;
use lydite_lab::plan::PlanLimits;
use lydite_lab::seeds::SeedSet;
use lydite_lab::setting_files::SettingFiles;
use serde_json::json;

use super::prove::confirm_files;
use super::toolbox::guess_language;
use crate::args::{GenerateArgs, SpaceArgs};
use crate::console::{Console, print_json};
use crate::exit_code::ExitCode;
use crate::registry::{plain_language, registry};

/// A space and the language of its programs.
pub(super) struct OpenedSpace {
    pub space: Box<dyn Space>,
    pub language: Arc<dyn Language>,
    /// True if the strategy is meant to be counted through.
    counted: bool,
}

/// Opens the space that the arguments describe.
pub(super) fn open_space(args: &SpaceArgs, console: &Console) -> Result<OpenedSpace> {
    let registry = registry();
    let strategy = registry.strategy(&args.strategy)?;
    let mut given: BTreeMap<String, String> = args.settings.iter().cloned().collect();
    if let Some(size) = &args.size
        && given.insert("size".to_string(), size.clone()).is_some()
    {
        bail!("--size and --set size=… say the same; give one of them");
    }
    let files = SettingFiles::read(strategy.as_ref(), &given, Path::new(""))?;
    let settings = files.settings(strategy.as_ref(), &given)?;
    confirm_files(strategy.as_ref(), &settings, console)?;
    let seeds = super::seeds::locate(&args.seeds)?;
    let language = match (&args.language, strategy.language_of(&settings)) {
        (Some(name), _) => registry.language(name)?,
        // A grammar may be of a language that nothing else here knows.
        (None, Some(name)) => match registry.language(&name) {
            Ok(language) => language,
            Err(_) => plain_language(name, strategy.plain_surface_of(&settings)),
        },
        (None, None) if strategy.seeds() == SeedNeed::None => {
            plain_language("any".to_string(), strategy.plain_surface_of(&settings))
        }
        (None, None) => {
            guess_language(&registry, &seeds).context("which language? Say --language")?
        }
    };
    let limits = PlanLimits::default().of_seeds(0);
    let set = SeedSet::read(&seeds, language.as_ref(), limits)?;
    if let Some(text) = set.sampling() {
        console.say(&text);
    }
    if let SeedNeed::AtLeast(needed) = strategy.seeds()
        && set.seeds.len() < needed
    {
        bail!(
            "strategy {}: it needs at least {needed} seed(s) (--seeds PATH)",
            args.strategy
        );
    }
    let space = strategy.open(language.clone(), set.seeds.into(), &settings)?;
    Ok(OpenedSpace {
        space,
        language,
        counted: strategy.is_counted(),
    })
}

pub(crate) fn run(args: &GenerateArgs, console: &Console) -> Result<ExitCode> {
    let opened = open_space(&args.space, console)?;
    let from = index_from_text(&args.from)?;
    let enumerate = args.enumerate || opened.counted && !args.sample;
    if enumerate && opened.space.len().is_none() {
        bail!(
            "--enumerate: the space of {} cannot be counted",
            args.space.strategy
        );
    }
    if let Some(size) = opened.space.len().filter(|size| enumerate && from >= *size) {
        console.warn(&format!(
            "--from {from}: the space has {size} cases, from 0 on"
        ));
    }
    let mut out = Output::open(args, opened.language.as_ref())?;
    let mut claims = open_claims(args)?;
    let started = Instant::now();
    let cpu_before = cpu_s();
    let made = match enumerate {
        true => opened.space.walk(&from),
        false => drawn(opened.space.as_ref(), args.seed, &from),
    };
    let mut tally = CaseTally::default();
    let mut index = from;
    for case in made.take(usize::try_from(args.cases).unwrap_or(usize::MAX)) {
        if let Some(case) = tally.add(case, &index, console) {
            if args.check {
                tally.check(&case, opened.language.as_ref(), &index, console);
            }
            out.write(&index, &case)?;
            if let Some(claims) = &mut claims {
                let line = json!({ "case": index.to_string(), "claim": case.claim });
                writeln!(claims, "{line}").context(Fault::CannotWrite)?;
            }
        }
        index += BigUint::ONE;
    }
    out.flush()?;
    if let Some(mut claims) = claims {
        claims.flush().context(Fault::CannotWrite)?;
    }
    tally.say_rejects(console);
    if args.stats {
        let object = json!({
            "cases": tally.cases,
            "rejects": tally.rejects,
            "ill_formed": args.check.then_some(tally.ill_formed),
            "bytes": tally.bytes,
            "cpu_s": cpu_s() - cpu_before,
            "wall_s": started.elapsed().as_secs_f64(),
        });
        print_json(&object.to_string());
    }
    Ok(match tally.ill_formed {
        0 => ExitCode::Clean,
        _ => ExitCode::Internal,
    })
}

/// The file of the claims beside the programs, if it is wanted.
fn open_claims(args: &GenerateArgs) -> Result<Option<BufWriter<File>>> {
    let Some(folder) = args.output.as_ref().filter(|_| args.claims) else {
        return Ok(None);
    };
    if folder.as_os_str() == "-" {
        bail!("--claims writes a file: give a folder, -o DIR");
    }
    let path = folder.join("claims.jsonl");
    let file = File::create(&path)
        .with_context(|| path.display().to_string())
        .context(Fault::CannotWrite)?;
    Ok(Some(BufWriter::new(file)))
}

/// What came of the cases so far.
#[derive(Default)]
struct CaseTally {
    cases: u64,
    /// The size of all programs.
    bytes: u64,
    ill_formed: u64,
    rejects: u64,
    /// How often each reason made a case impossible.
    reasons: BTreeMap<String, u64>,
}

impl CaseTally {
    /// Counts a case, and gives it back if it could be made.
    fn add(
        &mut self,
        case: Result<Case, Reject>,
        index: &BigUint,
        console: &Console,
    ) -> Option<Case> {
        match case {
            Ok(case) => {
                self.cases += 1;
                self.bytes += case.bytes();
                Some(case)
            }
            Err(reject) => {
                self.rejects += 1;
                *self.reasons.entry(reject.to_string()).or_default() += 1;
                console.detail(&format!("case {index}: {reject}"));
                None
            }
        }
    }

    /// Counts a case with a program that its language refuses, and says why it does.
    fn check(&mut self, case: &Case, language: &dyn Language, index: &BigUint, console: &Console) {
        let mut programs = case.programs.iter();
        if let Err(why) = programs.try_for_each(|program| language.check(program)) {
            self.ill_formed += 1;
            console.warn(&format!("case {index}: ill-formed: {why}"));
        }
    }

    fn say_rejects(&self, console: &Console) {
        let tried = self.cases + self.rejects;
        for (reason, count) in self.reasons.iter().take(SHOWN_REASONS) {
            console.say(&format!(
                "{count} of {tried} cases could not be made: {reason}"
            ));
        }
    }
}

/// How many reasons why a case could not be made are shown.
const SHOWN_REASONS: usize = 5;

/// Cases drawn with one random stream each.
fn drawn<'a>(
    space: &'a dyn Space,
    seed: u64,
    from: &BigUint,
) -> Box<dyn Iterator<Item = Result<Case, Reject>> + 'a> {
    let mut stream = u64::try_from(from).ok();
    Box::new(std::iter::from_fn(move || {
        let Some(number) = stream else {
            let reject = Reject::NotApplicable("an index above 2^64 without --enumerate");
            return Some(Err(reject));
        };
        stream = number.checked_add(1);
        Some(space.sample(&mut Choices::seeded(seed, number)))
    }))
}

fn cpu_s() -> f64 {
    lydite_lab::campaign::own_cpu().as_secs_f64()
}

/// The place that programs are written to.
enum Output<'a> {
    Nowhere,
    Stdout {
        comment: &'a str,
        out: BufWriter<std::io::Stdout>,
    },
    Folder {
        folder: &'a Path,
    },
}

impl<'a> Output<'a> {
    fn open(args: &'a GenerateArgs, language: &'a dyn Language) -> Result<Output<'a>> {
        match &args.output {
            Some(path) if path.as_os_str() == "-" => Ok(Output::Stdout {
                comment: language.line_comment(),
                out: BufWriter::new(std::io::stdout()),
            }),
            Some(folder) => {
                std::fs::create_dir_all(folder)
                    .with_context(|| folder.display().to_string())
                    .context(Fault::CannotWrite)?;
                Ok(Output::Folder { folder })
            }
            None if args.stats => Ok(Output::Nowhere),
            None => {
                bail!("say where the programs go: -o DIR, -o - for standard output, or --stats")
            }
        }
    }

    fn write(&mut self, index: &BigUint, case: &Case) -> Result<()> {
        for (number, program) in case.programs.iter().enumerate() {
            let several = match case.programs.len() {
                1 => String::new(),
                _ => format!("-{number}"),
            };
            for (i, file) in program.files.iter().enumerate() {
                let written = match self {
                    Output::Nowhere => Ok(()),
                    Output::Stdout { comment, out } => {
                        let about = about(case, number);
                        writeln!(
                            out,
                            "{comment} case {index}{several} {} ({about})",
                            file.name
                        )
                        .and_then(|()| out.write_all(&file.text))
                        .and_then(|()| {
                            out.write_all(if file.text.ends_with(b"\n") {
                                b""
                            } else {
                                b"\n"
                            })
                        })
                    }
                    Output::Folder { folder } => {
                        let extension = file
                            .name
                            .rsplit_once('.')
                            .map_or("txt", |(_, extension)| extension);
                        let name = match i {
                            0 => format!("{}{several}.{extension}", file_stem(index)),
                            _ => format!("{}{several}.{}", file_stem(index), file.name),
                        };
                        std::fs::write(folder.join(name), &file.text)
                    }
                };
                written.context(Fault::CannotWrite)?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        match self {
            Output::Stdout { out, .. } => out.flush().context(Fault::CannotWrite),
            Output::Nowhere | Output::Folder { .. } => Ok(()),
        }
    }
}

/// The claim, and how the program was made, in one line.
fn about(case: &Case, program: usize) -> String {
    let mut words = vec![case.claim.to_string()];
    match case.programs.len() {
        1 => words.extend(case.steps.iter().cloned()),
        _ => words.extend(case.step_to(program).map(str::to_string)),
    }
    words.join("; ").replace(['\n', '\r'], " ")
}

/// An index as the beginning of a file name. File systems take 255 bytes; of
/// a longer index its first digits, their number, and the digits in which
/// neighbours differ.
fn file_stem(index: &BigUint) -> String {
    let digits = format!("{index:0>9}");
    match digits.len() {
        0..=100 => digits,
        len => format!("{}-{len}-{}", &digits[..20], &digits[len - 40..]),
    }
}

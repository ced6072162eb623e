//! The command line of Lydite.

mod args;
mod commands;
mod console;
mod exit_code;
mod presets;
mod registry;
mod table;

use std::panic;

use lydite_core::fault::Blame;

use args::CommandArgs;
use console::Console;
use exit_code::ExitCode;

fn main() -> std::process::ExitCode {
    quiet_workers();
    let cli = args::parse();
    table::decide_width(cli.wide);
    let console = Console::new(cli.quiet, cli.verbose);
    let ran = panic::catch_unwind(panic::AssertUnwindSafe(|| {
        let code = run(cli.command, &console)?;
        console::check_printed().map(|()| code)
    }));
    match ran {
        Ok(Ok(code)) => code.into(),
        Ok(Err(error)) => {
            console.error(&error);
            ExitCode::of(&error).into()
        }
        // The panic's message is on stderr already.
        Err(_) => ExitCode::Internal.into(),
    }
}

fn run(command: CommandArgs, console: &Console) -> anyhow::Result<ExitCode> {
    // Where all that a command does is to read what the user names, whatever goes
    // wrong is with that. Commands that work on a campaign say it where they read.
    match command {
        CommandArgs::Hunt(args) => commands::hunt::run(&args, console),
        CommandArgs::Generate(args) => commands::generate::run(&args, console).or_usage(),
        CommandArgs::Count(args) => commands::count::run(&args, console).or_usage(),
        CommandArgs::Bank(args) => commands::bank::run(&args, console).or_usage(),
        CommandArgs::Prove(args) => commands::prove::run(&args, console).or_usage(),
        CommandArgs::Check(args) => commands::check::run(&args, console).or_usage(),
        CommandArgs::Evm(args) => commands::evm::run(&args).or_usage(),
        CommandArgs::Meaning(args) => commands::meaning::run(&args).or_usage(),
        CommandArgs::Bisect(args) => commands::bisect::run(&args, console),
        CommandArgs::Reduce(args) => commands::reduce::run(&args, console),
        CommandArgs::Profile(args) => commands::profile::run(&args, console).or_usage(),
        CommandArgs::Label(args) => commands::label::run(&args, console).or_usage(),
        CommandArgs::Replay(args) => commands::replay::run(&args, console),
        CommandArgs::Dedup(args) => commands::dedup::run(&args, console),
        CommandArgs::Findings(args) => commands::findings::run(&args, console),
        CommandArgs::Queue(args) => commands::queue::run(&args),
        CommandArgs::Bug(args) => commands::bug::run(&args, console),
        CommandArgs::Report(args) => commands::report::run(&args),
        CommandArgs::Coverage(args) => commands::coverage::run(&args, console),
        CommandArgs::Evolve(args) => commands::evolve::run(&args, console),
        CommandArgs::Certify(args) => commands::certify::run(&args, console),
        CommandArgs::Merge(args) => commands::merge::run(&args, console),
        CommandArgs::Worker(args) => commands::worker::run(&args, console).or_usage(),
        CommandArgs::Serve(args) => commands::serve::run(&args, console).or_usage(),
        CommandArgs::Targets(args) => commands::targets::run(&args, console).or_usage(),
        CommandArgs::Seeds(args) => commands::seeds::run(&args, console).or_usage(),
        CommandArgs::Spec(args) => commands::spec::run(&args).or_usage(),
        CommandArgs::List(args) => commands::list::run(&args).or_usage(),
        CommandArgs::Completions(args) => commands::completions::run(&args).or_usage(),
        CommandArgs::Man(args) => commands::completions::write_pages(&args, console).or_usage(),
    }
}

/// A panic inside a case is counted and stored with its text; a thousand of
/// them must not flood the terminal.
fn quiet_workers() {
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let thread = std::thread::current();
        if !thread
            .name()
            .is_some_and(|name| name.starts_with("lydite-worker"))
        {
            default(info);
        }
    }));
}

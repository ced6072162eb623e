//! `lydite --help`: the commands in the order in which one wants them.

use clap::{CommandFactory, FromArgMatches};

use super::Cli;

/// The commands by what one wants to do.
const GROUPS: &[(&str, &[&str])] = &[
    ("Hunt", &["hunt", "check", "generate", "count", "serve"]),
    (
        "Look at findings",
        &["findings", "replay", "report", "dedup"],
    ),
    (
        "Make them small and report them",
        &["reduce", "bisect", "queue", "bug"],
    ),
    (
        "Study versions and coverage",
        &["evolve", "certify", "coverage"],
    ),
    (
        "Prepare seeds, tables and specs",
        &[
            "seeds", "label", "bank", "prove", "profile", "evm", "meaning", "spec",
        ],
    ),
    ("Use many machines", &["worker", "merge"]),
    ("Set up", &["targets", "list", "completions", "man"]),
];

const TEMPLATE: &str = "\
{about-with-newline}
{usage-heading} {usage}

{before-help}Options:
{options}{after-help}";

/// What was typed; ends the program with help or a mistake.
pub(crate) fn parse() -> Cli {
    let matches = command().get_matches();
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// The definition of the command line, its commands grouped.
pub(crate) fn command() -> clap::Command {
    let command = Cli::command();
    let groups = grouped(&command);
    command.help_template(TEMPLATE).before_help(groups)
}

fn grouped(command: &clap::Command) -> String {
    let width = GROUPS.iter().flat_map(|(_, names)| *names);
    let width = width.map(|name| name.len()).max().unwrap_or(0);
    let line = |name: &&str| {
        let about = command
            .find_subcommand(name)
            .and_then(|command| command.get_about())
            .map(ToString::to_string)
            .unwrap_or_default();
        format!("  {name:width$}  {about}\n")
    };
    let group = |(title, names): &(&str, &[&str])| {
        let lines: String = names.iter().map(line).collect();
        format!("{title}:\n{lines}\n")
    };
    GROUPS.iter().map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        grouped.sort_unstable();
        let command = Cli::command();
        let mut known: Vec<&str> = command.get_subcommands().map(|c| c.get_name()).collect();
        known.sort_unstable();
        assert_eq!(grouped, known);
    }

    #[test]
    fn the_list_of_commands_fits_a_terminal_of_80_columns() {
        let list = self::grouped(&Cli::command());
        for line in list.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

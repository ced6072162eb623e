//! What can be typed about other machines, and about the server of pages.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use lydite_cluster::Server;
use lydite_core::quantity::Span;
use lydite_lab::campaign::Shard;

/// Who we are to a NATS server.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "NATS")]
pub(crate) struct NatsArgs {
    /// A credentials file.
    #[arg(long, value_name = "FILE", env = "NATS_CREDS")]
    pub nats_creds: Option<PathBuf>,
    /// A user name.
    #[arg(long, value_name = "NAME", env = "NATS_USER")]
    pub nats_user: Option<String>,
    /// The user's password; better by the variable than by the option.
    #[arg(
        long,
        value_name = "TEXT",
        env = "NATS_PASSWORD",
        hide_env_values = true
    )]
    pub nats_password: Option<String>,
    /// A token; better by the variable than by the option.
    #[arg(long, value_name = "TEXT", env = "NATS_TOKEN", hide_env_values = true)]
    pub nats_token: Option<String>,
    /// Certificates to trust beside those of the system.
    #[arg(long, value_name = "FILE", env = "NATS_CA")]
    pub nats_ca: Option<PathBuf>,
    /// Our own certificate.
    #[arg(long, value_name = "FILE", env = "NATS_CERT")]
    pub nats_cert: Option<PathBuf>,
    /// Its key.
    #[arg(long, value_name = "FILE", env = "NATS_KEY")]
    pub nats_key: Option<PathBuf>,
}

impl NatsArgs {
    /// The server at `url`.
    pub(crate) fn server(&self, url: &str) -> Server {
        Server {
            url: url.to_string(),
            credentials: self.nats_creds.clone(),
            user: self.nats_user.clone(),
            password: self.nats_password.clone(),
            token: self.nats_token.clone(),
            authority: self.nats_ca.clone(),
            certificate: self.nats_cert.clone(),
            key: self.nats_key.clone(),
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lydite worker nats://127.0.0.1:4222                one shard per core at a time
  lydite worker tls://nats.lab:4222 -j 8 --install   gets the targets that it lacks

A worker runs what the plans and target files of campaigns on that server say: whoever can write to
the server can run commands here (docs/cluster.md).")]
pub(crate) struct WorkerArgs {
    /// The NATS server, such as nats://127.0.0.1:4222.
    #[arg(value_name = "URL")]
    pub url: String,
    /// Shards at a time [default: the number of cores].
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Install targets that are missing; without it, campaigns that need them
    /// are declined.
    #[arg(long)]
    pub install: bool,
    /// End after so long without work [default: never].
    #[arg(long, value_name = "TIME")]
    pub idle: Option<Span>,
    /// What this worker is called in messages [default: the machine's name and
    /// a number].
    #[arg(long)]
    pub name: Option<String>,
    #[command(flatten)]
    pub nats: NatsArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lydite serve lydite-out                        all campaigns below a folder
  lydite serve lydite-out --work                 findings can be reduced and bisected on their pages
  LYDITE_TOKEN=… lydite serve out --listen 0.0.0.0:8089")]
pub(crate) struct ServeArgs {
    /// A campaign's folder, or a folder of campaigns.
    pub folder: PathBuf,
    /// Where to listen; elsewhere than on this machine only with a token.
    #[arg(long, default_value = "127.0.0.1:8089", value_name = "ADDRESS")]
    pub listen: SocketAddr,
    /// What whoever asks has to know; better by the variable than by the
    /// option.
    #[arg(
        long,
        env = "LYDITE_TOKEN",
        hide_env_values = true,
        value_name = "TEXT"
    )]
    pub token: Option<String>,
    /// Offer to reduce and bisect findings: whoever may mark them can then run
    /// the targets of these campaigns on this machine.
    #[arg(long)]
    pub work: bool,
    /// Target files beside the built-in ones, for --work; may be repeated.
    #[arg(long = "target-files", value_name = "PATH")]
    pub target_files: Vec<PathBuf>,
    /// A name under which this machine is asked; may be repeated.
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
}

/// Which part of a campaign to do, as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShardArg {
    /// This one.
    Given(Shard),
    /// What the batch engine says, of so many if it is known.
    Auto(Option<u64>),
}

/// Reads `2/8`, `auto` or `auto/8`.
pub(crate) fn shard(text: &str) -> Result<ShardArg, String> {
    let error = || "expected I/K with 1 <= I <= K, such as 2/8; auto; or auto/K".to_string();
    if text == "auto" {
        return Ok(ShardArg::Auto(None));
    }
    let (number, of) = text.split_once('/').ok_or_else(error)?;
    let of: u64 = of.parse().map_err(|_| error())?;
    if number == "auto" && of >= 1 {
        return Ok(ShardArg::Auto(Some(of)));
    }
    let number: u64 = number.parse().map_err(|_| error())?;
    match (1..=of).contains(&number) {
        true => Ok(ShardArg::Given(Shard { number, of })),
        false => Err(error()),
    }
}

impl ShardArg {
    /// The shard, with the variables of batch engines.
    pub(crate) fn resolve(
        self,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Shard, String> {
        let of = match self {
            ShardArg::Given(shard) => return Ok(shard),
            ShardArg::Auto(of) => of,
        };
        let number = |name: &str| -> Result<Option<u64>, String> {
            let Some(text) = variable(name).filter(|text| !text.is_empty()) else {
                return Ok(None);
            };
            let number = text.parse().map(Some);
            number.map_err(|_| format!("--shard auto: {name}={text} is not a number"))
        };
        let shard = match (
            number("SLURM_ARRAY_TASK_ID")?,
            number("JOB_COMPLETION_INDEX")?,
        ) {
            (Some(task), _) => match of {
                // A part that is run again alone has another count.
                Some(of) => Shard { number: task, of },
                None => {
                    let first = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(0);
                    let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
                    let count = number("SLURM_ARRAY_TASK_COUNT")?;
                    let missing = "--shard auto: SLURM_ARRAY_TASK_COUNT is not set; say auto/K";
                    Shard {
                        number: task.saturating_sub(first) / step + 1,
                        of: count.ok_or(missing)?,
                    }
                }
            },
            (None, Some(index)) => {
                let missing = "--shard auto: Kubernetes does not tell the number of completions; \
                               say auto/K or set JOB_COMPLETIONS";
                Shard {
                    number: index + 1,
                    of: of.or(number("JOB_COMPLETIONS")?).ok_or(missing)?,
                }
            }
            (None, None) => {
                return Err("--shard auto: neither SLURM_ARRAY_TASK_ID nor \
                            JOB_COMPLETION_INDEX is set"
                    .to_string());
            }
        };
        match (1..=shard.of).contains(&shard.number) {
            true => Ok(shard),
            false => Err(format!(
                "--shard auto: part {} of {} does not exist; number the parts from 1 to K \
                 without gaps",
                shard.number, shard.of
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_count_from_one() {
        let given = |number, of| Ok(ShardArg::Given(Shard { number, of }));
        assert_eq!(shard("2/8"), given(2, 8));
        assert_eq!(shard("auto"), Ok(ShardArg::Auto(None)));
        assert_eq!(shard("auto/8"), Ok(ShardArg::Auto(Some(8))));
        for bad in ["0/3", "4/3", "1", "a/b", "1/0", "-1/2", "auto/0", "auto/x"] {
            assert!(shard(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_variables_of_batch_engines_name_a_shard() {
        let slurm = |id, min, count| {
            vec![
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_MIN", min),
                ("SLURM_ARRAY_TASK_COUNT", count),
            ]
        };
        for (typed, variables, expected) in [
            ("2/3", slurm("1", "1", "9"), Ok((2, 3))),
            ("auto", slurm("1", "1", "4"), Ok((1, 4))),
            ("auto", slurm("3", "0", "4"), Ok((4, 4))),
            (
                "auto",
                [slurm("9", "1", "5"), vec![("SLURM_ARRAY_TASK_STEP", "2")]].concat(),
                Ok((5, 5)),
            ),
            // A list with gaps.
            ("auto", slurm("9", "1", "3"), Err("without gaps")),
            ("auto/4", slurm("3", "3", "1"), Ok((3, 4))),
            ("auto/4", slurm("0", "0", "4"), Err("from 1 to K")),
            ("auto", slurm("x", "0", "4"), Err("SLURM_ARRAY_TASK_ID=x")),
            ("auto/3", vec![("JOB_COMPLETION_INDEX", "0")], Ok((1, 3))),
            (
                "auto",
                vec![("JOB_COMPLETION_INDEX", "2"), ("JOB_COMPLETIONS", "3")],
                Ok((3, 3)),
            ),
            ("auto", vec![("JOB_COMPLETION_INDEX", "2")], Err("auto/K")),
            ("auto", vec![], Err("neither")),
        ] {
            let variable = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| value.to_string())
            };
            let resolved = shard(typed).unwrap().resolve(&variable);
            match (resolved, expected) {
                (Ok(shard), Ok(expected)) => assert_eq!((shard.number, shard.of), expected),
                (Err(error), Err(part)) => assert!(error.contains(part), "{error}"),
                (other, _) => panic!("{typed} {variables:?}: {other:?}"),
            }
        }
    }
}

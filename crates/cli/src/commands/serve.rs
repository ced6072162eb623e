//! `lydite serve`: campaigns as pages.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use lydite_lab::bisect::life;
use lydite_lab::work::{Among, Effort, Workplace, bisect, reduce};
use lydite_serve::{ServeSettings, Task, What, Work, serve};

use super::toolbox::{Toolbox, stop_on_signals};
use crate::args::ServeArgs;
use crate::console::{Console, print};
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &ServeArgs, console: &Console) -> Result<ExitCode> {
    let stop = stop_on_signals()?;
    let bench = || -> Arc<dyn Work> {
        Arc::new(LabWork {
            target_files: args.target_files.clone(),
        })
    };
    let settings = ServeSettings {
        folder: args.folder.clone(),
        listen: args.listen,
        token: args.token.clone().filter(|token| !token.is_empty()),
        hosts: args.hosts.clone(),
        work: args.work.then(bench),
    };
    serve(settings, stop, &|address| {
        print(&format!("http://{address}/"));
        console.say("Ctrl-C ends it");
    })?;
    Ok(ExitCode::Clean)
}

/// Does what the pages are asked to do: the same as `lydite reduce` and `bisect`.
struct LabWork {
    target_files: Vec<PathBuf>,
}

impl Work for LabWork {
    fn run(&self, task: &Task, say: &dyn Fn(&str), stop: &AtomicBool) -> Result<String> {
        let toolbox = Toolbox::open(&self.target_files)?;
        let voice = toolbox.voice_to(say);
        let mut workplace = Workplace::hold(toolbox.tools(&voice)?, &task.folder)?;
        let done = do_task(&mut workplace, task, stop);
        // What was found out before something failed is kept too.
        workplace.end()?;
        done
    }
}

fn do_task(workplace: &mut Workplace<'_>, task: &Task, stop: &AtomicBool) -> Result<String> {
    match task.what {
        What::Reduce(span) => {
            let effort = Effort {
                threads: 1,
                duration: Some(span),
                tests: None,
            };
            let reduced = reduce(workplace, &task.id, &effort, stop)?;
            let more = match reduced.complete {
                true => "",
                false => "; not finished",
            };
            Ok(format!("{} to {} bytes{more}", reduced.from, reduced.to))
        }
        What::Bisect => {
            let among = Among {
                versions: "*",
                install: false,
            };
            let bisected = bisect(workplace, &task.id, &among)?;
            let life = life(&bisected.runs, &bisected.known);
            let since = life.since.map_or(bisected.known, |(since, _)| since);
            let fixed = life.fixed.map(|version| format!(", fixed in {version}"));
            let fixed = fixed.unwrap_or_default();
            Ok(format!(
                "{} versions tried: since {since}{fixed}",
                bisected.runs.len()
            ))
        }
    }
}

//! `lydite serve`: campaigns as pages.

use anyhow::Result;
use lydite_serve::{ServeSettings, serve};

use super::toolbox::stop_on_signals;
use crate::args::ServeArgs;
use crate::console::{Console, print};
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &ServeArgs, console: &Console) -> Result<ExitCode> {
    let stop = stop_on_signals()?;
    let settings = ServeSettings {
        folder: args.folder.clone(),
        listen: args.listen,
        token: args.token.clone().filter(|token| !token.is_empty()),
        hosts: args.hosts.clone(),
    };
    serve(settings, stop, &|address| {
        print(&format!("http://{address}/"));
        console.say("Ctrl-C ends it");
    })?;
    Ok(ExitCode::Clean)
}

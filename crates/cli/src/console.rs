//! The terminal: everything that is not a result goes to standard error,
//! and nothing of a target's reaches it without being made harmless.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lydite_core::fault::Fault;
use lydite_core::visible::visible;
use lydite_lab::campaign::Progress;
use lydite_store::DAMAGED;
use lydite_store::seal::is_damage;

/// Prints messages for the user.
#[derive(Clone, Copy)]
pub(crate) struct Console {
    quiet: bool,
    verbose: u8,
}

impl Console {
    pub(crate) fn new(quiet: bool, verbose: u8) -> Console {
        Console { quiet, verbose }
    }

    /// Says what is being done.
    pub(crate) fn say(&self, text: &str) {
        if !self.quiet {
            self.line(text);
        }
    }

    /// Prints a message, if details are asked for.
    pub(crate) fn detail(&self, text: &str) {
        if self.verbose > 0 && !self.quiet {
            self.line(text);
        }
    }

    pub(crate) fn warn(&self, text: &str) {
        self.line(&format!("warning: {text}"));
    }

    pub(crate) fn error(&self, error: &anyhow::Error) {
        let text = format!("{error:#}");
        let hint = match is_damage(error) && !text.contains(DAMAGED) {
            true => format!(": {DAMAGED}"),
            false => String::new(),
        };
        self.line(&format!("error: {text}{hint}"));
    }

    fn line(&self, text: &str) {
        // A closed terminal is no reason to stop.
        let _ = writeln!(std::io::stderr(), "{}", visible(text));
    }

    /// A display for a campaign: a bar on a terminal, lines elsewhere.
    pub(crate) fn progress(&self) -> Display<'_> {
        let terminal = std::io::stderr().is_terminal();
        let bar = (terminal && !self.quiet).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        });
        Display {
            console: self,
            bar,
            began: Instant::now(),
            first_cases: Mutex::new(None),
            last_line: Mutex::new(Instant::now()),
        }
    }
}

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// A number of things, in words.
pub(crate) fn counted(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// The display of a running campaign.
pub(crate) struct Display<'a> {
    console: &'a Console,
    bar: Option<ProgressBar>,
    began: Instant,
    /// Cases that were done before this process began.
    first_cases: Mutex<Option<u64>>,
    last_line: Mutex<Instant>,
}

impl Display<'_> {
    /// Shows how far the campaign is.
    pub(crate) fn update(&self, progress: &Progress) {
        let seconds = self.began.elapsed().as_secs_f64().max(0.001);
        let mut first = self.first_cases.lock().expect("one thread displays");
        let before = *first.get_or_insert(progress.cases);
        let rate = (progress.cases - before) as f64 / seconds;
        let text = format!(
            "{rate:.1} cases/s · {} · {} abandoned · {}",
            counted(progress.runs, "run"),
            progress.rejects,
            counted(progress.findings as u64, "finding")
        );
        match &self.bar {
            Some(bar) => {
                if bar.length() != progress.of || bar.position() == 0 {
                    bar.set_style(style(progress.of.is_some()));
                    if let Some(of) = progress.of {
                        bar.set_length(of);
                    }
                }
                bar.set_position(progress.cases);
                bar.set_message(text);
            }
            None => {
                let mut last = self.last_line.lock().expect("one thread displays");
                if last.elapsed() >= LINE_EVERY {
                    *last = Instant::now();
                    let of = progress.of.map_or(String::new(), |of| format!(" of {of}"));
                    self.console
                        .say(&format!("{}{of} cases · {text}", progress.cases));
                }
            }
        }
    }

    /// Prints a line above the bar.
    pub(crate) fn note(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(visible(text)),
            None => self.console.say(text),
        }
    }

    /// Prints a line above the bar, if details are asked for.
    pub(crate) fn detail(&self, text: &str) {
        if self.console.verbose > 0 {
            self.note(text);
        }
    }

    /// Takes the bar away.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(counted: bool) -> ProgressStyle {
    let template = if counted {
        "{elapsed_precise} [{bar:30}] {pos}/{len} {msg}"
    } else {
        "{elapsed_precise} {spinner} {pos} cases {msg}"
    };
    ProgressStyle::with_template(template)
        .expect("the template is right")
        .progress_chars("=> ")
}

/// Prints a result line for people, made harmless.
pub(crate) fn print(text: &str) {
    print_as_it_is(&visible(text));
}

/// Prints JSON. What would steer a terminal stands in its strings, where it can
/// be written by its number.
pub(crate) fn print_json(text: &str) {
    let mut harmless = String::with_capacity(text.len());
    for c in text.chars() {
        let mut units = [0; 2];
        match c == '\n' || visible(c.encode_utf8(&mut [0; 4])).chars().eq([c]) {
            true => harmless.push(c),
            false => {
                for unit in c.encode_utf16(&mut units) {
                    harmless += &format!("\\u{unit:04x}");
                }
            }
        }
    }
    print_as_it_is(&harmless);
}

/// Prints something that was made harmless, or is for programs alone.
pub(crate) fn print_as_it_is(text: &str) {
    let mut out = std::io::stdout().lock();
    note_lost(writeln!(out, "{text}"));
}

/// The first result that could not be printed.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Takes down whether a result was printed. A closed pipe (`lydite … | head`)
/// is not an error: nobody wants to read on.
pub(crate) fn note_lost(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        let _ = LOST.set(error);
    }
}

/// An error if some result could not be printed.
pub(crate) fn check_printed() -> anyhow::Result<()> {
    note_lost(std::io::stdout().lock().flush());
    match LOST.get() {
        None => Ok(()),
        Some(error) => {
            let error = anyhow::anyhow!("standard output: {error}");
            Err(error.context(Fault::CannotWrite))
        }
    }
}

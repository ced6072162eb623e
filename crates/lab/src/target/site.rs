//! Where a target died: the part of its last words that stays the same from
//! run to run and from version to version.
//!
//! The target file's patterns come first. What any program may die of (an
//! assertion of the C library, a sanitizer, an uncaught exception, a Rust
//! panic, a Python traceback) is recognised here, since it is the same for
//! every target; the name of the signal is the last resort.

use std::sync::LazyLock;

use regex::Regex;

/// How long a site may be.
const SITE_CHARS: usize = 200;

/// Ways to die that no target file needs to repeat, best first.
static DEATHS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        // A sanitizer's summary names the kind of error and the function.
        r"(?m)^SUMMARY: (?<site1>\w*Sanitizer: \S+)(?: \S*?(?<site2>[\w.]+:\d+)(?::\d+)?)?(?: in (?<site3>.*))?$",
        // prog: ../src/x.cpp:12: int f(int): Assertion `a > b' failed.
        r"(?m)^(?:.*?: )?(?:\S*/)?(?<site1>[\w.+-]+\.\w+):\d+: (?:.*: )?(?<site2>Assertion [`'].*' failed)",
        // prog: x.c:12: f: assertion "..." failed
        r"(?m)(?<site>[Aa]ssertion (?:failed: )?[`'(\x22].*)$",
        r"(?m)^thread '.*' (?:\(\d+\) )?panicked at (?:\S*/)?(?<site1>[\w.-]+\.rs)(?::\d+)*:?\n?(?<site2>.*)$",
        r"terminate called after throwing an instance of '(?<site1>[^']*)'(?:\s+what\(\):\s*(?<site2>.*))?",
        r"(?m)^(?<site>(?:free|malloc|realloc|munmap_chunk|double free|corrupted)\b.*)$",
        r"(?m)^(?<site>\*\*\* (?:stack smashing|buffer overflow) detected).*$",
        r"(?m)^(?<site>pure virtual method called)$",
    ]
    .into_iter()
    .map(|pattern| Regex::new(pattern).expect("the patterns of this table are checked by a test"))
    .collect()
});

/// Names of the signals that end a process, by number on Linux.
const SIGNALS: [(i32, &str); 17] = [
    (1, "SIGHUP"),
    (2, "SIGINT"),
    (3, "SIGQUIT"),
    (4, "SIGILL"),
    (5, "SIGTRAP"),
    (6, "SIGABRT"),
    (7, "SIGBUS"),
    (8, "SIGFPE"),
    (9, "SIGKILL"),
    (10, "SIGUSR1"),
    (11, "SIGSEGV"),
    (12, "SIGUSR2"),
    (13, "SIGPIPE"),
    (14, "SIGALRM"),
    (15, "SIGTERM"),
    (24, "SIGXCPU"),
    (31, "SIGSYS"),
];

/// The site that the target file's patterns find: their groups named `site…`
/// in order, else the line of the match.
pub(super) fn of_patterns(patterns: &[Regex], messages: &str) -> Option<String> {
    patterns
        .iter()
        .find_map(|pattern| capture(pattern, messages))
}

/// The site of a death by signal.
pub(super) fn of_death(messages: &str, signal: i32) -> String {
    let name = signal_name(signal);
    let said = of_patterns(&DEATHS, messages).or_else(|| traceback(messages));
    match said {
        Some(said) => said,
        None => name,
    }
}

/// `SIGSEGV`, or `SIG42` where there is no name.
pub(super) fn signal_name(signal: i32) -> String {
    let known = SIGNALS.iter().find(|(number, _)| *number == signal);
    known.map_or_else(|| format!("SIG{signal}"), |(_, name)| name.to_string())
}

/// At most `chars` characters, without control characters.
pub(super) fn shortened(text: &str, chars: usize) -> String {
    let visible = text.chars().filter(|c| !c.is_control() || *c == '\t');
    visible.take(chars).collect()
}

fn capture(pattern: &Regex, messages: &str) -> Option<String> {
    let found = pattern.find(messages)?;
    of_groups(pattern, messages).or_else(|| {
        let line = found.as_str().lines().next()?.trim();
        Some(shortened(line, SITE_CHARS))
    })
}

/// The groups named `site…` of the first match, in order.
pub(super) fn of_groups(pattern: &Regex, messages: &str) -> Option<String> {
    let captures = pattern.captures(messages)?;
    let named = pattern
        .capture_names()
        .flatten()
        .filter(|name| name.starts_with("site"));
    let parts: Vec<&str> = named
        .filter_map(|name| Some(captures.name(name)?.as_str().trim()))
        .filter(|part| !part.is_empty())
        .collect();
    (!parts.is_empty()).then(|| shortened(&parts.join(" "), SITE_CHARS))
}

/// The last line of a Python traceback names the exception.
pub(super) fn traceback(messages: &str) -> Option<String> {
    let at = messages.rfind("Traceback (most recent call last):")?;
    let mut lines = messages[at..].lines().skip(1);
    let last = lines.find(|line| !line.starts_with(' ') && !line.trim().is_empty())?;
    Some(shortened(last.trim(), SITE_CHARS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lydite_core::signature::normalise_site;

    #[test]
    fn last_words_give_a_site_that_outlives_versions() {
        for (messages, signal, site) in [
            ("", 11, "SIGSEGV"),
            ("", 35, "SIG35"),
            (
                "cvc5: ../src/theory/x.cpp:123: void f(int): Assertion `a > b' failed.\n",
                6,
                "x.cpp Assertion `a > b' failed",
            ),
            (
                "tcc: tccgen.c:1234: gexpr: Assertion `vtop >= 0' failed.\n",
                6,
                "tccgen.c Assertion `vtop >= N' failed",
            ),
            (
                "terminate called after throwing an instance of 'std::out_of_range'\n  what():  map::at\n",
                6,
                "std::out_of_range map::at",
            ),
            (
                "thread 'main' panicked at src/main.rs:3:5:\nindex out of bounds\nnote: run\n",
                6,
                "main.rs index out of bounds",
            ),
            (
                "sat\ndouble free or corruption (out)\n",
                6,
                "double free or corruption (out)",
            ),
            (
                "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x6\n#0 0x1 in f /a/b.c:3\n\
                 SUMMARY: AddressSanitizer: heap-use-after-free /a/b.c:3:7 in f\n",
                6,
                "AddressSanitizer: heap-use-after-free b.c:N f",
            ),
            (
                "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\n    f()\nRuntimeError: bad\n",
                6,
                "RuntimeError: bad",
            ),
        ] {
            assert_eq!(normalise_site(&of_death(messages, signal)), site);
        }
    }
}

//! Where a target died: the part of its last words that stays the same from
//! run to run and from version to version.
//!
//! The target file's patterns come first. What any program may die of (an
//! assertion of the C library, a sanitizer, an uncaught exception, a Rust
//! panic, a Python traceback) is recognised here, since it is the same for
//! every target; the name of the signal is the last resort.

use std::sync::LazyLock;

use regex::Regex;

use super::sanitizer::of_sanitizer;

/// How long a site may be.
pub(super) const SITE_CHARS: usize = 200;

/// Ways to die that no target file needs to repeat, best first.
static DEATHS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        // The library of C++ asserts in templates: what they were made for tells mistakes apart.
        r"(?m)^\S*/(?<site1>[\w.]+):\d+: .* \[with (?<site2>[^;\]]*)[^\]]*\]: (?<site3>Assertion [`'].*' failed)",
        // prog: ../src/x.cpp:12: int f(int): Assertion `a > b' failed.
        r"(?m)^(?:.*?: )?(?:\S*/)?(?<site1>[\w.+-]+\.\w+):\d+: (?:.*: )?(?<site2>Assertion [`'].*' failed)",
        // prog: x.c:12: f: assertion "..." failed
        r"(?m)(?<site>[Aa]ssertion (?:failed: )?[`'(\x22].*)$",
        // Of musl: Assertion failed: a > b (x.c: f: 12)
        r"(?m)^(?<site>Assertion failed: .*)$",
        r"(?m)^thread '.*' (?:\(\d+\) )?panicked at (?:\S*/)?(?<site1>[\w.-]+\.rs)(?::\d+)*:?\n?(?<site2>.*)$",
        r"(?m)^thread '.*' (?:\(\d+\) )?(?<site>has overflowed its stack)",
        r"terminate called after throwing an instance of '(?<site1>[^']*)'(?:\s+what\(\):\s*(?<site2>.*))?",
        r"(?m)^(?<site>terminate called (?:without an active exception|recursively))",
        r"(?m)^libc\+\+abi: (?<site>(?:Pure virtual|terminat).*)$",
        r"(?m)^(?<site>(?:free|malloc|malloc_consolidate|calloc|realloc|sysmalloc|memalign|munmap_chunk|mremap_chunk|double free|corrupted)\b.*)$",
        r"(?m)^(?<site>\*\*\* (?:stack smashing|buffer overflow) detected).*$",
        // V8, and the machine of Java.
        r"(?m)^# Fatal error in (?:\S*/)?(?<site1>[\w.-]*), line \d+\n# (?<site2>.*)$",
        r"(?m)^# Problematic frame:\n# (?<site>.*)$",
        r"(?m)^(?<site>pure virtual method called)$",
    ]
    .into_iter()
    .map(|pattern| Regex::new(pattern).expect("the patterns of this table are checked by a test"))
    .collect()
});

/// What the machine of a language says when it ends for an error that nobody caught,
/// and the status it ends with. (Python and Node are not here: our own drivers are
/// written for them.)
static UNCAUGHT: LazyLock<Vec<(i32, Regex)>> = LazyLock::new(|| {
    [
        (
            101,
            r"(?m)^thread '.*' (?:\(\d+\) )?panicked at (?:\S*/)?(?<site1>[\w.-]+\.rs)(?::\d+)*:?\n?(?<site2>.*)$",
        ),
        // Below the functions of Java itself, where there are others.
        (
            1,
            r#"(?m)^Exception in thread ".*" (?<site1>[\w.$]+).*\n(?:[^\s].*\n)*(?:\s+at (?:[\w.@]+/)?(?:java|jdk|sun|scala)\..*\n)*\s+at (?:[\w.@]+/)?(?<site2>[\w.$<>]+)\("#,
        ),
        // Below what has raised the panic again.
        (
            2,
            r"(?m)^(?:panic|fatal error): (?<site1>.*?)(?: \[recovered.*)?\n(?:.*\n)*?goroutine \d+ .*\[.*\]:\n(?:(?:.*\n)*?panic\(.*\n\t.*\n)?(?:runtime\..*\n\t.*\n)*(?<site2>\S+?)\((?:\.\.\.|0x|\{|\))",
        ),
        (2, r"(?m)^Fatal error: exception (?<site>.*)$"),
    ]
    .into_iter()
    .map(|(status, pattern)| {
        let pattern = Regex::new(pattern);
        (status, pattern.expect("the patterns of this table are checked by a test"))
    })
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
    let said = of_sanitizer(messages)
        .or_else(|| of_patterns(&DEATHS, messages))
        .or_else(|| traceback(messages));
    match said {
        Some(said) => said,
        None => name,
    }
}

/// The site of an error that nobody caught, if the process ended as one does.
pub(super) fn of_uncaught(messages: &str, status: i32) -> Option<String> {
    let table = UNCAUGHT.iter().filter(|(ends, _)| *ends == status);
    table
        .into_iter()
        .find_map(|(_, pattern)| capture(pattern, messages))
}

/// True for the signals by which a process is told of a mistake of its own.
pub(super) fn is_fault(signal: i32) -> bool {
    matches!(signal, 4..=8 | 11)
}

/// True for the signals that hardly a process sends itself: SIGHUP, SIGINT, SIGQUIT,
/// SIGKILL, SIGTERM and SIGXCPU.
pub(super) fn is_of_others(signal: i32) -> bool {
    matches!(signal, 1..=3 | 9 | 15 | 24)
}

/// `SIGSEGV`, or `SIG42` where there is no name.
pub(super) fn signal_name(signal: i32) -> String {
    let known = SIGNALS.iter().find(|(number, _)| *number == signal);
    known.map_or_else(|| format!("SIG{signal}"), |(_, name)| name.to_string())
}

/// At most `chars` characters, without control characters.
pub(super) fn shorten(text: &str, chars: usize) -> String {
    let visible = text.chars().filter(|c| !c.is_control() || *c == '\t');
    visible.take(chars).collect()
}

pub(super) fn capture(pattern: &Regex, messages: &str) -> Option<String> {
    let found = pattern.find(messages)?;
    of_groups(pattern, messages).or_else(|| {
        let line = found.as_str().lines().next()?.trim();
        Some(shorten(line, SITE_CHARS))
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
    (!parts.is_empty()).then(|| shorten(&parts.join(" "), SITE_CHARS))
}

/// The last line of a Python traceback names the exception.
pub(super) fn traceback(messages: &str) -> Option<String> {
    let at = messages.rfind("Traceback (most recent call last):")?;
    let mut lines = messages[at..].lines().skip(1);
    let last = lines.find(|line| !line.starts_with(' ') && !line.trim().is_empty())?;
    Some(shorten(last.trim(), SITE_CHARS))
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
            // Cut off before the summary.
            (
                "=\n==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x6 at pc 0x1\nREAD of size 4\n    \
                 #0 0x1 in __interceptor_memcpy (/lib/libasan.so+0x1)\n    #1 0x2 in f /a/b.c:3:7\n",
                6,
                "AddressSanitizer: heap-use-after-free b.c:N f",
            ),
            // The library is handed what is wrong.
            (
                "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6\n    \
                 #0 0x1 in strlen (/lib/libasan.so+0x1)\n    #1 0x2 in g /a/b.c:3:7\n\n\
                 SUMMARY: AddressSanitizer: heap-buffer-overflow (/lib/libasan.so+0x1) in strlen\n",
                6,
                "AddressSanitizer: heap-buffer-overflow b.c:N g",
            ),
            // A binary without names: places in it tell mistakes apart.
            (
                "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x4 (pc 0x1)\n    \
                 #0 0x55a92c420894  (/x/bin/tcc+0x34894)\n    #1 0x2  (/x/bin/tcc+0x370e1)\n\n\
                 SUMMARY: AddressSanitizer: SEGV (/x/bin/tcc+0x34894) \n",
                6,
                "AddressSanitizer: SEGV tcc+x34894",
            ),
            // Who of two that call each other is on top is chance.
            (
                "==7==ERROR: AddressSanitizer: stack-overflow on address 0x6\n    #0 0x1 in leaf a.c:1\n    \
                 #1 0x1 in unary a.c:3\n    #2 0x1 in cast a.c:4\n    #3 0x1 in unary a.c:3\n    \
                 #4 0x1 in cast a.c:4\nSUMMARY: AddressSanitizer: stack-overflow a.c:1 in leaf\n",
                6,
                "AddressSanitizer: stack-overflow cast",
            ),
            (
                "jsrun.c:7:2: runtime error: left shift of negative value -1\n    #0 0x1 in run /a/jsrun.c:7\n",
                6,
                "jsrun.c runtime error: left shift of negative value N run",
            ),
            (
                "jsrun.c:7:2: runtime error: left shift of negative value -1\n",
                6,
                "jsrun.c runtime error: left shift of negative value -N",
            ),
            (
                "==7==ERROR: AddressSanitizer: attempting double-free on 0x6 in thread T0:\n",
                6,
                "AddressSanitizer: double-free",
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

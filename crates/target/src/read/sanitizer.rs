//! Where a sanitizer saw a mistake: what it was, and the function of the target's own that made it.
//!
//! Reports of gcc and clang differ in small things (columns, parameters, places in binaries), and
//! both put functions of their own and of libraries on top of the stack. Neither is part of a site,
//! and no address and no value is.

use std::sync::LazyLock;

use regex::Regex;

use super::site::{SITE_CHARS, capture, shorten};

/// The summary at the end names the kind of error, the file and the function.
static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?m)^SUMMARY: (?<what>\w*Sanitizer: \S+)(?: \S*?(?<file>[\w.+-]+:\d+)(?::\d+)?)?(?: in (?<name>.*))?$",
    )
});

/// How the report itself begins.
static REPORT: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?m)^(?:=+\d+=+\s*)?(?:ERROR|WARNING|FATAL): (?<kind>\w+Sanitizer:) (?:attempting )?(?<what>data race|detected memory leaks|[\w-]+)",
    )
});

/// A function of the stack below it, and where that is.
static STACK: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"^#\d+ +(?:0x[0-9a-f]+ in )?(?<name>[^0\s(].*?|\(anonymous .*?)(?: (?<path>\S*?)(?<file>[\w.+-]+\.\w+(?::\d+)?)(?::\d+)?| <null>)?(?: \(\S+\+0x[0-9a-f]+\))?(?: \(BuildId: \w+\))?$",
    )
});

/// The same without names of functions: a binary, and a place in it.
static NAMELESS: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"^#\d+ 0x[0-9a-f]+ +\((?:\S*/)?(?<module>[^\s/]+)\+0x(?<offset>[0-9a-f]+)\)")
});

/// What the undefined-behaviour sanitizer says, which goes on by itself.
static RUNTIME_ERROR: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"(?m)^(?:\S*/)?(?<site1>[\w.+-]+):\d+:\d+: (?<site2>runtime error: .*)$")
});

/// A value of the program.
static VALUE: LazyLock<Regex> =
    LazyLock::new(|| compile(r"-?\b(?:0x[0-9a-f]+|\d[\d.]*(?:e[+-]?\d+)?|inf|nan)\b"));

/// What changes in a name from build to build: rustc's hashes and gcc's clones.
static BUILT: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"::h[0-9a-f]{16}$| ?\[clone [^\]]*\]|\.(?:isra|part|constprop|cold)\b.*$")
});

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of this file are checked by its tests")
}

/// How functions of sanitizers and of libraries begin, which reports have on top.
const NOT_OURS: [&str; 20] = [
    "__interceptor_", "___interceptor_", "__asan", "__msan", "__tsan", "__lsan", "__hwasan",
    "__sanitizer", "__ubsan", "__GI_", "__libc_", "__pthread_", "__assert", "operator new",
    "operator delete", "std::", "__gnu_cxx::", "core::", "alloc::", "<alloc::",
];

/// Functions of the C library that are handed what is wrong, or end the process. `operator()`
/// alone is how gcc names a lambda that it has built into its caller.
const LIBRARY: [&str; 44] = [
    "malloc", "free", "calloc", "realloc", "cfree", "memalign", "posix_memalign", "aligned_alloc",
    "memcpy", "memmove", "memset", "memcmp", "memchr", "bcmp", "strlen", "strnlen", "strcpy",
    "strncpy", "strcat", "strncat", "strcmp", "strncmp", "strcasecmp", "strchr", "strrchr",
    "strstr", "strdup", "strndup", "strtol", "strtod", "atoi", "printf_common", "vsnprintf",
    "snprintf", "sprintf", "fwrite", "fread", "qsort", "abort", "raise", "gsignal", "pthread_kill",
    "pthread_create", "operator()",
];

/// The site that a sanitizer reports: what, where, in which function. The
/// summary says it best, unless it names a function of a library or none; a report
/// that was cut off has no summary.
pub(super) fn of_sanitizer(messages: &str) -> Option<String> {
    if !messages.contains("Sanitizer") && !messages.contains("runtime error") {
        return None;
    }
    if let Some(site) = of_summary(messages) {
        return Some(site);
    }
    let Some(report) = REPORT.captures(messages) else {
        return of_runtime_error(messages).or_else(|| capture(&SUMMARY, messages));
    };
    let what = match &report["what"] {
        // Attempting free on address which was not malloc()-ed.
        "free" => "bad-free",
        what => what,
    };
    let stack = frames(&messages[report.get(0).map_or(0, |whole| whole.end())..]);
    let overflows = what == "stack-overflow";
    let frame = match overflows {
        true => recursion(&stack),
        false => stack.iter().find(|frame| frame.is_own).or(stack.first()),
    };
    let mut parts = vec![report["kind"].to_string(), what.to_string()];
    if let Some(frame) = frame {
        // Where in a function the stack ended tells nothing.
        parts.extend(frame.file.clone().filter(|_| !overflows));
        parts.push(frame.name.clone());
    }
    Some(shorten(&parts.join(" "), SITE_CHARS))
}

/// What the summary says, if that tells mistakes apart: the undefined-behaviour sanitizer's names
/// no kind, and that of a stack that overflowed where it happened to end.
fn of_summary(messages: &str) -> Option<String> {
    let summary = SUMMARY.captures(messages)?;
    let what = &summary["what"];
    let group = |name: &str| summary.name(name).map(|group| group.as_str().trim());
    let name = group("name").filter(|name| !name.is_empty());
    let says_it = name
        .or(group("file"))
        .is_some_and(|said| !is_of_library(said))
        && !what.ends_with("stack-overflow")
        && !what.ends_with("undefined-behavior");
    let parts = [Some(what), group("file"), name.map(plain_name)];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    says_it.then(|| shorten(&parts.join(" "), SITE_CHARS))
}

/// What the undefined-behaviour sanitizer says. With a stack below, the function tells
/// mistakes apart, and not the values.
fn of_runtime_error(messages: &str) -> Option<String> {
    let whole = capture(&RUNTIME_ERROR, messages)?;
    let said = RUNTIME_ERROR.captures(messages)?;
    let below = &messages[said.get(0).map_or(0, |whole| whole.end())..];
    // Notes may lie between it and its stack, and further down there may be another report.
    let next = REPORT
        .find(below)
        .into_iter()
        .chain(RUNTIME_ERROR.find(below));
    let end = next.map(|report| report.start()).min();
    let stack = frames(&below[..end.unwrap_or(below.len())]);
    let Some(frame) = stack.iter().find(|frame| frame.is_own).or(stack.first()) else {
        return Some(whole);
    };
    let what = &said["site2"];
    let sort = what.strip_prefix("runtime error: ").unwrap_or(what);
    let sort = sort.split([':', ',']).next().unwrap_or(sort);
    let sort = VALUE.replace_all(sort, "N");
    let parts = [&said["site1"], "runtime error:", &sort, &frame.name];
    Some(shorten(&parts.join(" "), SITE_CHARS))
}

/// A place on a stack.
struct StackFrame {
    /// The function; a binary and a place in it, where that has no names.
    name: String,
    /// Its file and line.
    file: Option<String>,
    /// True for what is the target's own.
    is_own: bool,
}

/// The first stack of a report, without functions of sanitizers and of the C library.
fn frames(report: &str) -> Vec<StackFrame> {
    let lines = report.lines().map(str::trim);
    let stack = lines.skip_while(|line| !line.starts_with('#'));
    let stack = stack.take_while(|line| line.starts_with('#'));
    stack.filter_map(frame).collect()
}

fn frame(line: &str) -> Option<StackFrame> {
    if let Some(nameless) = NAMELESS.captures(line) {
        let (module, offset) = (&nameless["module"], &nameless["offset"]);
        let is_own = !module.contains(".so");
        return is_own.then(|| StackFrame {
            // The letter keeps the place from being taken for a number that changes.
            name: format!("{module}+x{offset}"),
            file: None,
            is_own,
        });
    }
    let named = STACK.captures(line)?;
    let name = &named["name"];
    let of_the_system = named.name("path").is_some_and(|path| {
        let path = path.as_str();
        path.starts_with("/usr/include/") || path.starts_with("/rustc/")
    });
    let is_own = !is_of_library(name) && !of_the_system;
    // What the C library says of itself is nobody's place; code of C++ that was built in is better
    // than none.
    let is_template = of_the_system || name.contains("::");
    (is_own || is_template).then(|| StackFrame {
        name: plain_name(name).to_string(),
        file: named.name("file").map(|file| file.as_str().to_string()),
        is_own,
    })
}

/// Of the functions that call themselves the first by name: on which of them the stack
/// ends is chance.
fn recursion(stack: &[StackFrame]) -> Option<&StackFrame> {
    let again = |frame: &&StackFrame| {
        let same = |other: &&StackFrame| other.name == frame.name;
        frame.is_own && stack.iter().filter(same).count() > 1
    };
    let deepest = stack.iter().filter(again);
    deepest
        .min_by(|a, b| a.name.cmp(&b.name))
        .or(stack.iter().find(|frame| frame.is_own))
}

/// True for functions of sanitizers and of libraries, which reports have on top.
fn is_of_library(name: &str) -> bool {
    let plain = plain_name(name);
    NOT_OURS.iter().any(|prefix| plain.starts_with(prefix)) || LIBRARY.contains(&plain)
}

/// A function's name without parameters, which clang writes and gcc does not, and without what
/// changes from build to build.
fn plain_name(name: &str) -> &str {
    let name = match BUILT.find(name) {
        Some(built) => &name[..built.start()],
        None => name,
    };
    let list = name.strip_suffix(" const").unwrap_or(name);
    if !list.ends_with(')') {
        return name;
    }
    let mut depth = 0;
    let open = list.char_indices().rev().find(|(_, c)| {
        depth += match c {
            ')' => 1,
            '(' => -1,
            _ => 0,
        };
        depth == 0
    });
    match open.map(|(at, _)| &list[..at]) {
        Some(plain) if !plain.is_empty() && !plain.ends_with("operator") => plain,
        _ => name,
    }
}

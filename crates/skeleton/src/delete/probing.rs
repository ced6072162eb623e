//! How the languages write a probe, and what their words give away.

use super::statements::CannotDelete;
use crate::extract::Dialect;

/// How a language writes a probe. `COUNT` stands for the number of probes,
/// `NUMBER` for that of one of them.
pub(super) struct Probing {
    language: &'static str,
    /// What stands before the first line, its own line ends included.
    pub before: &'static str,
    /// What stands behind the last line.
    pub after: &'static str,
    /// The probe itself.
    pub probe: &'static str,
    /// What makes a list of a probe and a statement that stands alone.
    pub block: [&'static str; 2],
    /// What stands for a statement that is taken out.
    pub nothing: &'static str,
    /// How a comment to the end of the line begins.
    pub comment: &'static str,
    /// True if lines that begin with `#` are directives.
    pub has_directives: bool,
    /// True if the type of a variable may follow from its uses.
    pub infers_types: bool,
    /// True if the grammar leaves out the semicolon behind a statement that
    /// stands alone.
    pub semicolon_apart: bool,
    /// A program with one of these words may tell what code it has, or what
    /// the compiler knows of it: it loses no statement.
    pub telling: &'static [&'static str],
    /// A statement with one of these words is not taken out: what it does, it
    /// may do without being reached.
    pub lasting: &'static [&'static str],
}

/// What a probe writes to standard error: this, its number, and `@`.
pub(super) const MARK: &str = "@lydite ";

/// What a compiled C program does at a probe: it writes the mark, once.
macro_rules! c_probe {
    ($linkage:literal) => {
        concat!(
            "static unsigned char lydite_done[COUNT]; ",
            $linkage,
            "long lydite_write(int, const void *, unsigned long) __asm__(\"write\"); ",
            "static void lydite_seen(int n) { char text[24] = \"@lydite \"; ",
            "int at = 8, unit = 1000000; if (lydite_done[n]) return; lydite_done[n] = 1; ",
            "for (; unit; unit /= 10) text[at++] = (char)('0' + n / unit % 10); ",
            "text[at++] = '@'; text[at++] = '\\n'; lydite_write(2, text, at); }\n#line 1\n",
        )
    };
}

/// Builtins whose value follows from what the compiler found out, and what
/// numbers the places of a program.
const TELLING_C: &[&str] = &[
    "__COUNTER__",
    "__OPTIMIZE__",
    "__OPTIMIZE_SIZE__",
    "__NO_INLINE__",
    "__builtin_constant_p",
    "__builtin_is_constant_evaluated",
    "is_constant_evaluated",
    "__builtin_object_size",
    "__builtin_dynamic_object_size",
    "__builtin_frame_address",
    "__builtin_return_address",
    "__builtin_stack_address",
    "__builtin_apply",
];

const LASTING_C: &[&str] = &["asm", "__asm", "__asm__"];

const PROBINGS: [Probing; 7] = [
    Probing {
        language: "c",
        before: c_probe!(""),
        after: "",
        probe: "lydite_seen(NUMBER);",
        block: ["{", "}"],
        nothing: ";",
        comment: "//",
        has_directives: true,
        infers_types: false,
        semicolon_apart: false,
        telling: TELLING_C,
        lasting: LASTING_C,
    },
    Probing {
        language: "cpp",
        before: c_probe!("extern \"C\" "),
        after: "",
        probe: "::lydite_seen(NUMBER);",
        block: ["{", "}"],
        nothing: ";",
        comment: "//",
        has_directives: true,
        infers_types: false,
        semicolon_apart: false,
        telling: TELLING_C,
        lasting: LASTING_C,
    },
    Probing {
        language: "lua",
        before: "lydite_done = {} function lydite_seen(n) if not lydite_done[n] then \
                 lydite_done[n] = true io.stderr:write(\"@lydite \" .. n .. \"@\\n\") end end ",
        after: "",
        probe: "lydite_seen(NUMBER);",
        block: ["do ", " end"],
        nothing: "do end",
        comment: "--",
        has_directives: false,
        infers_types: false,
        semicolon_apart: false,
        telling: &["dump", "getinfo", "collectgarbage"],
        lasting: &[],
    },
    Probing {
        language: "javascript",
        before: "",
        after: "\nfunction lydite_seen(n) { var done = lydite_seen.done || (lydite_seen.done = {}); \
                if (!done[n]) { done[n] = true; console.error(\"@lydite \" + n + \"@\"); } }\n",
        probe: "lydite_seen(NUMBER);",
        block: ["{", "}"],
        nothing: ";",
        comment: "//",
        has_directives: false,
        infers_types: false,
        semicolon_apart: false,
        telling: &["eval", "Function", "callee", "caller"],
        lasting: &[],
    },
    Probing {
        language: "rust",
        before: "",
        after: "\n#[allow(dead_code)] fn lydite_seen(n: usize) { \
                use std::sync::atomic::{AtomicBool, Ordering}; \
                #[allow(clippy::declare_interior_mutable_const)] \
                const NO: AtomicBool = AtomicBool::new(false); \
                static DONE: [AtomicBool; COUNT] = [NO; COUNT]; \
                if !DONE[n].swap(true, Ordering::Relaxed) { eprintln!(\"@lydite {}@\", n); } }\n",
        probe: "crate::lydite_seen(NUMBER);",
        block: ["{", "}"],
        nothing: ";",
        comment: "//",
        has_directives: false,
        infers_types: true,
        semicolon_apart: false,
        telling: &[],
        lasting: &["asm"],
    },
    Probing {
        language: "scala",
        before: "",
        after: "\nobject LyditeProbes { private val done = new Array[Boolean](COUNT); \
                def seen(n: Int): Unit = if (!done(n)) { done(n) = true; \
                java.lang.System.err.println(\"@lydite \" + n + \"@\") } }\n",
        probe: "LyditeProbes.seen(NUMBER);",
        block: ["{", "}"],
        nothing: "()",
        comment: "//",
        has_directives: false,
        infers_types: false,
        semicolon_apart: false,
        telling: &["getStackTrace", "reify"],
        lasting: &[],
    },
    Probing {
        language: "awk",
        before: "",
        after: "\nfunction lydite_seen(n) { if (!(n in lydite_done)) { lydite_done[n] = 1; \
                printf \"@lydite %d@\\n\", n > \"/dev/stderr\" } }\n",
        probe: "lydite_seen(NUMBER);",
        block: ["{", "}"],
        nothing: ";",
        comment: "#",
        has_directives: false,
        infers_types: false,
        semicolon_apart: true,
        // A namespace would be that of the probe's function, too.
        telling: &["SYMTAB", "FUNCTAB", "PROCINFO", "namespace"],
        lasting: &[],
    },
];

/// Why a language has no row above, and what there is instead.
const WITHOUT: [(&str, &str); 2] = [
    (
        "solidity",
        "contracts have profiles of another kind, for strategy equivalent",
    ),
    (
        "jq",
        "a program of jq is one expression, without statements",
    ),
];

impl Probing {
    /// How the dialect's language writes a probe, if it is known.
    pub(super) fn of(dialect: &Dialect) -> Option<&'static Probing> {
        PROBINGS
            .iter()
            .find(|probing| probing.language == dialect.language)
    }

    /// Why nothing can be taken out of programs of this language.
    pub(super) fn refusal(dialect: &Dialect) -> CannotDelete {
        let row = WITHOUT
            .iter()
            .find(|(language, _)| *language == dialect.language);
        let why = row.map_or("nobody has said how one is written", |(_, why)| why);
        CannotDelete::NoProbes(dialect.language, why)
    }
}

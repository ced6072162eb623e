//! Target files of tests: most of their lines are the same, and a test says only
//! the others.

use std::path::PathBuf;

use super::Folder;

/// A target file. Unless told otherwise it is that of an SMT solver that takes
/// the file as its argument and says `NAME 1.0` when it is asked for its version.
pub(crate) struct TargetFile {
    family: String,
    language: String,
    keys: String,
    get: String,
    file: String,
    steps: String,
    read: String,
    version: String,
    smoke: String,
    more: String,
}

impl TargetFile {
    pub(crate) fn new(family: &str) -> TargetFile {
        TargetFile {
            family: family.to_string(),
            language: "smtlib".to_string(),
            keys: String::new(),
            get: String::new(),
            file: "case.smt2".to_string(),
            steps: String::new(),
            read: "kind = \"verdicts\"\n".to_string(),
            version: String::new(),
            smoke: String::new(),
            more: String::new(),
        }
        .version(&["{bin}", "--version"], &format!(r"{family} (\S+)"))
        .smoke("(check-sat)")
    }

    /// sqlite by another name, which begins with a command of its own.
    pub(crate) fn sqlite(family: &str, command: &str) -> TargetFile {
        let debian = "from = \"debian\"\npackage = \"sqlite3\"\nbin = \"usr/bin/sqlite3\"\n\
                      env = { LD_LIBRARY_PATH = \"{lib}\" }";
        let argv = ["{bin}", "-batch", "-bail", "-cmd", command, ":memory:"];
        TargetFile::new(family)
            .language("sql", "case.sql")
            .commands(&["sqlite3"])
            .get(debian)
            .step_with(&argv, "stdin = true")
            .read(
                "kind = \"output\"\nmessages = \"stderr\"\n\
                 rejected = ['^Parse error near line .*', '^Error: .*']",
            )
            .version(&["{bin}", "-version"], "^([0-9.]+)")
    }

    /// Another language, and the name that its programs have. No small program is
    /// tried before it is used.
    pub(crate) fn language(mut self, language: &str, file: &str) -> TargetFile {
        self.language = language.to_string();
        self.file = file.to_string();
        self.smoke.clear();
        self
    }

    /// It is one of these programs, by name or by path.
    pub(crate) fn commands<T: AsRef<str>>(self, programs: &[T]) -> TargetFile {
        self.get(&format!("from = \"system\"\ncommands = {}", list(programs)))
    }

    /// A further place where it comes from.
    pub(crate) fn get(mut self, lines: &str) -> TargetFile {
        self.get += &format!("[[get]]\n{lines}\n");
        self
    }

    /// A process of each run.
    pub(crate) fn step(self, argv: &[&str]) -> TargetFile {
        self.step_with(argv, "")
    }

    /// A process of each run, with further keys.
    pub(crate) fn step_with(mut self, argv: &[&str], keys: &str) -> TargetFile {
        self.steps += &format!("[[run.step]]\nargv = {}\n{keys}\n", list(argv));
        self
    }

    /// How its output is read.
    pub(crate) fn read(mut self, lines: &str) -> TargetFile {
        self.read = format!("{lines}\n");
        self
    }

    pub(crate) fn version(mut self, argv: &[&str], pattern: &str) -> TargetFile {
        self.version = format!("argv = {}\npattern = '{pattern}'\n", list(argv));
        self
    }

    /// A program that it answers with `sat` before it is used.
    pub(crate) fn smoke(mut self, program: &str) -> TargetFile {
        self.smoke = format!("[smoke]\nprogram = \"{program}\"\nexpect = \"sat\"\n");
        self
    }

    /// Read and tried as the zoo's solver is, which takes options.
    pub(crate) fn like_zoo_solver(self) -> TargetFile {
        let zoo = include_str!("../../../../zoo/targets/zoo-solver.toml");
        let rules = zoo.split("[read]\n").nth(1).expect("rules");
        let rules = rules.split("[version]").next().expect("rules");
        let small = "(declare-const p Bool)(assert p)(check-sat)";
        let step = ["{bin}", "{options}", "{file}"];
        self.step(&step).read(rules).smoke(small)
    }

    /// Keys of the file itself.
    pub(crate) fn keys(mut self, lines: &str) -> TargetFile {
        self.keys += &format!("{lines}\n");
        self
    }

    /// Further tables, at the end.
    pub(crate) fn tables(mut self, lines: &str) -> TargetFile {
        self.more += &format!("{lines}\n");
        self
    }

    pub(crate) fn text(mut self) -> String {
        if self.steps.is_empty() {
            self = self.step(&["{bin}", "{file}"]);
        }
        [
            format!(
                "family = {:?}\nlanguage = {:?}\n",
                self.family, self.language
            ),
            "about = \"a target of a test\"\n".to_string(),
            self.keys,
            self.get,
            format!("[run]\nfile = \"{}\"\n", self.file),
            self.steps,
            format!("[read]\n{}", self.read),
            format!("[version]\n{}", self.version),
            self.smoke,
            self.more,
        ]
        .concat()
    }

    /// Writes it to a place below the folder.
    pub(crate) fn write(self, folder: &Folder, place: &str) -> PathBuf {
        folder.write(place, self.text())
    }
}

/// Words as a list of TOML.
fn list<T: AsRef<str>>(words: &[T]) -> String {
    let words = words.iter().map(|word| format!("{:?}", word.as_ref()));
    format!("[{}]", words.collect::<Vec<_>>().join(", "))
}

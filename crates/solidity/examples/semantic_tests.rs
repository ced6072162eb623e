//! Holds the interpreter to tests that others wrote: Solidity files with calls
//! and what they return, in the comments at the end (the format of solc's own
//! semantic tests).
//!
//! `cargo run -p lydite-solidity --example semantic_tests -- DIR [wrong]`
//! counts the files that are read, and of their calls those that the
//! interpreter knows and gets right; with `wrong` it shows those that it gets
//! wrong. It ends with 1 if there are any.

#![allow(clippy::disallowed_methods)] // An example is a program: it reads files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dashu_int::IBig;
use lydite_solidity::ast::{
    ContractId, ContractKind, FunctionId, FunctionName, GetterKey, Member, TypeId,
};
use lydite_solidity::interpret::{
    Event, Machine, Order, Reason, Stop, Value, World, abi_decoded, abi_encoded, keccak256,
};
use lydite_solidity::read::{Reading, read};
use lydite_solidity::typing::Types;
use lydite_solidity::version::Dialect;

/// Steps of the interpreter in one call.
const FUEL: u64 = 100_000;

/// What came of the calls of a file.
#[derive(Default)]
struct Tally {
    files: usize,
    read: usize,
    whole: usize,
    known: usize,
    wrong: Vec<String>,
    reasons: BTreeMap<String, usize>,
}

/// A call and what it must show.
struct Line {
    name: String,
    arguments: Vec<u8>,
    has_value: bool,
    fails: bool,
    results: Vec<u8>,
    events: Vec<String>,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("semantic_tests: a folder of tests is missing");
        return ExitCode::from(2);
    };
    let shows = arguments.next().is_some();
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    let mut tally = Tally::default();
    for file in &files {
        let Ok(text) = std::fs::read_to_string(file) else {
            continue;
        };
        tally.files += 1;
        if let Err(reason) = examine(file, &text, &mut tally) {
            *tally.reasons.entry(reason).or_default() += 1;
        }
    }
    println!("files: {}", tally.files);
    println!("read: {}", tally.read);
    println!("known to the end: {}", tally.whole);
    println!("calls known: {}", tally.known);
    println!("calls wrong: {}", tally.wrong.len());
    let mut reasons: Vec<_> = tally.reasons.iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (reason, count) in reasons {
        println!("{count:6} {reason}");
    }
    if shows {
        for wrong in &tally.wrong {
            println!("{wrong}");
        }
    }
    ExitCode::from(u8::from(!tally.wrong.is_empty()))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => collect(&path, files),
            false if path.extension().is_some_and(|it| it == "sol") => files.push(path),
            false => {}
        }
    }
}

/// What a program must not contain so that its calls can be compared: what
/// depends on names, on the chain, or on an older coder.
const APART: [&str; 9] = [
    "EVMVersion: <byzantium", "revertStrings", "abicoder v1", "ABICoderV1", ".selector",
    "encodeCall", "msg.sig", "block.", "allowNonExistingFunctions",
];

fn examine(file: &Path, text: &str, tally: &mut Tally) -> Result<(), String> {
    let (source, expected) = text.split_once("// ----").ok_or("no expectations")?;
    if let Some(word) = APART.iter().find(|word| source.contains(**word)) {
        return Err(format!("uses {word}"));
    }
    let reading = read(source).map_err(|unread| unread.to_string())?;
    tally.read += 1;
    let lines = lines(expected)?;
    let types = Types {
        ast: &reading.ast,
        values: &reading.values,
    };
    let deployed = (0..reading.ast.contracts.len() as u32)
        .rev()
        .map(ContractId);
    let deployed = deployed
        .filter(|id| reading.ast[*id].kind == ContractKind::Contract)
        .max_by_key(|id| id.0);
    let contract = deployed.ok_or("no contract")?;
    let dialect: Dialect = "0.8.20".parse().map_err(|_| "no dialect")?;
    let world = World {
        sender: number("0x1212121212121212121212121212120000000012"),
        origin: number("0x9292929292929292929292929292929292929292"),
        this: number("0xc06afe3a8444fc0004668591e8306bfb9968e79e"),
        timestamp: IBig::from(15),
        number: IBig::from(1),
        ..World::default()
    };
    let mut machines = [Order::RightFirst, Order::LeftFirst].map(|order| {
        let (ast, values) = (types.ast, types.values);
        Machine::new(ast, values, &dialect, contract, order, world.clone(), FUEL)
    });
    let mut test = Test {
        reading: &reading,
        types,
        contract,
    };
    test.run(&mut machines, &lines, file, tally)
}

struct Test<'a> {
    reading: &'a Reading,
    types: Types<'a>,
    contract: ContractId,
}

/// What a call showed: its results or its failure, and its events.
#[derive(Debug, PartialEq)]
struct Shown {
    fails: bool,
    results: Vec<u8>,
    /// A text is told that is not known.
    is_told: bool,
    events: Vec<String>,
}

impl Test<'_> {
    fn run(
        &mut self,
        machines: &mut [Machine<'_>; 2],
        lines: &[Line],
        file: &Path,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let is_explicit = lines.first().is_some_and(|line| line.name == "constructor");
        if !is_explicit {
            for machine in machines.iter_mut() {
                machine
                    .construct(Vec::new(), &IBig::ZERO)
                    .map_err(|stop| format!("deployment: {stop:?}"))?;
            }
        }
        for line in lines {
            if line.has_value {
                return Err("a call with wei".to_string());
            }
            let [one, two] = machines.each_mut().map(|machine| self.shown(machine, line));
            let (one, two) = (one?, two?);
            if one != two {
                return Err("the order of evaluation matters".to_string());
            }
            tally.known += 1;
            let is_right = one.fails == line.fails
                && (one.is_told || one.results == line.results)
                && one.events == line.events;
            if !is_right {
                let wanted = (line.fails, hex(&line.results), &line.events);
                tally.wrong.push(format!(
                    "{}: {}: {} {} {:?}, not {wanted:?}",
                    file.display(),
                    line.name,
                    one.fails,
                    hex(&one.results),
                    one.events,
                ));
                return Err("wrong".to_string());
            }
        }
        tally.whole += 1;
        Ok(())
    }

    fn shown(&self, machine: &mut Machine<'_>, line: &Line) -> Result<Shown, String> {
        machine.fuel(FUEL);
        let ast = &self.reading.ast;
        let values = |kinds: &[TypeId]| {
            let values = abi_decoded(self.types, kinds, &line.arguments);
            values.ok_or("arguments that are none".to_string())
        };
        let of = |ids: &[lydite_solidity::ast::VariableId]| -> Vec<TypeId> {
            ids.iter().map(|id| ast[*id].kind).collect()
        };
        let done = if line.name == "constructor" {
            let parameters = match self.own(|id| ast[id].name == FunctionName::Constructor) {
                Some(id) => of(&ast[id].parameters),
                None => Vec::new(),
            };
            let events = machine.construct(values(&parameters)?, &IBig::ZERO);
            events.map(|events| (Vec::new(), Vec::new(), events))
        } else if let Some(function) = self.function(&line.name) {
            let given = values(&of(&ast[function].parameters))?;
            let done = machine.transact(function, given, &IBig::ZERO);
            let kinds = of(&ast[function].results);
            done.map(|(values, events)| (kinds, values, events))
        } else {
            let variable = self.variable(&line.name)?;
            let keys = self.types.ast.getter_keys(variable);
            let word = TypeId(u32::from(
                lydite_solidity::types::Elementary::UINT256.number(),
            ));
            let kinds: Vec<TypeId> = keys
                .iter()
                .map(|key| match key {
                    GetterKey::Index => word,
                    GetterKey::Key(kind) => *kind,
                })
                .collect();
            let done = machine.ask(variable, values(&kinds)?);
            let kinds = self.types.ast.getter_results(variable).kinds();
            done.map(|values| (kinds, values, Vec::new()))
        };
        match done {
            Ok((kinds, values, events)) => {
                let results = abi_encoded(self.types, &kinds, &values);
                let events = events.iter().map(|event| self.event(event));
                Ok(Shown {
                    fails: false,
                    results: results.ok_or("results that are not encoded")?,
                    is_told: false,
                    events: events.collect::<Result<_, String>>()?,
                })
            }
            Err(Stop::Unknown(what)) => Err(format!("unknown: {what}")),
            Err(Stop::TooLong) => Err("too long".to_string()),
            Err(stop) => self.failed(&stop),
        }
    }

    fn failed(&self, stop: &Stop) -> Result<Shown, String> {
        let mut results = Vec::new();
        match stop {
            Stop::Fault(fault) => {
                results.extend([0x4e, 0x48, 0x7b, 0x71]);
                results.extend(word(&IBig::from(fault.code())));
            }
            Stop::Revert(Reason::Signal(id, values)) => {
                let parameters = self.reading.ast[*id].parameters.iter();
                let kinds: Vec<TypeId> = parameters.map(|id| self.reading.ast[*id].kind).collect();
                let names = kinds.iter().map(|kind| self.types.abi_name(*kind));
                let names: Option<Vec<String>> = names.collect();
                let names = names.ok_or("an error without a name")?.join(",");
                let signature = format!("{}({names})", self.reading.signals[id]);
                results.extend(&keccak256(signature.as_bytes())[..4]);
                results.extend(abi_encoded(self.types, &kinds, values).ok_or("an error")?);
            }
            _ => {}
        }
        Ok(Shown {
            fails: true,
            results,
            is_told: matches!(stop, Stop::Revert(Reason::Text(_))),
            events: Vec::new(),
        })
    }

    /// An event as the tests tell it: what is indexed, then the rest.
    fn event(&self, event: &Event) -> Result<String, String> {
        let ast = &self.reading.ast;
        let signal = &ast[event.signal];
        let kinds: Vec<TypeId> = signal.parameters.iter().map(|id| ast[*id].kind).collect();
        let names = kinds.iter().map(|kind| self.types.abi_name(*kind));
        let names: Option<Vec<String>> = names.collect();
        let names = names.ok_or("an event without a name")?.join(",");
        let (mut topics, mut rest_kinds, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for ((id, kind), value) in signal.parameters.iter().zip(&kinds).zip(&event.values) {
            let role = ast[*id].role;
            if role != (lydite_solidity::ast::Role::Signal { indexed: true }) {
                rest_kinds.push(*kind);
                rest.push(value.clone());
                continue;
            }
            topics.push(match (self.types.is_reference(*kind), value) {
                (false, value) => {
                    let one = std::slice::from_ref(value);
                    hex(&abi_encoded(self.types, &[*kind], one).ok_or("a topic")?)
                }
                (true, Value::Bytes(bytes)) => hex(&keccak256(bytes)),
                _ => return Err("a topic of another kind".to_string()),
            });
        }
        let data = abi_encoded(self.types, &rest_kinds, &rest).ok_or("an event")?;
        let name = match ast.anonymous.contains(&event.signal) {
            true => "<anonymous>".to_string(),
            false => format!("{}({names})", self.reading.signals[&event.signal]),
        };
        Ok(format!("{name} {} {}", topics.join(" "), hex(&data)))
    }

    fn own(&self, fits: impl Fn(FunctionId) -> bool) -> Option<FunctionId> {
        let line = self.reading.ast.lineage(self.contract);
        let members = line.iter().flat_map(|at| &self.reading.ast[*at].members);
        let mut functions = members.filter_map(|member| match *member {
            Member::Function(id) => Some(id),
            _ => None,
        });
        functions.find(|id| fits(*id))
    }

    /// The function of a signature.
    fn function(&self, signature: &str) -> Option<FunctionId> {
        let (name, _) = signature.split_once('(')?;
        self.own(|id| {
            let ast = &self.reading.ast;
            let names = ast[id].parameters.iter();
            let names = names.map(|id| self.types.abi_name(ast[*id].kind));
            let names: Option<Vec<String>> = names.collect();
            let is_named = self
                .reading
                .functions
                .get(&id)
                .is_some_and(|own| own == name);
            is_named
                && names.is_some_and(|names| signature == format!("{name}({})", names.join(",")))
        })
    }

    fn variable(&self, signature: &str) -> Result<lydite_solidity::ast::VariableId, String> {
        let (name, _) = signature.split_once('(').ok_or("a call of nothing")?;
        let mut variables = self.reading.variables.iter();
        let found = variables.find(|(id, own)| {
            *own == name && self.reading.ast[**id].contract() == Some(self.contract)
        });
        Ok(*found.ok_or("a function that is not there")?.0)
    }
}

fn lines(expected: &str) -> Result<Vec<Line>, String> {
    let mut lines: Vec<Line> = Vec::new();
    for text in expected.lines() {
        let Some(text) = text.strip_prefix("//").map(str::trim) else {
            continue;
        };
        if text.is_empty() || text.starts_with("gas ") {
            continue;
        }
        if let Some(event) = text.strip_prefix("~ emit ") {
            let line = lines.last_mut().ok_or("an event before all calls")?;
            line.events.push(told(event)?);
            continue;
        }
        // A remark stands behind `#`.
        let text = match text.split_once(" #") {
            Some((text, _)) => text,
            None => text,
        };
        let (call, results) = match text.split_once("->") {
            Some((call, results)) => (call.trim(), results.trim()),
            None => (text.trim_end_matches(':').trim(), ""),
        };
        let close = call.rfind(')').filter(|_| call.contains('('));
        let Some(open) = call.find('(') else {
            return Err("a line of another kind".to_string());
        };
        let close = match call.find("):") {
            Some(close) => close,
            None => match call.find("),") {
                Some(close) => close,
                None => close.ok_or("a line of another kind")?,
            },
        };
        let name = match &call[..open] {
            "constructor" => "constructor".to_string(),
            _ => call[..=close].to_string(),
        };
        let rest = call[close + 1..].trim();
        let (has_value, arguments) = match rest.strip_prefix(',') {
            Some(value) => (true, value.split_once(':').map_or("", |(_, it)| it)),
            None => (false, rest.strip_prefix(':').unwrap_or("")),
        };
        let (fails, results) = match results.strip_prefix("FAILURE") {
            Some(results) => (true, results.trim_start_matches(',')),
            None => (false, results),
        };
        lines.push(Line {
            name,
            arguments: bytes(arguments)?,
            has_value,
            fails,
            results: bytes(results)?,
            events: Vec::new(),
        });
    }
    Ok(lines)
}

/// `E(uint256): #0x01, 2`
fn told(text: &str) -> Result<String, String> {
    if text.contains(" from ") {
        return Err("an event of another contract".to_string());
    }
    let (name, values) = match text.split_once("): ") {
        Some((name, values)) => (format!("{name})"), values),
        None => match text.strip_prefix("<anonymous>") {
            Some(values) => ("<anonymous>".to_string(), values.trim_start_matches(':')),
            None => (text.trim_end_matches(':').to_string(), ""),
        },
    };
    let (mut topics, mut data) = (Vec::new(), Vec::new());
    for value in split(values) {
        match value.strip_prefix('#') {
            Some(topic) => {
                let mut topic = bytes(topic)?;
                topic.resize(32, 0);
                topics.push(hex(&topic));
            }
            None => data.extend(bytes(value)?),
        }
    }
    Ok(format!("{name} {} {}", topics.join(" "), hex(&data)))
}

/// Parts between commas; none of the texts in these tests has one.
fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

fn bytes(text: &str) -> Result<Vec<u8>, String> {
    let mut all = Vec::new();
    for part in split(text) {
        let inner = |name: &str| part.strip_prefix(name)?.strip_suffix(')');
        if let Some(quoted) = part.strip_prefix("hex\"") {
            all.extend(unhex(quoted.trim_end_matches('"')).ok_or("digits that are none")?);
        } else if let Some(quoted) = part.strip_prefix('"') {
            let quoted = quoted.trim_end_matches('"');
            if quoted.contains('\\') {
                return Err("a text with escapes".to_string());
            }
            let mut bytes = quoted.as_bytes().to_vec();
            bytes.resize(bytes.len().next_multiple_of(32).max(32), 0);
            all.extend(bytes);
        } else if part == "true" || part == "false" {
            all.extend(word(&IBig::from(u8::from(part == "true"))));
        } else if let Some(left) = inner("left(") {
            let digits = left.strip_prefix("0x").ok_or("a number of another kind")?;
            let mut bytes = unhex(digits).ok_or("digits that are none")?;
            bytes.resize(32, 0);
            all.extend(bytes);
        } else {
            let part = inner("right(").unwrap_or(part);
            let number = number(part).ok_or_else(|| format!("a value of another kind: {part}"))?;
            all.extend(word(&number));
        }
    }
    Ok(all)
}

fn number(text: &str) -> Option<IBig> {
    match text.strip_prefix("0x") {
        Some(digits) => IBig::from_str_radix(digits, 16).ok(),
        None => IBig::from_str_radix(text, 10).ok(),
    }
}

fn unhex(digits: &str) -> Option<Vec<u8>> {
    let digits = match digits.len() % 2 {
        0 => digits.to_string(),
        _ => format!("0{digits}"),
    };
    let pairs = (0..digits.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok())
        .collect()
}

/// 32 bytes, highest first; what is below zero in two's complement.
fn word(number: &IBig) -> [u8; 32] {
    let modulus = IBig::from(1) << 256;
    let number = match *number < IBig::ZERO {
        true => number + modulus,
        false => number.clone(),
    };
    let digits = format!("{:0>64}", number.in_radix(16).to_string());
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap_or(0);
    }
    bytes
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

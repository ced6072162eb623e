// A command line for solc as npm publishes it: the compiler as one JavaScript file.
//
//   node run-solc.js SOLJSON [OPTION]... [-o OUT] FILE    compiles FILE and what lies beside it
//   node run-solc.js SOLJSON [OPTION]... [-o OUT] FILE --serve
//   node run-solc.js SOLJSON --version
//
// Every other *.sol file of the working folder can be imported. A FILE that ends in .yul is an
// object of Yul and stands alone. What the compiler says goes to
// standard error, each error as `Type: message` and the place on the next line. OUT gets
// ABI and code of every contract, or with --combined-json all that solc prints with that
// option: to standard output, if there is no OUT. With --answer OUT gets what the compiler answers to
// standard JSON that asks for nothing that takes code. The status is 0 if the program was compiled, 1 if it was
// refused, 2 if this command line was, 70 if the compiler itself broke down.
//
// With --assertions standard output has a line for each assertion, with what the model checker says of
// it: `assertion FILE START END: VERDICT` (safe, violated or open; bytes of the file). Where the program
// has something that the model checker does not support, there are none. Its questions are put to the
// program of --z3=PROGRAM.
//
// With --code standard output has a line for each contract, with a digest of its code without metadata,
// below a line that says how it was made. --unit=NAME gives FILE another name, --through=FORM
// makes the code by way of something that the compiler has printed: ast, assembly or ir.
//
// --serve: see requests.js.
//
// A SOLJSON that is no JavaScript is solc itself, which is run with --standard-json.
//
// The compiler is bound here, and not by the package's own wrapper, because the wrapper needs a
// tree of further packages, another one in each version.
"use strict";

const childProcess = require("child_process");
const crypto = require("crypto");
const fs = require("fs");
const path = require("path");
const { breakdown, isNoText, main, readText, write } = require("./requests.js");

// What the compiler prints on its own belongs to no answer.
console.log = console.info = console.warn = console.error;

// ---- the command line ----

// The words are those of solc's own command line, as far as it has them.
const FLAGS = {
  "--optimize": (options) => (options.optimizer.enabled = true),
  "--optimize-runs": (options, value) => (options.optimizer.runs = Number(value)),
  "--optimize-yul": (options) => (options.optimizer.details = { yul: true }),
  "--no-optimize-yul": (options) => (options.optimizer.details = { yul: false }),
  // `@FILE`: what stands in the file beside the program; if there is none, the usual steps.
  "--yul-optimizations": (options, value) => (options.steps = value),
  "--via-ir": (options) => (options.viaIR = true),
  "--ir": (options) => options.outputs.push("ir", "irOptimized"),
  "--evm-version": (options, value) => (options.evmVersion = value),
  "--via-ssa-cfg": (options) => (options.viaSSACFG = true),
  "--model-checker-engine": (options, value) => (options.modelChecker = value),
  "--model-checker-div-mod-no-slacks": (options) => (options.checkerSettings.divModNoSlacks = true),
  "--model-checker-invariants": (options) => (options.checkerSettings.invariants = ["contract", "reentrancy"]),
  "--assertions": (options) => Object.assign(options.checkerSettings, { targets: ["assert"], showUnproved: true }),
  "--z3": (options, value) => {
    options.solver = value;
    options.checkerSettings.solvers = ["smtlib2"];
  },
  // The z3 that the compiler has inside, whatever was said before: only it tells counterexamples.
  "--own-solver": (options) => {
    delete options.solver;
    delete options.checkerSettings.solvers;
  },
  // Without a solver: every question is answered `unknown`, so that only its making is tested.
  "--model-checker-solvers": (options, value) => (options.unsolved = value === "none"),
  // All that the compiler can print, in one of so many programs: which, their text decides.
  "--all-outputs": (options, value) => (options.allOutputs = Number(value || 1)),
  // Which parts are asked for does not matter: there are all.
  "--combined-json": (options) => {
    options.combined = true;
    options.outputs = ["abi", "devdoc", "userdoc", "evm.bytecode", "evm.deployedBytecode", "evm.methodIdentifiers"];
  },
  "--answer": (options) => Object.assign(options, { answer: true, outputs: ["abi", "storageLayout"] }),
  "--code": (options) => (options.code = true),
  "--unit": (options, value) => (options.unit = value),
  "--through": (options, value) => (options.through = value),
  "--serve": (options) => (options.serve = true),
  "--version": (options) => (options.version = true),
};

function readArguments(words) {
  const options = {
    optimizer: { enabled: false, runs: 200 },
    checkerSettings: {},
    outputs: ["abi", "evm.bytecode.object", "evm.bytecode.linkReferences"],
  };
  for (let at = 0; at < words.length; at++) {
    const [flag, ...value] = words[at].split("=");
    if (words[at] === "-o") options.out = words[++at];
    else if (FLAGS[flag]) FLAGS[flag](options, value.join("="));
    else if (flag.startsWith("-")) throw new Error(`no option ${flag}`);
    else if (!options.soljson) options.soljson = words[at];
    else options.file = words[at];
  }
  if (!options.soljson || !(options.file || options.version)) throw new Error("SOLJSON and FILE are needed");
  if (options.through && !THROUGH[options.through]) throw new Error(`no form ${options.through}`);
  return options;
}

// ---- the compiler ----

function load(soljson) {
  const before = ["uncaughtException", "unhandledRejection"].map((name) => [name, process.listeners(name)]);
  const compiler = require(path.resolve(soljson));
  for (const [name, listeners] of before) {
    // Its own would print the whole of itself and rethrow.
    for (const listener of process.listeners(name)) {
      if (!listeners.includes(listener)) process.removeListener(name, listener);
    }
  }
  return compiler;
}

// The compiler as a program.
function native(program) {
  const run = (words, input) => {
    const ended = childProcess.spawnSync(program, words, { input, maxBuffer: 1 << 29 });
    if (ended.error) throw ended.error;
    if (ended.signal) throw new Error(`${program} was ended by ${ended.signal}: ${ended.stderr}`);
    return ended.stdout.toString();
  };
  const [, name] = run(["--version"]).match(/Version: (\S+)/) ?? [];
  if (!name) throw new Error(`${program} --version tells no version`);
  return { native: (input) => run(["--standard-json"], input), name, _solidity_compile: true };
}

function version(compiler) {
  if (compiler.native) return compiler.name;
  const name = compiler._solidity_version ? "solidity_version" : "version";
  return compiler.cwrap(name, "string", [])();
}

function isAtLeast(compiler, minor, patch) {
  const [, its, last] = version(compiler).match(/^0\.(\d+)\.(\d+)/).map(Number);
  return its > minor || (its === minor && last >= patch);
}

// From 0.6 on it calls back with what it wants.
function callsBack(compiler) {
  return compiler._solidity_compile && isAtLeast(compiler, 6, 0);
}

// Gives the text of the compiler's answer to standard JSON, or to the older form of it.
function ask(compiler, input, options) {
  if (compiler.native) return compiler.native(input);
  if (callsBack(compiler)) {
    const callback = compiler.addFunction(answerCall(compiler, options), "viiiii");
    const compile = compiler.cwrap("solidity_compile", "string", ["string", "number", "number"]);
    const answer = compile(input, callback, 0);
    // Not after a breakdown: there is nothing left to tidy, and trying would hide why.
    compiler.removeFunction(callback);
    if (compiler._solidity_reset) compiler._solidity_reset();
    return answer;
  }
  // Without a call-back whatever is not among the sources is not found.
  if (compiler._solidity_compile) return compiler.cwrap("solidity_compile", "string", ["string", "number"])(input, 0);
  if (compiler._compileStandard) return compiler.cwrap("compileStandard", "string", ["string", "number"])(input, 0);
  const name = compiler._compileJSONMulti ? "compileJSONMulti" : "compileJSON";
  return compiler.cwrap(name, "string", ["string", "number"])(input, options.optimizer.enabled ? 1 : 0);
}

// What the compiler asks for while it works: sources, of which it has all, and solvers.
function answerCall(compiler, options) {
  const text = (pointer) => compiler.UTF8ToString(pointer);
  const put = (place, answer) => {
    const size = compiler.lengthBytesUTF8(answer) + 1;
    const pointer = compiler._solidity_alloc ? compiler._solidity_alloc(size) : compiler._malloc(size);
    compiler.stringToUTF8(answer, pointer, size);
    compiler.setValue(place, pointer, "*");
  };
  return (context, kind, data, contents, error) => {
    if (text(kind) !== "smt-query") return put(error, "not among the sources");
    if (options.unsolved) return put(contents, "unknown\n");
    const words = ["-smt2", "-in", "rlimit=20000000"];
    const solver = childProcess.spawnSync(options.solver ?? "z3", words, { input: text(data), maxBuffer: 1 << 26 });
    if (solver.error) return put(error, `z3: ${solver.error.message}`);
    put(contents, solver.stdout.toString());
  };
}

// ---- one run ----

function isYul(file) {
  return file.endsWith(".yul");
}

function readSources(file, unit) {
  const beside = isYul(file) ? [] : fs.readdirSync(".").filter((name) => name.endsWith(".sol") && name !== file);
  const sources = {};
  for (const name of [file, ...beside.sort()]) {
    try {
      sources[name === file ? (unit ?? name) : name] = readText(name);
    } catch (error) {
      if (!isNoText(error)) throw error;
      throw { refused: `${name}: not UTF-8, so it cannot be put into standard JSON` };
    }
  }
  // Whoever imports it does so by its name.
  const isImported = Object.entries(sources).some(([name, text]) => name !== unit && text.includes(file));
  return unit && isImported ? readSources(file) : sources;
}

function optimizerOf(options) {
  let steps = options.steps;
  if (steps?.startsWith("@")) {
    const file = steps.slice(1);
    steps = fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : undefined;
  }
  if (steps === undefined) return options.optimizer;
  return { ...options.optimizer, details: { yul: true, yulDetails: { optimizerSteps: steps } } };
}

function wantsAll(options, sources) {
  if (!options.allOutputs) return false;
  let hash = 0;
  for (const letter of sources[options.file]) hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
  return hash % options.allOutputs === 0;
}

function standardInput(options, sources, compiler) {
  const settings = { optimizer: optimizerOf(options) };
  // Whoever wants the code to run it does not wait for the tree: it takes a third of the time.
  const tree = options.out && !options.combined && !options.answer ? [] : ["ast"];
  settings.outputSelection = { "*": { "*": options.outputs, "": tree } };
  if (wantsAll(options, sources)) settings.outputSelection = { "*": { "*": ["*"], "": ["*"] } };
  if (options.viaIR) settings.viaIR = true;
  if (options.viaSSACFG) Object.assign(settings, { viaIR: true, experimental: true, viaSSACFG: true });
  if (options.evmVersion) settings.evmVersion = options.evmVersion;
  const content = Object.entries(sources).map(([name, text]) => [name, { content: text }]);
  // Without a time limit of its own, for which it would need threads.
  if (options.modelChecker) settings.modelChecker = { engine: options.modelChecker, ...options.checkerSettings };
  if (options.checkerSettings.targets && isAtLeast(compiler, 8, 20)) settings.modelChecker.showProvedSafe = true;
  if (options.unsolved) settings.modelChecker.solvers = ["smtlib2"];
  if (options.metadata) settings.metadata = options.metadata;
  const language = isYul(options.file) ? "Yul" : "Solidity";
  return JSON.stringify({ language, sources: Object.fromEntries(content), settings });
}

function compile(compiler, options) {
  if (options.code) return listCode(compiler, options);
  const sources = readSources(options.file);
  const standard = compiler._solidity_compile || compiler._compileStandard;
  const multi = compiler._compileJSONMulti ? JSON.stringify({ sources }) : sources[options.file];
  const input = standard ? standardInput(options, sources, compiler) : multi;
  const answer = JSON.parse(ask(compiler, input, options));
  const said = (answer.errors ?? []).map(standard ? describe : describeOld);
  const failed = said.some((one) => one.error) || (!standard && !answer.contracts);
  // Warnings mean nothing, except that they are all that a model checker says.
  for (const one of said) if (one.error || options.modelChecker) write(2, one.text);
  if (!failed && options.checkerSettings.targets) write(1, verdicts(compiler, answer));
  if (options.answer) {
    if (!failed) fs.writeFileSync(options.out, JSON.stringify(answer, declared));
  } else if (!failed && options.combined) write(options.out ? fs.openSync(options.out, "w") : 1, combined(compiler, answer));
  else if (!failed && options.out) fs.writeFileSync(options.out, JSON.stringify({ contracts: contracts(answer, options) }));
  return failed ? 1 : 0;
}

// What the language itself declares has numbers below zero, which a compiler of 32 bits prints as
// large ones.
function declared(key, value) {
  const signed = (number) => (number >= 2 ** 31 ? number - 2 ** 32 : number);
  if (key === "referencedDeclaration" && value !== null) return signed(value);
  return key === "overloadedDeclarations" ? value.map(signed) : value;
}

// What a model checker says of an assertion, and of what it does not support.
const VERDICTS = [
  [/Assertion violation check is safe/, "safe"],
  [/Assertion violation happens here/, "violated"],
  [/Assertion violation might happen here/, "open"],
];
const UNDECIDED = /unsupported|not (?:yet )?(?:supported|implemented)|does not (?:yet )?(?:support|implement)|Error trying to invoke|[Nn]o (?:SMT )?solver/;

function verdicts(compiler, answer) {
  const said = answer.errors ?? [];
  if (said.some((one) => UNDECIDED.test(one.message))) return "";
  const known = new Map();
  for (const { message, sourceLocation } of said) {
    const [, verdict] = VERDICTS.find(([words]) => words.test(message)) ?? [];
    if (!verdict || !sourceLocation) continue;
    const { file, start, end } = sourceLocation;
    const place = `${file} ${start} ${end}`;
    known.set(place, known.has(place) && known.get(place) !== verdict ? "open" : verdict);
  }
  // Before 0.8.20 nothing is said of those that are proved.
  if (!isAtLeast(compiler, 8, 20)) {
    for (const place of assertions(answer)) if (!known.has(place)) known.set(place, "safe");
  }
  const lines = [...known].map(([place, verdict]) => `assertion ${place}: ${verdict}\n`);
  for (const { message, sourceLocation } of said) {
    if (!/Assertion violation happens here/.test(message) || !sourceLocation) continue;
    const { file, start, end } = sourceLocation;
    const calls = trace(message);
    if (calls) lines.push(`trace ${file} ${start} ${end}: ${calls}\n`);
  }
  return lines.sort().join("");
}

// The transactions of a counterexample. Calls inside of them are left out if they are the
// contract's own.
function trace(message) {
  const [, lines] = message.split("Transaction trace:\n");
  const isCall = (line) => line !== "" && !/^State: |^ +.* -- internal call$/.test(line);
  return lines?.split("\n").filter(isCall).map((line) => line.trim()).join("; ");
}

// The places of all calls of `assert`, by the syntax trees.
function assertions(answer) {
  const places = [];
  for (const [file, { ast }] of Object.entries(answer.sources ?? {})) {
    const open = [ast];
    while (open.length > 0) {
      const node = open.pop();
      if (node === null || typeof node !== "object") continue;
      if (node.nodeType === "FunctionCall" && node.expression.name === "assert") {
        const [start, length] = node.src.split(":").map(Number);
        places.push(`${file} ${start} ${start + length}`);
      }
      open.push(...Object.values(node));
    }
  }
  return places;
}

function describe(one) {
  const place = one.sourceLocation ? `\n  at ${one.sourceLocation.file} ${one.sourceLocation.start}` : "";
  return { error: one.severity === "error", text: `${one.type}: ${one.message || one.formattedMessage}${place}\n` };
}

function describeOld(text) {
  return { error: !/^[^\n]*: Warning: /.test(text), text: `${text}\n` };
}

function contracts(answer, options) {
  const list = [];
  for (const [key, value] of Object.entries(answer.contracts ?? {})) {
    if (value.bytecode !== undefined) {
      const name = key.split(":").pop();
      list.push({ file: options.file, name, abi: JSON.parse(value.interface), bin: value.bytecode, links: {} });
      continue;
    }
    for (const [name, contract] of Object.entries(value)) {
      const { object, linkReferences } = contract.evm?.bytecode ?? {};
      list.push({ file: key, name, abi: contract.abi, bin: object ?? "", links: linkReferences ?? {} });
    }
  }
  return list;
}

// ---- code that is compared ----

// What is printed, and how that is put to the compiler again: `put` gives the sources of one run
// for all contracts, or of one run for each.
const THROUGH = {
  ast: {
    asks: { "": ["ast"] },
    language: "SolidityAST",
    put: (answer) => [["", Object.entries(answer.sources).map(([name, { ast }]) => [name, { ast }])]],
  },
  assembly: {
    asks: { "*": ["evm.legacyAssembly"] },
    language: "EVMAssembly",
    put: (answer) => ofContracts(answer, (one) => one.evm?.legacyAssembly, (assemblyJson) => ({ assemblyJson })),
  },
  ir: {
    asks: { "*": ["ir"] },
    language: "Yul",
    put: (answer) => ofContracts(answer, (one) => one.ir, (content) => ({ content })),
  },
};

function ofContracts(answer, part, source) {
  const runs = [];
  for (const [file, named] of Object.entries(answer.contracts ?? {})) {
    for (const [name, contract] of Object.entries(named)) {
      if (part(contract)) runs.push([name, [[file, source(part(contract))]]]);
    }
  }
  return runs;
}

// Of no use for code that is compared: hashes of the sources' texts.
function metadataOf(compiler) {
  if (!isAtLeast(compiler, 6, 0)) return undefined;
  return { bytecodeHash: "none", ...(isAtLeast(compiler, 8, 18) ? { appendCBOR: false } : {}) };
}

function listCode(compiler, options) {
  options = { ...options, metadata: metadataOf(compiler), outputs: ["evm.bytecode.object"] };
  const input = JSON.parse(standardInput(options, readSources(options.file, options.unit)));
  // The code generator takes what it is asked for, and with the tree it would do more.
  // Assembly that is read has no contract's name.
  const names = options.through === "assembly" ? ["*", ""] : ["*"];
  input.settings.outputSelection = { "*": Object.fromEntries(names.map((name) => [name, ["evm.bytecode.object"]])) };
  const lines = [];
  const status = (options.through ? codeThrough : codeOf)(compiler, options, input, lines);
  if (status === 0) write(1, [heading(compiler, options), ...lines.sort()].join("\n") + "\n");
  return status;
}

// Targets that put the same here make the same code.
function heading(compiler, options) {
  const { optimizer, viaIR, viaSSACFG, steps, evmVersion } = options;
  return `code of solc ${version(compiler).match(/^[^+]*(?:\+commit\.\w+)?/)[0]} ${JSON.stringify({ optimizer, viaIR, viaSSACFG, steps, evmVersion })}`;
}

function answerTo(compiler, options, input) {
  const answer = JSON.parse(ask(compiler, JSON.stringify(input), options));
  const said = (answer.errors ?? []).map(describe).filter((one) => one.error);
  for (const one of said) write(2, one.text);
  return said.length > 0 ? undefined : answer;
}

function codeOf(compiler, options, input, lines, only) {
  const answer = answerTo(compiler, options, input);
  if (!answer) return 1;
  for (const named of Object.values(answer.contracts ?? {})) {
    for (const [name, contract] of Object.entries(named)) {
      const code = plain(contract.evm?.bytecode?.object ?? "");
      const digest = crypto.createHash("sha256").update(code).digest("hex").slice(0, 16);
      if (code) lines.push(`${only ?? name}: ${code.length / 2} bytes ${digest}`);
    }
  }
  return 0;
}

// Without the places of libraries, whose names hold that of the file, and without the metadata of
// versions that always append it.
function plain(code) {
  const links = code.replace(/__\$[0-9a-f]{34}\$__|__[^_]\S{36}(?:__)?/g, "0".repeat(40));
  return links.replace(/a165627a7a72(?:3058|3158)20[0-9a-f]{64}(?:64736f6c6343[0-9a-f]{6})?[0-9a-f]{4}/g, "");
}

function codeThrough(compiler, options, input, lines) {
  const { asks, language, put } = THROUGH[options.through];
  const selection = input.settings.outputSelection;
  const answer = answerTo(compiler, options, { ...input, settings: { ...input.settings, outputSelection: { "*": asks } } });
  if (!answer) return 1;
  const settings = { ...input.settings, outputSelection: selection };
  if (language !== "Yul" && isAtLeast(compiler, 8, 35)) settings.experimental = true;
  if (options.through !== "ast") delete settings.viaIR;
  if (options.through === "assembly") delete settings.optimizer;
  for (const [name, sources] of put(answer)) {
    const again = { language, sources: Object.fromEntries(sources), settings };
    const status = codeOf(compiler, options, again, lines, name || undefined);
    if (status !== 0) return status;
  }
  return 0;
}

// An answer to standard JSON in the form of --combined-json.
function combined(compiler, answer) {
  const list = [];
  for (const [file, named] of Object.entries(answer.contracts ?? {})) {
    for (const [name, contract] of Object.entries(named)) {
      const { bytecode, deployedBytecode, methodIdentifiers } = contract.evm;
      const parts = {
        abi: contract.abi, devdoc: contract.devdoc, userdoc: contract.userdoc, hashes: methodIdentifiers,
        bin: bytecode.object, srcmap: bytecode.sourceMap,
        "bin-runtime": deployedBytecode.object, "srcmap-runtime": deployedBytecode.sourceMap,
      };
      list.push([`${file}:${name}`, parts]);
    }
  }
  const sources = Object.entries(answer.sources ?? {}).sort((one, other) => one[1].id - other[1].id);
  return JSON.stringify({
    contracts: Object.fromEntries(list),
    sourceList: sources.map(([name]) => name),
    sources: Object.fromEntries(sources.map(([name, source]) => [name, { AST: source.ast }])),
    version: version(compiler),
  });
}

// Whatever the compiler throws at us, it has broken down.
function run(compiler, options) {
  try {
    return compile(compiler, options);
  } catch (error) {
    if (error?.refused) {
      write(2, `SourceError: ${error.refused}\n`);
      return 1;
    }
    return breakdown(error);
  }
}

function start() {
  let options;
  try {
    options = readArguments(process.argv.slice(2));
  } catch (error) {
    write(2, `usage: ${error.message}\n`);
    process.exit(2);
  }
  const compiler = options.soljson.endsWith(".js") ? load(options.soljson) : native(options.soljson);
  if (!options.version) return main(process.argv, () => run(compiler, options));
  write(1, `solc ${version(compiler)}\n`);
  process.exit(0);
}

start();

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
// option: to standard output, if there is no OUT. The status is 0 if the program was compiled, 1 if it was
// refused, 2 if this command line was, 70 if the compiler itself broke down.
//
// With --serve each line `MARK FOLDER` on standard input is a run in that folder. Its end is told
// by `MARK STATUS` on both outputs. After a breakdown the process ends without: its state is lost.
//
// The compiler is bound here, and not by the package's own wrapper, because the wrapper needs a
// tree of further packages, another one in each version.
"use strict";

const childProcess = require("child_process");
const fs = require("fs");
const path = require("path");

const BROKEN = 70;

// What the compiler prints on its own belongs to no answer.
console.log = console.info = console.warn = console.error;

function write(stream, text) {
  const bytes = Buffer.from(text);
  let at = 0;
  while (at < bytes.length) {
    try {
      at += fs.writeSync(stream, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

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
  // Without a solver: every question is answered `unknown`, so that only its making is tested.
  "--model-checker-solvers": (options, value) => (options.unsolved = value === "none"),
  // All that the compiler can print, in one of so many programs: which, their text decides.
  "--all-outputs": (options, value) => (options.allOutputs = Number(value || 1)),
  // Which parts are asked for does not matter: there are all.
  "--combined-json": (options) => {
    options.combined = true;
    options.outputs = ["abi", "devdoc", "userdoc", "evm.bytecode", "evm.deployedBytecode", "evm.methodIdentifiers"];
  },
  "--serve": (options) => (options.serve = true),
  "--version": (options) => (options.version = true),
};

function readArguments(words) {
  const options = {
    optimizer: { enabled: false, runs: 200 },
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

function version(compiler) {
  const name = compiler._solidity_version ? "solidity_version" : "version";
  return compiler.cwrap(name, "string", [])();
}

// From 0.6 on it calls back with what it wants.
function callsBack(compiler) {
  return compiler._solidity_compile && Number(version(compiler).match(/^0\.(\d+)/)[1]) >= 6;
}

// Gives the text of the compiler's answer to standard JSON, or to the older form of it.
function ask(compiler, input, options) {
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
    const solver = childProcess.spawnSync("z3", words, { input: text(data), maxBuffer: 1 << 26 });
    if (solver.error) return put(error, `z3: ${solver.error.message}`);
    put(contents, solver.stdout.toString());
  };
}

// ---- one run ----

function isYul(file) {
  return file.endsWith(".yul");
}

function readSources(file) {
  const beside = isYul(file) ? [] : fs.readdirSync(".").filter((name) => name.endsWith(".sol") && name !== file);
  const sources = {};
  for (const name of [file, ...beside.sort()]) {
    try {
      sources[name] = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(fs.readFileSync(name));
    } catch (error) {
      if (error.code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
      throw { refused: `${name}: not UTF-8, so it cannot be put into standard JSON` };
    }
  }
  return sources;
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

function standardInput(options, sources) {
  const settings = { optimizer: optimizerOf(options) };
  // Whoever wants the code to run it does not wait for the tree: it takes a third of the time.
  const tree = options.out && !options.combined ? [] : ["ast"];
  settings.outputSelection = { "*": { "*": options.outputs, "": tree } };
  if (wantsAll(options, sources)) settings.outputSelection = { "*": { "*": ["*"], "": ["*"] } };
  if (options.viaIR) settings.viaIR = true;
  if (options.viaSSACFG) Object.assign(settings, { viaIR: true, experimental: true, viaSSACFG: true });
  if (options.evmVersion) settings.evmVersion = options.evmVersion;
  const content = Object.entries(sources).map(([name, text]) => [name, { content: text }]);
  // Without a time limit of its own, for which it would need threads.
  if (options.modelChecker) settings.modelChecker = { engine: options.modelChecker };
  if (options.unsolved) settings.modelChecker.solvers = ["smtlib2"];
  const language = isYul(options.file) ? "Yul" : "Solidity";
  return JSON.stringify({ language, sources: Object.fromEntries(content), settings });
}

function compile(compiler, options) {
  const sources = readSources(options.file);
  const standard = compiler._solidity_compile || compiler._compileStandard;
  const multi = compiler._compileJSONMulti ? JSON.stringify({ sources }) : sources[options.file];
  const input = standard ? standardInput(options, sources) : multi;
  const answer = JSON.parse(ask(compiler, input, options));
  const said = (answer.errors ?? []).map(standard ? describe : describeOld);
  const failed = said.some((one) => one.error) || (!standard && !answer.contracts);
  // Warnings mean nothing, except that they are all that a model checker says.
  for (const one of said) if (one.error || options.modelChecker) write(2, one.text);
  if (!failed && options.combined) write(options.out ? fs.openSync(options.out, "w") : 1, combined(compiler, answer));
  else if (!failed && options.out) fs.writeFileSync(options.out, JSON.stringify({ contracts: contracts(answer, options) }));
  return failed ? 1 : 0;
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
    const text = String(error?.message ?? error);
    write(2, `Breakdown: ${error?.name ?? "abort"}: ${text.slice(0, 2000)}\n${String(error?.stack).slice(0, 4000)}\n`);
    return BROKEN;
  }
}

// ---- many runs ----

function* lines() {
  const buffer = Buffer.alloc(1 << 16);
  let rest = "";
  for (;;) {
    const count = fs.readSync(0, buffer);
    if (count === 0) return;
    const parts = (rest + buffer.toString("utf8", 0, count)).split("\n");
    rest = parts.pop();
    yield* parts;
  }
}

function serve(compiler, options) {
  for (const line of lines()) {
    const [mark, ...folder] = line.split(" ");
    process.chdir(folder.join(" "));
    const status = run(compiler, options);
    if (status === BROKEN) process.exit(BROKEN);
    write(1, `${mark} ${status}\n`);
    write(2, `${mark} ${status}\n`);
  }
}

function main() {
  let options;
  try {
    options = readArguments(process.argv.slice(2));
  } catch (error) {
    write(2, `usage: ${error.message}\n`);
    process.exit(2);
  }
  const compiler = load(options.soljson);
  if (options.version) write(1, `solc ${version(compiler)}\n`);
  else if (options.serve) serve(compiler, options);
  else process.exit(run(compiler, options));
  process.exit(0);
}

main();

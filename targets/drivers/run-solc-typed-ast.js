// A command line for solc-typed-ast, which reads syntax trees of solc and writes them as programs:
//
//   node run-solc-typed-ast.js ROOT FILE            prints FILE as it is written again
//   node run-solc-typed-ast.js ROOT FILE --serve
//   node run-solc-typed-ast.js ROOT --version
//
// The tree is made by the solc in ROOT/solc. Files beside FILE can be imported; FILE alone is
// written. The status is 0 if it was written, 1 if solc refuses it, 70 if something broke down.
// --serve: see requests.js.
"use strict";

const Module = require("module");
const fs = require("fs");
const path = require("path");
const { breakdown, isNoText, main, readText, write } = require("./requests.js");

// Asked for at once, and used only where it fetches compilers or computes selectors by another ABI.
const UNUSED = ["axios", "findup-sync", "fs-extra", "solc", "web3-eth-abi"];
const load = Module._load;
Module._load = (name, ...rest) => (UNUSED.includes(name) ? {} : load(name, ...rest));

const [root, ...words] = process.argv.slice(2);
const file = words.find((word) => !word.startsWith("--"));

function loadSolc() {
  const names = ["uncaughtException", "unhandledRejection"];
  const before = names.map((name) => [name, process.listeners(name)]);
  const compiler = require(path.join(path.resolve(root), "solc/soljson.js"));
  for (const [name, listeners] of before) {
    for (const listener of process.listeners(name)) {
      if (!listeners.includes(listener)) process.removeListener(name, listener);
    }
  }
  return compiler;
}

function treesOf(solc, sources) {
  const settings = { outputSelection: { "*": { "": ["ast"] } } };
  const input = JSON.stringify({ language: "Solidity", sources, settings });
  const answer = JSON.parse(solc.cwrap("solidity_compile", "string", ["string", "number", "number"])(input, 0, 0));
  if (solc._solidity_reset) solc._solidity_reset();
  const errors = (answer.errors ?? []).filter((one) => one.severity === "error");
  if (errors.length > 0) throw { refused: errors.map((one) => `${one.type}: ${one.message}`).join("\n") };
  return answer.sources;
}

function run(solc, version, typed) {
  try {
    const sources = {};
    for (const name of fs.readdirSync(".").filter((name) => name.endsWith(".sol"))) {
      sources[name] = { content: readText(name) };
    }
    const trees = treesOf(solc, sources);
    const data = Object.entries(trees).map(([name, { ast }]) => [name, { ast, source: sources[name].content }]);
    const units = new typed.ASTReader().read({ sources: Object.fromEntries(data) }, typed.ASTKind.Modern);
    const writer = new typed.ASTWriter(typed.DefaultASTWriterMapping, new typed.PrettyFormatter(4, 0), version);
    write(1, writer.write(units.find((unit) => unit.absolutePath === file)) + "\n");
    return 0;
  } catch (error) {
    if (!error?.refused && !isNoText(error)) return breakdown(error);
    write(2, `Refused: ${error.refused ?? "not UTF-8"}\n`);
    return 1;
  }
}

function start() {
  const packageRoot = path.resolve(root, "package");
  if (words[0] === "--version") {
    write(1, `solc-typed-ast ${JSON.parse(fs.readFileSync(path.join(packageRoot, "package.json"))).version}\n`);
    return;
  }
  const solc = loadSolc();
  const typed = require(packageRoot);
  const version = solc.cwrap("solidity_version", "string", [])().match(/^[0-9.]+/)[0];
  return main(words, () => run(solc, version, typed));
}

start();

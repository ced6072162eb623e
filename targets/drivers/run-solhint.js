// A command line for solhint with all of its rules: node run-solhint.js ROOT FILE [--serve] | --version
//
// What it finds in a program means nothing here, but for what it cannot read. The status is 0 if the
// file was looked at, 1 if it is refused, 70 if solhint broke down. --serve: see requests.js.
"use strict";

const Module = require("module");
const fs = require("fs");
const path = require("path");
const { breakdown, isNoText, main, readText, write } = require("./requests.js");

// Asked for at once, and used only to find files, settings and newer versions, or to tell of wrong
// settings.
const UNUSED = ["glob", "ignore", "cosmiconfig", "ajv", "better-ajv-errors"];
class Nothing {
  compile() {
    return () => true;
  }
}
const before = Module._load;
Module._load = (name, ...rest) => (UNUSED.includes(name) ? Object.assign(Nothing, { default: Nothing, globSync: () => [] }) : before(name, ...rest));

const [root, ...words] = process.argv.slice(2);
const packageRoot = path.resolve(root, "package");
const file = words.find((word) => !word.startsWith("--"));

// What it prints on its own is no answer.
console.log = console.info = console.warn = () => {};

function run(lint, rules) {
  try {
    const report = lint.processStr(readText(file), { rules }, file);
    const refused = report.reports.filter((one) => one.message.startsWith("Parse error: "));
    for (const one of refused.slice(0, 20)) write(2, `ParserError: ${one.message.slice("Parse error: ".length)}\n  at ${file} ${one.line}\n`);
    return refused.length > 0 ? 1 : 0;
  } catch (error) {
    if (!isNoText(error)) return breakdown(error);
    write(2, "ParserError: not UTF-8\n");
    return 1;
  }
}

function start() {
  if (words.includes("--version")) {
    write(1, `solhint ${JSON.parse(fs.readFileSync(path.join(packageRoot, "package.json"))).version}\n`);
    process.exit(0);
  }
  const lint = require(path.join(packageRoot, "lib/index.js"));
  const { loadRules } = require(path.join(packageRoot, "lib/load-rules.js"));
  const rules = Object.fromEntries(loadRules().map(({ ruleId }) => [ruleId, "warn"]));
  return main(words, () => run(lint, rules));
}

start();

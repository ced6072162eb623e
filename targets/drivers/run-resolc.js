// A command line for resolc, the compiler of Solidity for PolkaVM, as npm has it:
//
//   node run-resolc.js ROOT [--mode=LETTER] FILE            compiles FILE and what lies beside it
//   node run-resolc.js ROOT [--mode=LETTER] FILE --serve
//   node run-resolc.js ROOT --version
//
// It hands programs to the solc in ROOT/package/node_modules/solc and goes on from the Yul. The mode
// is that of its optimizer: 0, 1, 2, 3, s or z. The status is 0 if code was made, 1 if the program is
// refused, 70 if resolc broke down. --serve: see requests.js.
"use strict";

const fs = require("fs");
const path = require("path");
const { breakdown, isNoText, main, readText, write } = require("./requests.js");

const [root, ...words] = process.argv.slice(2);
const packageRoot = path.resolve(root, "package");
const mode = words.find((word) => word.startsWith("--mode="))?.slice("--mode=".length) ?? "z";
const file = words.find((word) => !word.startsWith("--"));

// What the compilers print on their own belongs to no answer.
console.log = console.info = console.warn = console.error;

function load(name) {
  const events = ["uncaughtException", "unhandledRejection"];
  const before = events.map((event) => [event, process.listeners(event)]);
  const loaded = require(path.join(packageRoot, name));
  for (const [event, listeners] of before) {
    for (const listener of process.listeners(event)) {
      if (!listeners.includes(listener)) process.removeListener(event, listener);
    }
  }
  return loaded;
}

// A module is good for one program: its state stays as the program left it.
function ask(create, soljson, input) {
  const compiler = create();
  compiler.soljson = soljson;
  compiler.writeToStdin(JSON.stringify(input));
  compiler.callMain(["--standard-json"]);
  const said = compiler.readFromStdout();
  const wrong = compiler.readFromStderr();
  if (wrong) write(2, `${wrong}\n`);
  return JSON.parse(said);
}

function run(create, soljson) {
  try {
    const sources = {};
    for (const name of fs.readdirSync(".").filter((name) => name.endsWith(".sol")).sort()) {
      sources[name] = { content: readText(name) };
    }
    const outputSelection = { "*": { "*": ["evm.bytecode"] } };
    const settings = { optimizer: { enabled: mode !== "0", mode }, outputSelection };
    const answer = ask(create, soljson, { language: "Solidity", sources, settings });
    const errors = (answer.errors ?? []).filter((one) => one.severity === "error");
    for (const one of errors) write(2, `${one.type}: ${one.message || one.formattedMessage}\n`);
    return errors.length > 0 ? 1 : 0;
  } catch (error) {
    if (!isNoText(error)) return breakdown(error);
    write(2, "SourceError: not UTF-8\n");
    return 1;
  }
}

if (words.includes("--version")) {
  write(1, `resolc ${JSON.parse(fs.readFileSync(path.join(packageRoot, "package.json"))).version}\n`);
  process.exit(0);
}
if (!fs.existsSync(path.join(packageRoot, "dist/resolc/resolc.js"))) throw new Error("no resolc.js");
const soljson = load("node_modules/solc/soljson.js");
const create = load("dist/resolc/resolc.js");
main(words, () => run(create, soljson));

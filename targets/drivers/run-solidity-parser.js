// A command line for @solidity-parser/parser:
//
//   node run-solidity-parser.js MODULE FILE            parses FILE
//   node run-solidity-parser.js MODULE FILE --serve
//   node run-solidity-parser.js MODULE --version
//
// The status is 0 if the file is parsed, 1 if it is refused, 70 if the parser broke down.
// --serve: see requests.js.
"use strict";

const fs = require("fs");
const path = require("path");
const { breakdown, isNoText, main, readText, write } = require("./requests.js");

const [module_, ...words] = process.argv.slice(2);
const file = words.find((word) => !word.startsWith("--"));

function run(parser) {
  try {
    parser.parse(readText(file));
    return 0;
  } catch (error) {
    if (!(error instanceof parser.ParserError) && !isNoText(error)) return breakdown(error);
    write(2, `ParserError: ${isNoText(error) ? "not UTF-8" : String(error.message).slice(0, 2000)}\n`);
    return 1;
  }
}

function start() {
  if (words.includes("--version")) {
    const manifest = path.resolve(path.dirname(module_), "..", "package.json");
    write(1, `solidity-parser ${JSON.parse(fs.readFileSync(manifest)).version}\n`);
    return undefined;
  }
  const parser = require(path.resolve(module_));
  return main(words, () => run(parser));
}

start();

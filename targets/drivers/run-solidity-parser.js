// A command line for @solidity-parser/parser: node run-solidity-parser.js MODULE FILE
//
// The status is 0 if the file is parsed, 1 if it is refused, 70 if the parser broke down.
"use strict";

const fs = require("fs");
const path = require("path");

const [module_, file] = process.argv.slice(2);
const manifest = path.resolve(path.dirname(module_), "..", "package.json");
if (file === "--version") {
  console.log(`solidity-parser ${JSON.parse(fs.readFileSync(manifest)).version}`);
  process.exit(0);
}
const parser = require(path.resolve(module_));
let status = 0;
try {
  parser.parse(new TextDecoder("utf-8", { fatal: true }).decode(fs.readFileSync(file)));
} catch (error) {
  const refused = error instanceof parser.ParserError || error.code === "ERR_ENCODING_INVALID_ENCODED_DATA";
  status = refused ? 1 : 70;
  fs.writeSync(2, `${refused ? "ParserError" : `Breakdown: ${error.name}`}: ${String(error.message).slice(0, 2000)}\n`);
}
process.exit(status);

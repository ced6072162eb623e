// Runs a JavaScript program by Sval. The program has `print`. An uncaught exception
// is told on standard error, with status 1.
//
// Usage: run-sval.js ROOT SCRIPT
"use strict";

const fs = require("fs");
const path = require("path");

const [root, script] = [process.argv[2], process.argv[process.argv.length - 1]];
const Sval = require(path.join(root, "package/dist/sval.umd.cjs"));
const interpreter = new Sval({ ecmaVer: "latest", sandBox: true });
const lines = [];
interpreter.import({ print: (...words) => lines.push(words.map(String).join(" ")) });
let status = 0;
try {
  interpreter.run(fs.readFileSync(script, "utf8"));
} catch (error) {
  console.error(error && error.name ? `${error.name}: ${error.message}` : String(error));
  status = 1;
}
fs.writeSync(1, lines.map((line) => line + "\n").join(""));
process.exit(status);

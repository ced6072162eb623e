// A command line for prettier with its plugin for Solidity:
//
//   node run-prettier-solidity.mjs ROOT [--parser=NAME] FILE            prints FILE as it is formatted
//   node run-prettier-solidity.mjs ROOT [--parser=NAME] FILE --serve
//   node run-prettier-solidity.mjs ROOT --version
//
// The status is 0 if the file was formatted, 1 if it is refused, 70 if something broke down.
// --serve: see requests.js.

import fs from "fs";
import path from "path";
import { pathToFileURL } from "url";
import requests from "./requests.js";

const { breakdown, isNoText, main, readText, write } = requests;

const [root, ...words] = process.argv.slice(2);
const packageRoot = path.join(root, "package");
const manifest = JSON.parse(fs.readFileSync(path.join(packageRoot, "package.json")));
if (words[0] === "--version") {
  console.log(`prettier-plugin-solidity ${manifest.version}`);
  process.exit(0);
}
const load = (file) => import(pathToFileURL(path.join(packageRoot, file)));
const prettier = await load("node_modules/prettier/index.mjs");
const loaded = await load("dist/index.js");
const plugin = loaded.default ?? loaded;
// What it says of its own options is no answer.
console.log = console.info = console.warn = () => {};

const options = { plugins: [plugin], parser: "slang" };
let file;
for (const word of words.filter((word) => word !== "--serve")) {
  if (word.startsWith("--parser=")) options.parser = word.slice("--parser=".length);
  else if (word.startsWith("--compiler=")) options.compiler = word.slice("--compiler=".length);
  else file = word;
}

// What it refuses it says as an error with a place, or as one of the parser behind it.
function isRefusal(error) {
  return error.name === "SyntaxError" || error.name === "ParserError" || error.loc !== undefined
    || /^(?:We encountered the following syntax error|Based on the compiler information provided)/.test(error.message ?? "");
}

async function run() {
  try {
    write(1, await prettier.format(readText(file), { ...options, filepath: file }));
    return 0;
  } catch (error) {
    if (!isNoText(error) && !isRefusal(error)) return breakdown(error);
    write(2, `SyntaxError: ${String(error.message).slice(0, 2000)}\n`);
    return 1;
  }
}

await main(words, run);

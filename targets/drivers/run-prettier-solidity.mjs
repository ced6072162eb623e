// A command line for prettier with its plugin for Solidity:
//
//   node run-prettier-solidity.mjs ROOT [--parser=NAME] FILE            prints FILE as it is formatted
//   node run-prettier-solidity.mjs ROOT [--parser=NAME] FILE --serve
//   node run-prettier-solidity.mjs ROOT --version
//
// The status is 0 if the file was formatted, 1 if it is refused, 70 if something broke down. With
// --serve each line `MARK FOLDER` on standard input is a run in that folder. Its end is told by
// `MARK STATUS` on both outputs. After a breakdown the process ends without.

import fs from "fs";
import path from "path";
import { pathToFileURL } from "url";

const BROKEN = 70;

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
    const text = new TextDecoder("utf-8", { fatal: true }).decode(fs.readFileSync(file));
    write(1, await prettier.format(text, { ...options, filepath: file }));
    return 0;
  } catch (error) {
    const refused = error.code === "ERR_ENCODING_INVALID_ENCODED_DATA" || isRefusal(error);
    const name = refused ? "SyntaxError" : `Breakdown: ${error?.name}`;
    write(2, `${name}: ${String(error?.message ?? error).slice(0, 2000)}\n${refused ? "" : `${error?.stack}`.slice(0, 4000)}\n`);
    return refused ? 1 : BROKEN;
  }
}

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

if (!words.includes("--serve")) process.exit(await run());
for (const line of lines()) {
  const [mark, ...folder] = line.split(" ");
  process.chdir(folder.join(" "));
  const status = await run();
  if (status === BROKEN) process.exit(BROKEN);
  write(1, `${mark} ${status}\n`);
  write(2, `${mark} ${status}\n`);
}

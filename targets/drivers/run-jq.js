// Runs a jq program without input by an npm package, and prints what it gives as
// `jq -r` does. An error is told on standard error, with status 5, one of the
// program's text with status 3.
//
// Usage: run-jq.js ROOT (wasm | jqjs) SCRIPT
"use strict";

const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");

async function byWasm(root, text) {
  const jq = require(path.join(root, "package"));
  const said = await jq.raw("null", text, ["-c", "-r"]);
  const whole = typeof said === "string" ? { stdout: said } : said;
  const out = whole.stdout || "";
  fs.writeSync(1, out === "" || out.endsWith("\n") ? out : out + "\n");
  if (whole.stderr) fs.writeSync(2, whole.stderr + "\n");
  return whole.exitCode || 0;
}

async function byJqjs(root, text) {
  const { default: jq } = await import(pathToFileURL(path.join(root, "package/jq.js")));
  let filter;
  try {
    filter = jq.compile(text);
  } catch (error) {
    console.error(`parse error: ${error && error.message ? error.message : error}`);
    return 3;
  }
  try {
    for (const value of filter(null)) {
      console.log(typeof value === "string" ? value : JSON.stringify(value));
    }
  } catch (error) {
    console.error(`jq: error (at <unknown>): ${error && error.message ? error.message : error}`);
    return 5;
  }
  return 0;
}

async function main() {
  const [root, which] = process.argv.slice(2);
  const text = fs.readFileSync(process.argv[process.argv.length - 1], "utf8");
  return which === "wasm" ? byWasm(root, text) : byJqjs(root, text);
}

main().then(
  (status) => process.exit(status),
  (error) => {
    console.error(String(error && error.message ? error.message : error));
    process.exit(5);
  },
);

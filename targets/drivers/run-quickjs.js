// Runs a JavaScript program by QuickJS compiled to WebAssembly.
//
// The program has `print`. An uncaught exception is told on standard error, with
// status 1.
//
// Usage: run-quickjs.js ROOT SCRIPT
"use strict";

const fs = require("fs");
const path = require("path");

async function main(root, script) {
  const folder = path.join(root, "package");
  const core = require(path.join(folder, "node_modules/quickjs-emscripten-core"));
  const variant = require(path.join(folder, "dist/index.js"));
  const quickjs = await core.newQuickJSWASMModuleFromVariant(variant.default || variant);
  const context = quickjs.newContext();
  const lines = [];
  const show = context.newFunction("print", (...words) => {
    lines.push(words.map((word) => context.getString(word)).join(" "));
  });
  context.setProp(context.global, "print", show);
  const result = context.evalCode(fs.readFileSync(script, "utf8"), "case.js");
  let status = 0;
  if (result.error) {
    const error = context.dump(result.error);
    console.error(error && error.name ? `${error.name}: ${error.message}` : String(error));
    status = 1;
  }
  fs.writeSync(1, lines.map((line) => line + "\n").join(""));
  process.exit(status);
}

main(process.argv[2], process.argv[process.argv.length - 1]).catch((error) => {
  console.error(String(error));
  process.exit(1);
});

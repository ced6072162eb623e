// What the drivers of databases in JavaScript have in common.
//
// A driver calls `main` with its version and how its database is opened: `open(settings)`
// gives a session with `execute(statement)`, which gives rows (lists of values) or null,
// and `close()`. Rows are printed as sqlite3 prints them: columns are separated by `|`,
// truth values are 1 and 0, a missing value is NULL. The first error ends a script with
// status 1 and what the driver's `error` says of it on standard error.
//
// With `--serve` behind the script's name each line `MARK FOLDER` on standard input is a
// run in that folder; `MARK STATUS` on both outputs is its end.
//
// Usage of a driver: PACKAGE --version | [SETTING]... SCRIPT [--serve]
"use strict";
const fs = require("fs");
const readline = require("readline");

const TOKEN = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|;|[^;'"\/-]+|[^]/g;

// False within the statements of a trigger.
function isWhole(statement) {
  if (!/^\s*create\s+(?:or\s+replace\s+)?(?:temp\w*\s+)?trigger\b/i.test(statement)) return true;
  const count = (words) => (statement.match(words) || []).length;
  return count(/\b(?:begin|case)\b/gi) <= count(/\bend\b/gi);
}

function statements(text) {
  const all = [];
  let statement = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === ";" && !isWhole(statement)) {
      statement += token;
    } else if (token === ";") {
      all.push(statement.trim());
      statement = "";
    } else if (!token.startsWith("--") && !token.startsWith("/*")) {
      statement += token;
    }
  }
  all.push(statement.trim());
  return all.filter((statement) => statement !== "");
}

const isQuery = (statement) => /^\(*\s*(select|with|values|execute)\b|\breturning\b/i.test(statement);

function shown(value) {
  if (value === null || value === undefined) return "NULL";
  if (value === true) return "1";
  if (value === false) return "0";
  return String(value);
}

async function run(open, error, settings, script) {
  let out = "";
  let session = null;
  let status = 0;
  try {
    session = await open(settings);
    for (const statement of statements(fs.readFileSync(script, "utf8"))) {
      const rows = await session.execute(statement);
      for (const row of rows && isQuery(statement) ? rows : []) {
        out += row.map(shown).join("|") + "\n";
      }
    }
  } catch (raised) {
    process.stderr.write(error(raised) + "\n");
    status = 1;
  }
  try {
    if (session !== null) await session.close();
  } catch (raised) {
    process.stderr.write(error(raised) + "\n");
    status = 1;
  }
  process.stdout.write(out);
  return status;
}

async function serve(open, error, settings, script) {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const space = line.indexOf(" ");
    process.chdir(line.slice(space + 1));
    const end = line.slice(0, space) + " " + (await run(open, error, settings, script)) + "\n";
    process.stdout.write(end);
    process.stderr.write(end);
  }
  return 0;
}

const said = (raised) => (raised instanceof Error ? raised.name + ": " + raised.message : "Error: " + raised);

async function main(version, open, error = said) {
  const words = process.argv.slice(3);
  let status = 0;
  if (words.includes("--version")) {
    process.stdout.write((await version()) + "\n");
  } else if (words[words.length - 1] === "--serve") {
    status = await serve(open, error, words.slice(0, -2), words[words.length - 2]);
  } else {
    status = await run(open, error, words.slice(0, -1), words[words.length - 1]);
  }
  // Whatever else keeps the process alive is not under test.
  const flushed = (stream) => new Promise((done) => stream.write("", done));
  await flushed(process.stdout);
  await flushed(process.stderr);
  process.exit(status);
}

module.exports = { main, said };

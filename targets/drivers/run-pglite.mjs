// Runs a script of SQL statements on PGlite, PostgreSQL compiled to WebAssembly; see
// sql-session.js. The first word is the path of the module. A setting is one of
// PostgreSQL's: `enable_hashjoin=off`.
//
// The data directory is made once, by whoever is first, and lies beside this file; runs
// load it. Scripts of one process have a schema of their own, one after the other; a script
// that leaves something outside of it (a role, a table of another schema) is the last one of
// its database.
import fs from "fs";
import path from "path";
import { createRequire } from "module";
import { fileURLToPath, pathToFileURL } from "url";

const here = path.dirname(fileURLToPath(import.meta.url));
const { main, said } = createRequire(import.meta.url)("./sql-session.js");
const { PGlite } = await import(pathToFileURL(process.argv[2]).href);
const template = path.join(here, "template.tar");

async function prepare() {
  if (fs.existsSync(template)) return;
  const database = new PGlite();
  await database.waitReady;
  const dump = await database.dumpDataDir("none");
  const made = template + "." + process.pid;
  fs.writeFileSync(made, Buffer.from(await dump.arrayBuffer()));
  fs.renameSync(made, template);
}

const FRESH = "DROP SCHEMA IF EXISTS test, s1 CASCADE; CREATE SCHEMA test; SET search_path = test; SET timezone = GMT; ";
// Whoever makes an object gives it a number from this one on.
const LEFT =
  "SELECT EXISTS (SELECT FROM pg_namespace WHERE oid >= 16384 AND nspname !~ '^pg_' AND nspname <> 'test')" +
  ["pg_class", "pg_proc", "pg_type", "pg_authid", "pg_database"].map((table) => ` OR EXISTS (SELECT FROM ${table} WHERE oid >= 16384)`).join("");

let database = null;

async function start() {
  await prepare();
  database = new PGlite({ loadDataDir: new Blob([fs.readFileSync(template)]) });
  await database.waitReady;
}

async function freshen() {
  await database.exec("ROLLBACK");
  await database.exec("DISCARD ALL");
  const results = await database.exec(FRESH + LEFT, { rowMode: "array" });
  return !results[results.length - 1].rows[0][0];
}

async function open(settings) {
  if (database === null) await start();
  if (!(await freshen())) {
    await database.close();
    await start();
    await freshen();
  }
  for (const setting of settings) {
    const [name, value] = setting.split("=", 2);
    await database.exec("SET " + name + " = '" + value.replaceAll("'", "''") + "'");
  }
  return {
    async execute(statement) {
      const results = await database.exec(statement, { rowMode: "array" });
      return results.length > 0 ? results[results.length - 1].rows : null;
    },
    close() {},
  };
}

const error = (raised) => (raised.code ? raised.code + " " + raised.severity + ":  " + raised.message : said(raised));

async function version() {
  const read = JSON.parse(fs.readFileSync(path.join(path.dirname(process.argv[2]), "..", "package.json"), "utf8"));
  return "pglite " + read.version;
}

if (process.argv[3] === "--prepare") await prepare();
await main(version, open, error);

// Runs a script of SQL statements on the SQLite that sql.js has compiled to WebAssembly;
// see sql-session.js. The first word is the path of the module. A setting is a statement
// that is run first.
"use strict";
const fs = require("fs");
const path = require("path");
const load = require(process.argv[2]);
const { main } = require("./sql-session.js");

const about = path.join(path.dirname(process.argv[2]), "..", "package.json");

async function version() {
  const database = new (await load()).Database();
  return "sql.js " + JSON.parse(fs.readFileSync(about, "utf8")).version + ", SQLite " + database.exec("select sqlite_version()")[0].values[0][0];
}

let library = null;

async function open(settings) {
  library = library || (await load());
  const database = new library.Database();
  database.run("PRAGMA foreign_keys = ON");
  for (const setting of settings) database.run(setting);
  return {
    execute(statement) {
      const prepared = database.prepare(statement);
      const rows = [];
      while (prepared.step()) rows.push(prepared.get(null, { useBigInt: true }));
      prepared.free();
      return rows;
    },
    close() {
      database.close();
    },
  };
}

main(version, open);

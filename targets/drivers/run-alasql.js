// Runs a script of SQL statements on AlaSQL; see sql-session.js. The first word is the
// path of the module.
"use strict";
const fs = require("fs");
const path = require("path");
const alasql = require(process.argv[2]);
const { main } = require("./sql-session.js");

const OPTIONS = { ...alasql.options, modifier: "MATRIX" };

// Databases, variables and options of a script before are gone.
function open() {
  for (const name of Object.keys(alasql.databases)) delete alasql.databases[name];
  alasql.vars = {};
  alasql.declares = {};
  Object.assign(alasql.options, OPTIONS);
  alasql.use(new alasql.Database("alasql").databaseid);
  alasql("CREATE DATABASE test");
  alasql("USE test");
  return {
    execute(statement) {
      const rows = alasql(statement);
      return Array.isArray(rows) ? rows : null;
    },
    close() {},
  };
}

const about = path.join(path.dirname(process.argv[2]), "..", "package.json");
main(() => "alasql " + JSON.parse(fs.readFileSync(about, "utf8")).version, open);

// Runs a script of SQL statements on AlaSQL; see sql-session.js. The first word is the
// path of the module.
"use strict";
const fs = require("fs");
const path = require("path");
const alasql = require(process.argv[2]);
const { main } = require("./sql-session.js");

function open() {
  alasql("DROP DATABASE IF EXISTS test");
  alasql("CREATE DATABASE test");
  alasql("USE test");
  alasql.options.modifier = "MATRIX";
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

// A command line for slang, the compiler front end of Nomic Foundation:
//
//   node run-slang.mjs ROOT FILE            parses FILE and what it imports, and resolves all names
//   node run-slang.mjs ROOT FILE --serve
//   node run-slang.mjs ROOT --version
//
// The language is that of the newest version that slang knows and the file's pragma allows. The
// status is 0 if all is well, 1 if the program is refused or a name in it means nothing, 70 if
// slang broke down. --serve: see requests.js.

import fs from "fs";
import path from "path";
import { pathToFileURL } from "url";
import requests from "./requests.js";

const { breakdown, isNoText, main, readText, write } = requests;

const [root, ...words] = process.argv.slice(2);
const packageRoot = path.join(root, "package");
if (words[0] === "--version") {
  console.log(`slang ${JSON.parse(fs.readFileSync(path.join(packageRoot, "package.json"))).version}`);
  process.exit(0);
}
const load = (part) => import(pathToFileURL(path.join(packageRoot, "target", part, "index.mjs")));
const { TerminalKindExtensions } = await load("cst");
const { CompilationBuilder } = await load("compilation");
const { LanguageFacts } = await load("utils");
const file = words.find((word) => !word.startsWith("--"));

// Imports of programs are names of files beside them.
function resolve(from, text) {
  const name = path.posix.normalize(path.posix.join(path.posix.dirname(from), text));
  return fs.existsSync(name) ? name : undefined;
}

// Identifiers that refer to nothing and define nothing.
function unresolved(unit, tree) {
  const cursor = tree.createTreeCursor();
  const names = [];
  do {
    const node = cursor.node;
    if (!node.isTerminalNode() || !TerminalKindExtensions.isIdentifier(node.kind)) continue;
    const reference = unit.bindingGraph.referenceAt(cursor);
    const means = reference ? reference.definitions().length > 0 : unit.bindingGraph.definitionAt(cursor);
    if (!means) names.push(`${node.unparse()} in ${cursor.ancestors()[0]?.kind} at ${cursor.textOffset.utf8}`);
  } while (cursor.goToNext());
  return names;
}

async function examine() {
  const source = readText(file);
  const known = LanguageFacts.inferLanguageVersions(source);
  if (known.length === 0) return ["VersionError: no version of the language that slang knows"];
  const builder = CompilationBuilder.create({
    languageVersion: known.at(-1),
    readFile: async (name) => readText(name),
    resolveImport: async (from, cursor) => resolve(from, cursor.node.unparse().slice(1, -1)),
  });
  await builder.addFile(file);
  const unit = builder.build();
  const said = [];
  for (const tree of unit.files()) {
    for (const error of tree.errors()) {
      said.push(`ParserError: ${error.message}\n  at ${tree.id} ${error.textRange.start.utf8}`);
    }
  }
  if (said.length > 0) return said;
  for (const tree of unit.files()) {
    const names = unresolved(unit, tree);
    said.push(...names.map((name) => `BindingError: nothing is known of ${name} of ${tree.id}`));
  }
  return said;
}

async function run() {
  try {
    const said = await examine();
    write(2, said.slice(0, 20).map((line) => `${line}\n`).join(""));
    return said.length > 0 ? 1 : 0;
  } catch (error) {
    if (!isNoText(error)) return breakdown(error);
    write(2, "ParserError: not UTF-8\n");
    return 1;
  }
}

await main(words, run);

// What the drivers of processors in JavaScript have in common: how they print, and how they stay
// and answer requests.
//
// With `--serve` each line `MARK FOLDER` on standard input is a run in that folder. Its end is told
// by `MARK STATUS` on both outputs. After a breakdown the process ends without: its state is lost.
"use strict";

const fs = require("fs");

// The status of a processor that broke down.
const BROKEN = 70;

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

// Says what broke, and gives the status for it.
function breakdown(error) {
  const text = String(error?.message ?? error);
  write(2, `Breakdown: ${error?.name ?? "abort"}: ${text.slice(0, 2000)}\n${String(error?.stack).slice(0, 4000)}\n`);
  return BROKEN;
}

// Programs are texts in UTF-8.
function readText(file) {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(fs.readFileSync(file));
}

const isNoText = (error) => error?.code === "ERR_ENCODING_INVALID_ENCODED_DATA";

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

// Answers requests with the status of `run()`, which may be a promise.
async function serve(run) {
  for (const line of lines()) {
    const [mark, ...folder] = line.split(" ");
    process.chdir(folder.join(" "));
    const status = await run();
    if (status === BROKEN) process.exit(BROKEN);
    write(1, `${mark} ${status}\n`);
    write(2, `${mark} ${status}\n`);
  }
}

// One run, or as many as are asked for: `words` are those behind the name of the driver.
async function main(words, run) {
  if (words.includes("--serve")) await serve(run);
  else process.exit(await run());
  process.exit(0);
}

module.exports = { BROKEN, breakdown, isNoText, main, readText, serve, write };

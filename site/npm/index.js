// The program compiled to WebAssembly: its words in, what it prints out. Every question has an instance of its own.
"use strict";
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { speclabModule, speclabRun } = require("./core/speclab.js");

let compiled = null;

/** A command line, such as ["exact", "--pair", "..."]: {code, out, err}. */
async function run(words) {
  compiled ??= WebAssembly.compile(readFileSync(join(__dirname, "core/speclab.wasm")));
  return speclabRun(speclabModule, await compiled, words.map(String));
}

/** The program refused a question: its own line, and its exit code (docs/formats.md). */
class SpeclabError extends Error {
  constructor({ code, err }) {
    super(err.trim().replace(/^speclab: /, ""));
    this.name = "SpeclabError";
    this.code = code;
  }
}

// {maxPaths: 10, law: true, gamma: [1, 2]} as --max-paths 10 --law --gamma 1 --gamma 2.
function written(options) {
  return Object.entries(options).flatMap(([name, value]) => {
    const option = "--" + name.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
    if (value === undefined || value === false) return [];
    if (value === true) return [option];
    return [value].flat().flatMap((each) => [option, each]);
  });
}

async function ask(words, options) {
  const answer = await run([...words, ...written(options), "--format", "json"]);
  if (answer.code !== 0) throw new SpeclabError(answer);
  return JSON.parse(answer.out);
}

const exact = (options) => ask(["exact"], options);
const simulate = (options) => ask(["simulate"], options);
const list = async (what, options = {}) => (await ask(["list", what], options))[what];

module.exports = { run, exact, simulate, list, SpeclabError };

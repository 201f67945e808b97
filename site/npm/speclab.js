#!/usr/bin/env node
// The command line on Node: the program's words, what it prints, and its exit code.
"use strict";
const { run } = require("./index.js");

run(process.argv.slice(2)).then(({ code, out, err }) => {
  process.stderr.write(err);
  process.stdout.write(out);
  process.exitCode = code;
});

// The program in a worker: a message is its words, the answer its exit code and what it printed. The module is compiled
// once; each question gets an instance of its own.
"use strict";
importScripts("core/speclab.js");

const compiled = fetch("core/speclab.wasm").then((response) => response.arrayBuffer()).then(WebAssembly.compile);

onmessage = async (message) => {
  try {
    postMessage(await speclabRun(speclabModule, await compiled, message.data));
  } catch (error) {
    postMessage({ code: 70, out: "", err: `the program could not be loaded: ${error}` });
  }
};

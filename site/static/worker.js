// The program in a worker: a message is its words, the answer its exit code and what it printed. The module is compiled
// once; each question gets an instance of its own, which is made while the page shows the answer before.
"use strict";
importScripts("core/speclab.js");

const compiled = fetch("core/speclab.wasm").then((response) => response.arrayBuffer()).then(WebAssembly.compile);
const instance = async () => speclabReady(speclabModule, await compiled);
let next = instance();
next.catch(() => {});  // reported to who asks

onmessage = async (message) => {
  try {
    postMessage((await next)(message.data));
  } catch (error) {
    postMessage({ code: 70, out: "", err: `the program could not be loaded: ${error}` });
  }
  next = instance();
  next.catch(() => {});
};


// One question: an instance of its own of the compiled module, made before the question comes where that is wanted; then the
// program's words give what it printed and its exit code.
async function speclabReady(make, compiled) {
  const out = [];
  const err = [];
  let code = 70;
  const lines = (all) => all.map((line) => line + "\n").join("");
  const module = await make({
    noInitialRun: true,
    print: (line) => out.push(line),
    printErr: (line) => err.push(line),
    quit: (status) => { code = status; },
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(compiled, imports).then((instance) => done(instance, compiled));
      return {};
    },
  });
  return (words) => {
    try {
      code = module.callMain(words) ?? code;
    } catch (error) {
      if (error?.name !== "ExitStatus") err.push(`speclab: out of memory, or a fault of the program: ${error}`);
      else code = error.status;
    }
    return { code, out: lines(out), err: lines(err) };
  };
}
async function speclabRun(make, compiled, words) {
  return (await speclabReady(make, compiled))(words);
}
if (typeof module === "object" && module.exports) module.exports = { speclabModule, speclabRun };


// One question: an instance of its own of the compiled module, the program's words, what it printed and its exit code.
async function speclabRun(make, compiled, words) {
  const out = [];
  const err = [];
  let code = 70;
  const lines = (all) => all.map((line) => line + "\n").join("");
  try {
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
    code = module.callMain(words) ?? code;
  } catch (error) {
    if (error?.name !== "ExitStatus") err.push(`speclab: out of memory, or a fault of the program: ${error}`);
    else code = error.status;
  }
  return { code, out: lines(out), err: lines(err) };
}
if (typeof module === "object" && module.exports) module.exports = { speclabModule, speclabRun };

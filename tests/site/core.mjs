// core.mjs PACKAGE PROGRAM: 200 questions to the npm package and to the native program: what they print has the same bytes,
// and the same exit code. With --controls a package that is wrong in one bit or word is noticed.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [folder, program] = process.argv.slice(2).map((path) => resolve(path));
const speclab = createRequire(import.meta.url)(folder);

function native(words) {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28 });
  return { code: status, out: stdout, err: stderr };
}

const toy = "bernoulli(draft=2/3,target=1/3)";
const pairs = [toy, "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])", "tree(vocabulary=3,depth=2,seed=8,denominator=12)",
  "markov(vocabulary=2,horizon=4,seed=3)", "iid(draft=[0.1,0.9],target=[1,0])"];

function* questions() {
  const verifiers = JSON.parse(native(["list", "verifiers", "--format", "json"]).out).verifiers.map((row) => row.example);
  const asked = (i, ...more) => ["exact", "--pair", pairs[i % pairs.length], "--verifier", verifiers[i % verifiers.length], ...more];
  // Every verifier, in fractions; then in doubles, with the law of the tokens.
  for (let i = 0; i < verifiers.length; ++i) yield asked(i, "--gamma", "2", "--horizon", "3", "--max-paths", "20000", "--format", "json");
  for (let i = 0; i < 40; ++i) {
    const more = ["--gamma", "1", "--iterations", "2", "--law", "--max-paths", "20000"];
    yield asked(i, ...more, "--arithmetic", "double", "--format", ["json", "csv", "table", "markdown"][i % 4]);
  }
  for (const kind of ["pairs", "filters", "verifiers", "faults", "engines", "predictions", "claims", "implications", "quantities", "papers"]) {
    yield ["list", kind, "--format", "json"];
  }
  for (let i = 0; i < 20; ++i) {
    yield ["simulate", "--pair", pairs[i % 4], "--verifier", verifiers[(3 * i) % 46], "--gamma", "2", "--trials", "500", "--horizon", "3",
      "--seed", String(i), "--threads", "1", "--format", "json"];
  }
  const claims = JSON.parse(native(["list", "claims", "--format", "json"]).out).claims.filter((claim) => claim.counterexample);
  for (const claim of claims.slice(0, 24)) yield ["verify", "--claim", claim.claim, "--pair", claim.counterexample_pair];
  // What is refused, and the program's own words for it.
  yield* [[], ["exat"], ["list", "quantities"], ["exact", "--pair", toy], asked(1, "--gamma"), asked(1, "--gamma=x"), asked(1, "--gama", "2"),
    ["exact", "--pair", "iid(draft=[1/2,1/3],target=[1,0])", "--verifier", "token", "--gamma", "1"],
    ["exact", "--pair", "iid(draft=[0,0],target=[1,0])", "--verifier", "token", "--gamma", "1"],
    ["exact", "--pair", `iid(draft=[1/${"9".repeat(100000)},1/2],target=[1,0])`, "--verifier", "token", "--gamma", "1"],
    ["exact", "--pair", toy, "--verifier", "traversal(K=2)", "--gamma", "50", "--max-paths", "1000000"],
    ["exact", "--pair", toy, "--verifier", "block", "--gamma", "4", "--latency", "draft=1,target=1/3,verifier=0.1"],
    ["exact", "--pair", toy, "--verifier", "no-such", "--gamma", "1"], ["simulate", "--pair", toy, "--verifier", "token", "--gamma", "1", "--trials", "1"]];
  // Large fractions, which take more than a word.
  for (let i = 0; ; ++i) {
    const pair = `iid(draft=[${i + 1}/9007199254740993,${9007199254740992 - i}/9007199254740993],target=[0.1234567890123456789,0.8765432109876543211])`;
    yield ["exact", "--pair", pair, "--verifier", verifiers[1 + (i % 6)], "--gamma", "3", "--iterations", "2", "--format", i % 2 ? "json" : "table"];
  }
}

// Times and bytes of memory are not a result. The ends of an interval are compared in 7 digits: they are found with
// the platform's logarithms and roots, in a long double that here is another type. A simulation divides by an optimum that is solved
// in doubles, by another solver here: 9 digits.
const timed = (text) => text.replace(/("(?:seconds|seconds_to_0.1_percent|threads|table_bytes)": )[-+0-9.e]+/g, "$1T")
  .replace(/"ci95": \[[^\]]*\]/g, (interval) => interval.replace(/[-+0-9.e]{3,}/g, (end) => Number(end).toPrecision(7)))
  .replace(/"share_of_optimum": \{\s*"mean"[^}]*/g, (share) => share.replace(/[-+0-9.e]{5,}/g, (each) => Number(each).toPrecision(9)));
const same = (one, other) => one.code === other.code && timed(one.out) === timed(other.out) && one.err === other.err;

async function compare(answer) {
  const faults = [];
  let [asked, lacking] = [0, 0];
  for (const words of questions()) {
    const here = await answer(words);
    if ((here.out + here.err).replace(/\s+/g, " ").includes("is not in the program that runs in a browser")) {
      ++lacking;
      continue;
    }
    if (++asked > 200) break;
    const there = native(words);
    if (!same(here, there)) faults.push({ words, here, there });
  }
  console.log(`200 questions, ${faults.length} answered otherwise than by the native program; ${lacking} more refused here`);
  return faults;
}

// The options that index.d.ts names are the program's, and the typed functions give what the command line prints.
async function typed() {
  const faults = [];
  const text = readFileSync(join(folder, "index.d.ts"), "utf8");
  for (const [command, shape] of [["exact", "ExactQuestion"], ["simulate", "SimulateQuestion"]]) {
    const options = new Set(JSON.parse(native(["list", "commands", "--command", command, "--format", "json"]).out).commands.map((row) => row.option));
    for (const of of ["Question", shape]) {
      const body = new RegExp(`interface ${of}(?: extends \\w+)? \\{([^}]*)\\}`).exec(text)[1];
      for (const [, name] of body.matchAll(/^ {2}(\w+)\??:/gm)) {
        const option = "--" + name.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
        if (!options.has(option)) faults.push(`index.d.ts: ${command} has no ${option}`);
      }
    }
  }
  const words = ["exact", "--pair", toy, "--verifier", "token", "--verifier", "block", "--gamma", "2", "--max-paths", "100", "--format", "json"];
  const answer = await speclab.exact({ pair: toy, verifier: ["token", "block"], gamma: 2, maxPaths: 100 });
  if (JSON.stringify(answer) !== JSON.stringify(JSON.parse(native(words).out))) faults.push("exact() is not what the command line prints");
  const { results } = await speclab.simulate({ pair: toy, verifier: "token", gamma: 1, trials: 100, seed: 3 });
  if (!(results[0].iteration.expected_accepted.mean > 0)) faults.push("simulate() has no mean");
  if (!(await speclab.list("verifiers")).some((row) => row.name === "block")) faults.push("list() has no block");
  const refused = await speclab.exact({ pair: "no", verifier: "token", gamma: 1 }).catch((error) => error);
  if (!(refused instanceof speclab.SpeclabError) || refused.code !== 3) faults.push(`exact() of no pair: ${refused}`);
  const line = spawnSync(process.execPath, [join(folder, "speclab.js"), ...words], { encoding: "utf8" });
  if (line.stdout !== native(words).out || line.status !== 0) faults.push(`npx speclab exact: ${line.stderr}`);
  return faults;
}

let failed;
if (process.argv.includes("--controls")) {
  const wrong = async (name, change) => {
    const words = ["exact", "--pair", toy, "--verifier", "block", "--gamma", "2", "--format", "json"];
    const here = await speclab.run(words);
    return same(change({ ...here }), native(words)) ? [`${name} is not noticed`] : [];
  };
  failed = [
    ...(await wrong("another last digit", (answer) => ({ ...answer, out: answer.out.replace("1.2222222222222223", "1.2222222222222221") }))),
    ...(await wrong("another exit code", (answer) => ({ ...answer, code: 4 }))),
    ...(await wrong("a word more", (answer) => ({ ...answer, err: "note\n" }))),
  ];
} else {
  const faults = await compare(speclab.run);
  const lines = ({ code, out, err }) => [`exit code ${code}`, ...timed(out).split("\n"), ...err.split("\n")];
  failed = [...faults.map(({ words, here, there }) => {
    const [one, other] = [lines(here), lines(there)];
    const at = one.findIndex((line, i) => line !== other[i]);
    return `${words.join(" ").slice(0, 200)}\n  here:   ${one[at]?.slice(0, 200)}\n  native: ${other[at]?.slice(0, 200)}`;
  }),
    ...(await typed())];
}
for (const fault of failed.slice(0, 20)) console.log(fault);
process.exit(failed.length ? 1 : 0);

// "Run it here": the program compiled to WebAssembly answers in a worker, which is ended when a question takes too long or
// is stopped. Every fact of a page is in its HTML without this.
"use strict";

const root = document.currentScript.src.replace(/[^/]*$/, "");

const core = {
  worker: null,
  answered: null,
  start() {
    this.worker ??= new Worker(root + "worker.js");
  },
  ask(words, limit = 60_000) {
    this.stop("stopped");
    this.start();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.stop(`stopped after ${limit / 1000} s; the program itself has no such limit`), limit);
      this.answered = (answer) => {
        clearTimeout(timer);
        this.answered = null;
        resolve(answer);
      };
      this.worker.onmessage = (message) => this.answered?.(message.data);
      this.worker.onerror = (error) => this.answered?.({ code: 70, out: "", err: error.message || "the program could not be loaded" });
      this.worker.postMessage(words);
    });
  },
  stop(why) {
    if (!this.answered) return;
    this.worker.terminate();
    this.worker = null;
    this.answered({ code: 130, out: "", err: why });
  },
};

const element = (tag, content, more = {}) => Object.assign(document.createElement(tag), { textContent: content, ...more });

// A quantity as the page writes it: the fraction, or six digits where it is long or there is none.
function written({ exact, value }) {
  if (exact && exact.length <= 24) return exact;
  // Python's %.6g: half-way to the even digit, which JavaScript rounds up; from 1e+06 on and below 0.0001 with an exponent.
  const rounded = Number(value.toExponential(100).replace(/(\.\d{4}[02468])50*e/, "$1e"));
  const [digits, exponent] = rounded.toExponential(5).split("e");
  if (exponent >= -4 && exponent < 6) return String(Number(`${digits}e${exponent}`));
  return `${Number(digits)}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}
function acceptance({ iteration: { tail, expected_accepted: mean }, iterations, output }) {
  const tv = output ? `; TV(${output.horizon} tokens, target) = ${written(output.tv_to_target)}` : "";
  return `P(tau ≥ i): ${tail.map(written).join(", ")}; E[tau] = ${written(mean)}; E[N(1)] = ${written(iterations.expected_tokens[0])}${tv}`;
}
// The line of an answer in JSON: laws, or claims that were checked.
function line({ results, claims }) {
  if (results) return results.map(acceptance).join("\n");
  return claims.map(({ id, verdict, evidence: [first] }) => `${id} ${verdict}: ${first.detail}`).join("\n");
}
const plain = (text) => text.replace(/\s+/g, " ").trim();

// A button that asks the questions of data-questions, [{words, page}], and says of each whether the page has its answer.
function runs(form) {
  const questions = JSON.parse(form.dataset.questions);
  const output = form.querySelector("output");
  const stop = form.querySelector(".stop");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    output.replaceChildren("at work");
    stop.hidden = false;
    const said = [];
    for (const { words, page } of questions) {
      const began = performance.now();
      const { code, out, err } = await core.ask(words, 300_000);
      const json = code === 0 && words.at(-1) === "json";
      const answer = json ? line(JSON.parse(out)) : out + err;
      said.push(element("pre", answer, { tabIndex: 0 }));
      const same = !page ? "" : plain(answer).includes(plain(page)) ? "as on this page; " : "not what this page has; ";
      said.push(element("p", `${same}exit code ${code}, ${Math.round(performance.now() - began)} ms in this browser`));
      if (code === 130) break;
    }
    stop.hidden = true;
    output.replaceChildren(...said);
  });
  stop.addEventListener("click", () => core.stop("stopped"));
  form.hidden = false;
}

function bars(title, quantities, first) {
  const most = Math.max(1, ...quantities.map((each) => each.value));
  const wide = 190 / Math.max(2, quantities.length);
  const drawn = quantities.map((each, i) => {
    const x = 24 + wide * i;
    const high = (90 * each.value) / most;
    return `<rect class="bar" x="${x}" y="${100 - high}" width="${wide * 0.7}" height="${high}"/>` +
      `<text x="${x + wide * 0.35}" y="114" text-anchor="middle">${i + first}</text>`;
  });
  const figure = element("figure", "");
  figure.innerHTML = `<figcaption></figcaption><svg viewBox="0 0 220 120" aria-hidden="true"><line class="axis" x1="20" y1="100" x2="215" y2="100"/>` +
    `<text x="16" y="14" text-anchor="end">${Number(most.toPrecision(2))}</text>${drawn.join("")}</svg><p></p>`;
  figure.querySelector("figcaption").textContent = title;
  figure.querySelector("p").textContent = quantities.map(written).join(", ");
  return figure;
}

// The law of the first token: sums of the probabilities of sequences, in fractions where these are.
function firstToken(law) {
  const sums = [];
  const gcd = (a, b) => (b ? gcd(b, a % b) : a);
  for (const { tokens: [token], probability: { value, exact } } of law) {
    const [a, b = 1n] = exact ? exact.split("/").map(BigInt) : [0n];
    const sum = (sums[token] ??= { value: 0, top: 0n, bottom: 1n, exact: true });
    sum.value += value;
    sum.exact &&= exact !== null;
    [sum.top, sum.bottom] = [sum.top * b + a * sum.bottom, sum.bottom * b];
    const common = gcd(sum.top, sum.bottom);
    [sum.top, sum.bottom] = [sum.top / common, sum.bottom / common];
  }
  return Array.from(sums, (sum) => ({
    value: sum?.value ?? 0,
    exact: sum && !sum.exact ? null : !sum ? "0" : sum.bottom === 1n ? `${sum.top}` : `${sum.top}/${sum.bottom}`,
  }));
}

// A pair of one's own: sliders for two tokens, a table for more, or any spec text.
function plays(form) {
  const fields = form.elements;
  const output = form.querySelector("output");
  const table = form.querySelector("table");
  const stop = form.querySelector(".stop");

  function rows() {
    const count = Number(fields.tokens.value);
    form.querySelector(".sliders").hidden = count === 2 ? false : true;
    table.hidden = count === 2;
    for (const row of table.rows) {
      while (row.cells.length > count + 1) row.deleteCell(-1);
      while (row.cells.length < count + 1) {
        const input = element("input", "", { size: 5, value: row.cells.length === 1 ? "1" : "0" });
        input.setAttribute("aria-label", `${row.dataset.model} of token ${row.cells.length - 1}`);
        row.insertCell().append(input);
      }
    }
  }

  function pair() {
    if (fields.pair.value.trim()) return fields.pair.value.trim();
    if (Number(fields.tokens.value) === 2) return `bernoulli(draft=${fields.draft.value}/24,target=${fields.target.value}/24)`;
    const law = (row) => `[${Array.from(row.querySelectorAll("input"), (input) => input.value.trim()).join(",")}]`;
    return `iid(draft=${law(table.rows[0])},target=${law(table.rows[1])})`;
  }

  function words() {
    const gamma = fields.gamma.value;
    const verifier = fields.verifier.value.replace(/\b([KM])=\d+/, `$1=${fields.drafts.value}`);
    return ["exact", "--pair", pair(), "--verifier", verifier, "--gamma", gamma, "--iterations", "3", "--law",
      "--horizon", String(Math.max(1, Math.min(3, Number(gamma) + 1))), "--max-paths", "1000000", "--format", "json"];
  }

  function show({ code, out, err }, took) {
    if (code !== 0) {
      output.replaceChildren(element("pre", out + err, { tabIndex: 0 }));
      return;
    }
    const { iteration, iterations, output: decoded } = JSON.parse(out).results[0];
    const pictures = element("div", "", { className: "pictures" });
    pictures.append(bars("P(tau ≥ i)", iteration.tail, 1));
    if (iterations) pictures.append(bars("E[N(i)]", iterations.expected_tokens, 1));
    if (decoded?.law) pictures.append(bars("law of the first token", firstToken(decoded.law), 0));
    const tv = decoded ? `; TV(${decoded.horizon} tokens, target) = ${written(decoded.tv_to_target)}` : "";
    output.replaceChildren(pictures, element("p", `E[tau] = ${written(iteration.expected_accepted)}${tv}; ${took} ms`));
  }

  let wanted = false;
  let busy = false;
  // While a question is out, the newest one waits for it.
  async function ask() {
    for (const range of form.querySelectorAll("[type=range]")) range.nextElementSibling.textContent = `${range.value}/24`;
    fields.drafts.disabled = !/\b[KM]=\d+/.test(fields.verifier.value);
    wanted = true;
    if (busy) return;
    busy = true;
    while (wanted) {
      wanted = false;
      const began = performance.now();
      const slow = setTimeout(() => (stop.hidden = false), 500);
      const answer = await core.ask(words(), 20_000);
      clearTimeout(slow);
      stop.hidden = true;
      show(answer, Math.round(performance.now() - began));
    }
    busy = false;
  }

  rows();
  fields.tokens.addEventListener("input", rows);
  form.addEventListener("input", ask);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  stop.addEventListener("click", () => core.stop("stopped"));
  form.hidden = false;
}

// The module is loaded when a form of it is touched, before its question comes.
for (const form of document.querySelectorAll("form.run, form.play")) {
  for (const touch of ["focusin", "pointerenter"]) form.addEventListener(touch, () => core.start(), { once: true });
}
document.querySelectorAll("form.run").forEach(runs);
document.querySelectorAll("form.play").forEach(plays);

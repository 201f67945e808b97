// browser.mjs SITE: the zoo in a browser. At three widths, in light and dark: no console error, nothing wider than the
// screen; axe-core finds no violation; the keyboard alone reaches the search and a page; without JavaScript every entry is
// shown. Where the site has the program compiled to WebAssembly, "run it here" of 30 pages gives what the page has, and a pair of
// one's own is answered or refused in the program's words. With --controls it shows that each of these checks bites.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import puppeteer from "puppeteer-core";

const site = process.argv[2];
const controls = process.argv.includes("--controls");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const kinds = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

// What is planted in a page while a control runs: {path, change}.
let planted = null;
const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname).slice(1) || "index.html";
  try {
    const body = readFileSync(join(site, path));
    response.writeHead(200, { "content-type": kinds[extname(path)] ?? "text/plain" });
    response.end(planted?.path === path ? planted.change(body.toString()) : body);
  } catch {
    response.writeHead(404);
    response.end();
  }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = await puppeteer.launch({
  executablePath: process.env.SPECLAB_BROWSER,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  protocolTimeout: 600_000,
});

async function opened(path, { width = 1280, scheme = "light", script = true } = {}) {
  const page = await browser.newPage();
  page.setDefaultTimeout(300_000);
  page.errors = [];
  page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
  page.on("pageerror", (error) => page.errors.push(String(error)));
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.setJavaScriptEnabled(script);
  await page.goto(address + path, { waitUntil: "load" });
  return page;
}

// Every check answers with its faults.
async function look(path, setting) {
  const page = await opened(path, setting);
  const where = `${path} at ${setting.width}, ${setting.scheme}`;
  const faults = page.errors.map((error) => `${where}: console: ${error}`);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (over > 0) faults.push(`${where}: ${over} pixels wider than the screen`);
  const paper = await page.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.body).backgroundColor)[0]));
  if (setting.scheme === "dark" ? paper > 60 : paper < 240) faults.push(`${where}: not as light as was asked for`);
  await page.close();
  return faults;
}

async function accessible(path, scheme) {
  const page = await opened(path, { scheme });
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  await page.close();
  return found.violations.map((each) => `${path}, ${scheme}: axe: ${each.id}: ${each.nodes[0].html.slice(0, 120)}`);
}

async function keyboard() {
  const page = await opened("index.html");
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.textContent);
  const faults = [];
  await page.keyboard.press("Tab");
  if ((await focused()) !== "skip") faults.push(`keyboard: the first stop is ${await focused()}, not the way to the content`);
  for (let i = 0; i < 3 && (await focused()) !== "search"; ++i) await page.keyboard.press("Tab");
  await page.keyboard.type("theorem2.law");
  const shown = await page.$$eval("[data-kind]:not([hidden])", (items) => items.map((item) => item.textContent));
  if (shown.length < 1 || !shown.every((text) => text.includes("theorem2.law"))) faults.push(`keyboard: the search shows ${shown.length} entries`);
  for (let i = 0; i < 60 && !(await page.evaluate(() => document.activeElement.href?.includes("claim/"))); ++i) await page.keyboard.press("Tab");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  if (!page.url().endsWith("claim/sun2025.theorem2.law.html")) faults.push(`keyboard: Enter leads to ${page.url()}`);
  await page.close();
  return faults;
}

async function filters() {
  const page = await opened("index.html");
  await page.$$eval("[name=kind]", (boxes) => boxes.forEach((box) => box.value === "refuted" || box.click()));
  const [shown, refuted, other] = await page.evaluate(() => [
    document.querySelectorAll("[data-kind]:not([hidden])").length,
    document.querySelectorAll("[data-kind=refuted]").length,
    document.querySelectorAll("[data-kind]:not([hidden]):not([data-kind=refuted])").length,
  ]);
  await page.close();
  return shown === refuted && other === 0 && shown > 0 ? [] : [`filters: ${shown} entries shown, ${refuted} are refuted`];
}

async function withoutScript() {
  const page = await opened("index.html", { script: false });
  const [all, seen] = await page.evaluate(() => {
    const items = [...document.querySelectorAll("[data-kind]")];
    return [items.length, items.filter((item) => item.getBoundingClientRect().height > 0).length];
  });
  await page.close();
  return all === seen && all > 0 ? [] : [`without JavaScript ${seen} of ${all} entries are shown`];
}

// "Run it here" of a page: each question of its first forms has the answer that the page has.
async function here(path, most = 6) {
  const page = await opened(path);
  const faults = [];
  for (const form of (await page.$$("form.run")).slice(0, most)) {
    await form.$eval("button[type=submit]", (button) => button.click());
    await page.waitForFunction((form) => form.querySelectorAll("output > p").length === JSON.parse(form.dataset.questions).length, {}, form);
    const said = await form.$$eval("output > p", (lines) => lines.map((line) => line.textContent));
    if (said.every((line) => line.startsWith("as on this page"))) continue;
    faults.push(`${path}: run it here: ${(await form.$eval("output", (output) => output.textContent)).slice(0, 400)}`);
  }
  faults.push(...page.errors.map((error) => `${path}: console: ${error}`));
  await page.close();
  return faults;
}

// Pages of every kind, and what the core computes on them again.
async function runs(counts) {
  const faults = [];
  for (const [folder, count] of Object.entries(counts)) {
    const pages = readdirSync(join(site, folder)).map((name) => `${folder}/${name}`)
      .filter((path) => readFileSync(join(site, path), "utf8").includes('class="run"'));
    if (pages.length < count) faults.push(`run it here: ${pages.length} pages of ${folder} have it`);
    for (let i = 0; i < count && i < pages.length; ++i) faults.push(...(await here(pages[Math.floor((i * pages.length) / count)])));
  }
  return faults;
}

// A pair of one's own: sliders by the keyboard, a table, and what the program refuses, in its words.
async function plays() {
  const page = await opened("verifier/block.html");
  const faults = [];
  const shows = async (what, text) => {
    await page.waitForFunction((text) => document.querySelector("form.play output").textContent.includes(text), {}, text)
      .catch(async () => faults.push(`play: ${what}: ${await page.$eval("form.play output", (output) => output.textContent)}`));
  };
  const write = async (name, value) => {
    await page.$eval(`form.play [name=${name}]`, (field, value) => {
      field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }, value);
  };
  page.setDefaultTimeout(60_000);
  await page.focus("form.play [name=draft]");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await shows("bernoulli(2/3, 1/3), gamma 2", "E[tau] = 11/9; TV(3 tokens, target) = 0");
  await shows("the law of the first token", "law of the first token1012/3, 1/3");
  await write("tokens", "3");
  await page.$$eval("form.play table input", (inputs) => {
    ["1/2", "1/4", "1/4", "1/5", "1/2", "3/10"].forEach((value, i) => (inputs[i].value = value));
    inputs[0].dispatchEvent(new Event("input", { bubbles: true }));
  });
  await shows("three tokens", "1/5, 1/2, 3/10");
  await write("pair", "iid(draft=[1/2,1/3],target=[1,0])");
  await shows("a law that does not sum to 1", "sum");
  await write("pair", "iid(draft=[0,0],target=[1,0])");
  await shows("a zero row", "speclab: ");
  await write("pair", `iid(draft=[1/${"9".repeat(100_000)},1/2],target=[1,0])`);
  await shows("10^5 digits", "...");
  await write("pair", "bernoulli(draft=2/3,target=1/3)");
  await write("verifier", "traversal(K=2)");
  await write("gamma", "50");
  await shows("gamma 50", "over the limit of 1e+06");
  faults.push(...page.errors.map((error) => `play: console: ${error}`));
  await page.close();
  return faults;
}
const alive = existsSync(join(site, "core"));
if (!alive) console.log('the site has no core: "run it here" is not tried');

const sample = ["index.html"];
for (const folder of readdirSync(site, { withFileTypes: true }).filter((each) => each.isDirectory() && !["core", "gallery"].includes(each.name))) {
  const names = readdirSync(join(site, folder.name));
  for (const i of [0, 0.25, 0.5, 0.75, 0.99]) sample.push(`${folder.name}/${names[Math.floor(i * names.length)]}`);
}
const one = [...new Map(sample.map((path) => [path.split("/")[0], path])).values()];

async function checks() {
  const faults = [];
  for (const path of new Set(sample)) {
    for (const width of path === "index.html" || one.includes(path) ? [1280, 768, 360] : [360]) {
      faults.push(...(await look(path, { width, scheme: "light" })));
    }
  }
  for (const path of one) {
    faults.push(...(await look(path, { width: 360, scheme: "dark" })));
    for (const scheme of ["light", "dark"]) faults.push(...(await accessible(path, scheme)));
  }
  if (alive) faults.push(...(await runs({ claim: 12, verifier: 6, fault: 5, engine: 4, paper: 3 })), ...(await plays()));
  return [...faults, ...(await keyboard()), ...(await filters()), ...(await withoutScript())];
}

async function bites() {
  const faults = [];
  const plant = async (name, path, change, check, report) => {
    planted = { path, change: (text) => { const worse = change(text); if (worse === text) faults.push(`${name}: nothing is planted`); return worse; } };
    const found = await check();
    if (!found.some((fault) => fault.includes(report))) faults.push(`${name} is not noticed: ${found}`);
    planted = null;
  };
  const front = () => look("index.html", { width: 360, scheme: "light" });
  await plant("a failing script", "zoo.js", (text) => text + "missing();", front, "console: ");
  await plant("a wide line", "index.html", (text) => text.replace("</main>", `<p style="width: 900px">x</p></main>`), front, "wider than the screen");
  await plant("a page that ignores the dark", "zoo.css", (text) => text.replace("prefers-color-scheme: dark", "prefers-color-scheme: none"),
    () => look("index.html", { width: 360, scheme: "dark" }), "not as light");
  await plant("a field without a label", "index.html", (text) => text.replace('<label for="search">search</label>', "").replace(' placeholder="theorem2, block, vLLM, 0/0"', ""),
    () => accessible("index.html", "light"), "axe: label");
  await plant("a search that finds everything", "zoo.js", (text) => text.replace(".every((word)", ".some((word)").replace("!words.some", "!words.length < 0 && !words.some"), keyboard, "the search shows");
  await plant("filters that do nothing", "zoo.js", (text) => text.replace("!kinds.has(item.dataset.kind)", "false"), filters, "entries shown");
  await plant("entries that need JavaScript", "index.html", (text) => text.replace("<li data-kind", "<li hidden data-kind"), withoutScript, "are shown");
  if (alive) {
    await plant("a page with another number", "verifier/block.html", (text) => text.replaceAll("P(tau ≥ i): 2/3", "P(tau ≥ i): 3/4").replaceAll("P(tau \\u2265 i): 2/3", "P(tau \\u2265 i): 3/4"),
      () => here("verifier/block.html"), "run it here: ");
    await plant("a pair of one's own that is another", "here.js", (text) => text.replace("/24,target=", "/25,target="), plays, "play: ");
  }
  return faults;
}

const faults = await (controls ? bites() : checks());
for (const fault of faults.slice(0, 50)) console.log(fault);
console.log(controls ? `controls: ${faults.length} faults` : `${new Set(sample).size} pages in the browser, ${faults.length} faults`);
await browser.close();
server.close();
process.exit(faults.length ? 1 : 0);

"""One self-contained HTML page of what was run: claims, figures with captions, losslessness, manifest.

Reads files only: the CSV, figures and manifest of a run, the experiments' TOML files, and what `speclab verify
--format json` and `speclab exact --format json` wrote. A part whose file is missing is left out, and the page says so.
"""

import argparse
import base64
import csv
import html
import json
import os
import sys
import tomllib

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #ffffff; --line: #d0d7de; --wash: #f3f5f7;
  --good: #00694c; --bad: #a33f00; --part: #00558c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #a0a8b0; --paper: #14181d; --line: #3a424b;
  --wash: #1e242b; --good: #5fd3ae; --bad: #ff9d66; --part: #7cc4f5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
h3 { margin: 0 0 .2rem; font-size: 1.1rem; } a { color: var(--part); }
nav ul { columns: 16rem; padding-left: 1.2rem; }
figure { margin: 0 0 2.5rem; } figcaption { font-size: .95rem; margin-top: .8rem; }
.card { background: #fff; border: 1px solid var(--line); border-radius: .4rem; padding: .5rem; overflow-x: auto; }
.card img { display: block; height: auto; width: 100%; margin: 0 auto; }
.card .wide { min-width: 34rem; } .card .narrow { max-width: 30rem; }
.source { color: var(--soft); font-style: italic; margin: 0 0 .5rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border-bottom: 1px solid var(--line);
  overflow-wrap: normal; } th { background: var(--wash); } td.wrap { overflow-wrap: anywhere; min-width: 9rem; }
code { font-size: .9em; background: var(--wash); padding: 0 .2em; }
summary { cursor: pointer; } details { margin: .4rem 0; }
.good { color: var(--good); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; }
.part { color: var(--part); font-weight: 600; }
"""
KIND = {"holds": "good", "refuted": "bad", "holds-with-correction": "part", "met": "good", "explained": "part",
        "not confirmed": "part", "contrary": "bad", "met after all": "bad", "not run": "part", "rejected": "good",
        "passes": "good", "survives": "bad"}
KINDS = {"simulate": "simulated", "bound": "closed-form", "formula": "closed-form", "train": "ROC"}
RELATION = {"equals": "", "at_most": "at most ", "at_least": "at least "}


def text(value):
    return html.escape(str(value))


def mark(verdict):
    return f'<span class="{KIND.get(verdict, "bad")}">{text(verdict)}</span>'


def short(value):
    """A number of a CSV, with the digits that a reader needs."""
    return value if "/" in value else f"{float(value):.6g}" if value else ""


def table(head, rows):
    lines = ['<div class="scroll"><table>', "<thead><tr>" + "".join(f'<th scope="col">{text(name)}</th>' for name in head)
             + "</tr></thead>", "<tbody>"]
    for row in rows:
        lines.append("<tr>" + "".join(f"<td{' class=' + chr(34) + 'wrap' + chr(34) if len(cell) > 60 else ''}>{cell}</td>"
                                      for cell in row) + "</tr>")
    return "\n".join([*lines, "</tbody></table></div>"])


def read_json(path):
    if not path or not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read_csv(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def count(number, one, many):
    return f"{number} {one if number == 1 else many}"


def tell(evidence):
    """The sentence of evidence that decides: the smallest counterexample where there is one."""
    for entry in evidence:
        if "smallest counterexample" in entry["detail"]:
            return f'<code>{text(entry["pair"])}</code>: {text(entry["detail"])} ({text(entry["method"])})'
    methods = ", ".join(dict.fromkeys(entry["method"] for entry in evidence))
    return f'{count(len(evidence), "piece", "pieces")} of evidence ({text(methods)})'


def claims_section(data):
    claims = data["claims"]
    verdicts = list(dict.fromkeys(claim["verdict"] for claim in claims))
    parts = ['<h2 id="claims">Claims</h2>', "<p>" + "; ".join(
        f"{sum(claim['verdict'] == verdict for claim in claims)} {mark(verdict)}" for verdict in verdicts)
        + f" of {len(claims)}. A refuted claim shows the smallest counterexample found.</p>"]
    rows = []
    for claim in claims:
        verdict = mark(claim["verdict"])
        if claim["verdict"] != claim["recorded"]:
            verdict += f' <span class="bad">(on record: {text(claim["recorded"])})</span>'
        statement = f'<strong>{text(claim["id"])}</strong><br>{text(claim["statement"])}<br><em>{text(claim["source"])}</em>'
        if claim.get("correction"):
            statement += f'<br>Correction: {text(claim["correction"])}'
        rows.append([statement, verdict, tell(claim["evidence"])])
    parts.append(table(["claim", "verdict", "decided by"], rows))
    controls = [control for control in data.get("controls", []) if control["wrong"]]
    if controls:
        rejected = sum(control["verdict"] == "rejected" for control in controls)
        parts += ['<h3 id="controls">Negative controls</h3>',
                  f"<p>Verifiers that are wrong on purpose; {rejected} of {len(controls)} are rejected by the checks that "
                  "the claims rest on.</p>", "<details><summary>Which check rejects each</summary>",
                  table(["verifier", "verdict", "rejected by"], [
                      [f'<code>{text(control["verifier"])}</code>', mark(control["verdict"]), "<br>".join(
                          f'{text(by["property"])}: {text(by["detail"])}' for by in control["rejected_by"])]
                      for control in controls]), "</details>"]
    return parts


def fraction(quantity):
    return text(quantity["exact"] if quantity["exact"] is not None else f"{quantity['value']:.6g}")


def lossless_section(data):
    rows = []
    for result in data["results"]:
        distance = result["output"]["tv_to_target"]
        kind = "good" if distance["value"] == 0 else "bad"
        rows.append([f'<code>{text(result["verifier"])}</code>', f'<span class="{kind}">{fraction(distance)}</span>',
                     fraction(result["iteration"]["undefined_mass"]), fraction(result["iteration"]["expected_accepted"]),
                     fraction(result["block_efficiency"]) if "block_efficiency" in result else ""])
    first = data["results"][0]
    return ['<h2 id="lossless">Losslessness</h2>',
            f'<p>Exact total variation distance between the output of {text(first["output"]["horizon"])} tokens and the '
            f'target\'s law, on <code>{text(first["pair"])}</code> at &gamma; = {text(first["gamma"])}. 0 is lossless.</p>',
            table(["verifier", "TV to the target", "mass of 0/0", "E[\u03c4]", "block efficiency"], rows)]


def ran(rows):
    """What was run, from the CSV: tasks, trials, pairs."""
    kinds, combinations = {}, {}
    for row in rows:
        if row["method"] != "derived":
            names = ("task", "vary", "pair", "verifier", "gamma", "horizon")
            combinations.setdefault(tuple(row[name] for name in names), []).append(row["method"])
    for combination, methods in combinations.items():
        # Closed forms stand beside what was run; a combination of nothing else is closed forms alone.
        found = [method for method in methods if method not in ("closed-form", "bound")] or methods
        kinds.setdefault(KINDS.get(found[0], found[0]), set()).add(combination)
    trials = [int(row["trials"]) for row in rows if row["trials"]]
    said = ", ".join(f"{len(tasks)} {kind}" for kind, tasks in kinds.items()) + " combinations"
    if trials:
        said += f"; at most {max(trials):,} trials a task"
    seeds = sorted({row["seed"] for row in rows if row["seed"]})
    return said + (f", seed {', '.join(seeds)}" if seeds else "")


def picture(path, title):
    with open(path, "rb") as file:
        data = file.read()
    size = data[:2000].decode("utf-8", "replace").partition('width="')[2].partition('pt"')[0]
    wide = "wide" if float(size or 0) > 300 else "narrow"
    encoded = base64.b64encode(data).decode("ascii")
    return f'<div class="card"><img class="{wide}" alt="{text(title)}" src="data:image/svg+xml;base64,{encoded}"></div>'


def paragraphs(note):
    return "".join(f"<p>{text(' '.join(part.split()))}</p>" for part in note.strip().split("\n\n") if part.strip())


def found(entry):
    """Our number with its standard error, or nothing."""
    return short(entry["ours"]) + (f" \u00b1 {float(entry['stderr']):.1g}" if entry["stderr"] else "")


def place(entry):
    """Where a number stands: "text, block, gamma 8, drafter=2"."""
    words = [entry["task"], entry["verifier"], entry["gamma"] and "\u03b3 = " + entry["gamma"], entry["vary"]]
    return ", ".join(word for word in words if word)


def figure_section(name, toml, results, figures):
    with open(toml, "rb") as file:
        experiment = tomllib.load(file)
    image = os.path.join(figures, name + ".svg")
    rows, entries = (read_csv(os.path.join(results, name + end)) for end in (".csv", ".expected.csv"))
    printed = [entry for entry in entries if entry["relation"] == "printed"]
    expected = [entry for entry in entries if entry["relation"] != "printed"]
    if not rows or not os.path.exists(image):
        return [f'<p id="{text(name)}"><strong>{text(experiment["title"])}</strong> ({text(name)}): not run.</p>']
    tally = {}
    for entry in expected:
        tally.setdefault(entry["verdict"], []).append(entry)
    differs = []
    for entry in expected:
        if entry["verdict"] in ("explained", "contrary", "met after all"):
            why = entry["explanation"] if entry["verdict"] == "explained" else ""
            if why not in differs:
                differs.append(why)
    agreed = list(dict.fromkeys(entry["source"] for entry in tally.get("met", [])))
    caption = [f"<h3>{text(experiment['title'])}</h3>",
               f'<p class="source">{text(experiment["source"])} &middot; <code>{text(name)}</code></p>',
               paragraphs(experiment.get("note", "")), f"<p><strong>Run:</strong> {text(ran(rows))}.</p>"]
    if agreed:
        caption.append(f"<p><strong>Agrees:</strong> {text('; '.join(agreed))}.</p>")
    if differs:
        caption.append("<p><strong>Does not agree, and why:</strong></p><ul>" + "".join(
            f"<li>{text(why) if why else '<span class=bad>not explained</span>'}</li>" for why in differs) + "</ul>")
    undecided = list(dict.fromkeys(entry["source"] for entry in tally.get("not confirmed", [])))
    if undecided:
        caption.append(f"<p><strong>Not confirmed with so many trials:</strong> {text('; '.join(undecided))}.</p>")
    if expected:
        told = ", ".join(f"{len(entries)} {mark(verdict)}" for verdict, entries in tally.items())
        lines = []
        for entry in expected:
            wanted = (RELATION.get(entry["relation"], entry["relation"] + " ") + short(entry["printed"])
                      if entry["printed"] else f"{entry['relation']} along {entry['along']}")
            lines.append([text(entry["source"]), text(wanted), text(found(entry) or entry["detail"]),
                          mark(entry["verdict"])])
        caption.append(f"<details><summary>Printed or claimed against found: {told}</summary>"
                       + table(["source", "printed", "found \u00b1 standard error", ""], lines) + "</details>")
    if printed:
        caption.append(f"<details><summary>{count(len(printed), 'number', 'numbers')} that the paper prints of other models"
                       ", not judged</summary>"
                       + table(["source", "whose", "what", "printed", "ours \u00b1 standard error"], [
                           [text(entry["source"]), text(entry["detail"]), text(place(entry)), text(short(entry["printed"])),
                            text(found(entry))] for entry in printed]) + "</details>")
    return [f'<figure id="{text(name)}">', picture(image, experiment["title"]),
            "<figcaption>" + "\n".join(caption) + "</figcaption>", "</figure>"]


def manifest_section(data):
    return ['<h2 id="manifest">Manifest</h2>', table(["of the last run", ""], [
        [text(key), text(", ".join(os.path.basename(str(part)) for part in value) if isinstance(value, list) else
                         f"{value:.1f}" if isinstance(value, float) else value)]
        for key, value in data.items() if key != "process"])]


def page(arguments):
    tomls = {name[:-5]: os.path.join(arguments.experiments, name)
             for name in sorted(os.listdir(arguments.experiments)) if name.endswith(".toml")}
    if not tomls:
        sys.exit(f"report.py: no experiment in {arguments.experiments}")
    body, sections, missing = [], [], []
    for title, anchor, path, make in [("Claims", "claims", arguments.claims, claims_section),
                                      ("Losslessness", "lossless", arguments.lossless, lossless_section)]:
        data = read_json(path)
        if data is None:
            missing.append(title.lower())
        else:
            sections.append((anchor, title))
            body += make(data)
    sections.append(("figures", "Figures"))
    body.append('<h2 id="figures">Figures</h2>')
    contents = []
    for name, toml in tomls.items():
        body += figure_section(name, toml, arguments.results, arguments.figures)
        contents.append((name, name))
    data = read_json(os.path.join(arguments.results, "manifest.json"))
    if data is None:
        missing.append("manifest")
    else:
        sections.append(("manifest", "Manifest"))
        body += manifest_section(data)
    links = "".join(f'<li><a href="#{text(anchor)}">{text(title)}</a></li>' for anchor, title in sections + contents)
    left_out = f"<p>Left out, because it was not run: {text(', '.join(missing))}.</p>" if missing else ""
    quick = "<p>This was a quick run: fewer trials, wider intervals.</p>" if (data or {}).get("quick") else ""
    return "\n".join([
        "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">', "<title>speclab report</title>",
        '<link rel="icon" href="data:,">', f"<style>{STYLE}</style>", "</head>", "<body>", "<header>",
        "<h1>The theory of speculative decoding, held against evidence</h1>",
        "<p>Every claim with its verdict, and every figure and table of the papers made anew. Points are simulated with "
        "95% intervals (where none is seen it is smaller than its mark), lines are exact laws or closed forms, and stars "
        "are numbers that a paper prints.</p>", quick, left_out, "</header>",
        f'<nav aria-label="Contents"><ul>{links}</ul></nav>', "<main>", *body, "</main>", "</body>", "</html>", ""])


def write(path, content):
    """Replaces a file as a whole or not at all."""
    beside = f"{path}.{os.getpid()}"
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        if os.path.exists(beside):
            os.remove(beside)


def main():
    parser = argparse.ArgumentParser(description="Writes the results of a run as one HTML page.")
    parser.add_argument("--results", default="results", help="folder of speclab run's CSV files and manifest")
    parser.add_argument("--figures", default="results/figures", help="folder of the drawn figures")
    parser.add_argument("--experiments", default="experiments", help="folder of the experiments' TOML files")
    parser.add_argument("--claims", help="what speclab verify --format json wrote")
    parser.add_argument("--lossless", help="what speclab exact --format json --horizon T wrote")
    parser.add_argument("--output", default="results/report.html")
    arguments = parser.parse_args()
    try:
        content = page(arguments)
        write(arguments.output, content)
    except (OSError, KeyError, TypeError, ValueError) as error:
        sys.exit(f"report.py: {type(error).__name__}: {error}")
    print(arguments.output)


if __name__ == "__main__":
    main()

"""One self-contained HTML page of what was run: figures with captions, claims, losslessness, manifest.

Reads files only: the CSV, figures and manifest of a run, the experiments' TOML files, and what `speclab verify
--format json` and `speclab exact --format json` wrote. A part whose file is missing is left out, and the page reports it.
What the page looks like is in templates/; every name and number is escaped there.
"""

import argparse
import base64
import csv
import json
import os
import re
import sys
import tomllib

import jinja2
import markupsafe

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "python", "speclab", "plot"))
from harmless import harmless  # noqa: E402

KIND = {"holds": "good", "refuted": "bad", "holds-with-correction": "part", "not-decidable": "part", "reproduced": "good",
        "not reproduced (explained)": "bad",
        "undecided": "part", "not reproduced": "bad", "unexpectedly reproduced": "bad", "not run": "part", "not judged": "part",
        "rejected": "good", "passes": "good", "survives": "bad", "within the spread": "good", "outside the spread": "bad",
        "not predicted": "part"}
KINDS = {"simulate": "simulated", "bound": "closed-form", "formula": "closed-form", "train": "ROC"}
RELATION = {"equals": "", "at_most": "at most ", "at_least": "at least "}
LONGEST_FRACTION = 15  # characters of a fraction that is shown in the place of its decimal
FAILED = ("not reproduced (explained)", "not reproduced", "unexpectedly reproduced")


def short(value):
    """A number of a CSV, with the digits that a reader needs."""
    return value if "/" in value else f"{float(value):.6g}" if value else ""


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


def counted(entries):
    """{verdict: how many}, in order of the first of each."""
    tally = {}
    for entry in entries:
        tally[entry["verdict"]] = tally.get(entry["verdict"], 0) + 1
    return tally


def once(values):
    return list(dict.fromkeys(values))


def claims_part(data):
    rows = []
    for claim in data["claims"]:
        evidence = claim["evidence"]
        decider = next((entry for entry in evidence if "violated" in entry["detail"]), None)
        rows.append({"correction": None, "repaired_by": None, "readings": None, **claim,
                     "decider": decider, "pieces": count(len(evidence), "piece", "pieces"),
                     "methods": once(entry["method"] for entry in evidence)})
    controls = [control for control in data.get("controls", []) if control["wrong"]]
    return {"rows": rows, "tally": counted(rows),
            "rejected": sum(control["verdict"] == "rejected" for control in controls),
            "controls": [[control["verifier"], {"verdict": control["verdict"]},
                          "; ".join(f"{by['property']}: {by['detail']}" for by in control["rejected_by"])]
                         for control in controls]}


def fraction(quantity):
    """A fraction that is short, else the decimal: "54/31", "1.78148"."""
    exact = quantity["exact"]
    return exact if exact is not None and len(exact) <= LONGEST_FRACTION else f"{quantity['value']:.6g}"


def lossless_part(data):
    rows = []
    for result in data["results"]:
        distance = result["output"]["tv_to_target"]
        rows.append({"verifier": result["verifier"], "kind": "good" if distance["value"] == 0 else "bad",
                     "distance": fraction(distance), "undefined": fraction(result["iteration"]["undefined_mass"]),
                     "accepted": fraction(result["iteration"]["expected_accepted"]),
                     "efficiency": fraction(result["block_efficiency"]) if "block_efficiency" in result else ""})
    first = data["results"][0]
    return {"horizon": first["output"]["horizon"], "pair": first["pair"], "gamma": first["gamma"], "rows": rows}


def ran(rows):
    """What was run, from the CSV: tasks, trials, pairs."""
    kinds, combinations = {}, {}
    for row in rows:
        if row["method"] not in ("derived", "printed", "calibrated"):
            names = ("task", "vary", "pair", "verifier", "gamma", "horizon")
            combinations.setdefault(tuple(row[name] for name in names), []).append(row["method"])
    for combination, methods in combinations.items():
        # Closed forms stand beside what was run; a combination of nothing else is closed forms alone.
        found = [method for method in methods if method not in ("closed-form", "bound")] or methods
        kinds.setdefault(KINDS.get(found[0], found[0]), set()).add(combination)
    if not kinds:
        return ""
    trials = [int(row["trials"]) for row in rows if row["trials"]]
    said = ", ".join(f"{len(tasks)} {kind}" for kind, tasks in kinds.items()) + " combinations"
    if trials:
        said += f"; at most {max(trials):,} trials a task"
    seeds = sorted({row["seed"] for row in rows if row["seed"]})
    return said + (f", seed {', '.join(seeds)}" if seeds else "")


def data_url(data):
    return "data:image/svg+xml;base64," + base64.b64encode(data).decode("ascii")


def picture(path):
    """The image as a data URL, that for a phone where there is one, and whether it is wide."""
    with open(path, "rb") as file:
        data = file.read()
    width = data[:2000].decode("utf-8", "replace").partition('width="')[2].partition('pt"')[0]
    phone = path.removesuffix(".svg") + ".narrow.svg"
    made = {"image": data_url(data), "size": "wide" if float(width or 0) > 300 else "narrow", "phone": None}
    if os.path.exists(phone):
        with open(phone, "rb") as file:
            made["phone"] = data_url(file.read())
    return made


def soft(text):
    """The text with places in its long words, such as spec text, where a line may end; others stay whole."""
    def parts(word):
        pieces = re.split(r"(?<=[,()\[\]=/_])(?=[^,()\[\]=/_])", word) if len(word) > 16 else [word]
        return markupsafe.Markup("<wbr>").join(pieces)
    return markupsafe.Markup(" ").join(parts(word) for word in str(text).split(" "))


def found(entry):
    """Our number with its standard error, or nothing."""
    return short(entry["ours"]) + (f" \u00b1 {float(entry['stderr']):.1g}" if entry["stderr"] else "")


def place(entry):
    """Where a number stands: "text, block, gamma 8, drafter=2"."""
    words = [entry["task"], entry["verifier"], entry["gamma"] and "\u03b3 = " + entry["gamma"], entry["vary"]]
    return ", ".join(word for word in words if word)


def wanted(entry):
    if entry["printed"]:
        return RELATION.get(entry["relation"], entry["relation"] + " ") + short(entry["printed"])
    return f"{entry['relation']} along {entry['along']}"


def parts(entries):
    """The tables of a figure's caption, by kind of entry."""
    kinds = {}
    for entry in entries:
        kinds.setdefault(entry["kind"], []).append(entry)
    made = []
    def add(kind, title, head, row, tally=True):
        if kind in kinds:
            made.append({"title": title(kinds[kind]), "head": head, "rows": [row(entry) for entry in kinds[kind]],
                         "tally": counted(kinds[kind]) if tally else None})
    against = ["source", "printed or claimed", "found \u00b1 standard error", ""]
    def line(entry):
        return [entry["source"], wanted(entry), found(entry) or entry["detail"], {"verdict": entry["verdict"]}]
    add("value", lambda _: "Printed values of these very models", against, line)
    add("claim", lambda _: "Claims", against, line)
    add("audit", lambda _: "Relations within the printed tables", ["source", "table", "what was found", ""],
        lambda entry: [entry["source"], entry["task"], entry["detail"], {"verdict": entry["verdict"]}])
    add("calibrated", lambda _: "Improvements predicted at the printed efficiency of token verification, by fitted pairs",
        ["source", "fitted pairs", "printed improvement", "predicted \u00b1 standard deviation of the pairs", "pairs", ""],
        lambda entry: [entry["source"], f"{entry['task']}, {entry['verifier']}, \u03b3 = {entry['gamma']}",
                       f"{float(entry['printed']):.3g}",
                       f"{float(entry['ours']):.3g} \u00b1 {float(entry['stderr']):.1g}" if entry["ours"] else "",
                       entry["detail"], {"verdict": entry["verdict"]}])
    add("other", lambda those: count(len(those), "number", "numbers") + " that the paper prints of other models, not judged",
        ["source", "whose", "what", "printed", "ours \u00b1 standard error"],
        lambda entry: [entry["source"], entry["detail"], place(entry), short(entry["printed"]), found(entry)], tally=False)
    return made


def figure_part(name, toml, entries, arguments):
    with open(toml, "rb") as file:
        experiment = tomllib.load(file)
    image = os.path.join(arguments.figures, name + ".svg")
    rows = read_csv(os.path.join(arguments.results, name + ".csv"))
    made = {"name": name, "title": experiment["title"], "source": experiment.get("source", ""), "image": None}
    if not rows or not os.path.exists(image):
        return made
    judged = [entry for entry in entries if entry["kind"] in ("value", "claim", "audit")]
    def sources(*verdicts):
        return once(entry["source"] for entry in judged if entry["verdict"] in verdicts)
    paragraphs = experiment.get("note", "").strip().split("\n\n")
    return {**made, **picture(image), "ran": ran(rows), "parts": parts(entries),
            "note": [" ".join(part.split()) for part in paragraphs if part.strip()], "agreed": sources("reproduced"),
            "differs": once((entry["source"], entry["explanation"] if entry["verdict"] == FAILED[0] else "")
                            for entry in judged if entry["verdict"] in FAILED),
            "undecided": sources("undecided")}


def summary(entries):
    """What the page opens with: how many entries of each kind, by verdict."""
    def tally(*kinds):
        chosen = [entry["verdict"] for entry in entries if entry["kind"] in kinds]
        return {"all": len(chosen), "met": chosen.count("reproduced"), "failed": sum(verdict in FAILED for verdict in chosen),
                "open": chosen.count("undecided"), "not_run": chosen.count("not run")}
    # A printed number is predicted by several families of pairs: one that has it within its spread is enough.
    predicted = {}
    for entry in entries:
        if entry["kind"] == "calibrated":
            predicted.setdefault((entry["source"], entry["verifier"]), set()).add(entry["verdict"])
    return {"printed": tally("value"), "claims": tally("claim"), "audits": tally("audit"),
            "other": sum(entry["kind"] == "other" for entry in entries),
            "predicted": {"all": sum(verdicts != {"not predicted"} for verdicts in predicted.values()),
                          "within": sum("within the spread" in verdicts for verdicts in predicted.values()),
                          "open": sum(verdicts == {"not predicted"} for verdicts in predicted.values())}}


def manifest_part(data):
    return [[key, ", ".join(os.path.basename(str(part)) for part in value) if isinstance(value, list) else
             f"{value:.1f}" if isinstance(value, float) else str(value)]
            for key, value in data.items() if key != "process"]


def page(arguments):
    tomls = {name[:-5]: os.path.join(arguments.experiments, name)
             for name in sorted(os.listdir(arguments.experiments)) if name.endswith(".toml")}
    if not tomls:
        sys.exit(f"report.py: no experiment in {arguments.experiments}")
    data = {"claims": read_json(arguments.claims), "lossless": read_json(arguments.lossless),
            "manifest": read_json(os.path.join(arguments.results, "manifest.json"))}
    titles = {"claims": "Claims", "lossless": "Losslessness", "manifest": "Manifest"}
    entries = {name: read_csv(os.path.join(arguments.results, name + ".expected.csv")) for name in tomls}
    templates = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(templates), autoescape=True,
                                     undefined=jinja2.StrictUndefined, trim_blocks=True)
    environment.filters["soft"] = soft
    environment.filters["kind"] = lambda verdict: KIND.get(verdict, "bad")
    with open(os.path.join(templates, "style.css"), encoding="utf-8") as file:
        style = file.read()
    assert "<" not in style, "the style sheet stands within the page as it is"
    return harmless(environment.get_template("report.html").render(
        style=markupsafe.Markup(style), summary=summary([entry for own in entries.values() for entry in own]),
        quick=(data["manifest"] or {}).get("quick"),
        missing=[title.lower() for part, title in titles.items() if data[part] is None],
        contents=[("figures", "Figures"), *((name, name) for name in tomls),
                  *((part, title) for part, title in titles.items() if data[part] is not None)],
        figures=[figure_part(name, toml, entries[name], arguments) for name, toml in tomls.items()],
        claims=data["claims"] and claims_part(data["claims"]), lossless=data["lossless"] and lossless_part(data["lossless"]),
        manifest=data["manifest"] and manifest_part(data["manifest"]))) + "\n"


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
    except (OSError, LookupError, TypeError, ValueError, jinja2.TemplateError) as error:
        sys.exit(f"report.py: {type(error).__name__}: {error}")
    print(arguments.output)


if __name__ == "__main__":
    main()

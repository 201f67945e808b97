#!/usr/bin/env python3
"""Holds what speclab prints against docs/formats.md, with Python's csv and json alone.

usage: formats.py --program FILE [--docs DIR] [--controls]

Runs `exact`, `simulate` and `run` in both formats and checks columns, keys, types and numbers against
the tables of the page. With --controls it doctors copies of the outputs and of the page instead, and
fails where a planted fault is not found.
"""
import argparse
import csv
import io
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

TOY = "bernoulli(draft=2/3,target=1/3)"
COSTS = "draft=1,verifier=1/10,target=7"
# name: command line without format. `exact-*` and `simulate-*` are asked for as JSON and as CSV.
QUESTIONS = {
    "exact-all": ["exact", "--pair", TOY, "--verifier", "token", "--verifier", "block", "--verifier",
                  "greedy-block", "--verifier", "kseq(K=2)", "--gamma", "2", "--horizon", "3",
                  "--iterations", "2", "--law", "--latency", COSTS],
    "exact-undefined": ["exact", "--pair", "iid(draft=[1/2,1/2],target=[1/2,1/2])", "--verifier",
                        "block-listing", "--verifier", "spectr-gbv(K=2)", "--gamma", "1:2",
                        "--gamma", "inf", "--horizon", "2", "--latency", COSTS],
    "exact-double": ["exact", "--pair", TOY, "--verifier", "token", "--verifier", "block",
                     "--verifier", "sprinter(fp=1/10,tp=9/10)", "--gamma", "3", "--horizon", "4",
                     "--arithmetic", "double", "--latency", COSTS],
    "simulate-all": ["simulate", "--pair", TOY, "--verifier", "block", "--verifier", "spectr-gbv(K=2)",
                     "--gamma", "2", "--horizon", "3", "--iterations", "2", "--law", "--trials",
                     "997", "--latency", COSTS],
    "simulate-conditional": ["simulate", "--pair", TOY, "--verifier", "block", "--gamma", "3",
                             "--trials", "997", "--estimator", "conditional"],
    "simulate-missing": ["simulate", "--pair", "zipf(vocabulary=1024,draft=1,target=1.1)",
                         "--verifier", "sprinter(fp=1/10,tp=9/10)", "--gamma", "inf", "--horizon",
                         "9", "--trials", "97", "--latency", COSTS],
}
EXPERIMENT = """title = "all kinds"
source = "none"
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft={d},target=1/3)"
verifier = ["token", "block"]
gamma = "1:2"
horizon = 3
latency = "draft=1,target=7"
[task.vary]
d = ["2/3", "1/2"]
[[task]]
name = "runs"
kind = "simulate"
pair = "bernoulli(draft=2/3,target=1/3)"
verifier = "block"
gamma = 2
horizon = 3
trials = 997
[[task]]
name = "forms"
kind = "predict"
pair = "bernoulli(draft=2/3,target=1/3)"
verifier = "token"
gamma = 2
[[task]]
name = "sum"
kind = "formula"
formula = "yin2024.section3.2(M=2)"
pair = "bernoulli(draft=2/3,target=1/3)"
[[task]]
name = "trained"
kind = "train"
pair = "zipf(vocabulary=8,draft=1,target=1.5,seed=1)"
lambda = "1.2"
samples = 64
[[derived]]
name = "gain"
quantity = "iteration.expected_accepted"
operation = "difference"
of = {task = "law", verifier = "block"}
over = {task = "law", verifier = "token"}
[[expected]]
source = "by hand"
task = "gain"
gamma = 2
d = "2/3"
quantity = "iteration.expected_accepted"
value = "1/9"
"""
# The most accepted tokens of the toy pair by gamma and drafts: sums of min(D, T), and for two drafts the
# value that a program of all couplings found.
OPTIMA = {(2, 1): Fraction(4, 3), (3, 1): Fraction(50, 27), (2, 2): Fraction(134, 81)}
DRAFTS = {"token": 1, "block": 1, "greedy-block": 1, "kseq(K=2)": 2}  # others are not lossless
METHODS = {"exact", "simulate", "closed-form", "bound", "formula", "train", "derived"}
NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?")


# ---- the page -----------------------------------------------------------------------------------
def tables(page):
    """Every Markdown table: its header and its rows, cells without backticks and escapes."""
    found, rows = [], []
    for line in page.splitlines() + [""]:
        if line.startswith("|"):
            cells = re.split(r"(?<!\\)\|", line.strip()[1:-1])
            rows.append([cell.strip().replace("\\|", "|") for cell in cells])
        elif rows:
            found.append((rows[0], rows[2:]))
            rows = []
    return found


def table(page, *header):
    for names, rows in tables(page):
        if names[: len(header)] == list(header):
            return rows
    raise SystemExit(f"docs: no table with the columns {', '.join(header)}")


def plain(cell):
    return cell.replace("`", "")


class Page:
    """What the page says."""

    def __init__(self, texts):
        formats = texts["formats.md"]
        self.columns = [plain(row[0]) for row in table(formats, "column")]
        self.quantities, self.aliases = {}, {}
        for row in table(formats, "quantity"):
            path, alias, index = plain(row[0]), plain(row[1]), row[2]
            self.quantities[path] = index
            if alias:
                self.aliases[alias] = path
        self.keys = {plain(row[0]): (row[1], row[2]) for row in table(formats, "key", "there")}
        self.manifest = {plain(row[0]): row[1] for row in table(formats, "key", "type")}
        expected = [row for names, row in tables(texts["experiments.md"])
                    if row and plain(row[0][0]).startswith("experiment,")]
        if len(expected) != 1:
            raise SystemExit("docs/experiments.md: no table of the columns of NAME.expected.csv")
        self.expected = [name.strip() for row in expected[0] for name in plain(row[0]).split(",")]


# ---- checks: each appends what it finds to `bad` ------------------------------------------------
def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_exact(value):
    return (isinstance(value, dict) and set(value) == {"value", "exact"} and is_number(value["value"])
            and (value["exact"] is None or isinstance(value["exact"], str)))


def is_estimate(value):
    return (isinstance(value, dict) and set(value) == {"mean", "stderr", "ci95"}
            and is_number(value["mean"]) and is_number(value["stderr"])
            and isinstance(value["ci95"], list) and len(value["ci95"]) == 2
            and all(map(is_number, value["ci95"]))
            and value["ci95"][0] <= value["mean"] <= value["ci95"][1])


TYPES = {
    "text": lambda v: isinstance(v, str),
    "whole number": is_whole,
    "whole number or null": lambda v: v is None or is_whole(v),
    "whole number or inf": lambda v: v == "inf" or is_whole(v),
    "number": is_number,
    "number or null": lambda v: v is None or is_number(v),
    "true": lambda v: v is True,
    "true or false": lambda v: isinstance(v, bool),
    "list": lambda v: isinstance(v, list),
    "list of text": lambda v: isinstance(v, list) and all(isinstance(e, str) for e in v),
    "object": lambda v: isinstance(v, dict),
    "exact Q": is_exact,
}


def refuse_constant(name):
    raise ValueError(f"{name} is no number of JSON")


def read_json(where, text, bad):
    try:
        return json.loads(text, parse_constant=refuse_constant)
    except ValueError as problem:
        bad.append(f"{where}: {problem}")
        return {"schema": 2, "results": []}


def check_fraction(where, value, fraction, bad):
    if fraction and float(Fraction(fraction)) != value:
        bad.append(f"{where}: {value!r} is not {fraction}")


def quantity_numbers(where, path, index, value, bad):
    """The Q of a quantity by their index as CSV writes it; checks their form."""
    first = int(re.search(r"\d+", index).group()) if index.startswith("from") else 0
    if not index:
        found = {"": value}
    elif not isinstance(value, list):
        bad.append(f"{where}: {path} is no list")
        return {}
    elif index == "tokens":
        if not all(isinstance(e, dict) and set(e) == {"tokens", "probability"} for e in value):
            bad.append(f"{where}: {path} has an undocumented key or lacks one")
            return {}
        found = {" ".join(map(str, e["tokens"])): e["probability"] for e in value}
    elif index == "tokens, then from 0":
        if not all(isinstance(e, dict) and set(e) == {"tokens", "law"} for e in value):
            bad.append(f"{where}: {path} has an undocumented key or lacks one")
            return {}
        found = {" ".join(map(str, [*e["tokens"], i])): q for e in value
                 for i, q in enumerate(e["law"])}
    elif ", then from 0" in index:
        found = {f"{i} {n}": q for i, row in enumerate(value, first) for n, q in enumerate(row)}
    else:
        found = {str(i): q for i, q in enumerate(value, first)}
    for at, number in found.items():
        if not (is_exact(number) or is_estimate(number)):
            bad.append(f"{where}: {path} [{at}] is no Q, but {json.dumps(number)[:80]}")
            return {}
        if is_exact(number):
            check_fraction(f"{where}: {path} [{at}]", number["value"], number["exact"], bad)
    return found


class Result:
    """One result of JSON, walked through: `numbers` holds each Q by quantity and index."""

    def __init__(self, page, where, result, simulated, bad):
        self.page, self.where, self.bad, self.simulated = page, where, bad, simulated
        self.numbers, self.seen, self.nulls = {}, set(), 0
        self.walk(result, "")
        for key, (there, _) in page.keys.items():
            if not key.startswith("results[]."):
                continue
            self.require(key[len("results[]."):], there)
        if self.nulls and not result.get("notes"):
            bad.append(f"{where}: {self.nulls} quantities are null and no note says why")
        for alias, path in page.aliases.items():
            if self.numbers.get(alias) != self.numbers.get(path):
                bad.append(f"{where}: {alias} is not {path}")

    def require(self, path, there):
        if "." in path and path.split(".")[0].rstrip("[]") not in self.seen:
            return
        if path.startswith("predictions[]."):
            return  # checked for each
        wanted = there == "always" or there == ("simulate" if self.simulated else "exact")
        if (wanted or there == "with the group") and path not in self.seen:
            self.bad.append(f"{self.where}: lacks {path}")
        if there in ("exact", "simulate") and not wanted and path in self.seen:
            self.bad.append(f"{self.where}: has {path}, which is of {there} alone")

    def walk(self, node, prefix):
        for key, value in node.items():
            path = prefix + key
            self.seen.add(path)
            documented = self.page.keys.get("results[]." + path)
            quantity = self.page.aliases.get(path, path)
            if documented:
                if not TYPES[documented[1]](value):
                    self.bad.append(f"{self.where}: {path} is no {documented[1]}, but {value!r:.80}")
                elif path == "predictions":
                    for i, prediction in enumerate(value):
                        self.prediction(f"{self.where}: predictions[{i}]", prediction)
                elif documented[1] == "object":
                    self.walk(value, path + ".")
            elif quantity in self.page.quantities:
                if value is None:
                    self.nulls += 1
                    continue
                index = self.page.quantities[quantity]
                for at, q in quantity_numbers(self.where, path, index, value, self.bad).items():
                    self.numbers.setdefault(path, {})[at] = q
            elif isinstance(value, dict) and any(
                    name.startswith(path + ".")
                    for name in [*self.page.quantities, *self.page.aliases]):
                self.walk(value, path + ".")
            else:
                self.bad.append(f"{self.where}: the key {path} is not documented")

    def prediction(self, where, prediction):
        for key, value in prediction.items():
            documented = self.page.keys.get("results[].predictions[]." + key)
            if documented is None:
                self.bad.append(f"{where}: the key {key} is not documented")
            elif not TYPES[documented[1]](value):
                self.bad.append(f"{where}: {key} is no {documented[1]}, but {value!r:.80}")
        if self.simulated != ("z" in prediction):
            self.bad.append(f"{where}: z belongs to simulations, and to each")
        if (prediction.get("z", 0) is None) != ("z_missing" in prediction):
            self.bad.append(f"{where}: z_missing says why z is null, and only then")
        for key in ("claim", "quantity", "index", "relation", "value", "verdict"):
            if key not in prediction:
                self.bad.append(f"{where}: lacks {key}")
        if prediction.get("quantity") not in self.page.quantities:
            self.bad.append(f"{where}: {prediction.get('quantity')} is no documented quantity")
        form = prediction.get("value")
        if is_exact(form):
            check_fraction(where, form["value"], form["exact"], self.bad)


def read_csv(where, text, columns, bad):
    rows = list(csv.reader(io.StringIO(text)))
    if not rows or rows[0] != columns:
        bad.append(f"{where}: the columns are {','.join(rows[0] if rows else [])}, "
                   f"not {','.join(columns)}")
        return []
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(columns):
            bad.append(f"{where}:{number}: {len(row)} fields")
    if len(rows) == 1:
        bad.append(f"{where}: no rows")
    return [dict(zip(columns, row)) for row in rows[1:]]


def check_rows(page, where, rows, bad):
    """What holds for every row of results, whatever was asked."""
    for number, row in enumerate(rows, 2):
        here = f"{where}:{number}"
        index = page.quantities.get(row["quantity"])
        if index is None:
            bad.append(f"{here}: {row['quantity']} is no documented quantity")
        elif (len(row["index"].split()) < 2 if index == "tokens, then from 0" else
              len(row["index"].split()) != {"": 0, "tokens": len(row["index"].split())}.get(
                  index, 2 if "then" in index else 1)):
            bad.append(f"{here}: {row['quantity']} has the index '{row['index']}'")
        if row["method"] not in METHODS:
            bad.append(f"{here}: {row['method']} is no documented method")
        for column in ("value", "stderr", "ci95_low", "ci95_high", "predicted", "z", "bound"):
            text = row[column]
            if column == ("bound" if row["method"] == "bound" else "value") and not text:
                bad.append(f"{here}: no {column}")
            if column == ("value" if row["method"] == "bound" else "bound") and text:
                bad.append(f"{here}: a row of method {row['method']} has a {column}")
            if text and (not NUMBER.fullmatch(text) or not math.isfinite(float(text))):
                bad.append(f"{here}: {column} is {text}, no finite number")
                return
        if row["value"]:
            check_fraction(here, float(row["value"]), row["exact"], bad)
        if row["bound"]:
            check_fraction(here, float(row["bound"]), row["bound_exact"], bad)
        if row["predicted_exact"]:
            check_fraction(here, float(row["predicted"]), row["predicted_exact"], bad)
        estimate = [bool(row[column]) for column in ("stderr", "ci95_low", "ci95_high")]
        if any(estimate) != all(estimate):
            bad.append(f"{here}: an estimate has stderr, ci95_low and ci95_high")
        check_relation(here, row, bad)


def check_relation(here, row, bad):
    relation = row["relation"]
    if row["method"] in ("bound", "closed-form"):
        if row["predicted"] or row["predicted_exact"]:
            bad.append(f"{here}: a row of method {row['method']} carries predicted")
        if (row["method"] == "bound") != (relation in ("at_most", "at_least")):
            bad.append(f"{here}: method {row['method']} with the relation {relation}")
    elif bool(row["predicted"]) != bool(row["claim"]) or relation not in (
            ("equals",) if row["predicted"] else ("",)):
        bad.append(f"{here}: predicted, claim and the relation equals go together")


def csv_number(row):
    """The Q that a row holds, as JSON writes it."""
    if row["stderr"]:
        return {"mean": float(row["value"]), "stderr": float(row["stderr"]),
                "ci95": [float(row["ci95_low"]), float(row["ci95_high"])]}
    return {"value": float(row["value"]), "exact": row["exact"] or None}


def compare(where, result, walked, rows, bad):
    """JSON and CSV of one question hold the same numbers, closed forms and verdicts."""
    own = {(row["quantity"], row["index"]): csv_number(row) for row in rows
           if row["method"] in ("exact", "simulate")}
    aliases = walked.page.aliases
    printed = {(path, at): q for path, found in walked.numbers.items() if path not in aliases
            for at, q in found.items()}
    if "undefined_trials" in result:
        printed["undefined_trials", ""] = {"value": float(result["undefined_trials"]), "exact": None}
    for place in sorted(set(own) | set(printed)):
        if own.get(place) != printed.get(place):
            bad.append(f"{where}: {place[0]} [{place[1]}] is {printed.get(place)} in JSON and "
                       f"{own.get(place)} in CSV")
    in_csv = []
    for row in rows:
        if not row["claim"]:
            continue
        form = next(pair for pair in (("predicted", "predicted_exact"), ("bound", "bound_exact"), ("value", "exact"))
                    if row[pair[0]])
        in_csv.append((row["claim"], row["quantity"], row["index"], row["relation"],
                       float(row[form[0]]), row[form[1]] or None, row["verdict"],
                       float(row["z"]) if row["z"] else None))
    in_json = []
    for form in result["predictions"]:
        verdict = "" if form["verdict"] == "not compared" else form["verdict"]
        in_json.append((form["claim"], form["quantity"],
                        "" if form["index"] is None else str(form["index"]), form["relation"],
                        form["value"]["value"], form["value"]["exact"], verdict, form.get("z")))
    for form in set(in_csv) ^ set(in_json):
        bad.append(f"{where}: the closed form {form} is in one of JSON and CSV only")


def check_estimates(where, result, walked, bad):
    """Shares of plain trials, and their standard errors, to the last digit that a double has."""
    if result["estimator"]["name"] != "plain":
        return
    trials = result["trials"]
    for path in ("iteration.accepted_law", "iteration.tail", "iterations.law", "output.law"):
        for at, q in walked.numbers.get(path, {}).items():
            count = round(q["mean"] * trials)
            if q["mean"] not in (count / trials, 1 - (trials - count) / trials):
                bad.append(f"{where}: {path} [{at}] is {q['mean']!r}, not {count} of {trials}")
            error = math.sqrt(count * (trials - count) / trials) / trials
            if not math.isclose(q["stderr"], error, rel_tol=1e-12, abs_tol=1e-15):
                bad.append(f"{where}: {path} [{at}] has the stderr {q['stderr']!r}, not {error!r}")


def check_share(where, result, bad):
    """The share of the optimum is E[accepted] over a number known by hand, and only lossless verifiers
    have one."""
    share = result["iteration"].get("share_of_optimum")
    drafts = DRAFTS.get(result["verifier"])
    if drafts is None or result["pair"] != TOY:
        if share is not None:
            bad.append(f"{where}: {result['verifier']} has a share of an optimum that bounds it not")
        return
    if share is None:
        bad.append(f"{where}: lacks iteration.share_of_optimum")
        return
    accepted = result["iteration"]["expected_accepted"]
    optimum = OPTIMA[result["gamma"], drafts]
    if share.get("exact") and Fraction(share["exact"]) * optimum != Fraction(accepted["exact"]):
        bad.append(f"{where}: the share {share['exact']} of {optimum} is not {accepted['exact']}")
    for key in {"value", "mean", "stderr"} & set(share):
        if not math.isclose(share[key] * optimum, accepted[key], rel_tol=1e-9):
            bad.append(f"{where}: the share's {key} {share[key]} of {optimum} is not {accepted[key]}")


def check_outcomes(where, result, bad):
    """The law of the first iteration gives that of its accepted tokens."""
    law = result["iteration"].get("law", [])
    keys = {"draft", "tokens", "accepted", "end", "probability"}
    if not all(set(outcome) == keys for outcome in law):
        bad.append(f"{where}: iteration.law has an undocumented key or lacks one")
        return
    for tau, q in enumerate(result["iteration"]["accepted_law"] if law else []):
        total = sum(o["probability"]["value"] for o in law if o["accepted"] == tau)
        if not math.isclose(total, q["value"], abs_tol=1e-12):
            bad.append(f"{where}: iteration.law has {total} with {tau} accepted, not {q['value']}")


def check_question(page, name, texts, bad):
    simulated = name.startswith("simulate")
    document = read_json(name + ".json", texts[name + ".json"], bad)
    for key, value in document.items():
        if key not in page.keys:
            bad.append(f"{name}.json: the key {key} is not documented")
        elif not TYPES[page.keys[key][1]](value):
            bad.append(f"{name}.json: {key} is no {page.keys[key][1]}")
    if document.get("schema") != 2:
        bad.append(f"{name}.json: schema is {document.get('schema')}")
    rows = read_csv(name + ".csv", texts[name + ".csv"], page.columns, bad)
    check_rows(page, name + ".csv", rows, bad)
    left = list(rows)
    for i, result in enumerate(document.get("results", [])):
        where = f"{name}.json: results[{i}]"
        walked = Result(page, where, result, simulated, bad)
        place = [str(result.get(key)) for key in ("pair", "verifier", "gamma")]
        if simulated:
            place += [str(result.get("trials")), str(result.get("seed"))]
        names = ["pair", "verifier", "gamma", "trials", "seed"][: len(place)]
        own = [row for row in left if [row[n] for n in names] == place]
        left = [row for row in left if row not in own]
        try:
            compare(where, result, walked, own, bad)
            check_share(where, result, bad)
            check_outcomes(where, result, bad)
            if simulated:
                check_estimates(where, result, walked, bad)
        except (KeyError, TypeError) as problem:
            bad.append(f"{where}: cannot be compared: {problem!r}")
    if left and document.get("results"):
        bad.append(f"{name}.csv: {len(left)} rows are of no result in JSON")


def check_run(page, texts, bad):
    rows = read_csv("all.csv", texts["all.csv"], ["experiment", "task", "vary", *page.columns], bad)
    check_rows(page, "all.csv", rows, bad)
    tasks = {"law", "runs", "forms", "sum", "trained", "gain"}
    if rows and {row["task"] for row in rows} != tasks:
        bad.append(f"all.csv: the tasks are {sorted({row['task'] for row in rows})}")
    if rows and {row["method"] for row in rows} != METHODS:
        bad.append(f"all.csv: the methods are {sorted({row['method'] for row in rows})}")
    if any(row["experiment"] != "all" for row in rows):
        bad.append("all.csv: a row of another experiment")
    expected = read_csv("all.expected.csv", texts["all.expected.csv"], page.expected, bad)
    if [(row["printed"], row["exact"], row["verdict"]) for row in expected] != [
            ("1/9", "1/9", "reproduced")]:
        bad.append(f"all.expected.csv: {expected}")
    manifest = read_json("manifest.json", texts["manifest.json"], bad)
    if set(manifest) != set(page.manifest):
        bad.append(f"manifest.json: keys {sorted(set(manifest) ^ set(page.manifest))} are in one of "
                   "the file and the page only")
    for key in set(manifest) & set(page.manifest):
        if not TYPES[page.manifest[key]](manifest[key]):
            bad.append(f"manifest.json: {key} is no {page.manifest[key]}")


def check_listings(page, texts, bad):
    columns = [row["column"] for row in read_json("columns", texts["columns"], bad)["columns"]]
    if columns != page.columns:
        bad.append(f"the page's columns are {page.columns}, the program's {columns}")
    known = {row["quantity"] for row in read_json("quantities", texts["quantities"], bad)["quantities"]}
    for path in sorted(known ^ set(page.quantities)):
        bad.append(f"the quantity {path} is in one of the page and the program only")


def problems(texts):
    bad = []
    page = Page(texts)
    check_listings(page, texts, bad)
    for name in QUESTIONS:
        check_question(page, name, texts, bad)
    check_run(page, texts, bad)
    return bad


# ---- outputs ------------------------------------------------------------------------------------
def made(program, docs):
    """Every text that is checked, by name."""

    def ask(*words, cwd=None):
        done = subprocess.run([program, *words], capture_output=True, text=True, cwd=cwd, timeout=300)
        if done.returncode != 0:
            raise SystemExit(f"speclab {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
        return done.stdout

    texts = {name: (docs / name).read_text() for name in ("formats.md", "experiments.md")}
    for name, words in QUESTIONS.items():
        for form in ("json", "csv"):
            texts[f"{name}.{form}"] = ask(*words, "--format", form)
    for name in ("columns", "quantities"):
        texts[name] = ask("list", name, "--format", "json")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "all.toml").write_text(EXPERIMENT)
        ask("run", "all.toml", "--quick", "--results", "found", cwd=folder)
        for name in ("all.csv", "all.expected.csv", "manifest.json"):
            texts[name] = pathlib.Path(folder, "found", name).read_text()
    return texts


# ---- controls -----------------------------------------------------------------------------------
def substitute(name, pattern, replacement, count=1):
    """A fault: the first `count` matches of the pattern in a text, which must be there."""

    def plant(texts):
        text, times = re.subn(pattern, replacement, texts[name], count=count, flags=re.M)
        if not times:
            raise SystemExit(f"controls: nothing in {name} matches {pattern}")
        texts[name] = text

    return plant


def both(*faults):
    def plant(texts):
        for fault in faults:
            fault(texts)

    return plant


def six_digits(match):
    return match.group(1) + f"{float(match.group(2)):.6g}"


# name of the fault, the fault, what must be among the problems found
LONG = r"(\d\.\d{12,})"
CONTROLS = [
    ("a renamed column", substitute("exact-all.csv", "^pair,verifier", "pair,rule"), "the columns are"),
    ("two columns swapped", substitute("simulate-all.csv", "ci95_low,ci95_high", "ci95_high,ci95_low"),
     "the columns are"),
    ("a column of run renamed", substitute("all.csv", "^experiment,task,vary", "experiment,task,sweep"),
     "the columns are"),
    ("a column of the page renamed", substitute("formats.md", r"^\| `z` \|", "| `zscore` |"),
     "the page's columns are"),
    ("a column of expected values renamed",
     substitute("all.expected.csv", "printed,tolerance", "paper,tolerance"), "the columns are"),
    ("a quantity missing in the page", substitute("formats.md", r"^\| `decode.target_calls` .*\n", ""),
     "decode.target_calls is in one of"),
    ("a quantity that nobody documented", substitute("exact-all.csv", "decode.rejections", "decode.noes"),
     "decode.noes is no documented quantity"),
    ("a number of CSV cut to 6 digits", substitute("exact-double.csv", r"(,exact,[a-z_.]+,,)" + LONG,
                                                   six_digits), "in JSON and"),
    ("a number of JSON cut to 6 digits", substitute("exact-double.json", r'("value": )' + LONG,
                                                    six_digits), "in JSON and"),
    ("a fraction's number cut to 6 digits in both",
     both(substitute("exact-all.csv", r"(,exact,[a-z_.]+,,)" + LONG, six_digits),
          substitute("exact-all.json", r'("value": )' + LONG, six_digits, count=0)), "is not "),
    ("a share of trials cut to 6 digits in both",
     both(substitute("simulate-all.csv", r"(accepted_law,\d,)" + LONG, six_digits, count=0),
          substitute("simulate-all.json", r'("mean": )' + LONG, six_digits, count=0)), "of 997"),
    ("standard errors cut to 6 digits", substitute("simulate-all.json", r'("stderr": )' + LONG,
                                                   six_digits, count=0), "has the stderr"),
    ("an undocumented key", substitute("exact-all.json", '"gamma"', '"seed_of_luck": 1, "gamma"'),
     "the key seed_of_luck is not documented"),
    ("an undocumented key within a group",
     substitute("simulate-all.json", '"tail"', '"head": [], "tail"'), "iteration.head is not documented"),
    ("an undocumented key at the top", substitute("exact-all.json", '"schema"', '"by": 1, "schema"'),
     "the key by is not documented"),
    ("an undocumented key of a prediction",
     substitute("exact-all.json", '"claim"', '"paper": "", "claim"'), "the key paper is not documented"),
    ("an undocumented key of a Q", substitute("exact-all.json", '"exact": "2/3"', '"exact": "2/3", "e": 1'),
     "is no Q"),
    ("an undocumented key of a law given a draft",
     substitute("exact-all.json", r'"law": \[', '"masses": ['), "law_given_draft has an undocumented"),
    ("a number of a law given a draft left out",
     substitute("exact-all.csv", r"^.*,iteration.law_given_draft,0 1 2,.*\n", ""),
     "iteration.law_given_draft [0 1 2] is"),
    ("an undocumented key of an outcome of the iteration",
     substitute("exact-all.json", '"end"', '"stop"'), "iteration.law has an undocumented key"),
    ("an outcome of the iteration with another number accepted",
     substitute("exact-all.json", r'"accepted": 1,', '"accepted": 0,'), "with 0 accepted, not"),
    ("a key that the page lists left out", substitute("simulate-all.json", r'"threads": \d+,', ""),
     "lacks threads"),
    ("another schema", substitute("exact-all.json", '"schema": 2', '"schema": 3'), "schema is 3"),
    ("a number as text", substitute("simulate-all.json", r'"trials": 997', '"trials": "997"'),
     "trials is no whole number"),
    ("NaN in JSON", substitute("exact-double.json", r'"value": [\d.]+', '"value": NaN'), "NaN is no number"),
    ("nan in CSV", substitute("exact-double.csv", r"(,exact,[a-z_.]+,,)[\d.]+", r"\1nan"),
     "no finite number"),
    ("an infinite number in CSV", substitute("exact-double.csv", r"(,exact,[a-z_.]+,,)[\d.]+", r"\g<1>1e999"),
     "no finite number"),
    ("a fraction that is another number", substitute("exact-all.json", '"exact": "2/3"', '"exact": "3/4"'),
     "is not 3/4"),
    ("a bound as predicted",
     substitute("exact-all.csv", r"(,bound,[a-z_.]+,{9}),", r"\g<1>1.5,"),
     "of method bound carries predicted"),
    ("a bound that must be equalled", substitute("exact-all.csv", r"bound holds,at_most", "agrees,equals"),
     "method bound with the relation equals"),
    ("a null without a note", substitute("simulate-missing.json", r'"notes": \[[^\]]*\]', '"notes": []'),
     "no note says why"),
    ("a second path with another number",
     substitute("exact-all.json", r'("block_efficiency": \{\s*"value": )[\d.]+(,\s*"exact": )"[^"]*"',
                r"\g<1>1.5\g<2>null"), "block_efficiency is not decode.acceptance_length"),
    ("a share of another optimum", substitute("exact-all.json", r'("share_of_optimum": \{\s*"value": )[^}]*\}',
                                              r'\g<1>0.75, "exact": "3/4"}'), "the share 3/4 of"),
    ("a share's mean by another optimum",
     substitute("simulate-all.json", r'("share_of_optimum": \{\s*"mean": )[\d.]+', r"\g<1>0.75"),
     "the share's mean 0.75 of"),
    ("a share left out", substitute("exact-double.json", r',\s*"share_of_optimum": \{[^}]*\}', ""),
     "lacks iteration.share_of_optimum"),
    ("a share of a verifier that is not lossless",
     substitute("exact-undefined.json", '"accepted_law"',
                '"share_of_optimum": {"value": 1.0, "exact": "1"}, "accepted_law"'), "bounds it not"),
    ("a row of CSV left out", substitute("simulate-all.csv", r"^.*,decode.target_calls,.*\n", ""),
     "decode.target_calls [] is"),
    ("a closed form left out", substitute("exact-all.csv", r"^.*,bound,.*\n", ""), "in one of JSON and CSV"),
    ("a key of the manifest left out", substitute("manifest.json", r'"host": "[^"]*",', ""),
     "keys ['host']"),
]


def controls(texts):
    failures = 0
    for problem in problems(texts):
        print(f"without a fault: {problem}")
        failures += 1
    for name, plant, wanted in CONTROLS:
        doctored = dict(texts)
        plant(doctored)
        found = problems(doctored)
        if not any(wanted in problem for problem in found):
            print(f"{name}: not found; of {len(found)} problems none says '{wanted}'")
            for problem in found[:3]:
                print(f"    {problem}")
            failures += 1
    print(f"{len(CONTROLS)} faults planted, {failures} problems")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, required=True, help="the built speclab")
    parser.add_argument("--docs", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2] / "docs")
    parser.add_argument("--controls", action="store_true", help="plant faults and find them")
    arguments = parser.parse_args()
    texts = made(str(arguments.program.resolve()), arguments.docs)
    if arguments.controls:
        return controls(texts) > 0
    found = problems(texts)
    for problem in found:
        print(problem)
    print(f"{len(found)} problems")
    return len(found) > 0


if __name__ == "__main__":
    sys.exit(main())

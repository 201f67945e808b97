"""The zoo of speculative decoding: static pages of everything that `speclab list` knows.

    python3 site/zoo.py --program build/release/speclab --output build/site

No fact stands here or in templates/: names, statements, verdicts and numbers are what the program prints as JSON. A page's
path is made of an id (claim/ID.html, verifier/NAME.html, ...) and never changes; site/permalinks.txt has all that were
published. Numbers of the standard pairs are computed when the pages are made.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.parse

import jinja2
import markupsafe

VERSION = "zoo v1"
LISTS = ("verifiers", "claims", "papers", "engines", "faults", "pairs", "implications", "proofs", "theorems", "experiments")
# The pairs on which every verifier's acceptance is shown; their words are the program's own.
STANDARD = ("bernoulli(draft=2/3,target=1/3)", "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])",
            "tree(vocabulary=3,depth=2,seed=8,denominator=12)")
GAMMA = 2
MOST_PATHS = 100_000  # a question with more sequences of decisions is refused, with the program's own message


def exact_words(verifiers, pair, gamma, horizon):
    """The question whose answer the law of a verifier on a pair is."""
    common = ["--pair", pair, "--gamma", str(gamma), "--horizon", str(horizon), "--iterations", "1", "--max-paths", str(MOST_PATHS)]
    return ["exact", *common, *(word for verifier in verifiers for word in ("--verifier", verifier)), "--format", "json"]


class Program:
    """The native program, asked in its own words."""

    def __init__(self, path):
        self.path = path
        self.version = self.text("--version").strip()

    def text(self, *words):
        done = subprocess.run([self.path, *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip() or f"{self.path} {' '.join(words)} has the exit code {done.returncode}")
        return done.stdout

    def rows(self, what):
        try:
            return json.loads(self.text("list", what, "--format", "json"))[what]
        except (ValueError, KeyError):
            raise RuntimeError(f"{self.path} does not list {what}; give a speclab of this version") from None

    def exact(self, verifiers, pair, gamma=GAMMA, horizon=GAMMA + 1):
        """Of every verifier P(tau >= i), E[tau], E[N(1)] and TV on a pair, or why the program refuses it."""
        try:
            results = json.loads(self.text(*exact_words(verifiers, pair, gamma, horizon)))["results"]
        except RuntimeError as error:
            if len(verifiers) == 1:
                return [{"pair": pair, "refused": str(error).removeprefix("speclab: ")}]
            return [law for verifier in verifiers for law in self.exact([verifier], pair, gamma, horizon)]
        return [{"pair": pair, "refused": "", "tail": result["iteration"]["tail"], "mean": result["iteration"]["expected_accepted"],
                 "undefined": result["iteration"]["undefined_mass"], "tokens": result["iterations"]["expected_tokens"][0],
                 "horizon": horizon, "tv": result.get("output", {}).get("tv_to_target"),
                 "words": exact_words([verifier], pair, gamma, horizon)}
                for verifier, result in zip(verifiers, results)]

    def checks(self, claims):
        """{claim: a question about it in small, and what the program answers}: its counterexample, else the first standard pair,
        else its quick check where it is about instances of its own."""
        own = {row["claim"]: row for row in json.loads(self.text("verify", "--pair", STANDARD[0], "--format", "json"))["own-pair"]}

        def check(claim):
            name, row = claim["claim"], own[claim["claim"]]
            if claim["counterexample_pair"]:
                words = ["verify", "--claim", name, "--pair", claim["counterexample_pair"]]
                found = claim["counterexample"].replace("; smallest counterexample", "")
                if found in " ".join(self.text(*words).split()):
                    return {"words": words, "page": found, "pair": claim["counterexample_pair"]}
            elif not claim["counterexample"] and row["verdict"] != "not asked":
                return {"words": ["verify", "--claim", name, "--pair", STANDARD[0]], "page": row["evidence"], "pair": STANDARD[0]}
            words = ["verify", "--claim", name, "--quick", "--format", "json"]
            result = next(each for each in json.loads(self.text(*words))["claims"] if each["id"] == name)
            return {"words": words, "page": result["evidence"][0]["detail"], "pair": ""}

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return dict(zip((claim["claim"] for claim in claims), pool.map(check, claims)))


def slug(name):
    """A name as part of a path: "SGLang on CPU, ROCm" is sglang-on-cpu-rocm."""
    return re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-")


def soft(text):
    """The text with places in its long words, such as spec text, where a line may end."""
    def parts(word):
        pieces = re.split(r"(?<=[,()\[\]=/_.;])(?=[^,()\[\]=/_.;])", word) if len(word) > 16 else [word]
        return markupsafe.Markup("<wbr>").join(pieces)
    return markupsafe.Markup(" ").join(parts(word) for word in str(text).split(" "))


def number(quantity):
    """A quantity as "11/9", or in six digits where its fraction is long or there is none."""
    if quantity["exact"] is not None and len(quantity["exact"]) <= 24:
        return quantity["exact"]
    return f"{quantity['value']:.6g}"


def acceptance(law):
    """The line below the picture of a law; static/here.js writes it in the same way."""
    tv = f"; TV({law['horizon']} tokens, target) = {number(law['tv'])}" if law["tv"] else ""
    return (f"P(tau ≥ i): {', '.join(number(q) for q in law['tail'])}; E[tau] = {number(law['mean'])}; "
            f"E[N(1)] = {number(law['tokens'])}{tv}")


def status(claim):
    """The class of a claim: its verdict, "repaired" where another object stands in place of a refuted one."""
    return "repaired" if claim["verdict"] == "refuted" and claim["repaired_by"] else claim["verdict"]


def grouped(rows, *keys):
    """{value of a key: rows that have it}, of keys whose values may be lists."""
    groups = collections.defaultdict(list)
    for row in rows:
        for key in keys:
            values = row[key] if isinstance(row[key], list) else [row[key]]
            for value in values:
                if value and row not in groups[value]:
                    groups[value].append(row)
    return groups


def parts(sets):
    """The unions of sets that have something in common, in the order of their first."""
    unions = []
    for each in map(set, sets):
        for union in [union for union in unions if union & each]:
            unions.remove(union)
            each |= union
        unions.append(each)
    return unions


def graphs(claims, steps, theorems, root):
    """What a paper concludes from what, drawn by Graphviz, a picture for each part; the colours are the style sheet's."""
    linked = [{step["conclusion"], *step["premises"]} for step in steps]
    known = set().union(*linked)
    shared = [known.intersection(theorem["claims"]) for claim in known for theorem in theorems.get(claim, [])]
    return [graph(claims, [step for step in steps if step["conclusion"] in part], theorems, root, sorted(part))
            for part in parts(linked + sorted(map(sorted, shared)))]


def graph(claims, steps, theorems, root, ids):
    lines = ["digraph zoo { bgcolor=transparent; rankdir=TB; nodesep=0.15; ranksep=0.35;",
             'node [shape=box, style=rounded, fontname="sans-serif", fontsize=11, height=0.3, margin="0.08,0.04"];',
             "edge [arrowsize=0.6];"]
    quote = json.dumps
    for claim in ids:
        label = claim.split(".", 1)[1]
        lines.append(f'{quote(claim)} [label={quote(label)}, class={quote(status(claims[claim]))}, '
                     f'URL={quote(root + "claim/" + claim + ".html")}, tooltip={quote(claims[claim]["statement"])}];')
        for theorem in theorems.get(claim, []):
            lines.append(f'{quote("coq " + theorem["theorem"])} [label={quote(theorem["theorem"])}, shape=note, style="", '
                         f'class="coq", tooltip={quote(theorem["what_is_proved"])}];')
            lines.append(f'{quote("coq " + theorem["theorem"])} -> {quote(claim)} '
                         f'[class={quote("refutes" if theorem["refutes"] else "proves")}, arrowhead={"tee" if theorem["refutes"] else "dot"}];')
    for step in steps:
        for premise in step["premises"]:
            lines.append(f'{quote(premise)} -> {quote(step["conclusion"])} [tooltip={quote(step["where"])}, '
                         f'class={quote("fails" if step["the_step_fails"] else "step")}];')
    drawn = subprocess.run(["dot", "-Tsvg"], input="\n".join([*lines, "}"]), capture_output=True, text=True, check=True).stdout
    drawn = drawn[drawn.index("<svg"):]
    # Colours are the style sheet's, names of nodes are in their links: what is left out halves the size.
    drawn = re.sub(r'<!--.*?-->\n?|<title>.*?</title>\n?| (?:fill|stroke|font-family|id|xlink:title|target)="[^"]*"', "", drawn, flags=re.S)
    drawn = drawn.replace("xlink:href", "href").replace('xmlns:xlink="http://www.w3.org/1999/xlink"', "")
    return markupsafe.Markup(drawn)


class Zoo:
    def __init__(self, program, lists):
        self.program, self.lists = program, lists
        rows = lists["verifiers"]
        by_pair = [program.exact([row["example"] for row in rows], pair) for pair in STANDARD]
        self.laws = {row["name"]: [laws[i] for laws in by_pair] for i, row in enumerate(rows)}
        rules = list(dict.fromkeys(row["rule"] for row in lists["engines"] if row["rule"]))
        self.law_of_rule = dict(zip(rules, program.exact(rules, STANDARD[1])))
        # On the pair that shows a fault: the right verifier, then the fault.
        self.laws_of_fault = {row["fault"]: program.exact([row["fault_of"], row["fault"]], row["pair"], row["gamma"], row["gamma"] + 2)
                              for row in lists["faults"]}
        self.check_of = program.checks(lists["claims"])
        claims = {row["claim"]: row for row in lists["claims"]}
        verifiers = {row["name"]: row for row in lists["verifiers"]}
        papers = {}
        for item in lists["papers"]:
            papers.setdefault(item["paper"], {"key": item["paper"], "title": item["title"], "authors": item["authors"],
                                              "year": item["year"], "items": []})["items"].append(item)
        self.claims, self.verifiers, self.papers = claims, verifiers, papers
        self.engines = grouped(lists["engines"], "engine")
        self.engines_of = grouped(lists["engines"], "verifier")
        self.theorems_of = grouped(lists["theorems"], "claims")
        self.proofs_of = grouped(lists["proofs"], "verifier", "other_verifier")
        self.proofs_of_claim = grouped(lists["proofs"], "claim")
        self.items_of = grouped(lists["papers"], "claims", "verifiers")
        self.faults = grouped(lists["faults"], "name")
        self.engines_with = grouped(lists["engines"], "faults")
        self.experiments = {row["experiment"]: row for row in lists["experiments"]}
        self.items_of_experiment = grouped(lists["papers"], "experiments")
        self.faults_of = grouped([row for row in lists["verifiers"] if row["right_verifier"]], "right_verifier")
        self.planted_in = grouped(lists["faults"], "planted_elsewhere")
        self.concluded = grouped(lists["implications"], "conclusion")
        self.used = grouped(lists["implications"], "premises")
        self.steps_of_paper = collections.defaultdict(list)
        for step in lists["implications"]:
            self.steps_of_paper[claims[step["conclusion"]]["paper"]].append(step)

    def claims_of(self, name):
        """The claims that stand beside a verifier in a paper's table or are proved of it, once each."""
        found = [claim for item in self.items_of[name] for claim in item["claims"]]
        found += [proof["claim"] for proof in self.proofs_of[name]]
        return [self.claims[claim] for claim in dict.fromkeys(found)]

    def theorems_beside(self, name):
        """The machine-checked theorems of those claims, once each."""
        found = {theorem["theorem"]: theorem for claim in self.claims_of(name) for theorem in self.theorems_of[claim["claim"]]}
        return list(found.values())

    @staticmethod
    def questions(laws):
        """What "run it here" asks about laws, and the lines that the page has of them."""
        return [{"words": law["words"], "page": acceptance(law)} for law in laws if not law["refused"]]

    def entries(self):
        """Every page: (path, template, what it is of)."""
        made = []
        for claim in self.lists["claims"]:
            made.append((f"claim/{claim['claim']}.html", "claim.html", {"claim": claim}))
        for row in self.lists["verifiers"]:
            kind = "fault" if row["right_verifier"] and row["name"] in self.faults else "verifier"
            made.append((f"{kind}/{row['name']}.html", f"{kind}.html", {"verifier": row}))
        for paper in self.papers.values():
            drawn = graphs(self.claims, self.steps_of_paper[paper["key"]], self.theorems_of, "../")
            made.append((f"paper/{paper['key']}.html", "paper.html", {"paper": paper, "graphs": drawn}))
        for engine, options in self.engines.items():
            made.append((f"engine/{slug(engine)}.html", "engine.html", {"engine": engine, "options": options}))
        for pair in self.lists["pairs"]:
            made.append((f"pair/{pair['name']}.html", "pair.html", {"pair": pair}))
        for name, experiment in self.experiments.items():
            made.append((f"experiment/{name}.html", "experiment.html", {"experiment": experiment, "drawn_from": drawn_from(name)}))
        return made


GALLERY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../plots/gallery")


def drawn_from(experiment):
    """What the gallery's figure of an experiment says that it was drawn from; "" where there is none."""
    path = os.path.join(GALLERY, experiment + ".svg")
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return re.search(r"<dc:description>(.*?)</dc:description>", file.read(), flags=re.S).group(1)


def bibtex(path, title, url):
    key = "zoo:" + path.removesuffix(".html").replace("/", ":")
    place = f"  url = {{{url.rstrip('/')}/{path}}},\n" if url else ""
    return (f"@misc{{{key},\n  title = {{{title}}},\n  author = {{{{The speclab developers}}}},\n"
            f"  howpublished = {{The zoo of speculative decoding, {VERSION}, {path}}},\n{place}}}")


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def make(arguments):
    here = os.path.dirname(os.path.abspath(__file__))
    program = Program(os.path.abspath(arguments.program))
    zoo = Zoo(program, {what: program.rows(what) for what in LISTS})
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(os.path.join(here, "templates")), autoescape=True,
                                     trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters.update(soft=soft, number=number, slug=slug, status=status, quote=urllib.parse.quote, acceptance=acceptance)
    shutil.rmtree(arguments.output, ignore_errors=True)
    shutil.copytree(os.path.join(here, "static"), arguments.output)
    shutil.copytree(GALLERY, os.path.join(arguments.output, "gallery"),
                    ignore=lambda _, names: [name for name in names if not name.endswith(".svg")])
    if arguments.core:
        shutil.copytree(arguments.core, os.path.join(arguments.output, "core"))
    common = {"zoo": zoo, "version": VERSION, "program": program.version, "gamma": GAMMA, "issues": arguments.issues,
              "core": bool(arguments.core)}
    pages = zoo.entries()
    for path, template, what in pages:
        text = environment.get_template(template).render(
            **common, **what, path=path, root="../", bibtex=lambda title, path=path: bibtex(path, title, arguments.url))
        write(os.path.join(arguments.output, path), text)
    drawn = [(key, graphs(zoo.claims, zoo.steps_of_paper[key], zoo.theorems_of, "")) for key in zoo.papers]
    front = environment.get_template("front.html").render(**common, path="index.html", root="", drawn=drawn)
    write(os.path.join(arguments.output, "index.html"), front)
    write(os.path.join(arguments.output, "permalinks.txt"), "".join(sorted(path + "\n" for path, _, _ in pages)))
    print(f"{os.path.join(arguments.output, 'index.html')}: {len(pages)} pages, front page {len(front.encode())} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="the built program")
    parser.add_argument("--output", required=True, help="the folder to write, replaced as a whole")
    parser.add_argument("--core", default="", help="the folder of the program compiled to WebAssembly (site/core/build.sh)")
    parser.add_argument("--url", default="", help="where the site will be, for citations")
    parser.add_argument("--issues", default="", help="where issues are opened, such as https://HOST/OWNER/NAME/issues/new")
    try:
        make(parser.parse_args())
    except (RuntimeError, OSError, subprocess.CalledProcessError, ValueError) as error:
        sys.exit(f"zoo: {error}")


if __name__ == "__main__":
    main()

"""What a run amounted to, in tables of Markdown."""

import collections
import pathlib
import tomllib

HERE = pathlib.Path(__file__).resolve().parent


def reasons():
    with open(HERE / "survivors.toml", "rb") as opened:
        rows = tomllib.load(opened).get("survivor", [])
    return {(row["file"], row["kind"], row["line"]): row for row in rows}


def report(results, dropped):
    """The tables in Markdown; whether every survivor has its reason."""
    known, unknown = reasons(), []
    for row in results:
        if row["fate"] == "survived":
            reason = known.get((row["file"], row["kind"], row["says"]))
            row["fate"] = reason["verdict"] if reason else "unexplained"
            if not reason:
                unknown.append(row)
    fates = ["killed", "timed out", "equivalent", "argued", "unexplained"]
    for title, key in (("Room", lambda row: row["file"].split("/")[1]), ("Fault", lambda row: row["kind"])):
        counts = collections.defaultdict(collections.Counter)
        for row in results:
            counts[key(row)][row["fate"]] += 1
            counts["all"][row["fate"]] += 1
        print(f"\n| {title} | Faults | " + " | ".join(fate.capitalize() for fate in fates) + " |")
        print("| --- " * (len(fates) + 2) + "|")
        for name in sorted(counts, key=lambda name: (name == "all", name)):
            row = counts[name]
            print(f"| {name} | {sum(row.values())} | " + " | ".join(str(row[fate]) for fate in fates) + " |")
    total = counts["all"]
    killed = total["killed"] + total["timed out"]
    print(f"\n{killed} of {sum(total.values())} killed ({100 * killed / max(1, sum(total.values())):.1f}%), "
          f"{total['equivalent']} of the others are equivalent; {len(dropped)} more did not compile")
    for row in unknown:
        print(f"survived without a reason: {row['file']}:{row['line']}: {row['kind']}: {row['says']} "
              f"({row['ran']} of {row['of']} tests)")
    return not unknown

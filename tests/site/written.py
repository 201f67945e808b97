"""written.py ROOT: the numbers that site/static/here.js writes are those that site/zoo.py writes on a page, of all sizes, with
and without a fraction. Needs Node.
"""

import json
import random
import subprocess
import sys
from pathlib import Path

root = Path(sys.argv[1])
sys.path.insert(0, str(root / "site"))
import zoo  # noqa: E402

SCRIPT = """
globalThis.document = { currentScript: { src: "" }, querySelectorAll: () => [] };
const { readFileSync } = require("node:fs");
const written = new Function(readFileSync(process.argv[1], "utf8") + "; return written;")();
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(written)));
"""


def quantities():
    values = [0, 1, 5e-5, 1e-4, 9.999995e-5, 0.00012345678, 123456, 999999.4, 999999.5, 1234567, 1e21, 1e-7, 5e-324, 1e300]
    values += [2.0**-k for k in range(40)]  # 2^-9 is half-way between two numbers of six digits
    values += [k + 0.25 for k in range(12345, 12355)] + [k + 0.75 for k in range(12345, 12355)]
    drawn = random.Random(1)
    values += [drawn.uniform(1, 10) * 10**drawn.randint(-9, 9) for _ in range(2000)]
    values += [-value for value in values if value]
    yield from ({"exact": None, "value": value} for value in values)
    yield {"exact": "1/3", "value": 1 / 3}
    yield {"exact": "1" * 12 + "/" + "3" * 11, "value": 10 / 3}
    yield {"exact": "1" * 12 + "/" + "3" * 12, "value": 1 / 3}


asked = list(quantities())
done = subprocess.run(["node", "-e", SCRIPT, str(root / "site/static/here.js")], input=json.dumps(asked), capture_output=True,
                      text=True, check=False)
if done.returncode:
    sys.exit(done.stderr)
faults = [f"{one}: the page has {zoo.number(one)}, here.js writes {here}"
          for one, here in zip(asked, json.loads(done.stdout), strict=True) if here != zoo.number(one)]
print("\n".join(faults[:20] + [f"{len(asked)} numbers, {len(faults)} written otherwise than on the page"]))
sys.exit(1 if faults else 0)

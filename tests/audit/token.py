"""Token verification behind the line protocol: python3 token.py [draft-bonus|target-correction]."""
import json
import random
import sys


def verify(tokens, draft, target, rng, fault):
    """One decision: the accepted tokens, then the correction or the bonus."""
    for i, token in enumerate(tokens):
        if not rng.random() * draft[i][token] < target[i][token]:
            weights = [max(t - d, 0) for t, d in zip(target[i], draft[i])]
            if fault == "target-correction":
                weights = target[i]
            return tokens[:i] + rng.choices(range(len(weights)), weights)
    weights = draft[-1] if fault == "draft-bonus" else target[-1]
    return tokens + rng.choices(range(len(weights)), weights)


def main():
    fault = sys.argv[1] if len(sys.argv) > 1 else ""
    assert json.loads(sys.stdin.readline())["protocol"] == 1
    print(json.dumps({"protocol": 1}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if "end" in request:
            break
        rng = random.Random(request["seed"])
        tokens = [
            verify(request["draft_tokens"], request["draft_probs"], request["target_probs"], rng, fault)
            for _ in range(request["count"])
        ]
        accepted = [len(list_of_one) - 1 for list_of_one in tokens]
        print(json.dumps({"id": request["id"], "accepted": accepted, "tokens": tokens}), flush=True)


main()

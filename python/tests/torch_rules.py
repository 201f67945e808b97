"""The same five rules on torch tensors, as an engine would write them."""

import torch


def tensors(draft_probs, target_probs, draft_tokens, rng):
    generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
    return (torch.from_numpy(draft_probs), torch.from_numpy(target_probs),
            torch.from_numpy(draft_tokens).long(), generator)


def pick(weights, generator):
    threshold = torch.rand(len(weights), 1, generator=generator, dtype=weights.dtype)
    cumulative = weights.cumsum(1)
    found = (cumulative <= threshold * cumulative[:, -1:]).sum(1)
    last = weights.shape[1] - 1 - (weights.flip(1) > 0).to(torch.uint8).argmax(1)
    return torch.minimum(found, last)


def emit(tokens, accepted, last):
    size, gamma = tokens.shape
    kept = torch.arange(gamma) < accepted[:, None]
    out = torch.full((size, gamma + 1), -1)
    out[:, :gamma] = torch.where(kept, tokens, torch.tensor(-1))
    out.scatter_(1, accepted[:, None], last[:, None])
    return accepted.numpy(), out.numpy()


def ratios(draft, target, tokens):
    index = tokens[:, :, None]
    return (target[:, :-1].gather(2, index) / draft.gather(2, index)).squeeze(2)


def correction(draft, target, accepted, weight, generator):
    everyone = torch.arange(len(target))
    padded = torch.cat([draft, torch.zeros_like(draft[:, :1])], dim=1)
    law = (weight[:, None] * target[everyone, accepted] - padded[everyone, accepted]).clamp(min=0)
    return pick(law, generator)


def token(*arguments):
    draft, target, tokens, generator = tensors(*arguments)
    uniforms = torch.rand(tokens.shape, generator=generator, dtype=draft.dtype)
    accepted = (uniforms < ratios(draft, target, tokens)).long().cumprod(1).sum(1)
    weight = torch.ones(len(tokens), dtype=draft.dtype)
    return emit(tokens, accepted, correction(draft, target, accepted, weight, generator))


def block(*arguments):
    draft, target, tokens, generator = tensors(*arguments)
    size, gamma = tokens.shape
    ratio = ratios(draft, target, tokens)
    weights = [torch.ones(size, dtype=draft.dtype)]
    accepted = torch.zeros(size, dtype=torch.long)
    for i in range(gamma):
        w = (weights[-1] * ratio[:, i]).clamp(max=1)
        weights.append(w)
        if i + 1 < gamma:
            excess = (w[:, None] * target[:, i + 1] - draft[:, i + 1]).clamp(min=0).sum(1)
            coin = torch.where(excess > 0, excess / (excess + 1 - w), torch.zeros_like(w))
        else:
            coin = w
        uniforms = torch.rand(size, generator=generator, dtype=draft.dtype)
        accepted = torch.where(uniforms < coin, torch.tensor(i + 1), accepted)
    weight = torch.stack(weights, dim=1)[torch.arange(size), accepted]
    return emit(tokens, accepted, correction(draft, target, accepted, weight, generator))


def sample_match(*arguments):
    _, target, tokens, generator = tensors(*arguments)
    gamma = tokens.shape[1]
    drawn = torch.stack([pick(target[:, i], generator) for i in range(gamma + 1)], dim=1)
    accepted = (drawn[:, :gamma] == tokens).long().cumprod(1).sum(1)
    return emit(tokens, accepted, drawn.gather(1, accepted[:, None])[:, 0])


def walk(target, drafts, step, generator):
    """Down K drafts: step(position, agrees) -> (token, whether it enters a draft)."""
    size, _, gamma = drafts.shape
    everyone = torch.arange(size)
    agrees = torch.ones(drafts.shape[:2], dtype=torch.bool)
    going = torch.ones(size, dtype=torch.bool)
    accepted = torch.zeros(size, dtype=torch.long)
    out = torch.full((size, gamma + 1), -1)
    for i in range(gamma):
        emitted, enters = step(i, agrees)
        out[going, i] = emitted[going]
        agrees = agrees & (drafts[:, :, i] == emitted[:, None])
        going = going & enters
        accepted += going
    bonus = pick(target[everyone, agrees.to(torch.uint8).argmax(1), gamma], generator)
    out[going, gamma] = bonus[going]
    return accepted.numpy(), out.numpy()


def target_only(*arguments):
    _, target, drafts, generator = tensors(*arguments)
    everyone = torch.arange(len(drafts))

    def step(i, agrees):
        drawn = pick(target[everyone, agrees.to(torch.uint8).argmax(1), i], generator)
        return drawn, (agrees & (drafts[:, :, i] == drawn[:, None])).any(1)

    return walk(target, drafts, step, generator)


def rrs(*arguments):
    draft, target, drafts, generator = tensors(*arguments)
    everyone = torch.arange(len(drafts))

    def step(i, agrees):
        one = agrees.to(torch.uint8).argmax(1)
        law, left = draft[everyone, one, i], target[everyone, one, i]
        found = torch.zeros(len(drafts), dtype=torch.bool)
        emitted = torch.zeros(len(drafts), dtype=torch.long)
        for k in range(drafts.shape[1]):
            x = drafts[:, k, i]
            uniforms = torch.rand(len(x), generator=generator, dtype=law.dtype)
            tried = agrees[:, k] & ~found
            passes = tried & (uniforms * law[everyone, x] < left[everyone, x])
            emitted = torch.where(passes, x, emitted)
            found = found | passes
            rest = (left - law).clamp(min=0)
            rest = rest / rest.sum(1, keepdim=True).clamp(min=1e-300)
            left = torch.where((tried & ~passes)[:, None], rest, left)
        return torch.where(found, emitted, pick(left, generator)), found

    return walk(target, drafts, step, generator)


RIGHT = {
    "token": token,
    "block": block,
    "sample-match": sample_match,
    "target-only(K=2)": target_only,
    "rrs(K=2)": rrs,
}

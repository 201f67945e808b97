"""Functions of the shapes that engines have, right and wrong, for the adapters to load. Written for
these tests; none is an engine's."""

import random

import torch

NOTHING = 0.0  # used by residual_rows: a constant that has to come along


def unused():
    return a_name_that_is_nowhere  # noqa: F821


def residual_rows(target, draft):
    return torch.clamp(target - draft, min=NOTHING)


def _speculative_sampling(candidate_input_ids, candidate_logits, candidate_length, new_logits,
                          is_done_candidate: "a_type_that_is_nowhere"):
    drafted = candidate_input_ids[0, -candidate_length:]
    draft, target = candidate_logits[0].softmax(dim=-1), new_logits[0].softmax(dim=-1)
    steps = torch.arange(candidate_length)
    passes = torch.rand(candidate_length).double() * draft[steps, drafted] < target[steps, drafted]
    matches = passes.long().cumprod(0).sum()
    if matches < candidate_length:
        law = residual_rows(target[matches], draft[matches])
    else:
        law = target[matches]
    last = torch.multinomial(law, 1)
    return torch.cat([drafted[:matches], last])[None], matches


def _speculative_sampling_wrong(candidate_input_ids, candidate_logits, candidate_length, new_logits,
                                is_done_candidate):
    """The correction is drawn from the target."""
    drafted = candidate_input_ids[0, -candidate_length:]
    draft, target = candidate_logits[0].softmax(dim=-1), new_logits[0].softmax(dim=-1)
    steps = torch.arange(candidate_length)
    passes = torch.rand(candidate_length).double() * draft[steps, drafted] < target[steps, drafted]
    matches = passes.long().cumprod(0).sum()
    last = torch.multinomial(target[matches], 1)
    return torch.cat([drafted[:matches], last])[None], matches


def recovered_tokens(output, cu_num_draft_tokens, draft_token_ids, draft_probs, target_probs, q,
                     vocab_size):
    request = torch.searchsorted(cu_num_draft_tokens, torch.arange(len(output)), right=True)
    output[:] = (residual_rows(target_probs, draft_probs) / q[request]).argmax(dim=-1)


def recovered_tokens_wrong(output, cu_num_draft_tokens, draft_token_ids, draft_probs, target_probs,
                           q, vocab_size):
    """Recovered from the target with the refused token struck out."""
    request = torch.searchsorted(cu_num_draft_tokens, torch.arange(len(output)), right=True)
    law = target_probs.scatter(1, draft_token_ids[:, None], 0.0)
    output[:] = (law / q[request]).argmax(dim=-1)


def rejection_sample(output, cu_num_draft_tokens, draft_token_ids, draft_probs, target_probs,
                     bonus_token_ids, recovered_token_ids, uniform_probs, is_greedy, max_spec_len,
                     vocab_size):
    size = len(output)
    ids = draft_token_ids.view(size, max_spec_len)
    draft = draft_probs.gather(1, draft_token_ids[:, None]).view(size, max_spec_len)
    target = target_probs.gather(1, draft_token_ids[:, None]).view(size, max_spec_len)
    passes = uniform_probs.view(size, max_spec_len) * draft < target
    accepted = passes.long().cumprod(1).sum(1)
    last = torch.cat([recovered_token_ids.view(size, max_spec_len), bonus_token_ids], dim=1)
    position = torch.arange(max_spec_len)
    output[:, :max_spec_len][position < accepted[:, None]] = ids[position < accepted[:, None]]
    output.scatter_(1, accepted[:, None], last.gather(1, accepted[:, None]))


def evaluate_posterior(logits, candidates, logits_processor):
    """One-hot verification of a tree of paths: each child in turn with its share of what is left of
    the target."""
    paths, length = candidates.shape
    agrees = torch.ones(paths, dtype=torch.bool)
    best = 0
    for i in range(1, length):
        law = logits_processor(None, logits[best, i - 1]).softmax(dim=-1)
        entered = None
        for x in dict.fromkeys(candidates[agrees, i].tolist()):
            share = float(law[x])
            if share > 0 and random.random() * float(law.sum()) < share:
                entered = x
                break
            law[x] = 0
        if entered is None:
            return torch.tensor(best), i - 1, law / law.sum()
        agrees &= candidates[:, i] == entered
        best = int(agrees.nonzero()[0])
    return torch.tensor(best), length - 1, logits[best, -1].softmax(dim=-1)


def evaluate_posterior_wrong(logits, candidates, logits_processor):
    """The target is drawn from afresh where no child is entered: nothing is struck out."""
    best, accepted, law = evaluate_posterior(logits, candidates, logits_processor)
    return best, accepted, logits[best, accepted].softmax(dim=-1)


def needs_what_is_not_there(x):
    return somewhere_else.f(x)


import somewhere_else  # noqa: E402

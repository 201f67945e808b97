"""Audits: right implementations pass, every fault fails and is found where it is."""

import json
import os
import signal
import threading

import numpy as np
import pytest

import given
import rules
import speclab

try:
    import torch

    import torch_rules

    torch.set_num_threads(1)
except ImportError:
    torch_rules = None

RIGHT = [("numpy", rule, function) for rule, function in rules.RIGHT.items()]
if torch_rules is not None:
    RIGHT += [("torch", rule, function) for rule, function in torch_rules.RIGHT.items()]


@pytest.mark.parametrize("kind, rule, function", RIGHT, ids=[f"{k}-{r}" for k, r, _ in RIGHT])
def test_right_implementations_pass(kind, rule, function):
    verdict = speclab.audit(function, rule)
    assert verdict.passed, str(verdict)
    assert verdict and verdict.verdict == "pass"
    assert 0 < verdict.trials <= 4_000_000
    assert verdict.false_alarm <= 1e-9
    assert verdict.least_power is None or verdict.least_power >= 1 - 1e-6


@pytest.mark.skipif(torch_rules is not None, reason="torch is installed")
def test_torch_is_left_out():
    pytest.skip("torch is not installed: its implementations are not audited")



"""Every fault of faults.py fails its audit and is found where it is."""

import pytest

import faults
import speclab


def off(verdict):
    """What was found off: "accepted", "correction", "bonus" (see faults.py)."""
    kinds = {"accepted length": "accepted", "correction at": "correction", "bonus at": "bonus"}
    return {kind for finding in verdict.findings for start, kind in kinds.items()
            if finding.decision.startswith(start)}


@pytest.mark.parametrize("fault", faults.FAULTS, ids=[each.name for each in faults.FAULTS])
def test_every_fault_is_found_where_it_is(fault):
    verdict = speclab.audit(fault.function, fault.rule)
    assert not verdict.passed
    found = off(verdict)
    assert fault.where[0] in found, str(verdict)
    assert found <= set(fault.where), str(verdict)
    assert {each.resembles for each in verdict.findings} == {fault.resembles}


def test_there_are_enough_of_them_and_their_names_are_their_own():
    names = [each.name for each in faults.FAULTS]
    assert len(set(names)) == len(names) >= 25

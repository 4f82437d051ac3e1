import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from sfumato.errors import DataError, FileError
from sfumato.numerics.arrays import Booleans
from sfumato.tables.audit.audit import audit
from sfumato.tables.audit.certificate import Certificates
from sfumato.tables.audit.certify import certify
from sfumato.tables.audit.verify import verify
from sfumato.tables.problem.problem import Problem
from tests.tables.audited_problems import (
    PRINTED,
    audits,
    crossed,
    make_problem,
    masked,
    reference_problem,
    slides_problem,
)


@pytest.fixture
def certified() -> tuple[Problem, Booleans, Certificates]:
    problem = slides_problem()
    pattern = masked(problem, PRINTED)
    return problem, pattern, certify(problem, pattern)


@given(audits())
def test_a_safe_pattern_has_certificates_that_verify_and_no_other_has_any(drawn: tuple[Problem, Booleans]) -> None:
    problem, suppressed = drawn
    if audit(problem, suppressed).is_safe:
        assert verify(problem, suppressed, certify(problem, suppressed)) == ()
    else:
        with pytest.raises(DataError, match="only a safe pattern can be certified"):
            certify(problem, suppressed)


@given(audits())
def test_an_unsafe_pattern_is_refused_whatever_the_levels_that_were_certified(drawn: tuple[Problem, Booleans]) -> None:
    problem, suppressed = drawn
    none = np.zeros(problem.primaries.size)
    easy = dataclasses.replace(problem, upper_levels=none, lower_levels=none, sliding_levels=none)
    complaints = verify(problem, suppressed, certify(easy, suppressed))
    is_asked = np.max([problem.upper_levels, problem.lower_levels, problem.sliding_levels], axis=0) > 0
    is_target = ~np.all([np.isin(problem.primaries, known) for known in problem.intruders], axis=0)
    assert bool(complaints) == bool((is_asked & is_target).any())


def test_one_witness_serves_many_primaries() -> None:
    values, relations = crossed(np.full((6, 6), 10.0))
    inner = (np.arange(49) % 7 < 6) & (np.arange(49) < 42)
    problem = make_problem(values, relations, np.flatnonzero(inner).tolist(), above=1.0, below=1.0)
    certificates = certify(problem, inner)
    assert verify(problem, inner, certificates) == ()
    assert certificates.intruders.size == 36
    assert certificates.size < 36


def test_survives_a_file(certified: tuple[Problem, Booleans, Certificates], tmp_path: Path) -> None:
    problem, pattern, certificates = certified
    certificates.write(tmp_path / "proof.json")
    read = Certificates.read(tmp_path / "proof.json")
    assert verify(problem, pattern, read) == ()
    assert read.values.tolist() == certificates.values.tolist()
    assert [path.name for path in tmp_path.iterdir()] == ["proof.json"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"values": lambda c: c.values + np.eye(c.values.size)[0]}, "do not add up"),
        ({"values": lambda c: -c.values}, "leave the bounds"),
        ({"values": lambda c: c.values * np.nan}, "hold no number"),
        ({"cells": lambda c: np.where(np.arange(c.cells.size) == 0, 0, c.cells)}, "change a cell that is published"),
        ({"above": lambda c: c.below}, "do not reach the levels of M2, P3"),
        ({"above": lambda c: c.above + 100}, "of another table, or damaged"),
        ({"cells": lambda c: c.cells + 1000}, "of another table, or damaged"),
        ({"starts": lambda c: c.starts[:-1]}, "of another table, or damaged"),
        ({"primaries": lambda c: c.primaries - 1}, "of another table, or damaged"),
    ],
)
def test_tampered_certificates_fail(
    certified: tuple[Problem, Booleans, Certificates], change: dict[str, Any], complaint: str
) -> None:
    problem, pattern, certificates = certified
    changed = {name: tampering(certificates) for name, tampering in change.items()}
    complaints = verify(problem, pattern, dataclasses.replace(certificates, **changed))
    assert complaint in "\n".join(complaints)


def test_certificates_that_leave_a_primary_or_an_insider_out_fail() -> None:
    problem = slides_problem(("M2, P3", "M1, P5"))
    pattern = masked(problem, PRINTED)
    one = certify(slides_problem(("M2, P3",)), pattern)
    assert verify(problem, pattern, one) == ("intruder 0 is not shown to be kept from M1, P5",)
    known = dataclasses.replace(problem, intruders=(*problem.intruders, np.array([problem.names.index("M2, P5")])))
    complaints = verify(known, pattern, certify(problem, pattern))
    assert complaints == ("intruder 1 is not shown to be kept from M1, P5; M2, P3",)


def test_insiders_have_witnesses_that_leave_what_they_know_alone() -> None:
    values, relations = crossed(np.full((3, 3), 10.0))
    inner = np.isin(np.arange(16), [0, 1, 2, 4, 5, 6, 8, 9, 10])
    problem = make_problem(values, relations, [0, 5], above=3.0, below=3.0, insiders=[[1], [6, 8]])
    certificates = certify(problem, inner)
    assert verify(problem, inner, certificates) == ()
    assert {0} < set(certificates.intruders.tolist()) <= {0, 1, 2}
    pairs = list(zip(certificates.intruders.tolist(), certificates.primaries.tolist(), strict=True))
    assert len(pairs) == len(set(pairs))


def test_refuses_to_certify_a_primary_that_is_published() -> None:
    problem = slides_problem(("M2, P3", "M3, P5"))
    with pytest.raises(DataError, match="primaries are published: M3, P5; audit the pattern"):
        certify(problem, masked(problem, PRINTED))


def test_says_what_is_wrong_with_a_file(certified: tuple[Problem, Booleans, Certificates], tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("[1, 2]")
    with pytest.raises(FileError, match=r"other.json is no file of certificates"):
        Certificates.read(tmp_path / "other.json")
    (tmp_path / "later.json").write_text('{"format": 2}')
    with pytest.raises(FileError, match="must hold certificates of format 1; got format 2"):
        Certificates.read(tmp_path / "later.json")
    with pytest.raises(FileError, match="cannot be read: No such file"):
        Certificates.read(tmp_path / "none.json")
    with pytest.raises(FileError, match="cannot be written: there is no folder"):
        certified[2].write(tmp_path / "no folder" / "proof.json")


@pytest.mark.reference
def test_the_optimum_of_a_reference_table_is_certified() -> None:
    problem, patterns = reference_problem("ent_ap")
    certificates = certify(problem, patterns["opt_value"])
    assert verify(problem, patterns["opt_value"], certificates) == ()
    assert certificates.size < problem.primaries.size

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.intruder.coded_columns import equality_codes


def test_amounts_that_differ_in_their_last_bits_stay_apart_in_formats_of_sixteen_digits() -> None:
    residues = np.array([1000.1 + 2.3e-12 * place for place in range(40)])
    written = np.array([float(f"{value:.16g}") for value in residues[::-1]])
    assert (written != residues[::-1]).any()  # some were rounded, and all are told apart
    before, after = equality_codes(residues, written)
    assert len(set(before)) == len(residues)
    assert (after == before[::-1]).all()


@given(st.lists(st.sampled_from([0.0, -0.0, 1.0, 1e300, -1e-300, np.inf, -np.inf, np.nan]), min_size=1))
def test_values_of_every_size_are_equal_to_themselves_alone(values: list[float]) -> None:
    column = np.array([*values, 3.0])
    before, after = equality_codes(np.array(values), column)
    assert (before == after[:-1]).all()
    assert after[-1] not in before

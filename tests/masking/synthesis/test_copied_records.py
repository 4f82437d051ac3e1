import numpy as np

from sfumato.masking.synthesis._sequential.copied_records import copied_records, excess_copies


def test_copies_are_found_by_brute_force() -> None:
    rng = np.random.default_rng(0)
    original, drawn = ({name: rng.integers(0, 6, 60).astype(float) for name in "ab"} for _ in range(2))
    original["a"][:9] = drawn["a"][:5] = np.nan
    rows = [list(zip(np.nan_to_num(file["a"], nan=-1), file["b"], strict=True)) for file in (original, drawn)]
    expected = [rows[0].index(row) if rows[0].count(row) == 1 else -1 for row in rows[1]]
    found, single = copied_records(original, drawn)
    assert found.tolist() == expected
    assert single == sum(rows[0].count(row) == 1 for row in rows[0])


def test_a_file_of_copies_is_refused_but_for_the_share_of_chance() -> None:
    rng = np.random.default_rng(1)
    original, second = ({"x": rng.normal(size=200)} for _ in range(2))
    assert excess_copies(original, original, second, rng).size == 200
    second["x"][:20] = original["x"][:20]
    assert excess_copies(original, original, second, rng).size == 180


def test_copies_by_chance_stay() -> None:
    rng = np.random.default_rng(2)
    original, drawn, second = ({"x": rng.integers(0, 400, 300).astype(float)} for _ in range(3))
    refused = excess_copies(original, drawn, second, rng).size
    assert refused < 0.2 * np.sum(copied_records(original, drawn)[0] >= 0)

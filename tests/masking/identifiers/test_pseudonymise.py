import hashlib
import unicodedata
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.errors import DataError, DocumentError, FileError, ParameterError
from sfumato.masking import Pseudonymise
from sfumato.masking.identifiers import pseudonymise as room
from sfumato.masking.identifiers.pseudonymise import canonical_text, pseudonyms
from sfumato.recipe import Recipe
from tests.data.frames import AsBackend, cells, column

KEY = "a key of more than sixteen bytes"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PSEUDONYM_KEY", KEY)


def masked(data: Microdata, **parameters: Any) -> Microdata:
    given = {"columns": ("x",), "key_variable": "PSEUDONYM_KEY", **parameters}
    return Pseudonymise(**given).mask(data, np.random.default_rng(1))


def nominal(values: list[Any], dtype: Any = None, **description: Any) -> Microdata:
    return column(lambda frame: frame, values, dtype, **({"kind": Kind.NOMINAL} | description))


def hmac_by_its_definition(key: bytes, text: bytes) -> str:
    """RFC 2104: H((key xor opad) + H((key xor ipad) + text)), the key filled up with zeros to 64 bytes."""
    filled = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in filled) + text).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in filled) + inner).hexdigest()


def test_pseudonyms_are_the_hmac_of_the_text_by_its_definition() -> None:
    texts = ["Anna", "Otto", "", "žluťoučký"]
    expected = [hmac_by_its_definition(KEY.encode(), text.encode())[:20] for text in texts]
    assert pseudonyms(texts, KEY.encode(), 20) == expected


def test_the_published_test_vector_comes_out() -> None:  # RFC 4231, test case 2
    assert pseudonyms(["what do ya want for nothing?"], b"Jefe", 64) == [
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ]


def test_a_household_and_a_person_of_the_same_number_share_no_pseudonym() -> None:
    frame = pl.DataFrame({"x": [1, 2, 3], "y": [1, 1, 2]})
    schema = Schema.infer(frame).with_roles(identifier=["x"], household=["y"])
    hidden = cells(masked(Microdata(frame, schema), columns=("x", "y")))
    assert hidden["x"][0] == pseudonyms(["1"], KEY.encode(), 16)[0]
    assert hidden["y"][0] == hidden["y"][1]
    assert not set(hidden["x"]) & set(hidden["y"])


def test_equal_values_get_equal_pseudonyms_across_columns_files_and_types(as_backend: AsBackend) -> None:
    frame = pl.DataFrame({"x": [7, 8, None], "y": [8.0, 7.0, 1.5]})
    first = masked(Microdata(as_backend(frame)), columns=("x", "y"))
    second = masked(nominal(["8", "9"]))
    x, y = cells(first)["x"], cells(first)["y"]
    assert x[0] == y[1]
    assert x[1] == y[0] == second.frame["x"][0]
    assert x[2] is None
    assert len({*x[:2], y[2], second.frame["x"][1]}) == 4
    assert all(len(pseudonym) == 16 and set(pseudonym) <= set("0123456789abcdef") for pseudonym in y)


def test_another_key_gives_other_pseudonyms_and_a_forgotten_one_differs_each_time() -> None:
    data = nominal(["Anna"])
    by_key = masked(data).frame["x"][0]
    forgotten = {masked(data, key_variable=None).frame["x"][0] for _ in range(3)}
    assert len(forgotten | {by_key}) == 4


def test_a_key_file_counts_without_the_blanks_around_it(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(f"  {KEY}\n")
    data = nominal(["Anna", "Otto"])
    by_file = masked(data, key_variable=None, key_file=str(tmp_path / "key"))
    assert by_file.frame.equals(masked(data).frame)


def test_missing_values_and_codes_stay(as_backend: AsBackend) -> None:
    data = column(as_backend, [5, -9, None, 6], kind=Kind.CONTINUOUS, missing_codes=(-9,), role=Role.IDENTIFIER)
    after = masked(data)
    assert cells(after)["x"][1:3] == ["-9", None]
    assert after.observed("x").tolist() == [True, False, False, True]
    assert after.schema["x"] == Variable(name="x", kind=Kind.NOMINAL, role=Role.IDENTIFIER, missing_codes=("-9",))


def test_identifiers_are_the_default_and_a_column_without_a_value_stays() -> None:
    schema = Schema(variables=tuple(Variable(name=name, kind="nominal", role="identifier") for name in ("x", "y")))
    data = Microdata(pl.DataFrame({"x": ["a"], "y": [None]}, schema_overrides={"y": pl.String}), schema)
    after = Pseudonymise(key_variable="PSEUDONYM_KEY").mask(data, np.random.default_rng())
    assert after.frame["x"].to_list() == pseudonyms(["a"], KEY.encode(), 16)
    assert after.frame["y"].to_list() == [None]


def test_labels_of_the_values_are_gone() -> None:
    after = masked(nominal([1, 2], value_labels={1: "Anna", 2: "Otto"}))
    assert after.schema["x"].value_labels == {}


def test_a_type_that_lists_its_categories_does_not_tell_their_order() -> None:
    names = [f"{number:03}" for number in range(200)]
    after = masked(nominal(names, pl.Enum(names), kind=Kind.NOMINAL))
    listed = after.frame["x"].dtype.categories.to_list()
    assert listed == sorted(listed)
    assert listed != after.frame["x"].to_list()


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([3, 3.0], "3"),
        ([True], "true"),
        ([0.1], "0.1"),
        ([2**60, float(2**60)], str(2**60)),
        ([date(1990, 2, 1)], "1990-02-01"),
        (["é", unicodedata.normalize("NFD", "é")], "é"),
    ],
)
def test_a_value_has_one_text_however_it_is_kept(values: list[Any], text: str) -> None:
    assert {canonical_text(value) for value in values} == {text}


def test_blanks_and_case_count() -> None:
    assert len({canonical_text(text) for text in ("Anna", "anna", "Anna ")}) == 3


def test_dates_and_huge_integers_can_be_pseudonymised(as_backend: AsBackend) -> None:
    frame = as_backend(pl.DataFrame({"x": [date(1990, 2, 1), None], "y": [2**62, 2**62 + 1]}))
    after = masked(Microdata(frame), columns=("x", "y"))
    assert cells(after)["x"] == [pseudonyms(["1990-02-01"], KEY.encode(), 16)[0], None]
    assert len(set(cells(after)["y"])) == 2


def test_values_that_would_share_a_pseudonym_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "pseudonyms", lambda texts, key, length: ["0" * length for _ in texts])
    with pytest.raises(
        DataError, match=r"Pseudonymise\.length: two values get the same pseudonym of 16 digits; raise it"
    ):
        masked(nominal(["Anna", "Otto"]))


def test_the_key_is_in_no_recipe_and_no_text_of_the_method() -> None:
    method = Pseudonymise(columns=("x",), key_variable="PSEUDONYM_KEY")
    recipe = Recipe(steps=[method], seed=1)
    assert all(KEY not in text for text in (repr(method), str(method), recipe.to_yaml(), str(method.model_dump())))
    assert Recipe.from_yaml(recipe.to_yaml()) == recipe


def test_refuses_a_key_that_is_not_there_too_short_or_given_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = nominal(["Anna"])
    with pytest.raises(
        ParameterError, match=r"Pseudonymise\.key_variable: the environment has no 'NO_SUCH_KEY'; set it"
    ):
        masked(data, key_variable="NO_SUCH_KEY")
    with pytest.raises(FileError, match=r"Pseudonymise\.key_file: .*absent cannot be read: No such file"):
        masked(data, key_variable=None, key_file=str(tmp_path / "absent"))
    monkeypatch.setenv("PSEUDONYM_KEY", "secret")
    with pytest.raises(ParameterError, match="the key must have at least 16 bytes; got 6") as caught:
        masked(data)
    assert "secret" not in str(caught.value)
    with pytest.raises(ParameterError, match="at most one of key_file and key_variable; got both"):
        Pseudonymise(columns=("x",), key_file="a", key_variable="b")


def test_a_recipe_without_its_key_is_refused_before_anything_is_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PSEUDONYM_KEY")
    with pytest.raises(DocumentError, match=r"step 1 \(pseudonymise\): .* the environment has no 'PSEUDONYM_KEY'"):
        Recipe(steps=[Pseudonymise(columns=("x",), key_variable="PSEUDONYM_KEY")], seed=1).run(nominal(["Anna"]))


def test_truth_values_are_not_the_missing_codes_0_and_1(as_backend: AsBackend) -> None:
    data = column(as_backend, [True, False, None], pl.Boolean, kind="nominal", missing_codes=(0, 1))
    yes, no, none = cells(masked(data))["x"]
    assert [yes, no] == pseudonyms(["true", "false"], KEY.encode(), 16)
    assert none is None


def test_text_that_no_encoding_holds_gets_a_pseudonym_too() -> None:
    assert len(set(pseudonyms(["a", "a\ud800"], KEY.encode(), 8))) == 2

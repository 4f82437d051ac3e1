"""No released file names a category that none of its records has, in whatever format, which other programs confirm."""

import zipfile
from pathlib import Path

import polars as pl
import pyarrow
import pyarrow.parquet
import pyreadstat
import pytest

from sfumato import files
from sfumato.data import Microdata, Schema, Variable
from sfumato.files.held_categories import with_held_categories
from sfumato.masking import LocalSuppression
from sfumato.recipe import Recipe

JOBS = ("bishop", *["nurse", "clerk", "cook"] * 10)
ORDER = ("cook", "bishop", "unheld", "clerk", "nurse")
SECRET = (b"bishop", b"unheld")
LABELS = {
    1: "nurse",
    2: "clerk",
    3: "cook",
    7: "bishop of the isles",
    8: "unheld",
    98: "bishop in office",
    99: "refused",
}


def people(kind: str) -> Microdata:
    codes = [7, *[1, 2, 3] * 9, 1, 2, 99]
    frame = pl.DataFrame({"code": codes, "job": JOBS, "rank": JOBS, "age": range(31)})
    frame = frame.with_columns(pl.col("rank").cast(pl.Enum(ORDER)))
    schema = Schema(
        variables=(
            Variable(name="code", kind="nominal", value_labels=LABELS, missing_codes=(98, 99)),
            Variable(name="job", kind="ordinal", categories=("clerk", "cook", "nurse", "bishop", "unheld")),
            Variable(name="rank", kind="ordinal", categories=ORDER),
            Variable(name="age", kind="continuous", valid_codes=(99,)),
        )
    )
    frames = {"polars": frame, "pandas": frame.to_pandas(), "pyarrow": frame.to_arrow()}
    return Microdata(frames[kind], schema)


def released(kind: str, **waived: bool) -> Microdata:
    recipe = Recipe(steps=[LocalSuppression(columns=("code", "job", "rank"), k=2)], seed=1, **waived)
    return recipe.release(recipe.run(people(kind)))


def held_bytes(path: Path) -> bytes:
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as parts:
            return b"".join(parts.read(name) for name in parts.namelist())
    return path.read_bytes()


@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow"])
@pytest.mark.parametrize("suffix", ["csv", "parquet", "arrow", "sav", "dta", "xlsx"])
def test_no_byte_of_a_release_names_a_category_that_was_suppressed(tmp_path: Path, kind: str, suffix: str) -> None:
    files.write(released(kind), tmp_path / f"people.{suffix}")
    written = sorted(tmp_path.iterdir())
    assert written
    for path in written:
        content = held_bytes(path).lower()
        assert not [secret for secret in SECRET if secret in content], path.name
    back = files.read(tmp_path / f"people.{suffix}")
    assert back.codes("job")[1] == ("clerk", "cook", "nurse")
    assert back.schema["code"].value_labels == {1: "nurse", 2: "clerk", 3: "cook", 99: "refused"}
    assert back.schema["code"].missing_codes == (98, 99)


def test_other_programs_read_no_such_label_or_type(tmp_path: Path) -> None:
    files.write(released("polars"), tmp_path / "people.sav")
    _, metadata = pyreadstat.read_sav(tmp_path / "people.sav", user_missing=True)
    assert metadata.variable_value_labels["code"] == {1.0: "nurse", 2.0: "clerk", 3.0: "cook", 99.0: "refused"}
    assert metadata.missing_ranges["code"] == [{"lo": 98.0, "hi": 98.0}, {"lo": 99.0, "hi": 99.0}]
    files.write(released("polars"), tmp_path / "others.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "others.parquet")
    assert table["rank"].chunk(0).dictionary.to_pylist() == ["cook", "clerk", "nurse"]
    assert "bishop" not in str(pyarrow.parquet.read_schema(tmp_path / "others.parquet"))


@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow"])
def test_the_records_and_the_order_of_categories_stay_as_they_are(kind: str) -> None:
    before = people(kind)
    after = with_held_categories(before)
    for name in before.schema.names:
        assert after.table[name].cast(before.table[name].dtype).to_list() == before.table[name].to_list()
    assert after.schema["rank"].categories == ("cook", "bishop", "clerk", "nurse")
    assert after.schema["age"].valid_codes == ()


def test_a_text_that_stands_for_missing_is_named_only_where_some_record_has_it() -> None:
    told = Variable(name="told", kind="nominal", missing_codes=("refused", "in prison", "-9"))
    data = Microdata(pl.DataFrame({"told": ["yes", "refused", "yes"]}), Schema(variables=(told,)))
    assert with_held_categories(data).schema["told"].missing_codes == ("refused", "-9")


def test_a_recipe_may_say_that_a_list_of_categories_is_public() -> None:
    public = released("polars", keep_categories=True)
    assert public.schema["code"].value_labels == LABELS
    assert isinstance(public.frame["rank"].dtype, pl.Enum)
    assert "unheld" in public.frame["rank"].dtype.categories

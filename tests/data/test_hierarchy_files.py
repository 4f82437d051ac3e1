from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Hierarchy
from sfumato.data.hierarchy_files import hierarchy_of_lines, lines_of_hierarchy, read_hrc, read_levels
from sfumato.errors import FileError, SchemaError


@st.composite
def trees(draw: st.DrawFn) -> Hierarchy:
    size = draw(st.integers(2, 20))
    pairs = [(draw(st.integers(0, code - 1)), code) for code in range(1, size)]
    return Hierarchy.from_pairs([(f"code {parent}", f"code {child}") for parent, child in pairs])


@given(trees(), st.sampled_from(["@", "..", "#"]))
def test_a_hierarchy_comes_back_from_its_lines(tree: Hierarchy, lead: str) -> None:
    back = hierarchy_of_lines(lines_of_hierarchy(tree, lead=lead), root="code 0", lead=lead)
    assert back == tree
    assert back.codes == tree.codes


def test_a_file_with_blank_lines_and_spaces_is_read(tmp_path: Path) -> None:
    (tmp_path / "region.hrc").write_bytes("\ufeffNord \r\n@ N1\r\n\r\n@@N11\r\n@N2\r\nSüd\r\n".encode())
    tree = read_hrc(tmp_path / "region.hrc", root="All")
    assert tree.codes == ("All", "Nord", "N1", "N11", "N2", "Süd")
    assert tree.children("All") == ("Nord", "Süd")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@a\n", "line 1: code 'a' has 1 marks; it may have one more than the line before, and the first code none"),
        ("a\n@@b\n", "line 2: code 'b' has 2 marks; it may have one more than the line before"),
        ("a\n@b\nc\n@b\n", "line 4: code 'b' is there already; a code may have one place"),
        ("Total\n@b\n", "line 1: code 'Total' is there already"),
        ("a\n@\n", "line 2 has marks but no code"),
        ("\n", "needs at least one pair"),
    ],
)
def test_lines_that_are_no_tree_are_refused_with_the_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "region.hrc").write_text(text)
    with pytest.raises(SchemaError, match=message) as caught:
        read_hrc(tmp_path / "region.hrc")
    assert str(caught.value).startswith(str(tmp_path / "region.hrc"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"no\.hrc cannot be read: No such file or directory"):
        read_hrc(tmp_path / "no.hrc")


def test_a_code_that_would_be_read_as_deeper_is_not_written() -> None:
    tree = Hierarchy.from_pairs([("Total", "@home")])
    with pytest.raises(SchemaError, match="code '@home' begins with the mark '@'"):
        lines_of_hierarchy(tree)
    assert hierarchy_of_lines(lines_of_hierarchy(tree, lead="#"), lead="#") == tree


def test_digits_say_the_groups_of_codes() -> None:
    tree = Hierarchy.from_digits(["0111", "0112", "0120", "2340", "0111"], [1, 1, 2])
    assert tree.codes == ("Total", "0", "01", "0111", "0112", "0120", "2", "23", "2340")
    assert Hierarchy.from_digits(["01"], [1, 1, 0, 0]) == Hierarchy.from_digits(["01"], [1, 1])


@pytest.mark.parametrize(
    ("codes", "digits", "message"),
    [
        (["011"], [1, 1], "code '011' must have 2 characters, as digits .1, 1. say; got 3"),
        ([11], [1, 1], "codes with digits must be text, so that zeros at their start stay; got 11"),
        (["11"], [1, 0, 1], "digits must be 1 or more for every level; got .1, 0, 1."),
        (["11"], [], "digits must be 1 or more for every level; got .."),
    ],
)
def test_codes_that_do_not_fit_their_digits_are_refused(codes: list[str], digits: list[int], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        Hierarchy.from_digits(codes, digits)


@pytest.mark.parametrize(
    "text",
    [
        "1;low;*\n2;low;*\n3;high;*\n",
        "1,low,*\n2,low,*\n3,high,*",
        "parent,child\n*,low\n*,high\nlow,1\nlow,2\nhigh,3\n",
    ],
)
def test_rows_of_levels_and_pairs_are_read_with_leaves_as_the_data_have_them(tmp_path: Path, text: str) -> None:
    (tmp_path / "tree.csv").write_text(text)
    tree = read_levels(tmp_path / "tree.csv", [1, 2, 3])
    assert tree == Hierarchy.from_levels([(1, "low", "*"), (2, "low", "*"), (3, "high", "*")])


def test_a_file_of_levels_that_is_no_tree_is_named(tmp_path: Path) -> None:
    (tmp_path / "tree.csv").write_text("a;x;*\na;y;*\n")
    with pytest.raises(SchemaError, match=r"tree\.csv: "):
        read_levels(tmp_path / "tree.csv", ["a"])


def test_a_heading_of_levels_is_no_category(tmp_path: Path) -> None:
    path = tmp_path / "towns.csv"
    path.write_text("town;region;country\nLinz;Upper Austria;Austria\nGraz;Styria;Austria\n", encoding="utf-8")
    assert set(read_levels(path, ["Linz", "Graz"]).codes) == {"Linz", "Graz", "Upper Austria", "Styria", "Austria"}


def test_a_first_row_of_a_category_that_nobody_has_is_no_heading(tmp_path: Path) -> None:
    path = tmp_path / "towns.csv"
    path.write_text("Wels;Upper Austria;Austria\nLinz;Upper Austria;Austria\n", encoding="utf-8")
    assert "Wels" in read_levels(path, ["Linz"]).codes

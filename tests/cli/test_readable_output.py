"""What the commands print about the made survey reads as people write: no powers of ten, no backticks, one category."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import sfumato as sf
from tests.cli.commands import Ran

UNREADABLE = {
    "a power of ten": re.compile(r"\d[eE][-+]?\d{2}\b"),
    "a minus before nothing": re.compile(r"(?<![\d.])-0(\.0+)?(?![\d.])"),
    "a backtick": re.compile(r"`"),
    "one of many": re.compile(
        r"(?<![\d.,])1 (categories|different values|records|columns|households|values|persons)\b"
    ),
}


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    """Return a folder with the survey, and recipes with steps of several kinds."""
    sf.write(sf.datasets.demo(300), tmp_path / "survey.csv")
    recipe = sf.Recipe(
        steps=[
            sf.DropIdentifiers(),
            sf.TopCoding(columns=("age",), at=80),
            sf.Recoding(columns=("sex",), map={"female": "person", "male": "person"}),
            sf.AdditiveNoise(columns=("savings", "tax"), scale=0.00005),
        ],
        seed=7,
    )
    recipe.save(tmp_path / "recipe.yaml")
    (tmp_path / "measures.yaml").write_text(
        "measures:\n"
        "  - k_anonymity: {columns: [sex, region]}\n"
        "  - contingency_table_loss: {columns: [region, education]}\n"
        "  - clustering_loss: {columns: [savings, tax], clusters: 3}\n"
        "  - information_loss: {columns: [savings, tax]}\n"
        "  - propensity_loss: {columns: [savings, tax]}\n"
    )
    return tmp_path


def test_what_is_printed_reads_as_people_write(sfumato: Callable[..., Ran], survey: Path) -> None:
    original, masked, better = survey / "survey.csv", survey / "masked.csv", survey / "better.csv"
    commands: list[tuple[str | Path, ...]] = [
        ("describe", original),
        ("risk", original, "--limit", "global_risk<=0.00001"),
        ("protect", original, "-o", survey / "protected.csv", "--page", survey / "page.html"),
        ("mask", original, "-r", survey / "recipe.yaml", "-o", masked),
        ("describe", masked),
        ("assess", original, masked, "--measures", survey / "measures.yaml"),
        ("improve", original, masked, "-o", better, "--max-steps", "500", "--seed", "1"),
        ("verify", survey / "masked.csv.manifest.json"),
    ]
    for command in commands:
        ran = sfumato(*command)
        assert ran.code in (0, 3), ran.err
        shown = (ran.out + ran.err).replace(str(survey), "")
        found = [(what, match[0]) for what, slip in UNREADABLE.items() for match in slip.finditer(shown)]
        assert not found, f"{command[0]}: {found}"
    page = re.sub(r"<(style|svg|script).*?</\1>|<[^>]*>", " ", (survey / "page.html").read_text(), flags=re.DOTALL)
    assert [what for what, slip in UNREADABLE.items() if slip.search(page)] == []

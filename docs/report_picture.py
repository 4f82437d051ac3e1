"""Photograph the top of a release report for the home of the site, in Chromium; `make pictures` runs it."""

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import sfumato as sf

PICTURE = Path(__file__).parent / "home" / "report.png"
SIZE = "1000,900"


def main() -> None:
    """Write the picture of the report on a masked survey."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("the picture of the report is taken in Chromium: install the package chromium")
    PICTURE.parent.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        page = write_report(Path(folder))
        options = ["--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={SIZE}"]
        subprocess.run([chromium, *options, f"--screenshot={PICTURE}", page.as_uri()], check=True, timeout=120)  # noqa: S603


def write_report(folder: Path) -> Path:
    """Mask a survey of invented people as the README does, and return the place of the report on it."""
    survey = sf.datasets.demo(600)
    dropped = ("person_id", "household_id")
    columns = [name for name in survey.schema.names if name not in dropped]
    typical = sf.RecordMicroaggregation(columns=columns, household=["household_id"], k=10)
    recipe = sf.Recipe(steps=[typical, sf.DropIdentifiers(columns=dropped)], seed=7)
    report = sf.report(survey, recipe.run(survey), recipe=recipe, limits=["strict_k=10", "global_risk<=1"])
    page, _ = report.save(folder / "report.html")
    return page


if __name__ == "__main__":
    main()

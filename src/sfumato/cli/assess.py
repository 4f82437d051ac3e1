"""`sfumato assess`: risk, loss and scores of a masked file."""

from pathlib import Path

from sfumato.assessment import assess
from sfumato.cli.showing import print_json, results
from sfumato.errors import DataError
from sfumato.files import read


def run_assess(original: Path, masked: Path, *, schema: Path | None, as_json: bool) -> None:
    """Compare two files and show the assessment; rows are matched by their order."""
    before = read(original, schema)
    after = read(masked, before.schema)
    if before.n != after.n:
        raise DataError(
            f"both files must have the same records in the same order; got {before.n} and {after.n} records: "
            f"in Python, give both the row_ids that tell which record is which"
        )
    assessment = assess(before, after)
    if as_json:
        print_json(assessment.to_dict())
    else:
        results().print(str(assessment), markup=False, soft_wrap=True)

"""`sfumato assess`: risk, loss and scores of a masked file."""

from dataclasses import replace
from pathlib import Path

from sfumato.assessment import assess
from sfumato.assessment.matching import as_described, matched
from sfumato.cli.console import print_json, results
from sfumato.errors import ParameterError
from sfumato.files import read
from sfumato.recipe import Recipe
from sfumato.recipe.assessment_plan import AssessmentPlan


def run_assess(
    original: Path,
    masked: Path,
    *,
    schema: Path | None,
    recipe: Path | None,
    measures: Path | None,
    outliers: bool,
    as_json: bool,
) -> None:
    """Compare two files and show the assessment; records are matched by an identifier, else by their order."""
    if recipe is not None and measures is not None:
        raise ParameterError(
            [
                "--recipe chooses the measures, and so does --measures: give one of them; in a file of measures, "
                "worst_case_linkage has the parameters window and individual_ranking for what the intruder knows"
            ]
        )
    plan = None if measures is None else AssessmentPlan.load(measures)
    steps = () if recipe is None else Recipe.load(recipe).steps
    before = read(original, schema)
    after, how = matched(before, as_described(read(masked), before.schema))
    found = assess(
        before,
        after,
        None if plan is None else plan.measures,
        None if plan is None else plan.scores,
        outliers=outliers,
        methods=steps,
    )
    assessment = replace(found, remarks=(how, *found.remarks))
    if as_json:
        print_json(assessment.to_dict())
    else:
        results().print(str(assessment), markup=False, soft_wrap=True)

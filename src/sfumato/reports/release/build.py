"""Make a release report: measure, write the sections in a board's order, make the edition."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.parameters.limits import Limits, read_limits
from sfumato.recipe import Recipe
from sfumato.reports.release.assembly import assemble_report
from sfumato.reports.release.chapters.contents import contents
from sfumato.reports.release.chapters.demands import check_demands
from sfumato.reports.release.chapters.intruders import intruder_section
from sfumato.reports.release.chapters.law.standards import standards_section
from sfumato.reports.release.chapters.left_out import OF_OUTLIERS, OTHERS_FOUND, left_out_section
from sfumato.reports.release.chapters.provenance import (
    Provenance,
    explain_methods,
    known_versions,
    provenance_section,
    recipe_facts,
)
from sfumato.reports.release.chapters.risk_section import risk_section
from sfumato.reports.release.chapters.trade_off import trade_off_section
from sfumato.reports.release.chapters.untested import untested_section
from sfumato.reports.release.chapters.utility.utility_section import utility_section
from sfumato.reports.release.chapters.verdict import verdict_section
from sfumato.reports.release.draft import Draft
from sfumato.reports.release.measured_release import measure_release
from sfumato.reports.release.public_edition import MIN_TOLD
from sfumato.reports.release.question import HIPAA_THRESHOLD, Edition, ReleaseQuestion, Standard, TradeOff
from sfumato.reports.release.release_report import ReleaseReport
from sfumato.risk import WorstCaseLinkage


def report(
    original: Microdata,
    released: Microdata,
    *,
    recipe: Recipe | None = None,
    control: Microdata | None = None,
    limits: Limits = (),
    k: int | None = None,
    edition: Edition | str = Edition.INTERNAL,
    standards: Sequence[Standard | str] = (),
    threshold: float = HIPAA_THRESHOLD,
    author: str = "",
    title: str = "",
    same_order: bool = False,
    trade_off: TradeOff | None = None,
) -> ReleaseReport:
    """Return the report on a release that a review board decides by.

    Parameters
    ----------
    original, released
        The file as it was, and as it is to be released; records are matched as in `assess`.
    recipe
        The recipe that made the release: an intruder who knows it tries the attacks that are made for it. Its seed is
        never told.
    control
        Records of the same population that the release was not made from.
    limits
        What is demanded, as in `["k>=3", "WCL<=10"]`: figures of `risk_report`, or symbols of measures.
    k
        How many records should share the keys of each; what the limits or the recipe say, or 3, when not given.
    edition
        `internal` for those who decide, `public` for everybody: without parameters that help an intruder, original
        distributions, and counts below k.
    standards, threshold
        Whose questions to answer, too: `wp216`, `hipaa`, `iso27559`; and the risk in percent that HIPAA's expert takes
        for very small.
    author, title
        Who made the report, and what it is called.
    same_order
        As in `assess`.
    trade_off
        The alternatives that a study compared.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = sf.datasets.demo(300, seed=1)
    >>> recipe = sf.Recipe(steps=[sf.Mdav(columns=("wage_income", "tax"), k=5)], seed=7)
    >>> found = report(survey, recipe.run(survey), recipe=recipe, limits=["DLD<=100"])
    >>> found.meets_limits, found["contents/records/after"].text
    (True, '300 records')
    """
    for file in (original, released) if control is None else (original, released, control):
        if not isinstance(file, Microdata):
            raise DataError(
                f"report needs Microdata; got a {type(file).__name__}: read a file with sf.read, or wrap a "
                f"dataframe as in sf.Microdata(frame)"
            )
    question = ReleaseQuestion(
        original=original,
        released=released,
        methods=() if recipe is None else recipe.parts,
        control=control,
        limits=read_limits(limits, "report.limits"),
        k=k,
        standards=read_standards(standards),
        threshold=threshold,
        same_order=same_order,
        trade_off=trade_off,
    )
    yaml, steps = recipe_facts(recipe)
    known = Provenance(
        date=datetime.now(UTC).date().isoformat(),
        author=author,
        recipe_yaml=yaml,
        steps=steps,
        versions=known_versions(),
    )
    return build_report(question, read_edition(edition), known, title or "Release report")


def build_report(
    question: ReleaseQuestion, edition: Edition, known: Provenance, title: str, request: dict[str, Any] | None = None
) -> ReleaseReport:
    """Return the report on a question.

    Parameters
    ----------
    question
        What is asked.
    edition
        For whom the report is.
    known
        How it came to be.
    title
        What it is called.
    request
        What is needed to make it again.
    """
    # 1. Measure everything once.
    measured = measure_release(question)
    demands = check_demands(measured)
    # 2. Write the sections, in a board's order.
    risk = risk_section(measured)
    drafts: list[Draft] = [
        verdict_section(measured, demands, known.other_releases or ()),
        contents(measured),
        intruder_section(measured, risk.figures),
        risk,
        utility_section(measured),
        trade_off_section(measured),
    ]
    figures = [figure for one in drafts for figure in one.figures]
    answers = standards_section(measured, figures)
    drafts += [] if answers is None else [answers]
    worst = any(isinstance(one, WorstCaseLinkage) for one in measured.assessment.measures)
    ran_recipe = worst and bool(known.recipe_yaml)
    drafts += [untested_section(measured), provenance_section(known, ran_recipe=ran_recipe)]
    further = [OTHERS_FOUND, *([OF_OUTLIERS] if measured.assessment.outliers is not None else [])]
    drafts.insert(-1, left_out_section(drafts, question, is_synthetic=measured.is_synthetic, further=tuple(further)))
    # 3. Make the edition.
    return assemble_report(
        drafts,
        edition,
        known,
        title,
        records=measured.released.n,
        k=max(measured.k, MIN_TOLD) if measured.is_synthetic else measured.k,
        meets_limits=all(one.is_met for one in demands) if demands else None,
        shows_leak=measured.assessment.shows_leak if measured.assessment.leak_verdict else None,
        request=request,
        methods=explain_methods(map(type, question.methods)),
    )


def read_edition(edition: Edition | str) -> Edition:
    """Return an edition by its name."""
    if edition not in list(Edition):
        nearest = did_you_mean(str(edition), Edition) or f"; there are {', '.join(Edition)}"
        raise ParameterError([f"report.edition: there is no edition '{edition}'{nearest}"])
    return Edition(edition)


def read_standards(names: Sequence[Standard | str]) -> tuple[Standard, ...]:
    """Return standards by their names, each once."""
    problems = [
        f"report.standards: there is no standard '{name}'"
        f"{did_you_mean(str(name), Standard) or '; there are ' + ', '.join(Standard)}"
        for name in names
        if name not in list(Standard)
    ]
    if problems:
        raise ParameterError(problems)
    return tuple(dict.fromkeys(Standard(name) for name in names))

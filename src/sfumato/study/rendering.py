"""A study as plain text, and as a table for notebooks."""

from collections.abc import Collection, Iterable

from sfumato.contracts import limited_symbol
from sfumato.contracts.figure_ends import lower_end
from sfumato.display import Column, Table, format_count, format_mean, header_column, render_notebook
from sfumato.plugins import MEASURES
from sfumato.risk import WorstCaseLinkage
from sfumato.study.axes import default_loss, default_risk
from sfumato.study.candidate import Candidate
from sfumato.study.results import Study

FRONT_SIGN = "*"
MEAN_OF_TWO = "Disclosure risk"  # how the title of DR begins, unless a score of that symbol was asked for


def render_text(study: Study) -> str:
    """Return the study as a readable table, one line per candidate, and why candidates failed."""
    return _table(study).to_text()


def render_html(study: Study) -> str:
    """Return the study as HTML that stands alone."""
    return render_notebook([_table(study).to_html()])


def candidate_row(candidate: Candidate, symbols: list[str], *, is_on_front: bool = False) -> tuple[str, ...]:
    """Return the label of a candidate and its figures, each with its standard deviation over replications."""
    label = f"{candidate.label} {FRONT_SIGN}" if is_on_front else candidate.label
    return (label, *(format_mean(candidate.mean(symbol), candidate.deviation(symbol)) for symbol in symbols))


def improver_notes(candidates: Iterable[Candidate], symbols: Collection[str]) -> list[str]:
    """Return what must be known where files were improved and no figure is of somebody who knows how."""
    if WorstCaseLinkage.symbol in symbols or all(candidate.recipe.improve is None for candidate in candidates):
        return []
    return [
        "an improver makes a file look more like the original, and whoever knows the recipe may undo it: measure "
        f"{WorstCaseLinkage.name()} ({WorstCaseLinkage.symbol}), or limit it, before an improved candidate is chosen"
    ]


def lower_end_notes(candidates: Iterable[Candidate], symbols: Collection[str]) -> list[str]:
    """Return how to read what an attack found, where more is not ruled out of some candidate."""
    notes = []
    for attack in symbols:
        bound = limited_symbol(attack, MEASURES.values())
        if bound == attack or bound not in symbols:
            continue
        ends = [(one.mean(attack), one.mean(bound)) for one in candidates if one.error is None]
        if any(value is not None and lower_end(value, most) for value, most in ends):
            notes.append(
                f"{attack} is what the strongest attack found, at least so much: up to {bound} is not ruled out, and a "
                f"limit counts that"
            )
    return notes


def _table(study: Study) -> Table:
    front = set() if _axes(study) is None else {candidate.label for candidate in study.front_members()}
    return Table(
        columns=(
            header_column("candidate"),
            *(Column(symbol, hint=title) for symbol, title in study.titles.items()),
        ),
        rows=tuple(
            candidate_row(candidate, list(study.titles), is_on_front=candidate.label in front)
            for candidate in study.candidates
        ),
        title=f"{format_count(len(study.candidates), 'candidate')}, {format_count(study.replications, 'replication')}",
        notes=tuple(_notes(study)),
    )


def _axes(study: Study) -> tuple[str, str] | None:
    """Return the risk and the loss of the front, where the study has both."""
    risk, loss = default_risk(study.symbols), default_loss(study.symbols)
    return None if risk is None or loss is None else (risk, loss)


def _notes(study: Study) -> list[str]:
    notes = []
    if (axes := _axes(study)) is not None:
        is_mean = study.titles.get(axes[0], "").startswith(MEAN_OF_TWO)
        meaning = f"; {axes[0]} is the mean of DLD and ID" if is_mean else ""
        notes.append(f"{FRONT_SIGN} on the Pareto front of {' and '.join(axes)}{meaning}")
    notes += improver_notes(study.candidates, study.symbols)
    notes += lower_end_notes(study.candidates, study.symbols)
    if study.unfinished:
        notes.append(f"interrupted: {format_count(study.unfinished, 'run')} not done")
    if study.replications > 1 and study.symbols:
        notes.append("mean ± standard deviation over the replications")
    failures = (candidate for candidate in study.candidates if candidate.error is not None)
    return [*notes, *(f"failed: {candidate.label}: {candidate.error}" for candidate in failures)]

"""Protect a publication: each of its clusters as one problem."""

from collections.abc import Mapping, Sequence

from sfumato.errors import ParameterError, did_you_mean
from sfumato.numerics.arrays import Booleans
from sfumato.tables._last_period import MAX_DEARER
from sfumato.tables.problem.build_problem import Cost
from sfumato.tables.problem.given_cell import GivenCell
from sfumato.tables.problem.insiders import Insiders
from sfumato.tables.protect import apply_protection, find_unsafe, has_rules, suppress_cells
from sfumato.tables.protected_tables import UnsafeTables
from sfumato.tables.protection import OnProgress, Protection
from sfumato.tables.publication.decided_cells import share_given, suppressed_before
from sfumato.tables.publication.publication import ProtectedPublication, Publication
from sfumato.tables.rule import AnyOf, Rule
from sfumato.tables.suppression.automatic_suppression import AutomaticSuppression


def protect_publication(
    publication: Publication,
    protection: Protection | None = None,
    *,
    rule: Rule | AnyOf | None = None,
    rules: Mapping[str, Rule | AnyOf] | None = None,
    given_cells: Sequence[GivenCell] = (),
    cost: Cost | str = Cost.VALUE,
    insiders: Insiders | bool | str = Insiders.ALL,
    known_within: float | None = None,
    last_period: Mapping[str, Booleans] | None = None,
    max_dearer: float = MAX_DEARER,
    seed: int | None = None,
    on_progress: OnProgress = None,
) -> ProtectedPublication:
    """Protect all tables of a publication, each cluster as one problem.

    Parameters
    ----------
    publication
        The tables.
    protection
        One of `PROTECTIONS`; `AutomaticSuppression()` when not given.
    rule
        What makes a cell unsafe.
    rules
        For single tables another rule.
    given_cells
        What is decided of some cells beforehand: each concerns all tables that have such cells.
    last_period
        For tables that were published for the period before, which of their cells it suppressed.
    cost, insiders, known_within, max_dearer, seed, on_progress
        As in `protect`.
    """
    chosen = protection or AutomaticSuppression()
    _check_tables(publication, "last_period", last_period or {})
    unsafe = find_unsafe_clusters(
        publication,
        rule=rule,
        rules=rules,
        given_cells=given_cells,
        cost=cost,
        insiders=insiders,
        known_within=known_within,
    )
    is_judged = any(found.problem.primaries.size or has_rules(found) for found in unsafe)
    done = []
    for cluster, found in zip(publication.clusters, unsafe, strict=True):
        if is_judged and not found.problem.primaries.size and not has_rules(found):
            done.append(suppress_cells(found, found.problem.must_suppress))  # nobody asks for more of this cluster
            continue
        before = None if last_period is None else suppressed_before(cluster, last_period)
        done.append(
            apply_protection(
                chosen, found, last_period=before, max_dearer=max_dearer, seed=seed, on_progress=on_progress
            )
        )
    return ProtectedPublication(publication, tuple(done))


def find_unsafe_clusters(
    publication: Publication,
    *,
    rule: Rule | AnyOf | None = None,
    rules: Mapping[str, Rule | AnyOf] | None = None,
    given_cells: Sequence[GivenCell] = (),
    cost: Cost | str = Cost.VALUE,
    insiders: Insiders | bool | str = Insiders.ALL,
    known_within: float | None = None,
) -> tuple[UnsafeTables, ...]:
    """Return for each cluster which cells of its tables are unsafe; parameters as in `protect_publication`."""
    of_tables = rules or {}
    _check_tables(publication, "rules", of_tables)
    concerned = share_given(publication.clusters, given_cells)
    return tuple(
        find_unsafe(
            cluster.linked,
            [of_tables.get(member.name, rule) for member in cluster.members],
            given_cells=given,
            cost=cost,
            insiders=insiders,
            known_within=known_within,
        )
        for cluster, given in zip(publication.clusters, concerned, strict=True)
    )


def _check_tables(publication: Publication, parameter: str, named: Mapping[str, object]) -> None:
    unknown = [name for name in named if name not in publication.names]
    if unknown:
        near = did_you_mean(unknown[0], publication.names)
        raise ParameterError([f"{parameter}: the publication has no table '{unknown[0]}'{near}"])

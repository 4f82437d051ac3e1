"""Columns of which a step draws once for all members of a household."""

from sfumato.data import Microdata
from sfumato.intruder.household_draws.followed_draws import FollowedDraws
from sfumato.intruder.household_draws.moved_households import MovedHouseholds
from sfumato.intruder.shadow_masking import Runs

TiedColumns = MovedHouseholds | FollowedDraws


def tied_columns(
    runs: Runs, masked: Microdata, names: tuple[str, ...], touching: dict[str, list[int]]
) -> TiedColumns | None:
    """Return what is known of columns that members of a household have in common, or by one draw; else nothing."""
    moved = MovedHouseholds.of(runs, names, touching[names[0]])
    return FollowedDraws.of(runs, masked, names, touching) if moved is None else moved

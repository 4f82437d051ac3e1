"""How far a job has come, for whoever shows it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sfumato.recipe import RecipeProgress


class Stage(NamedTuple):
    """What a job does now, and how many parts of it are done, where that is known."""

    description: str
    done: int = 0
    total: int | None = None


OnProgress = Callable[[Stage], None]


def ignore_progress(stage: Stage) -> None:
    """Show nothing."""


def report_steps(on_progress: OnProgress) -> "Callable[[RecipeProgress], None]":
    """Return what `Recipe.run` calls so that the progress of its steps is reported as stages."""

    def report(step: "RecipeProgress") -> None:
        on_progress(Stage(f"step {step.step} of {step.steps}: {step.name}", step.block, step.blocks))

    return report

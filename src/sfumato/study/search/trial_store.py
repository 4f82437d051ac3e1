"""Store the trials of a search in a file, so that it can be stopped, continued and extended."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import FileError, ParameterError
from sfumato.study.search.sampling import quiet

if TYPE_CHECKING:
    import optuna

JOURNAL = "trials.log"
NAME = "search"
ASKED = "asked"
OTHER = {
    "data": "of other data",
    "space": "of another space",
    "seed": "with another seed",
    "replications": "with another number of replications",
    "minimise": "of another figure to minimise",
    "limits": "with other limits",
    "measures": "with other measures",
}
"""How a message calls a search that differs in one thing."""


class TrialStore:
    """The finished trials of one search, in an Optuna journal in a folder.

    Parameters
    ----------
    keep
        The folder.
    """

    def __init__(self, keep: Path) -> None:
        with quiet():  # tells how to have Optuna where it is not installed
            from optuna.storages import JournalStorage
            from optuna.storages.journal import JournalFileBackend

        self.path = keep / JOURNAL
        try:
            keep.mkdir(parents=True, exist_ok=True)
            with quiet():
                self.storage = JournalStorage(JournalFileBackend(str(self.path)))
        except OSError as error:
            raise FileError(f"the folder {keep} cannot be used: {error.strerror}; choose another") from None
        except (ValueError, KeyError, TypeError):
            raise FileError(f"{self.path} is damaged; remove it: the finished runs beside it are used again") from None
        self.study: optuna.study.Study | None = None

    @property
    def seed(self) -> int | None:
        """The seed of the search that is kept, if there is one."""
        description = self._description()
        return None if description is None else int(description["seed"])

    def open(self, description: Mapping[str, Any], figures: int) -> "list[optuna.trial.FrozenTrial]":
        """Return the trials that are kept; refuse those of another search."""
        import optuna

        kept = self._description()
        if kept is not None:
            others = [words for key, words in OTHER.items() if kept.get(key) != description[key]]
            if others:
                raise ParameterError(
                    [
                        f"search.keep: {self.path.parent} keeps a search {' and '.join(others)}; choose another "
                        f"folder, or remove {self.path.name} there: finished runs that are still of use are found again"
                    ]
                )
        with quiet():
            self.study = optuna.create_study(
                study_name=NAME, storage=self.storage, directions=["minimize"] * figures, load_if_exists=True
            )
            if kept is None:
                self.study.set_user_attr(ASKED, dict(description))
            return self.study.get_trials(deepcopy=False)

    def save(self, trial: "optuna.trial.FrozenTrial") -> None:
        """Add a finished trial."""
        if self.study is not None:
            with quiet():
                self.study.add_trial(trial)

    def _description(self) -> Mapping[str, Any] | None:
        found = {study.study_name: study for study in self.storage.get_all_studies()}
        return found[NAME].user_attrs.get(ASKED) if NAME in found else None

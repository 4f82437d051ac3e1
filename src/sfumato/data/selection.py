"""Rules that pick columns once the schema is known: `numeric`, `categorical`, `linkable`, `role("key")`."""

from typing import Annotated

from pydantic import ConfigDict, RootModel, StringConstraints

from sfumato.data.kinds import CATEGORICAL, CONTENT_ROLES, DESIGN_ROLES, Kind, Role
from sfumato.errors import ParameterError, did_you_mean

PATTERN = rf"^(numeric|categorical|linkable|role\(({'|'.join(Role)})\))$"


class Selector(RootModel[Annotated[str, StringConstraints(pattern=PATTERN)]]):
    """A rule that picks columns; written in a recipe as `numeric`, `categorical`, `linkable` or `role(key)`."""

    model_config = ConfigDict(frozen=True)

    def picks(self, kind: Kind, role: Role) -> bool:
        """Tell whether a column of this kind and role is meant."""
        if self.root == "numeric":
            return kind is Kind.CONTINUOUS and role in CONTENT_ROLES
        if self.root == "categorical":
            return kind in CATEGORICAL and role in CONTENT_ROLES
        if self.root == "linkable":
            return role in CONTENT_ROLES | DESIGN_ROLES
        return self.root == f"role({role})"

    def __str__(self) -> str:
        return self.root

    def __repr__(self) -> str:
        return f"sfumato.{self.root}"


numeric = Selector("numeric")
categorical = Selector("categorical")
linkable = Selector("linkable")  # all by which somebody could know a record: not identifiers, numbers of households


def role(name: str) -> Selector:
    """Pick the columns of one role.

    Examples
    --------
    >>> role("key")
    sfumato.role(key)
    """
    if name not in list(Role):
        raise ParameterError([f"role must be one of {', '.join(Role)}; got {name!r}{did_you_mean(str(name), Role)}"])
    return Selector(f"role({name})")

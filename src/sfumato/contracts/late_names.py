"""Public names of a room that are loaded when somebody first asks for one: a command uses few of its classes."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any


def modules_of_classes(room: str, families: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the module of each class by its name in recipes, in the order of the names.

    Parameters
    ----------
    room
        The package that the families are folders of.
    families
        The names in recipes, which are those of the files too, by family; "" for those in no folder.

    Examples
    --------
    >>> modules_of_classes("sfumato.masking", {"noise": ("mixture_noise", "additive_noise")})
    {'additive_noise': 'sfumato.masking.noise.additive_noise', 'mixture_noise': 'sfumato.masking.noise.mixture_noise'}
    """
    found = {name: ".".join(filter(None, (room, family, name))) for family in families for name in families[family]}
    return dict(sorted(found.items()))


def load_class_of_file(module: str) -> Any:
    """Return the class that has the name of its file."""
    return getattr(import_module(module), _class_name(module))


def late_names(
    room: str, others: Mapping[str, tuple[str, ...]], classes: Mapping[str, str] = MappingProxyType({})
) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package whose public names are loaded when they are first asked for.

    None may have the name of a module of the package, which would stand in its place as soon as it is loaded.

    Parameters
    ----------
    room
        The package.
    others
        Its public names but for the classes, by their modules within the package.
    classes
        The modules of its classes by their names in recipes.
    """
    modules = {_class_name(module): module for module in classes.values()}
    modules |= {name: f"{room}.{module}" for module, names in others.items() for name in names}

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module '{room}' has no attribute '{name}'")
        value = getattr(import_module(modules[name]), name)
        setattr(sys.modules[room], name, value)  # so that nobody asks again
        return value

    return load


def _class_name(module: str) -> str:
    return module.rpartition(".")[2].title().replace("_", "")

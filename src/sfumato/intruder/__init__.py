"""The intruder who knows the recipe: how probable it is that a masked record comes from an original one."""

from sfumato.intruder.exchanges import exchange_links, exchanged_columns
from sfumato.intruder.model import NO_FIT, Model, build_model, true_log_densities
from sfumato.intruder.person_weights import person_weights
from sfumato.intruder.posterior import Posterior, posterior_of

__all__ = [
    "NO_FIT",
    "Model",
    "Posterior",
    "build_model",
    "exchange_links",
    "exchanged_columns",
    "person_weights",
    "posterior_of",
    "true_log_densities",
]

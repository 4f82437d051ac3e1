"""The intruder who knows the recipe: how probable it is that a masked record comes from an original one."""

from sfumato.intruder.model import Model, build_model
from sfumato.intruder.person_weights import person_weights
from sfumato.intruder.posterior import Posterior, posterior_of

__all__ = ["Model", "Posterior", "build_model", "person_weights", "posterior_of"]

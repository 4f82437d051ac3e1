"""The intruder who knows the recipe: how probable it is that a masked record comes from an original one."""

from sfumato.intruder.bounds import link_bound, reasons_without_bound, steps_without_bound
from sfumato.intruder.calibration import are_too_sure, calibrate
from sfumato.intruder.exchanges import ExchangedColumns, exchange_links, household_exchange_links
from sfumato.intruder.households import draws_whole_households, household_links
from sfumato.intruder.model import NO_FIT, build_model, model_by_runs
from sfumato.intruder.pair_model import Model
from sfumato.intruder.pair_scores import true_log_densities
from sfumato.intruder.person_weights import person_weights
from sfumato.intruder.posterior import Posterior, posterior_of
from sfumato.intruder.shadow_masking import FRESH, Runs, mask_shadow
from sfumato.intruder.told_columns import with_told_columns

__all__ = [
    "FRESH",
    "NO_FIT",
    "ExchangedColumns",
    "Model",
    "Posterior",
    "Runs",
    "are_too_sure",
    "build_model",
    "calibrate",
    "draws_whole_households",
    "exchange_links",
    "household_exchange_links",
    "household_links",
    "link_bound",
    "mask_shadow",
    "model_by_runs",
    "person_weights",
    "posterior_of",
    "reasons_without_bound",
    "steps_without_bound",
    "true_log_densities",
    "with_told_columns",
]

"""The intruder who knows the recipe: how probable it is that a masked record comes from an original one."""

from typing import TYPE_CHECKING

from sfumato.contracts.late_names import late_names

if TYPE_CHECKING:
    from sfumato.intruder.bounds import link_bound, reasons_without_bound, steps_without_bound, with_samples_last
    from sfumato.intruder.calibration import are_too_sure, calibrate
    from sfumato.intruder.exchanges import ExchangedColumns
    from sfumato.intruder.model import NO_FIT, build_model, model_by_runs
    from sfumato.intruder.pair_model import Model
    from sfumato.intruder.pair_scores import true_log_densities
    from sfumato.intruder.posterior import Posterior, posterior_of
    from sfumato.intruder.shadow_masking import FRESH, Runs, Shadow, mask_shadow, steps_by_column
    from sfumato.intruder.tied_links import WAYS, TiedLinks
    from sfumato.intruder.told_columns import with_told_columns
else:
    __getattr__ = late_names(
        __name__,
        {
            "bounds": ("link_bound", "reasons_without_bound", "steps_without_bound", "with_samples_last"),
            "calibration": ("are_too_sure", "calibrate"),
            "exchanges": ("ExchangedColumns",),
            "model": ("NO_FIT", "build_model", "model_by_runs"),
            "pair_model": ("Model",),
            "pair_scores": ("true_log_densities",),
            "posterior": ("Posterior", "posterior_of"),
            "shadow_masking": ("FRESH", "Runs", "Shadow", "mask_shadow", "steps_by_column"),
            "tied_links": ("WAYS", "TiedLinks"),
            "told_columns": ("with_told_columns",),
        },
    )

__all__ = [
    "FRESH",
    "NO_FIT",
    "WAYS",
    "ExchangedColumns",
    "Model",
    "Posterior",
    "Runs",
    "Shadow",
    "TiedLinks",
    "are_too_sure",
    "build_model",
    "calibrate",
    "link_bound",
    "mask_shadow",
    "model_by_runs",
    "posterior_of",
    "reasons_without_bound",
    "steps_by_column",
    "steps_without_bound",
    "true_log_densities",
    "with_samples_last",
    "with_told_columns",
]

"""Outliers paper, in its order: Mateo-Sanz, Sebé and Domingo-Ferrer (2004)."""

from sfumato.papers.inventory.item import experiment, measure, method, printed_figures

OUTLIERS = (
    method("JPEG", "lossy_compression"),
    method("rank swapping", "rank_swapping"),
    method("additive noise", "additive_noise"),
    method("resampling", "resampling"),
    method("microaggregation of all variables", "mdav"),
    measure("IL1, with its rule for zeros", "information_loss"),
    measure("IL1s", "standardised_information_loss"),
    measure("DLD", "distance_linkage"),
    measure("RID, by ranks", "interval_disclosure"),
    measure("SDID, by standard deviations", "deviation_interval_disclosure"),
    measure("the 5 % farthest records, and measures over them", "assess", note="`outliers=True`"),
    experiment("seventy maskings of Census and EIA, ten pictures", "Study.ru_map"),
    printed_figures("what is said of Figures 1 to 10 and in the conclusions", "outliers paper"),
)

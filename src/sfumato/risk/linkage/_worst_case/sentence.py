"""What the strongest attack finds, who makes it and what they know, in one sentence."""

from sfumato.contracts.figure_ends import lower_end, not_ruled_out
from sfumato.data import Microdata, role
from sfumato.risk.linkage._likelihood_links import LikelihoodLinks

DOUBTFUL = (
    "the likelihood is not that of the masking, as a simpler attack finds clearly more row by row: more may be linked "
    "than is told here"
)


def worst_case_sentence(
    masked: Microdata,
    names: tuple[str, ...],
    percent: float,
    strongest: str,
    links: LikelihoodLinks,
    *,
    knows_recipe: bool,
    is_doubtful: bool,
) -> str:
    """Return who links how many records, how sure they are, how, and by what they do not look for anybody."""
    recipe = "the recipe and " if knows_recipe and links.recipe_fits else ""
    who, lower = f"an intruder who knows {recipe}{_known_columns(masked, names)}", lower_end(percent, links.bound)
    left = not_ruled_out(percent, links.bound)
    linked = f"{who} links {lower}{percent:.1f} % of the records{': ' if left else ''}{left}"
    sure = f"{'this attack is ' if lower else ''}{links.certainty_in_words()}"
    if left:
        sure = f"{sure}, and a cleverer one may be of more"
    by_likelihood = 100 * float(links.ways[links.strongest].mean())
    if not strongest.startswith("likelihood") and by_likelihood < percent:
        sure = f"by the likelihood alone, which links {by_likelihood:.1f} %, {sure}"
    claim = DOUBTFUL if is_doubtful else links.claim(percent)
    passages = [
        linked,
        sure,
        claim,
        f"strongest attack: {strongest}",
        *links.remarks,
        *_weights_left_out(masked, names),
    ]
    return "; ".join(filter(None, passages))


def _known_columns(masked: Microdata, names: tuple[str, ...]) -> str:
    """Return how many columns are known, and which weights are among them: few think of those."""
    columns = f"these {len(names)} columns" if len(names) > 1 else "this column"
    weights = [name for name in masked.select(role("weight")) if name in names]
    return f"{columns} ({', '.join(weights)}, the weight, too)" if weights and len(names) > 1 else columns


def _weights_left_out(masked: Microdata, names: tuple[str, ...]) -> list[str]:
    """Return that weights are released by which nobody is looked for here, although they may tell persons apart."""
    others = [name for name in masked.select(role("weight")) if name not in names]
    if not others:
        return []
    return [
        f"not by {', '.join(others)}, released too: whoever knows a weight, or takes records with the same one for a "
        f"household, may find more"
    ]

"""The one vocabulary: what each field of a record means, in which unit, and which words are not used for it.

One idea has one word, in Python, in YAML and on the command line. A new field takes a word from here; a new word needs
a line here, which a test demands.
"""

import re
from typing import NamedTuple

PERCENT = "percent"
RECORDS = "records"
COLUMNS = "column names, or a rule"
DEVIATIONS = "standard deviations"


class Word(NamedTuple):
    """What a field of this name means, and its unit where it has one."""

    meaning: str
    unit: str = ""


PARAMETERS: dict[str, Word] = {
    # columns and their parts in a method or measure
    "columns": Word("the columns that are changed, or measured", COLUMNS),
    "given": Word("columns that are only read", COLUMNS),
    "within": Word("columns whose equal values make the strata", COLUMNS),
    "sensitive": Word("columns that an intruder wants to learn", COLUMNS),
    "blocking": Word("columns in which two records must agree to be compared", COLUMNS),
    "similar_on": Word("columns in which households that swap must agree", COLUMNS),
    "household": Word("the column that says which records live together", "column name"),
    "household_columns": Word("columns that are the same for a whole household", COLUMNS),
    "key_columns": Word("columns by which a record may be recognised", COLUMNS),
    "weight": Word("the column that says how many persons a record stands for", "column name"),
    "column_groups": Word("columns in groups, each masked by itself", "lists of column names"),
    "columns_at_a_time": Word("how many columns are masked together", "columns"),
    "scenarios": Word("sets of columns that an intruder may know", "lists of column names"),
    "combinations": Word("sets of key columns that are looked at together", "columns"),
    "hierarchy": Word("which categories are joined into which, level by level"),
    "hierarchies": Word("a hierarchy for each column that has one"),
    "population": Word("how many persons of the population have each combination of keys", "persons"),
    "population_size": Word("how many persons the population has", "persons"),
    # groups, diversity, closeness
    "k": Word("the smallest number of records in a group", RECORDS),
    "l": Word("how many different sensitive values a group has at least", "values"),
    "t": Word("how far the sensitive values of a group may be from those of the file", "distance, 0 to 1"),
    "entropy_l": Word("the l of entropy l-diversity", "values"),
    "recursive_cl": Word("the c and the l of recursive (c, l)-diversity"),
    "beta": Word("how much likelier a sensitive value may be in a group than in the file", "ratio"),
    "c": Word("the c of recursive (c, l)-diversity", "ratio"),
    "is_enhanced": Word("whether the gain of a frequent value is bounded more strictly"),
    "gamma": Word("how much nearer a record must be to a group than to another record to join", "ratio"),
    # shares are percent
    "percent": Word("how much of the file is concerned", PERCENT),
    "record_percent": Word("how many records an improver may change", PERCENT),
    "target_percent": Word("the information loss to come near to, of that of the masked file", PERCENT),
    "original_percent": Word("the weight of the original record in a mixture", PERCENT),
    "sampling_percent": Word("how many of the population are in the file", PERCENT),
    "max_suppressed": Word("how many records may be suppressed", PERCENT),
    "min_presence": Word("the smallest allowed certainty that a person is in the file", PERCENT),
    "max_presence": Word("the largest allowed certainty that a person is in the file", PERCENT),
    "max_risk": Word("the risk above which a record is at risk", PERCENT),
    "stay": Word("how likely a category stays as it is", PERCENT),
    "window": Word("how far away in rank a value may go", PERCENT),
    "widths": Word("half the widths of the intervals around a masked value", PERCENT),
    "max_percent": Word("the largest part of a group, of a cell or of its largest contribution", PERCENT),
    "n": Word("how many of the largest contributions are added up", "contributions"),
    "p": Word("how near another unit may come to the largest contribution", PERCENT),
    # limits and lengths of a search
    "max_dimensions": Word("the largest number of columns in a table", "columns"),
    "max_keys": Word("the largest number of columns that an intruder knows", "columns"),
    "max_nodes": Word("after how many nodes of a search tree to stop", "nodes"),
    "max_size": Word("the largest number of columns in a combination", "columns"),
    "max_steps": Word("after how many steps to stop", "steps"),
    "min_leaf": Word("the smallest number of records in a leaf of a tree", RECORDS),
    "min_records": Word("the smallest number of records in a subdomain", RECORDS),
    "effort": Word("after how much counted work to stop", "about seconds of a processor"),
    "time_limit": Word("after how long to stop", "seconds"),
    "rounds": Word("how often a search goes through all groups", "rounds"),
    "patience": Word("after how many rounds without a gain to stop", "rounds"),
    "starts": Word("how often a clustering starts anew", "starts"),
    "precision": Word("how many of the links above a weight must be right", PERCENT),
    "tolerance": Word("how far two numbers may be apart and still agree"),
    "max_gap": Word("how much better another solution may be for a search to stop", PERCENT),
    "target": Word("the distance of moments at which an improver may stop"),
    # sizes, scales and shapes of a change
    "scale": Word("the size of noise, of a step or of an interval", DEVIATIONS),
    "spread": Word("the standard deviation of random factors around 1", PERCENT),
    "averaged_by": Word("columns whose equal values make the groups of records that are averaged", COLUMNS),
    "column_weights": Word("what each column is a weighted sum of", "ratio"),
    "shifts": Word("what is added to each column", "that of the column"),
    "variance_ratio": Word("the covariance of noise, in covariances of the data", "ratio"),
    "noise_ratio": Word("the variance of the noise that was added, in variances of the column", "ratio"),
    "component_variance": Word("the variance of a component, in variances of the mixture", "ratio"),
    "centres": Word("where the components of a mixture lie; only the ratios of their distances matter"),
    "rescaled": Word("whether variances are kept by drawing values towards the mean"),
    "at": Word("the threshold from which a tail is coded", "that of the column"),
    "replacement": Word("what takes the place of a coded tail"),
    "base": Word("what values become multiples of"),
    "points": Word("the values that others are rounded to"),
    "to": Word("what dates are rounded to: week, month, quarter, year or age"),
    "periods": Word("how many weeks, months, quarters or years make a class", "periods"),
    "reference_date": Word("the day on which ages are told", "date"),
    "max_days": Word("by how many days dates are shifted at most", "days"),
    "breaks": Word("the values at which classes begin"),
    "buckets": Word("into how many runs of ranks a column is cut", "buckets"),
    "classes": Word("how many classes a continuous column is cut into", "classes"),
    "intervals": Word("how many intervals a distribution is fitted in", "intervals"),
    "clusters": Word("how many clusters are looked for", "clusters"),
    "max_candidates": Word("how many of the nearest records an intruder looks at", RECORDS),
    "attacks": Word("how many attacks an intruder makes at most", "attacks"),
    "donors": Word("of how many near records one gives its value", RECORDS),
    "samples": Word("how many samples are averaged", "samples"),
    "records": Word("how many synthetic records are made", RECORDS),
    "trees": Word("how many trees a forest has", "trees"),
    "releases": Word("how many synthetic files are made", "files"),
    "vectors": Word("how many vectors make the hull that hides a column", "vectors"),
    "size": Word("how many records are kept", RECORDS),
    "key_count": Word("how many keys are known together", "columns"),
    "length": Word("how many hexadecimal digits a pseudonym has", "digits"),
    "depth": Word("how many steps below the root of a hierarchy", "steps"),
    "digits": Word("how many characters each level of codes adds", "characters"),
    "quality": Word("the quality of a JPEG picture", "1 to 100"),
    "moment_order": Word("up to which power moments are compared"),
    "expression": Word("how a column is computed from others"),
    "rules": Word("conditions that every synthetic record meets"),
    "map": Word("which category becomes which"),
    "others": Word("what becomes of the categories that are not named"),
    "keeps_others": Word("whether categories that are not named stay"),
    "tail_label": Word("what the value that stands for a coded tail is called"),
    "class_names": Word("patterns for the names of classes and ranges"),
    "lowest": Word("the pattern for the class below all bounds"),
    "between": Word("the pattern for a class between two bounds"),
    "highest": Word("the pattern for the class above all bounds"),
    "joined": Word("the pattern for a range that includes both its ends"),
    "labels": Word("the categories that take the place of classes or groups"),
    "matrices": Word("for each column the probability that a category turns into another", "probabilities"),
    "importance": Word("how much the loss of a column counts", "ratio"),
    "weights": Word("how much each part counts in a sum or a mixture", "ratio"),
    "loss_weight": Word("how much information loss counts in a score", "ratio"),
    "linkage_weight": Word("how much record linkage counts in a score", "ratio"),
    "interval_weight": Word("how much interval disclosure counts in a score", "ratio"),
    "significance": Word("the level of a statistical test", "probability"),
    "distributions": Word("the distributions that are tried"),
    # choices
    "bootstrap": Word("whether each model is fitted to a resample"),
    "compared_values": Word("whether raw or standardised values are compared"),
    "correspondence": Word("which original record a masked one is held against"),
    "direction": Word("who is linked to whom"),
    "distance": Word("how the distance of two records is computed"),
    "exact": Word("whether the exact mean is computed for all classes of records"),
    "has_interactions": Word("whether products of columns are predictors too"),
    "individual_ranking": Word("whether the file was masked by microaggregating each column by itself"),
    "keeps_groups": Word("whether an improver keeps records that are alike alike"),
    "metric": Word("how two values are compared"),
    "missing": Word("what a missing value counts as"),
    "models": Word("for some columns the model that they are drawn by"),
    "model": Word("which tables of the keys a log-linear model keeps"),
    "numbers": Word("what is released of a number: the mean, median or range of its group"),
    "projection": Word("the line by which records are put in order"),
    "refine": Word("whether groups are improved after they are made"),
    "ties": Word("what counts when several records are equally near"),
    "wildcards": Word("whose missing values fit every value"),
    # secrets, seeds
    "key_file": Word("the file that holds the key of pseudonyms", "path"),
    "key_variable": Word("the environment variable that holds the key of pseudonyms", "name"),
    "seed": Word("where random draws begin; only in recipes, studies and what must draw"),
    "name": Word("the name by which recipes, tables or schemas know it"),
    "symbol": Word("the short name of a figure in tables"),
    "source": Word("the paper that something comes from"),
}
"""The words of methods, measures, improvers and scores."""

DOCUMENTS: dict[str, Word] = {
    # recipes and schemas
    "steps": Word("the methods of a recipe in order"),
    "improve": Word("the improver that ends a recipe"),
    "keep_identifiers": Word("whether a release may hold identifiers"),
    "keep_order": Word("whether released records stay in their order"),
    "keep_households": Word("whether released households keep their numbers"),
    "release_key": Word("where the draws of order and household numbers of a release begin"),
    # studies and files of measures
    "candidates": Word("the recipes to compare, or to search among"),
    "replications": Word("how often each candidate is run", "runs"),
    "measures": Word("what to measure"),
    "scores": Word("how to combine what was measured"),
    "outliers": Word("whether figures of the outliers are given apart"),
    "limits": Word("what is demanded of figures, as in DLD<=5", "as the figures"),
    "schema": Word("the kinds and roles of the variables"),
    "variables": Word("the variables of a schema"),
    "label": Word("what a variable is called"),
    "kind": Word("continuous, ordinal, nominal or date"),
    "role": Word("what a variable is for: key, confidential, identifier, weight ..."),
    "categories": Word("the categories of a variable in order"),
    "missing_codes": Word("values that stand for missing"),
    "missing_ranges": Word("ranges of values that stand for missing"),
    "valid_codes": Word("codes that look like no answer and are values"),
    "value_labels": Word("what the values of a variable mean"),
    "date_format": Word("how dates are written that are kept as text, as in dd/mm/yyyy"),
    # specifications of tables
    "dimensions": Word("the columns that are the dimensions of a table; `by` in a file", "column names"),
    "tables": Word("the tables with their dimensions", "lists of column names"),
    "data": Word("the file of records", "path"),
    "schema_file": Word("the schema of the file of records", "path"),
    "cells": Word("for each table the file of its cells", "paths"),
    "value": Word("the column that is added up", "column name"),
    "count": Word("the column of the number of contributions", "column name"),
    "largest": Word("the columns of the largest contributions of a cell", "column names"),
    "min_count": Word("the smallest count besides 0 that is published", "count"),
    "max_deviation": Word("by how much a published count may deviate", "count"),
    "max_percent": Word("the largest part of a cell, or of its largest contribution", PERCENT),
    "total": Word("the code of a total"),
    "holding": Word("the column of the unit that contributions belong to", "column name"),
    "shadow": Word("the column by which cells are judged in place of the value", "column name"),
    "request": Word("the column of units that ask for protection", "column name"),
    "zeros": Word("whether all combinations of codes are cells"),
    "repair": Word("whether totals that do not add up are computed anew"),
    "rules": Word("what makes a cell unsafe"),
    "cost": Word("what suppressing or moving a cell costs"),
    "insiders": Word("whether units know their own contributions"),
    "known_within": Word("how far an intruder knows each cell beforehand", PERCENT),
    "protections": Word("the ways in which tables are protected"),
    "root": Word("the code of the total of a hierarchy"),
    "keeps": Word("which cells an adjustment leaves as they are"),
    "key": Word("the column of the records' cell keys", "column name"),
    "variance": Word("the variance of the deviations of counts"),
    "units": Word("how many units a cell must have", "units"),
    "protection_level": Word("how near an intruder may not come to an unsafe value", "as the value"),
    "margin": Word("how wide the protection interval of an unsafe cell is", PERCENT),
    "n": Word("how many of the largest contributions are added up", "contributions"),
    "p": Word("how near another unit may come to the largest contribution", PERCENT),
    "q": Word("how well others know a contribution beforehand", PERCENT),
    "followers": Word("how many units work together", "units"),
    "given_cells": Word("what is decided of some cells beforehand"),
    "status": Word("what is decided of a cell beforehand"),
    "where": Word("the codes of the cells that are meant"),
}
"""The words of recipes, schemas, reading options and specifications of tables."""

MANIFESTS: dict[str, Word] = {
    "confidential": Word("why a manifest must not be published"),
    "sfumato": Word("the version of Sfumato"),
    "versions": Word("the versions of Python and of the libraries"),
    "plugins": Word("methods that are not Sfumato's own, with the package and version of each"),
    "started": Word("when a run began", "UTC"),
    "seconds": Word("how long a run took", "seconds"),
    "input": Word("the file that was masked"),
    "output": Word("the file that came out"),
    "original": Word("the original file"),
    "masked": Word("the masked file"),
    "input_schema": Word("the schema that the reader was given", "lines of YAML"),
    "original_schema": Word("the schema that the reader was given", "lines of YAML"),
    "read_options": Word("what the reader was told beyond the file's name"),
    "write_options": Word("how a file was written"),
    "recipe": Word("the recipe of a run"),
    "text": Word("a recipe or an improver as it was given", "lines of YAML"),
    "file": Word("where a file is, as seen from the manifest", "path"),
    "sha256": Word("the digest of a file or a text"),
    "rows": Word("how many records a file has", RECORDS),
    "records": Word("how many records an improver could change", RECORDS),
    "unchanged": Word("columns that came out as they went in", "column names"),
    "unchanged_percent": Word("how many values of a column came out as they went in", PERCENT),
    "all_records": Word("whether every record of the input is in the output once"),
    "improvement": Word("what came of improving"),
    "improver": Word("the improver as it was given"),
    "ended": Word("why an improver stopped"),
    "steps_taken": Word("how many steps an improver took", "steps"),
    "remarks": Word("sentences to be read with a result"),
    "aimed_loss": Word("the information loss that was aimed at", PERCENT),
    "error_before": Word("the distance of moments before improving"),
    "error_after": Word("the distance of moments after improving"),
    "loss_before": Word("the information loss before improving", PERCENT),
    "loss_after": Word("the information loss after improving", PERCENT),
}
"""The words of manifests: facts of a run, which nobody writes by hand."""

WORDS = PARAMETERS | DOCUMENTS | MANIFESTS

PREFERRED_WORDS: dict[str, str] = {
    r"group_size|smallest_group|min_group": "k",
    r"distinct_values|least_values|diversity": "l",
    r"closeness": "t",
    r"least(_\w+)?|\w+_least": "min_*",
    r"most(_\w+)?|\w+_most": "max_*",
    r"(max_|limit_)?seconds_limit|timeout|max_seconds|minutes": "time_limit, in seconds",
    r"(\w+_)?(fraction|proportion|ratio_of_records)": "*_percent, in percent",
    r"by|by_household|households": "household for the column of households, within for strata",
    r"random_state|random_seed": "seed",
    r"iterations|n_\w+|num_\w+|nb_\w+": "max_steps, or the plural of what is counted",
    r"strata|stratify|groupby": "within",
    r"variables_\w+|cols|vars|features": "columns",
}
"""Words that are not used, as patterns, and what to write instead."""


def preferred_word(name: str) -> str:
    """Return what to write in place of a word that is not used; nothing for one that may be.

    Examples
    --------
    >>> preferred_word("group_size"), preferred_word("most_steps"), preferred_word("k")
    ('k', 'max_*', '')
    """
    return next((instead for pattern, instead in PREFERRED_WORDS.items() if re.fullmatch(pattern, name)), "")

"""What the report on tables says of the audit: who was in it, what it shows, and what it leaves open."""

ALONE_FINDS = (
    "whether there are any is not on this page; whoever knows a cell that is not published may work out others"
)
NOBODY_FINDS = "nobody is alone in a cell that bears on an unsafe cell of others"
HOW_JUDGED = (
    "Safe against means here: by the audit, what is published does not narrow the amount of an unsafe cell down "
    "further than the rule that calls it unsafe allows. It is about amounts, and not about who is in a cell."
)
WHO_IS_THERE = "What empty places and cells that are not published tell of who is there."
WHO_ELSE_IS_THERE = (
    "What empty places and cells that are not published tell of who is there, beyond the rows in which one category "
    "alone is filled, which the verdict names."
)
SHARED_CELLS = (
    "What contributors who share a cell with others work out from several cells together, when they take off what they "
    "gave themselves."
)
NO_CONTRIBUTOR = (
    "Contributors who know what they gave: none was in the audit. Whoever knows a cell that is not published may work "
    "out others."
)
NOBODY_ALONE = (
    "No contributor is alone in a cell that bears on an unsafe cell of others, so that none had to be in the audit."
)
NOT_THOUGHT_OF = "The specification leaves out contributors who are alone in a cell: look whether there are any."
NOT_AUDITED = "The audit of this protection is of the public alone: contributors who are alone in a cell are not in it."
NO_AUDIT = "Whether anybody can work out a cell: no rule says which cells are unsafe, so that there was no audit."
NOT_TESTED = (
    "Questions of the law and of standards, which a report answers for files of records only.",
    "Other releases: whoever has another table or file of the same contributors, not named as an earlier release, may "
    "learn more.",
    "Contributors who tell each other what they contributed, unless a rule says so.",
    "Figures that somebody knows from annual reports or registers.",
    "What is published of the same records by another office.",
)
SECRETS = "The data; the specification and its thresholds; this edition and its JSON."
PROMISED = (
    "By an audit of every unsafe cell: from what is published, nobody who was in the audit can narrow such a cell down "
    "further than the rules allow."
)
NOT_KNOWN = (
    "What other tables or files of the same contributors add, and what contributors tell each other; the section on "
    "what was not tested lists all."
)
RESTS_ON = (
    "The rules find all cells that would tell too much; each contributor is one person, household or firm, as the "
    "table below says; where no figure is negative, everybody is taken to know that none is."
)
KNOWN_COUNTS = (
    "combinations without records are no cells, so that readers know of each suppressed count that it is at least 1. "
    "The audit does not reckon with that, and small counts may be worked out exactly. Make empty combinations cells "
    "(zeros: true), or groups larger."
)
THE_PUBLIC = (
    "The public",
    "what is published, how tables add up, and that no figure is negative where none is",
    "to work out a cell",
)
A_CONTRIBUTOR = (
    "A contributor",
    "the same, and their own contribution where they are alone in a cell",
    "to work out others",
)

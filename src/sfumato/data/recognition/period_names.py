"""Columns that say when somebody was asked or came, by their names: waves, visits, years of a survey."""

import re
import unicodedata

from sfumato.data.column_names import is_usual_key, is_usually_confidential

WORDS = """
    wave waves welle vague onda ola golf fala round runde ronde period periode periodo okres quarter quartal trimestre
    kwartal kwartaal visit visite visita besuch bezoek wizyta occasion sweep year jahr annee ano anno rok jaar month
    monat mois mes mese maand miesiac week woche semaine semana settimana tydzien time trip episode spell diary
"""
PERIOD_WORDS = frozenset(WORDS.split())


def is_period(name: str) -> bool:
    """Tell whether a column is named like the wave, visit or year of a record, and not like a birth or an age.

    Examples
    --------
    >>> [is_period(name) for name in ("wave", "survey_year", "Année", "visit_no", "birth_year", "age", "region")]
    [True, True, True, True, False, False, False]
    """
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
    words = {word.casefold() for word in re.findall("[A-Za-z][a-z]*", plain)} | {plain.casefold()}
    return bool(PERIOD_WORDS & words) and not (is_usual_key(name) or is_usually_confidential(name))

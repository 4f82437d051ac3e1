"""What the name of a column says of it: a code, a number to count with, a person's name, a household, a weight."""

import re
import unicodedata

from sfumato.data.recognition.name_words import (
    AGE_WORDS,
    BODY,
    CLASSIFICATION_WORDS,
    CODE_ENDING,
    CODE_WORDS,
    COUNTED_WORDS,
    DATE_WORDS,
    DIFFERENCE_WORDS,
    FOUNDING,
    FREE_TEXT_WORDS,
    HOUSEHOLD,
    IDENTIFIER,
    KEY_STEMS,
    KEY_WORDS,
    MEMBER_NUMBER,
    MONEY_WORDS,
    NAME_WORDS,
    NAMES_OF_SAMPLES,
    NOT_A_HOUSEHOLD,
    NOT_A_PERSON,
    NOT_A_WEIGHT,
    NUMBER_ENDINGS,
    NUMBER_WORDS,
    NUMBERED_PERSON_WORDS,
    NUMBERING,
    OF_A_CHILD,
    PERSON_NUMBER,
    PERSON_NUMBERS,
    PERSON_WORDS,
    PERSONAL,
    PLAIN_WEIGHT,
    REGISTER_WORDS,
    SECRET_ENDINGS,
    SECRET_STEMS,
    SECRET_WORDS,
    STAY_WORDS,
    WEIGHT,
    YEAR_WORDS,
)

UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
UNDECOMPOSED = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O"})  # letters that are no letter and a mark
RUN_TOGETHER_ID = re.compile(r"[a-z]I[dD]$|[A-Z]ID$")


def is_code(name: str) -> bool:
    """Tell whether a column is named like a code.

    Examples
    --------
    >>> [is_code(name) for name in ("REGION", "OCCUCODE", "isco08", "postal_code", "age", "income")]
    [True, True, True, True, False, False]
    """
    return bool(CODE_ENDING.search(name) or CODE_WORDS & _words(name))


def is_classification(name: str) -> bool:
    """Tell whether a column is named like a classification whose codes are written with a point, as 62.01.

    Examples
    --------
    >>> [is_classification(name) for name in ("NACE_rev2", "isco", "region_gdp")]
    [True, True, False]
    """
    return bool(CLASSIFICATION_WORDS & _words(name))


def is_count_of_persons(name: str) -> bool:
    """Tell whether a column is named like a count of persons.

    Examples
    --------
    >>> [is_count_of_persons(name) for name in ("Kinder", "n_children", "satisfaction")]
    [True, True, False]
    """
    return bool(COUNTED_WORDS & _words(name))


def is_number(name: str) -> bool:
    """Tell whether a column is named like something that is counted or measured."""
    words = _words(name)
    return bool(NUMBER_WORDS & words) or any(word.endswith(NUMBER_ENDINGS) for word in words)


def is_person(name: str, *, as_number: bool = False) -> bool:
    """Tell whether a column is named like a person's name, address or number.

    Examples
    --------
    >>> [is_person(name) for name in ("surname", "E-mail", "home_address", "region_name")]
    [True, True, True, False]
    """
    words = _words(name)
    return bool((NUMBERED_PERSON_WORDS if as_number else PERSON_WORDS) & words) and not NOT_A_PERSON & words


def is_persons_name(name: str) -> bool:
    """Tell whether a column is named like the name of a person, and like nothing else.

    Examples
    --------
    >>> [is_persons_name(name) for name in ("surname", "Nachname", "first_name", "name", "phone")]
    [True, True, True, False, False]
    """
    words = _words(name)
    return bool(NAME_WORDS & words) and not NOT_A_PERSON & words


def is_free_text(name: str) -> bool:
    """Tell whether a column is named like what somebody wrote in their own words.

    Examples
    --------
    >>> [is_free_text(name) for name in ("REMARK", "Bemerkungen", "interviewer_comment", "grade")]
    [True, True, True, False]
    """
    return bool(FREE_TEXT_WORDS & _words(name))


def is_usual_key(name: str) -> bool:
    """Tell whether a column is named, or labelled, like what others usually know of a person.

    Examples
    --------
    >>> [is_usual_key(name) for name in ("Staatsangehörigkeit", "état civil", "Sesso", "płeć", "Miete")]
    [True, True, True, True, False]
    """
    words = _words(name)
    is_stay = bool(words & DATE_WORDS and words & STAY_WORDS)
    return is_stay or bool(KEY_WORDS & words) or any(word.startswith(KEY_STEMS) for word in words)


def is_usually_confidential(name: str) -> bool:
    """Tell whether a column is named, or labelled, like what nobody should learn about a person.

    Examples
    --------
    >>> [is_usually_confidential(name) for name in ("Nettoeinkommen", "salaire mensuel", "hourpay", "Geschlecht")]
    [True, True, True, False]
    >>> [is_usually_confidential(name) for name in ("special_need", "Hepatitis", "Schwangerschaft", "specialist")]
    [True, True, True, False]
    >>> [is_usually_confidential(name) for name in ("ingreso_mensual", "edad_ingreso", "fecha_ingreso", "anno_cost")]
    [True, False, False, False]
    """
    words = _words(name)
    words = words - MONEY_WORDS if words & (AGE_WORDS | DATE_WORDS) else words
    words = words - FOUNDING if words & YEAR_WORDS else words
    return bool(SECRET_WORDS & words) or any(
        word.startswith(SECRET_STEMS) or word.endswith(SECRET_ENDINGS) for word in words
    )


def is_household(name: str) -> bool:
    """Tell whether a column is named like the number of a household, and not like what it earns or who is in it.

    Examples
    --------
    >>> [is_household(name) for name in ("hh_id", "idmen", "Net income of the household", "Persons in household")]
    [True, True, False, False]
    """
    is_about_it = is_usually_confidential(name) or bool(NOT_A_HOUSEHOLD & _words(name))
    return bool(HOUSEHOLD.search(_joined(name))) and not is_about_it


def is_weight(name: str) -> bool:
    """Tell whether a column is named like a sampling weight, and not like what a baby weighs.

    Examples
    --------
    >>> [is_weight(name) for name in ("Hochrechnungsfaktor", "ponderación", "fac_exp", "indwt", "gew", "birth_weight")]
    [True, True, True, True, True, False]
    """
    plain = _joined(name)
    return bool(WEIGHT.search(plain)) and not NOT_A_WEIGHT.search(plain)


def is_plain_weight(name: str) -> bool:
    """Tell whether a column is called a weight, and nothing says whether of a sample or of a body.

    Examples
    --------
    >>> [is_plain_weight(name) for name in ("weight", "POIDS", "patient_weight", "sampling_weight", "pspwght")]
    [True, True, True, False, False]
    """
    return bool(PLAIN_WEIGHT.search(_joined(name))) and not NAMES_OF_SAMPLES & _words(name)


def is_person_number(name: str) -> bool:
    """Tell whether a column is named like the number of a person or patient.

    Examples
    --------
    >>> [is_person_number(name) for name in ("PatientenNr", "person_id", "Fallnr", "household_id")]
    [True, True, False, False]
    >>> [is_person_number(name) for name in ("mutter_nr", "id_eleve", "rodne_cislo", "mother_education")]
    [True, True, True, False]
    """
    is_named = bool(PERSON_NUMBERS & _words(name)) or bool(PERSON_NUMBER.search(_joined(name)))
    return is_named and not is_household(name)


def is_member_number(name: str) -> bool:
    """Tell whether a column is named like the number that a member has within a household, as `pnr` or `line_no`."""
    return bool(MEMBER_NUMBER.search(_joined(name)))


def is_personal(name: str) -> bool:
    """Tell whether a column is named like the sex or the day of birth of a person, which stay the same.

    Examples
    --------
    >>> [is_personal(name) for name in ("sexe", "geschl", "mutter_gebdat", "kind_sex")]
    [True, True, True, False]
    """
    words = _words(name)
    return bool(PERSONAL & words) and not OF_A_CHILD & words


def is_age(name: str) -> bool:
    """Tell whether a column is named like the age of somebody."""
    return bool(AGE_WORDS & _words(name))


def is_amount(name: str) -> bool:
    """Tell whether a column is named like something that is counted, measured or paid."""
    return is_number(name) or is_usually_confidential(name)


def is_body_measure(name: str) -> bool:
    """Tell whether a column is named like the height of a person, or what is computed from it."""
    return bool(BODY & _words(name))


def is_identifier(name: str) -> bool:
    """Tell whether a column is named like the number of a person, firm or record.

    Examples
    --------
    >>> [is_identifier(name) for name in ("person_id", "Patienten-Nr.", "Fall Nummer", "Nr. of rooms")]
    [True, True, True, False]
    """
    plain = _joined(name)
    return bool(IDENTIFIER.search(plain) or PERSON_NUMBER.search(plain) or RUN_TOGETHER_ID.search(name))


def is_register_number(name: str) -> bool:
    """Tell whether a column is named like the number of a file or an entry in a register.

    Examples
    --------
    >>> [is_register_number(name) for name in ("dossier_no", "matricula", "Aktennummer", "rooms", "contract_value")]
    [True, True, True, False, False]
    """
    is_named = bool(NUMBERING.search(_joined(name))) or bool(REGISTER_WORDS & _words(name))
    return is_named and not (NUMBER_WORDS - {"number", "num", "nb"}) & _words(name)


def is_difference(name: str) -> bool:
    """Tell whether a column is named like the difference of two numbers, which may be below zero.

    Examples
    --------
    >>> [is_difference(name) for name in ("years_behind", "Saldo", "income")]
    [True, True, False]
    """
    return bool(DIFFERENCE_WORDS & _words(name))


def is_measured_weight(label: str) -> bool:
    """Tell whether a label says that something was put on scales, as in `Poids (kg)`."""
    return bool(NOT_A_WEIGHT.search(_joined(label)))


def _joined(name: str) -> str:
    """Return a name without accents, with one underscore for all signs between its words."""
    return re.sub(r"[\W_]+", "_", _without_accents(name)).strip("_")


def _words(name: str) -> set[str]:
    """Return the words of a name in small letters: parts between signs, digits and changes from small to capital.

    Words with accents are there without them, those with umlauts also as in `grösse`, `groesse`.
    """
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", unicodedata.normalize("NFC", name))
    parts = re.findall(r"[^\W\d_]+", apart)
    together = [re.sub(r"[\W\d_]", "", name)]  # e-mail
    words = {part.casefold() for part in (*parts, *together)}
    return {plain for word in words for plain in (_without_accents(word), _without_accents(word.translate(UMLAUTS)))}


def _without_accents(word: str) -> str:
    plain = unicodedata.normalize("NFKD", word.translate(UNDECOMPOSED))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))

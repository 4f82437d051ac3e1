"""Words that say "no answer", as the labels of codes have them in eight languages of Europe."""

import re
import unicodedata

_ANYWHERE = """
refused; refusal; refuse to answer; refuses; dont know; do not know; does not know; doesnt know; not applicable;
inapplicable; no answer; not answered; did not answer; not stated; not reported; not ascertained; no response;
nonresponse; non response; not asked; valid skip; legitimate skip; not specified; prefer not to say;
prefer not to answer; rather not say; cant say; cannot say; not known; no information; not available; system missing;
missing value; missing data;
verweigert; verweigerung; weiss nicht; keine angabe; keine angaben; keine antwort; nicht zutreffend; nicht beantwortet;
nicht erhoben; nicht ermittelbar; nicht bestimmbar; entfallt; entfaellt; ohne angabe; nicht angegeben; nicht befragt;
nicht anwendbar; nicht verfugbar; nicht verfuegbar; mochte nicht antworten; moechte nicht antworten;
refus; refuse de repondre; ne sait pas; ne sais pas; sans objet; non applicable; non concerne; sans reponse;
pas de reponse; non reponse; non renseigne; non declare; non precise; valeur manquante; ne veut pas repondre;
ne se prononce pas; non communique; non disponible; non determine;
se niega; rehusa; rehuso; no sabe; no contesta; no aplica; no aplicable; no procede; sin respuesta; no responde;
sin dato; sin datos; no consta; no especificado; sin informacion; no disponible; no declarado; no informado;
prefiere no contestar; rechaza;
si rifiuta; rifiuta; rifiuto; non risponde; non sa; non so; non applicabile; non pertinente; nessuna risposta;
non risposta; mancata risposta; non indicato; non disponibile; non dichiarato; non specificato; dato mancante;
geweigerd; weigert; weigering; weet niet; weet het niet; niet van toepassing; geen antwoord; geen opgave;
niet ingevuld; wil niet zeggen; wil niet antwoorden; niet bekend; niet gevraagd; geen gegevens;
recusa; recusou; nao sabe; nao responde; nao respondeu; nao se aplica; nao aplicavel; sem resposta; sem informacao;
nao declarado; nao informado; nao especificado; nao disponivel; prefere nao responder;
odmowa; odmowa odpowiedzi; odmawia; nie wiem; nie wie; nie dotyczy; brak odpowiedzi; brak danych; bez odpowiedzi;
trudno powiedziec; nie podano; nie chce odpowiedziec
"""
_WHOLE_OR_LAST = """
missing; unknown; unspecified; undetermined; unbekannt; fehlend; fehlt; inconnu; inconnue; manquant; manquante;
desconocido; desconocida; perdido; ignorado; sconosciuto; mancante; onbekend; ontbrekend; desconhecido; omisso;
em falta; nieznany; nieznana; nieznane
"""
_ABBREVIATIONS = """
na; n a; dk; d k; ref; rf; dk na; dk ref; dk rf; ka; k a; nsp; ns nc; nsnc; ns nr; ns; nc; nr; nvt; n v t; o a; n d;
s d; b d; n p; n r
"""
_SCALE_WORDS = {"trifft nicht zu": "trifft", "does not apply": "applies"}  # no answer, or the low end of a scale

MAX_WORDS = 5  # in a longer label such words mean something else, unless it begins with them
MAX_WORDS_BEFORE_LAST = 3
MAX_ABBREVIATION = 3  # letters


def _phrases(listed: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for phrase in listed.split(";") if phrase.split())


ANYWHERE, WHOLE_OR_LAST, ABBREVIATIONS = map(_phrases, (_ANYWHERE, _WHOLE_OR_LAST, _ABBREVIATIONS))
IN_FULL = ANYWHERE | WHOLE_OR_LAST
MARKED = re.compile(r"[^\W\d_]{1,3}(?:[./] ?[^\W\d_]{1,3})+\.?")  # k.A. and N/A mean nothing else, KA and NA may
MAX_PHRASE = 40  # letters, with room for signs and numbers


def says_no_answer(label: str, others: tuple[str, ...] = ()) -> bool:
    """Tell whether the label of a code says that there is no answer; `others` are the labels of the other codes.

    Examples
    --------
    >>> [says_no_answer(label) for label in ("99 Refused", "Weiß nicht", "Sexe inconnu", "N/A", "Refugee")]
    [True, True, True, True, False]
    >>> says_no_answer("trifft nicht zu"), says_no_answer("trifft nicht zu", ("trifft zu",))
    (True, False)
    """
    words = _words(label)
    if is_no_answer(label):
        return True
    if words in ABBREVIATIONS:  # NC is no answer, unless the labels are those of states
        return not others or any(len(other) > MAX_ABBREVIATION for other in others)
    if len(words) <= MAX_WORDS_BEFORE_LAST and any(words[-len(phrase) :] == phrase for phrase in WHOLE_OR_LAST):
        return True
    if " ".join(words) in _SCALE_WORDS:
        mark = _SCALE_WORDS[" ".join(words)]
        return not any(mark in _words(other) for other in others)
    starts = range(len(words)) if len(words) <= MAX_WORDS else (0,)
    return any(words[start : start + len(phrase)] == phrase for phrase in ANYWHERE for start in starts)


def is_no_answer(text: str) -> bool:
    """Tell whether a text says in full that there is no answer, and nothing else.

    Examples
    --------
    >>> is_no_answer("Don't know"), is_no_answer("I don't know him"), is_no_answer("NC"), is_no_answer("k.A.")
    (True, False, False, True)
    """
    if len(text) > MAX_PHRASE:
        return False
    return _words(text) in IN_FULL or (bool(MARKED.fullmatch(text.strip())) and _words(text) in ABBREVIATIONS)


def _words(label: str) -> tuple[str, ...]:
    """Return the words of a label in small letters, without accents, apostrophes, numbers and what is in brackets."""
    plain = unicodedata.normalize("NFKD", label.casefold().replace("ł", "l"))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    plain = re.sub(r"['\u2019\u00b4`]", "", plain)
    outside = re.sub(r"\([^)]*\)|\[[^\]]*\]", " ", plain)
    plain = outside if re.search(r"[^\W\d_]", outside) else plain
    return tuple(word for word in re.findall(r"[^\W_]+", plain) if not word.isdecimal())

"""What the name of a column says of it: a code, a number to count with, a person's name, a household, a weight."""

import re
import unicodedata


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


CODE_WORDS = _listed(
    """
    code codes cod kod cd isco isced soc occ occup occupation nace naics naf sic isic noga ateco cnae sbi icd atc cpv
    zip zipcode plz postcode postal postleitzahl region regio district distrito distrikt county canton kanton
    commune comune gemeinde municipality municipio municip province provincia provincie prov departement departamento
    dept bezirk kreis ags bundesland nuts lau fips insee country ctry pays pais paese nationality sector industry
    branch psu cluster ward tract type typ status category kldb wz firm firma firme employer arbeitgeber betrieb
    entreprise employeur empresa azienda impresa bedrijf werkgever pracodawca kraj wojewodztwo powiat gmina freguesia
    concelho cntry
    """
)
CODE_ENDING = re.compile(r"(code|_cd|region|district|province|isco|nace|nuts)\d*$", re.IGNORECASE)
NUMBER_WORDS = _listed(
    """
    age alter edad eta leeftijd idade year years jahr jahre annee ano anno jaar income einkommen revenu ingreso reddito
    inkomen renda wage wages salary pay lohn hours stunden days weeks months minutes amount sum total tax price value
    cost rent expenditure score count number num anzahl nb size height weight turnover sales employees distance
    birthyear yob yrbrn agea wiek rok lata liczba dochod wzrost
    """
)
NUMBER_ENDINGS = ("jahr", "jaar", "alter", "einkommen", "inkomen", "groesse")  # compounds such as Geburtsjahr
PERSON_WORDS = _listed(
    """
    name names surname lastname firstname forename fullname vorname nachname familienname nom prenom nombre apellido
    apellidos nome cognome sobrenome naam voornaam achternaam email mail phone telephone telefon telefono telefone tel
    mobile handy ssn nin nino passport iban address adresse direccion indirizzo adres endereco street strasse rue calle
    nif dni cpf bsn svnr ahv pesel nir imie nazwisko ulica adres
    """
)
NUMBERED_PERSON_WORDS = _listed(
    "phone telephone telefon telefono telefone tel mobile handy ssn nin nino passport iban nif dni cpf bsn svnr ahv "
    "pesel nir"
)
KEY_WORDS = _listed(
    """
    age alter edad eta leeftijd idade agegroup birth birthdate birthday born dob geburt geburtsjahr
    geburtsdatum geburtstag naissance nascita nacimiento nee nato nata nacido nacida geboren sex gender
    female male femme homme weiblich maennlich mujer hombre femmina maschio vrouw
    geschlecht sexe sexo sesso geslacht marital familienstand nationality citizenship staatsangehoerigkeit country
    birthplace ethnicity ethnic race religion language education educ isced bildung occupation occ isco beruf profession
    job region district county province canton kanton gemeinde municipality town city village zip plz postcode urban
    urbrur hhsize household_size marst marstat zivilstand civilstand burgerlijkestaat
    geschl ort land staat kreis bezirk bundesland postleitzahl konfession sprache muttersprache abschluss schulabschluss
    ausbildung haushaltsgroesse migrationshintergrund rechtsform relation dipendenti werknemers
    ddn civil matrimonial pays commune departement ville postal diplome etudes langue csp pcs metier emploi ethnie
    genero pais provincia municipio ciudad educacion escolaridad estudios idioma etnia raza
    genere civile cittadinanza paese comune regione citta istruzione studio lavoro lingua religione
    nascimento distrito concelho cidade escolaridade
    burgerlijke gemeente provincie woonplaats opleiding beroep taal godsdienst
    freguesia naturalidade raca lingua estudo regiao regio nuts
    admission admitted discharge entree sortie eintritt austritt aufnahme entlassung ricovero dimissione opname ontslag
    przyjecia wypisu
    wiek plec wojewodztwo powiat gmina miasto kraj wyksztalcenie zawod cywilny obywatelstwo narodowosc wyznanie jezyk
    urodzenia urodzin
    gndr agea yrbrn cntry yob bekenntnis glaube confessione culto eisced famstd marsts gebjahr gebdat relationship
    firm firma firme employer arbeitgeber betrieb entreprise employeur empresa azienda impresa bedrijf werkgever
    pracodawca nace naics isic noga ateco industry branche sector employees beschaeftigte mitarbeiter empleados founded
    """
)
KEY_STEMS = (
    *("occu", "ocup", "isco", "beruf", "profes", "profis", "geburt", "geboorte", "alters", "wohn"),
    *("birth", "religi", "narodow"),
    *("nationali", "naciona", "nazionali", "staatsang", "staatsbuerg"),
)
SECRET_WORDS = _listed(
    """
    income einkommen revenu ingreso reddito inkomen renda wage salary earnings lohn tax steuer savings wealth vermoegen
    debt assets expenditure turnover profit health disease diagnosis illness disability medication crime drug drugs
    abuse hiv benefit pension rent
    gehalt verdienst miete rente schulden krankheit diagnose gesundheit
    salaire impot loyer patrimoine dette sante maladie handicap
    salario sueldo impuesto alquiler deuda salud enfermedad
    stipendio imposta affitto debito salute malattia pensione
    salaris loon huur schuld gezondheid ziekte pensioen rendimento rendimentos saude doenca imposto divida
    ingresos rentas revenus salaires redditi salari salarios einkuenfte bezuege brutto netto
    dochod dochody wynagrodzenie zarobki zdrowie choroba podatek dlug czynsz
    diag vorstrafen straftat delikt condena condamnation reato addiction sucht sales revenue umsatz exports imports
    cost costs cout couts coste costes costo custo custos kosten koszt koszty drg ghm icd cim bmi death deces mort
    verstorben muerte decesso obito zgon smoker smoking raucher tabac tabagisme tabaco alcohol alkohol alcool
    pay payment payments payroll wages salaries incomes gross inc hhinc hinc pinc faminc totinc netinc bonus
    """
)
SECRET_STEMS = ("diagn", "krankh", "enferm", "chorob", "deficien", "discapac", "behinder", "disab", "invalid")
SECRET_ENDINGS = (  # compounds such as Nettoeinkommen and grosspay
    *("einkommen", "inkomen", "lohn", "gehalt", "verdienst", "kosten"),
    *("income", "pay", "wage", "wages", "salary", "earnings"),
)
NOT_A_HOUSEHOLD = _listed("size members member persons people adults children kids rooms type head age")
FREE_TEXT_WORDS = _listed(
    """
    remark remarks comment comments note notes memo freetext verbatim bemerkung bemerkungen anmerkung anmerkungen
    kommentar notiz freitext remarque remarques commentaire observacion observaciones comentario comentarios
    osservazioni commento opmerking opmerkingen observacao observacoes uwaga uwagi komentarz
    """
)
NOT_A_PERSON = _listed("file column variable region country town city product item brand school company")
HOUSEHOLD = re.compile(
    r"(^|_)(hid|hhid|hh_?(id|nr|no|num|number)|id_?hh|haushalts?_?(id|nr|nummer)|hogar(_?id)?|menage|"
    r"household(_?(id|no|nr|number))?|(id|nr|num|numero|no)_(hogar|menage|famiglia|nucleo|huishouden|agregado|"
    r"gospodarstwa|haushalt)|huishoudens?_?(id|nr|nummer)|(famiglia|nucleo|agregado|gospodarstwo)_?(id|nr))$",
    re.IGNORECASE,
)
WEIGHT = re.compile(
    r"(^|_)(weights?|wgts?|wghts?|wt|[dp]weight|pspwght|fnlwgt|finalwt|gewicht|[hp]?hrf|poids|pond|pondi|fator_?peso|peso|"
    r"waga|wagi|extri|fac_?exp)$|hochrechnung|gewichtung|ponderacion|ponderation|ponderador|ponderazione|ponderacao|"
    r"expansions?fa[kc]tor|(factor|fator|fac)(_?d[eio])?_?(expansion|elevacion|expansao)|(weeg|ophoog)factor|"
    r"riporto_?(all_?universo)?$|waga_(analityczna|probkowa)",
    re.IGNORECASE,
)
PERSON_NUMBERS = _listed("patient patienten patientennr person pid ssn respondent paciente paziente pacjenta persona")
PERSONAL = _listed(
    "sex gender geschlecht sexe sexo sesso plec geslacht birth birthdate dob geburtsdatum naissance nacimiento nascita"
)
PLAIN_WEIGHT = re.compile(r"(^|_)(weights?|wgts?|wghts?|wt|gewicht|poids|peso|waga|wagi)$", re.IGNORECASE)
NAMES_OF_SAMPLES = _listed(
    "sampling sample survey design final person household hh individual analysis population fator"
)
BODY = _listed(
    "height stature bmi waist groesse koerpergroesse taille imc talla altura estatura altezza statura wzrost"
)
NOT_A_WEIGHT = re.compile(r"birth|body|baby|(^|_)(kg|grams?|gramm|lbs?)(_|$)|geburt|koe?rper", re.IGNORECASE)
IDENTIFIER = re.compile(
    r"(^|_)(id|pid|uid|uuid|ssn|identifier|id_?(no|nr|num|number)|lfd_?nr|(person|personal|pers|"
    r"case|fall|resp|respondent|record|serial|patient|patienten|pat|matrikel)_?(id|no|nr|num|number|nummer))$|^id_|"
    r"^(nr|num|numero|no)_(patient|paciente|paziente|pacjenta|dossier|persona|personne|encuesta)$",
    re.IGNORECASE,
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
    return bool(KEY_WORDS & words) or any(word.startswith(KEY_STEMS) for word in words)


def is_usually_confidential(name: str) -> bool:
    """Tell whether a column is named, or labelled, like what nobody should learn about a person.

    Examples
    --------
    >>> [is_usually_confidential(name) for name in ("Nettoeinkommen", "salaire mensuel", "hourpay", "Geschlecht")]
    [True, True, True, False]
    """
    words = _words(name)
    return bool(SECRET_WORDS & words) or any(
        word.startswith(SECRET_STEMS) or word.endswith(SECRET_ENDINGS) for word in words
    )


def is_household(name: str) -> bool:
    """Tell whether a column is named like the number of a household, and not like what it earns or who is in it.

    Examples
    --------
    >>> [is_household(name) for name in ("hh_id", "Net income of the household", "Persons in household")]
    [True, False, False]
    """
    is_about_it = is_usually_confidential(name) or bool(NOT_A_HOUSEHOLD & _words(name))
    return bool(HOUSEHOLD.search(_joined(name))) and not is_about_it


def is_weight(name: str) -> bool:
    """Tell whether a column is named like a sampling weight, and not like what a baby weighs.

    Examples
    --------
    >>> [is_weight(name) for name in ("Hochrechnungsfaktor", "ponderación", "fac_exp", "birth_weight")]
    [True, True, True, False]
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
    """
    return bool(PERSON_NUMBERS & _words(name)) and not is_household(name)


def is_personal(name: str) -> bool:
    """Tell whether a column is named like the sex or the day of birth of a person, which stay the same."""
    return bool(PERSONAL & _words(name))


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
    return bool(IDENTIFIER.search(_joined(name)) or RUN_TOGETHER_ID.search(name))


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

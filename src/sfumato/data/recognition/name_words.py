"""Words in the names and labels of columns, in the languages of surveys, and what they say of a column."""

import re


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
    concelho cntry okres obec
    """
)
CODE_ENDING = re.compile(r"(code|_cd|region|district|province|isco|nace|nuts)\d*$", re.IGNORECASE)
NUMBER_WORDS = _listed(
    """
    age alter edad eta leeftijd idade year years jahr jahre annee ano anno jaar income einkommen revenu ingreso reddito
    inkomen renda wage wages salary pay lohn hours stunden days weeks months minutes amount sum total tax price value
    cost rent expenditure score count number num anzahl nb size height weight turnover sales employees distance
    birthyear yob yrbrn agea wiek rok lata liczba dochod wzrost alder inkomst inntekt indkomst fodelsear fodselsar antal
    antall werkzame vek prijem mzda
    """
)
COUNTED_WORDS = _listed(
    """
    children child kids kinder enfants enfant hijos hijas figli filhos dzieci barn born kinderen persons personen
    personnes personas persone pessoas osoby members mitglieder membres hhsize hsize siblings geschwister
    beschaeftigte mitarbeiter headcount staff workforce effectif effectifs empleados empleadas dipendenti addetti
    zatrudnieni zatrudnienie pracownicy anstallda ansatte medewerkers werknemers zamestnanci trabajadores trabalhadores
    """
)
"""Of columns that count persons, whose highest values few records hold."""
CLASSIFICATION_WORDS = _listed("nace naics naf sic isic noga ateco cnae sbi cpv isco icd")
"""Of classifications whose codes are written with a point, as 62.01."""
NUMBER_ENDINGS = ("jahr", "jaar", "alter", "einkommen", "inkomen", "groesse")  # compounds such as Geburtsjahr
PERSON_WORDS = _listed(
    """
    name names surname lastname firstname forename fullname vorname nachname familienname nom prenom nombre apellido
    apellidos nome cognome sobrenome naam voornaam achternaam email mail phone telephone telefon telefono telefone tel
    mobile handy ssn nin nino passport iban address adresse direccion indirizzo adres endereco street strasse rue calle
    nif dni cpf bsn svnr ahv pesel nir imie nazwisko ulica adres
    personnummer fodselsnummer cpr pnr codicefiscale fornamn efternamn fornavn efternavn etternavn
    """
)
NUMBERED_PERSON_WORDS = _listed(
    "phone telephone telefon telefono telefone tel mobile handy ssn nin nino passport iban nif dni cpf bsn svnr ahv "
    "pesel nir personnummer fodselsnummer cpr pnr"
)
NAME_WORDS = _listed(  # nothing else is called so, whereas "phone" may say whether somebody has one
    """
    surname lastname firstname forename fullname vorname nachname familienname prenom apellido apellidos cognome
    sobrenome voornaam achternaam imie nazwisko fornamn efternamn fornavn efternavn etternavn
    """
)
KEY_WORDS = _listed(
    """
    age alter edad eta leeftijd idade agegroup birth birthdate birthday born dob geburt geburtsjahr
    geburtsdatum geburtstag naissance nascita nacimiento nee nato nata nacido nacida geboren sex gender
    female male femme homme weiblich maennlich mujer hombre femmina maschio vrouw
    geschlecht sexe sexo sesso geslacht marital familienstand nationality citizenship staatsangehoerigkeit country
    birthplace ethnicity ethnic race religion language education educ isced bildung occupation occ isco beruf profession
    lang homelang mothertongue
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
    alder kon koen kjonn kommun kommune yrke erhverv utbildning utdanning uddannelse fodelsear fodselsar fodselsdato
    fodelsedatum fodd fodt foedt sivilstand medborgarskap statsborgerskap sprak spraak trossamfund
    school schule ecole escola escuela scuola skola skole szkola klasse classe clase klas klasa
    sbi werkzame oprichting oprichtingsjaar
    onace oenace staff headcount workforce effectif effectifs empleadas dipendente addetti zatrudnieni
    zatrudnienie pracownicy anstallda ansatte medewerkers personeelsleden zamestnanci trabajadores trabalhadores
    state prefecture prefectura prefettura prefektur governorate voivodeship fylke estado
    legalform legalstatus formejuridique statutjuridique formajuridica naturezajuridica formagiuridica rechtsvorm
    formaprawna pravniforma selskapsform juridiskform
    vek pohlavi okres obec narozeni vzdelani povolani zamestnani narodnost obcanstvi jazyk mesto
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
    inkomst inntekt indkomst loen lonn skatt skat hyra husleie sjukdom sykdom sygdom helse halsa formogenhet formue
    omzet winst export import fatturato affaires facturacion ventas obrot przychod przychody zysk omsattning
    prijem prijmy mzda plat dluh dluhy nemoc zdravi najem najemne
    """
)
SECRET_STEMS = (
    *("diagn", "krankh", "enferm", "chorob", "deficien", "discapac", "behinder", "disab", "invalid", "handicap"),
    *("specialneed", "specialeduc", "foerderbedarf", "sonderpaed", "impair", "dyslex", "legasthen", "autis"),
    *("hepat", "tubercul", "tuberkul", "tuberkol", "diabet", "cancer", "cancr", "krebs", "tumor", "tumeur", "asthm"),
    *("epilep", "psych", "depress", "allerg", "infect", "infek", "infez", "zakazen"),
    *("pregnan", "schwanger", "grossesse", "embaraz", "gravid", "zwanger", "ciaz"),
)
SECRET_ENDINGS = (  # compounds such as Nettoeinkommen and grosspay
    *("einkommen", "inkomen", "lohn", "gehalt", "verdienst", "kosten"),
    *("income", "pay", "wage", "wages", "salary", "earnings"),
)
REGISTER_WORDS = _listed(
    """
    dossier matricula matricule matrikel matrikula register registration registro registre registo rejestr regno reg
    akte akten aktenzeichen geschaeftszeichen zaak expediente fascicolo pratica processo sprawa arende sak sag
    reference ref referenz referencia referenza serial folio licence license permit policy police polizza poliza
    contract vertrag contrat contrato contratto umowa account konto compte cuenta conto conta rekening customer kunde
    kunden klant klient client cliente member mitglied mitglieds adherent socio student schueler eleve alumno alunno
    aluno leerling uczen elev employee badge chart mrn nhs insurance versicherung versicherten siren siret vat ust kvk
    rcs handelsregister firmenbuch cif crn duns nip regon ico orgnr cvr case fall file filing folder application antrag
    demande solicitud claim stay episode admission encounter
    """
)
"""Of registers and files: whole numbers that are nearly all different under such a name number them."""
NUMBERING = re.compile(
    r"(^|_)(no|nr|nro|num|number|nummer|numero|numer|n)$|(nummer|nr|numero)$|^(no|nr|num|numero)_", re.I
)
DIFFERENCE_WORDS = _listed(
    """
    diff difference differenz differenza diferencia diferenca verschil roznica skillnad forskel delta change changes
    veraenderung aenderung variation variacion variazione variacao deviation abweichung ecart scarto desvio desviacion
    avvikelse balance saldo solde bilanz bilancio growth wachstum croissance behind ahead lag lead retard rueckstand
    vorsprung gap shift trend temperature temperatur net versus vs minus
    """
)
"""Of what may be below zero, as one number less another may."""
NOT_A_HOUSEHOLD = _listed("size members member persons people adults children kids rooms type head age")
FREE_TEXT_WORDS = _listed(
    """
    remark remarks comment comments note notes memo freetext verbatim bemerkung bemerkungen anmerkung anmerkungen
    kommentar notiz freitext remarque remarques commentaire observacion observaciones comentario comentarios
    osservazioni commento opmerking opmerkingen observacao observacoes uwaga uwagi komentarz
    """
)
NOT_A_PERSON = _listed(
    "file column variable region country town city product item brand school company hospital clinic ward drug course"
)
HOUSEHOLD = re.compile(
    r"(^|_)(hid|hhid|hh_?(id|nr|no|num|number)|id_?hh|haushalts?_?(id|nr|nummer)|hogar(_?id)?|menage|"
    r"household(_?(id|no|nr|number))?|hushalls?(_?(id|nr|nummer))?|(husholdnings?|husstands?)_?(id|nr|nummer)|"
    r"huishouden|gospodarstwo(_domowe)?|id_?(men|menage|hogar|foyer)|(id|nr|num|numero|no)_(hogar|menage|famiglia|nucleo|huishouden|agregado|"
    r"gospodarstwa|haushalt)|huishoudens?_?(id|nr|nummer)|(famiglia|nucleo|agregado|gospodarstwo)_?(id|nr))$",
    re.IGNORECASE,
)
WEIGHT = re.compile(
    r"(^|_)(weights?|wgts?|wghts?|wt|[dp]weight|pspwght|fnlwgt|(final|ind|indiv|pers|per|person|hh|base|design)wg?h?t|gew|gewicht|[hp]?hrf|poids|pond|pondi|fator_?peso|peso|"
    r"waga|wagi|vikt|vekt|extri|fac_?exp)$|hochrechnung|gewichtung|ponderacion|ponderation|ponderador|ponderazione|ponderacao|"
    r"expansions?fa[kc]tor|(factor|fator|fac)(_?d[eio])?_?(expansion|elevacion|expansao)|(weeg|ophoog)factor|"
    r"riporto_?(all_?universo)?$|waga_(analityczna|probkowa)",
    re.IGNORECASE,
)
_PERSONS = (
    "mother|mutter|madre|mere|matka|matky|moeder|mae|woman|frau|femme|mujer|father|vater|padre|pupil|student|schueler|"
    "eleve|alumno|alumna|leerling|uczen|zak|zaka|pacient|pacienta|interno|interna|inmate|detenu|worker|employee|insured"
)
PERSON_NUMBERS = _listed("patient patienten patientennr person pid ssn respondent paciente paziente pacjenta persona")
PERSONAL = _listed(
    """
    geboortedatum nascimento fodelsedatum fodselsdato birthday geburtstag urodzenia sex gender geschlecht sexe sexo
    sesso plec geslacht geschl gndr birth birthdate dob geburtsdatum naissance nacimiento nascita gebdat ddn pohlavi
    narozeni
    """
)
OF_A_CHILD = _listed(
    """
    child children baby newborn infant kind kinder saeugling neugeborenes enfant nourrisson bebe hijo hija nino recien
    nacido neonato bambino figlio filho crianca pasgeborene dziecko dziecka dite ditete novorozenec barn barnet
    """
)
"""Of births: the sex of a child is not that of the person whose record it is."""
AGE_WORDS = _listed("age ages alter edad eta leeftijd idade wiek alder vek lebensalter agea")
DATE_WORDS = _listed("date datum fecha")
YEAR_WORDS, FOUNDING = _listed("anno annee ano"), _listed("cost const")
"""Of the year in which a firm was founded: an anno_cost is no cost."""
MONEY_WORDS = _listed(
    "income einkommen revenu ingreso ingresos reddito inkomen renda renta wage salary pay lohn rente pension pensione "
    "pensioen rent tax"
)
STAY_WORDS = _listed("ingreso egreso alta admision excarcelacion")
"""Words that say more than one beside them: an edad_ingreso is an age at admission, and no income."""
PERSON_NUMBER = re.compile(
    rf"(^|_)({_PERSONS})_?(id|no|nr|num|number|nummer|cislo)$|^(id|no|nr|num|numero|number|cislo)_({_PERSONS})$|"
    r"(^|_)(rodne_?cislo|versicherten_?(nr|nummer)|nis|expediente|num_?expediente)$",
    re.IGNORECASE,
)
"""Of numbers of persons: those who gave birth, are at school, in hospital, insured or in prison."""
MEMBER_NUMBER = re.compile(
    r"(^|_)(pnr|pn|pno|pnum|lnr|lfd_?(nr|nummer)?|lauf_?(nr|nummer)|line|line_?(no|nr|num|number)|member(_?(no|nr|num|"
    r"number|id))?|person(_?(no|nr|num|number))?|pers_?(no|nr|num|nummer)|person_?in_?(hh|household)|indiv|ind|noi|nind|"
    r"norden|n_?orden|num_?orden|orden|rank_?in_?(hh|household)|id_?ind|relnum)$",
    re.IGNORECASE,
)
"""Of numbers that members of a household have within it."""
PLAIN_WEIGHT = re.compile(r"(^|_)(weights?|wgts?|wghts?|wt|gewicht|poids|peso|waga|wagi|vikt|vekt)$", re.IGNORECASE)
NAMES_OF_SAMPLES = _listed(
    "sampling sample survey design final person household hh individual analysis population fator"
)
BODY = _listed(
    "height stature bmi waist groesse koerpergroesse taille imc talla altura estatura altezza statura wzrost"
)
NOT_A_WEIGHT = re.compile(r"birth|body|baby|(^|_)(kg|grams?|gramm|lbs?)(_|$)|geburt|koe?rper", re.IGNORECASE)
IDENTIFIER = re.compile(
    r"(^|_)(id|pid|uid|uuid|ssn|identifier|id_?(no|nr|num|number)|lfd_?nr|lopnr|lop(e)?nummer|(person|personal|pers|"
    r"case|fall|resp|respondent|record|serial|patient|patienten|pat|matrikel)_?(id|no|nr|num|number|nummer))$|^id_|"
    r"^(nr|num|numero|no)_(patient|paciente|paziente|pacjenta|dossier|persona|personne|encuesta)$",
    re.IGNORECASE,
)

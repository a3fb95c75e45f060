"""Spanish. Forms with acute accents are read without them too (see ``lexicon``)."""

from daybank.dates.vocabulary.model import FEW, Kind, Lead, Shift, Tense, Unit, Vocabulary

_PERIODS = frozenset({Kind.MONTH, Kind.SEASON, Kind.YEAR, Kind.QUARTER})

SPANISH = Vocabulary(
    months=(
        "enero ene",
        "febrero feb",
        "marzo mar",
        "abril abr",
        "mayo may",
        "junio jun",
        "julio jul",
        "agosto ago",
        "septiembre setiembre sep sept",
        "octubre oct",
        "noviembre nov",
        "diciembre dic",
    ),
    weekdays=(
        "lunes lun",
        "martes",
        "miércoles mié",
        "jueves jue",
        "viernes vie",
        "sábado sáb",
        "domingo dom",
    ),
    seasons=("primavera", "verano", "otoño", "invierno"),
    units={
        Unit.DAY: "día días",
        Unit.WEEK: "semana semanas",
        Unit.WEEKEND: "fin_de_semana finde",
        Unit.MONTH: "mes meses",
        Unit.QUARTER: "trimestre trimestres",
        Unit.HALF: "mitad semestre",
        Unit.HALF_YEAR: "medio_año",
        Unit.YEAR: "año años",
    },
    plurals="días semanas meses trimestres años",
    numbers={
        FEW: "unos unas algunos algunas pocos pocas unos_pocos unas_pocas varios varias",
        1: "un una uno",
        2: "dos un_par_de",
        3: "tres",
        4: "cuatro",
        5: "cinco",
        6: "seis",
        7: "siete",
        8: "ocho",
        9: "nueve",
        10: "diez",
        11: "once",
        12: "doce",
        14: "catorce",
        15: "quince",
        20: "veinte",
        30: "treinta",
        60: "sesenta",
        90: "noventa",
    },
    ordinals={
        1: "primer primera primero",
        2: "segundo segunda",
        3: "tercer tercera tercero",
        4: "cuarto cuarta",
        5: "quinta quinto",
        -1: "último última",
    },
    days={
        -2: "anteayer antes_de_ayer antier",
        -1: "ayer anoche",
        0: "hoy esta_noche esta_mañana esta_tarde",
        1: "mañana",
        2: "pasado_mañana",
    },
    leads={
        Lead.AT: "en el durante de",
        Lead.FROM: "del de_los",
        Lead.BETWEEN: "entre",
        Lead.SINCE: "desde a_partir_de a_partir_del",
        Lead.AFTER: "después_de después_del tras",
        Lead.BEFORE: "antes_de antes_del",
        Lead.UNTIL: "hasta hasta_el",
        Lead.BY: "para para_el para_la",
        Lead.AROUND: "alrededor_de alrededor_del hacia hacia_el cerca_de cerca_del sobre_el",
    },
    vouches={
        "en": _PERIODS,
        "durante": _PERIODS,
        "el": frozenset({Kind.WEEKDAY, Kind.DAY_OF_MONTH}),
        "de": frozenset({Kind.YEAR}),
        "del": frozenset({Kind.YEAR}),
        "de los": frozenset(),
        "para": frozenset(),
        "para la": frozenset({Kind.SEASON}),
        "hacia": frozenset({Kind.YEAR, Kind.SEASON}),
    },
    tense_of_lead={"para": Tense.FUTURE, "para el": Tense.FUTURE},
    shifts={
        Shift.LAST: "pasado pasada",
        Shift.PAST: "último última últimos últimas pasados pasadas",
        Shift.THIS: "este esta estos estas",
        Shift.NEXT: "próximo próxima próximos próximas siguientes",
    },
    shifts_after={
        Shift.LAST: "pasado pasada",
        Shift.NEXT: "próximo próxima que_viene que_entra entrante",
    },
    parts=(
        "a_principios_de a_principios_del principios_de a_comienzos_de a_comienzos_del "
        "comienzos_de inicios_de a_inicios_de al_principio_de al_principio_del al_inicio_de",
        "a_mediados_de a_mediados_del mediados_de mediados_del",
        "a_finales_de a_finales_del finales_de a_fines_de a_fines_del fines_de final_de final_del "
        "al_final_de al_final_del fin_de el_final_de",
    ),
    doubtful=(
        "mayo may abril ene feb mar abr jun jul ago sep sept oct nov dic lun mié jue vie sáb dom"
    ),
    names="abril julio domingo mayo",
    month_last="mar ago",
    articles="el la los las",
    joins="de del de_la de_los de_las",
    ranges="a al hasta hasta_el",
    ands="y e",
    ors="o u",
    now="hoy ahora la_fecha la_actualidad presente",
    onward="en_adelante",
    ago="atrás",
    ago_before="hace",
    hence="a_partir_de_hoy a_partir_de_ahora",
    hence_before="en dentro_de",
    year_words="año",
    day_words="día",
    day_ordinals="primero",
    day_parts="por_la_mañana por_la_tarde por_la_noche de_la_mañana en_la_mañana la_mañana "
    "a_la_mañana hoy_en_día",
    every="cada todos_los todas_las",
    every_weekday="los",
    weekday_kinds="de",
    past_words=(
        "fue fui fuimos fueron era eran estuvo estuve estuvimos estaba tuvo tuve tuvimos hizo hice "
        "hicimos vino vinieron dijo vi vio vimos ya había fuiste"
    ),
    future_words=(
        "va vamos voy van será serán iré irá iremos tengo tenemos cita vence pendiente habrá "
        "haré haremos hay_que debe debo"
    ),
    past_endings=("ó", "aron", "ieron", "aba", "aban"),
    not_past="",
    function_words=(
        "en con y o para por de del al a que es son fue era se me nos le lo la el los las un una "
        "su mi como cuando mientras pero porque si hasta desde durante ya no"
    ),
    measures=(
        "kilómetros metros personas páginas caracteres palabras veces euros pesos dólares horas "
        "hora minutos segundos invitados puntos grados libras litros gramos"
    ),
    numbered="habitación página capítulo versión número sala autobús línea código piso puerta",
    compounds_before="",
    compounds_after="savio plácido",
    places_before="calle avenida avda plaza paseo estadio estación carretera colonia",
    modals="",
    makers="",
)

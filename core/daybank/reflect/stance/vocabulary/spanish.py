"""Spanish."""

from daybank.reflect.stance.vocabulary.model import Cue, Vocabulary

SPANISH = Vocabulary(
    code="es",
    small=(
        "el la los las un una unos unas lo al del de a en y e o u que qué quien quién cual cuál "
        "como cómo cuando cuándo donde dónde por para con sin sobre entre hasta desde hacia ante "
        "bajo tras se me te le les nos os mi mis tu tus su sus nuestro nuestra este esta estos "
        "estas ese esa esos esas aquel aquella esto eso ello él ella ellos ellas yo nosotros "
        "ser es son era eran fue fueron sido siendo está están estaba estaban estar estuvo estado "
        "demasiado demasiada demasiados ha han había haber he hemos hay hubo si sí no ni nunca "
        "jamás pero aunque porque pues ya "
        "muy más menos tan tanto mucho mucha muchos muchas poco poca todo toda todos todas otro "
        "otra otros otras cada algún alguna algo nada nadie mismo misma también tampoco solo "
        "sólo aún todavía siempre luego entonces ahora hoy ayer mañana antes después durante "
        "según así aquí allí uno dos vez veces le dijo dice decir contó sigue siguen"
    ),
    light=(
        "va van voy ir fue iba hace hacen hacer hizo hecho tiene tienen tener tuvo da dan dar dio "
        "pone poner puso puede pueden poder pudo quiere quieren querer quería quiso quisiera "
        "deja dejar dejó lleva llevar llevó trae traer trajo encuentra encontrar encontró ve ver "
        "vio mantiene mantener trabaja trabajar trabajó usa usar usó pide pedir pidió día días "
        "semana semanas mes meses año años tiempo cosa cosas persona gente bien bueno buena mejor "
        "llega llegar llegó piensa pensar pensó cree creer"
    ),
    cues={
        Cue.NOT: (
            "no, nunca, jamás, nadie, ni, tampoco, ningún, ninguna, ninguno, nada de, apenas nada, "
            "incapaz de, lejos de, carece de"
        ),
        Cue.UNTRUE: "no es verdad, no es cierto, es mentira que, es falso que, no era verdad",
        Cue.WITHOUT: "sin, libre de",
        Cue.ENDED: (
            "ya no, ya nunca, no más, nunca más, dejó de, ha dejado de, dejado de, deja de, "
            "abandonó, renunció a, se cansó de"
        ),
        Cue.FORMERLY: "solía, solían, antes era, en el pasado, acostumbraba",
        Cue.CHANGED: (
            "cambió de idea, cambiado de idea, cambió de opinión, cambiado de opinión, canceló, "
            "cancelado, se echó atrás, descartó"
        ),
        Cue.LEFT: "se mudó de, mudarse de, se fue de, se marchó de, cambió de, pasó de",
        Cue.INSTEAD: "en vez de, en lugar de, antes que",
        Cue.THAN: "más que, mejor que",
        Cue.PREFER: "prefer*, prefier*, prefir*",
        Cue.MORE: "más, mejor, peor, menos",
        Cue.TO: "a, al",
        Cue.OVER: "que el, que la, que en, que los, que las, que a, que",
        Cue.NEGATIVE: (
            "evita*, miedo a, miedo de, teme, temía, alérgic* a, odia, odiaba, odio, detesta, "
            "detestaba, no soporta, no aguanta, rechaza, desconfía de, harto de, harta de, "
            "para no, se niega a, perdió, pierde, perder, se quedó sin"
        ),
        Cue.DOUBT: (
            "quizá, quizás, tal vez, a lo mejor, duda*, ya no está segur*, no estoy segur*, no "
            "está segur*, "
            "no es segur*, puede que, posiblemente, no convence, está por ver"
        ),
        Cue.ALMOST: "casi, apenas, por poco, a duras penas, no del todo, no tanto, más o menos, "
        "a medias, solo un poco",
        Cue.MILD: "bastante, algo, relativamente, más o menos",
        Cue.ONCE: (
            "por primera vez, sorprendentemente, para mi sorpresa, "
            "una vez, por una vez, esta vez, solo esta vez, "
            "por esta vez, como excepción, solo por, solo media, solo un"
        ),
        Cue.EXCEPT: "excepto, salvo, menos cuando, a veces, no siempre, de vez en cuando, solo "
        "cuando",
        Cue.TODAY: "este lunes, este martes, este miércoles, este jueves, este viernes, "
        "este sábado, este domingo, hoy, esta mañana, esta noche, esta semana, esta tarde, este "
        "mes",
        Cue.USUALLY: "suele, suelen, normalmente, por lo general, por lo demás, en general",
        Cue.HINDERED: (
            "por culpa de, debido a, por la avería, estaba enferm*, por cortesía, "
            "no tuvo más remedio, por la lluvia, estaba en el taller"
        ),
        Cue.DISPOSED: "vendió, vende, regaló, borró, tiró, se deshizo de, prestó",
        Cue.WANTED: "quería, querían, pensaba, tenía pensado, iba a, planeaba, esperaba, habría",
        Cue.LATER: "aplaz*, lo dejó para, dejó para, pospuso, en suspenso",
        Cue.REFUSED: "no quiso, no quisieron, se negó a",
        Cue.WISH: "prefer*, prefier*, necesit*, quiere, quieren, quería, requiere",
        Cue.STILL: "sigue, siguen, todavía, aún, como siempre",
        Cue.BUT: "pero, sin embargo, sino, aunque solo",
        Cue.ALTHOUGH: "aunque, a pesar de, pese a, mientras que, si bien",
        Cue.BECAUSE: "porque, ya que, puesto que",
        Cue.AND: "y, e, o, luego",
        Cue.ASKED: (
            "preguntó si, pregunta si, preguntaba si, se pregunta si, quiso saber si, "
            "no se sabe si, quiere saber si"
        ),
        Cue.SAID: (
            "dice, dijo, dicen, decía, piensa que, pensaba que, cree que, creía que, según, contó, "
            "cuenta, afirma, asegura, opina, gritó, escribió que, llama, llamó, se queja, le dijo"
        ),
        Cue.IF: "si, a menos que, en caso de, suponiendo",
        Cue.WITHIN: "en menos de, dentro de, como mucho, el mismo, a lo sumo",
        Cue.SKIP: (
            "no solo, sin duda, sin falta, nada más, no importa, por supuesto, sin prisa, "
            "sin parar, a la vez, a pesar de la lluvia, a la una, a las dos, a los dos, "
            "sin problema*, al día siguiente, nada mal"
        ),
    },
    opposites={
        "liking": (
            "gusta, gustan, gustaba, gustó, encanta, encantan, encantaba, encantó, adora, ama, "
            "disfruta*, disfrutó, prefiere, prefieren, prefería, prefirió, preferir, favorit*, "
            "feliz con, le gusta más, apasiona",
            "odia, odian, odiaba, odio, detesta, detestaba, no soporta, no aguanta, harto de, "
            "harta de, aburr*, aborrece, disgusta, se quejó de, se queja de",
        ),
        "punctual": (
            "temprano, a tiempo, puntual*, pronto, en punto, con antelación, antes que nadie",
            "tarde, retras*, atrasad*, impuntual*, con retraso",
        ),
        "price": (
            "barat*, a mitad de precio, económic*, asequible",
            "caro, cara, caros, caras, carísim*, costos*",
        ),
        "open": (
            "abre, abren, abrió, abierto, abierta, abrir",
            "cierra, cierran, cerró, cerrado, cerrada, cerrar",
        ),
        "good": (
            "buen, bueno, buena, buenos, buenas, bien, mejor, mejores, excelente, estupend*, "
            "genial, perfect*, magnífic*",
            "mal, malo, mala, malos, malas, peor, peores, fatal, terrible, pésim*, horrible",
        ),
        "worth": (
            "vale la pena, merece la pena, rentable, compensa, valió la pena, mereció la pena",
            "perdió dinero, no compensa, pérdida de tiempo, en vano, no merece la pena",
        ),
        "speed": ("rápid*, veloz", "lent*, despacio"),
        "amount": (
            "mucho, mucha, muchos, muchas, un montón, aument*, sube, subió, creció",
            "poco, poca, pocos, pocas, baja, bajó, disminuy*",
        ),
        "patience": ("paciente, paciencia, pacientemente", "impacien*, perdió la paciencia"),
        "trust": ("confía, confían, confiaba, confió, fiable, se fía", "desconfía, poco fiable"),
        "tidy": ("ordenad*, limpi*, orden", "desorden*, suci*, caos"),
        "salt": ("salad*, sal", "sos*, sin sal"),
        "saving": ("ahorr*", "gast*, derroch*, malgast*"),
        "rank": ("primero, primera, al principio", "último, última, al final"),
        "memory": ("recuerd*, recordó, recordar, acordó, acuerda, acordarse", "olvid*"),
        "safe": ("segur*", "peligros*, insegur*"),
        "ease": ("fácil*, sencill*", "difícil*, complicad*"),
        "mood": ("feliz, felices, alegre*, content*", "triste*, infeliz"),
        "health": ("sano, sana, recuperad*", "enferm*"),
        "strength": ("fuerte*", "débil*"),
        "heat": ("caliente*, calor", "frío, fría, frí*"),
        "noise": ("tranquil*, silencio*, callad*", "ruidos*, ruido"),
        "length": ("larg*", "cort*, breve*"),
        "size": ("grande*, enorme*", "pequeñ*"),
        "keeping": (
            "cumple, cumplió, cumplir, cumplido, mantuvo",
            "rompió, rompe, incumpl*, faltó a",
        ),
        "honest": ("honest*, sincer*", "mentiros*, miente, mintió, engañ*"),
        "kind": ("amable*, simpátic*, educad*", "grosero*, antipátic*, maleducad*"),
        "care": ("cuidados*, prudente", "descuidad*, imprudente"),
        "work": ("trabajador, trabajadora, aplicad*", "vago, vaga, perezos*"),
        "giving": ("generos*", "tacañ*"),
        "right": ("correct*, verdad, tiene razón, tenía razón", "fals*, equivocad*, mentira"),
        "quiet mind": ("valiente*", "miedo, asustad*, teme"),
        "often": (
            "a menudo, siempre, con frecuencia, cada día, todos los días",
            "rara vez, raramente",
        ),
        "company": ("acompañad*, junt*, en grupo", "a solas"),
        "full": ("llen*, abarrotad*, se agotó", "vací*"),
        "fair": ("justo, justa, justos", "injust*"),
        "dryness": ("seco, seca, secos", "mojad*, inundad*, empapad*"),
        "able": ("sabe, puede, capaz de", "incapaz de"),
        "order": ("antes", "después"),
        "sleep": ("a pierna suelta", "insomnio, en vela, desvelad*"),
    },
    concepts={
        "answer": "responde*, respondió, responder, respuesta, contest*",
        "message": "mensaje*, recado*, nota de voz",
        "mail": "correo*, carta, cartas, email*",
        "phone": "teléfono, telefone*, llamar, llamarla, llamarlo",
        "talk": "habla*, charl*, conversa*",
        "eat": "come, comen, comió, comer, comía, comería, comida",
        "drink": "bebe*, bebió, toma té, toma café",
        "meat": "carne, filete*, pollo, jamón, chorizo, cerdo, ternera",
        "cook": "cocin*, guis*",
        "drive": "conduc*, condujo, manej*",
        "write": "escrib*, escrito",
        "read": "lee, leer, leyó, lectura",
        "sleep": "duerm*, dorm*, durm*, sueño",
        "draw": "dibuj*",
        "sell": "vend*, venta",
        "buy": "compr*",
        "pay": "paga, pagan, pagó, pagar, pago",
        "owe": "debe, deuda*, préstamo*, crédito*, a plazos",
        "repair": "repar*, arregl*",
        "money": "dinero",
        "cost": "precio*, cuesta, costar",
        "promise": "promes*, promet*, su palabra, mi palabra",
        "work": "trabaj*, empleo, oficio",
        "live": "vive, viven, vivió, vivir, vivía, viviendo",
        "move": "mudar*, mudó, mudanza, traslad*",
        "run": "corre, corren, corrió, correr",
        "swim": "nada en, nadar, nadó, natación",
        "sing": "cant*",
        "teach": "enseñar a, enseñ* a",
        "learn": "aprend*, estudi*, clases de, curso de",
        "play": "toca, tocar, tocó, tocaba, juega*, jueg*, jug*",
        "begin": "empez*, empiez*, comenz*, comienz*",
        "finish": "termin*, acab*, entreg*, list* para",
        "arrive": "llega, llegan, llegó, llegar, llegaba",
        "meeting": "reunión, reuniones, cita",
        "child": "niñ*, hijos",
        "house": "casa, piso, apartamento, hogar",
        "customer": "cliente*, huésped*",
        "holiday": "vacaciones",
        "travel": "viaj*",
        "help": "ayud*",
        "tired": "cansad*, agotad*",
        "rain": "lluvia, llov*, lluev*",
        "day.morning": "por la mañana, mañanas, desayuno, la mañana",
        "day.noon": "mediodía",
        "day.afternoon": "por la tarde, tardes, la tarde",
        "day.night": "noche, noches, medianoche",
        "way.car": "en coche, coche, carro",
        "way.foot": "a pie, caminando, andando",
        "way.bike": "bicicleta*, bici",
        "way.bus": "autobús, bus",
        "way.train": "tren, trenes",
        "way.tram": "tranvía",
        "way.metro": "metro",
        "way.plane": "avión, aviones, volar, vuela, voló, vuelo",
        "drink.tea": "té",
        "drink.coffee": "café, cafés",
        "drink.beer": "cerveza*",
        "drink.wine": "vino tinto, vino blanco, el vino",
        "pet.cat": "gato*, gata*",
        "pet.dog": "perro*, perra*",
        "site.home": "desde casa, en casa",
        "site.office": "oficina*",
    },
    articles="",
    places_after="en de a desde hacia",
    clock_after="las",
    lengths={
        1: "minuto minutos",
        60: "hora horas",
        1440: "día días",
        10080: "semana semanas",
        43200: "mes meses",
    },
    kin=(
        "hermano hermana madre padre primo prima tío tía mujer marido esposo esposa hijo hija "
        "amigo "
        "amiga vecino vecina jefe jefa compañero compañera padres abuela abuelo sobrino sobrina "
        "novio novia perro perra gato gata suegra suegro"
    ),
    before="antes hasta",
    after="después desde pasadas",
    owners="su sus mi mis",
    name_markers="a",
    pronouns="él ella ellos ellas esto eso nadie alguien",
)

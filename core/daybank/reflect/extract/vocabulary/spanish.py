"""Spanish. Entries are without accents, as folded words are; endings keep theirs."""

from daybank.reflect.extract.vocabulary.model import Vocabulary, Words

SPANISH = Vocabulary(
    code="es",
    function=Words(
        "el la los las un una unos unas de del al a y o e en con por para que no se lo le les su "
        "sus mi mis nos es son era fue esta está estan esto eso ella ellos como mas muy pero "
        "porque cuando si ya hoy ayer desde hasta este sobre sin entre tambien hay me te yo"
    ),
    first=Words("yo mi mis me nosotros nosotras nos nuestro nuestra nuestros nuestras conmigo"),
    ourselves=Words("yo nosotros nosotras"),
    second=Words("tú tu tus te ti usted ustedes vosotros vosotras vuestro vuestra contigo os"),
    single=Words("él ella"),
    several=Words("ellos ellas"),
    leaning=Words("él ella ellos ellas su sus suyo suya"),
    vague=Words(
        "esto eso aquello ello lo alguien algo nadie nada todo otro otra otros otras ambos "
        "ninguno estos_son esas_son estas_son este_es esta_es ese_es esa_es fue_un fue_una estuvo "
        "es_un es_una es_muy hay habia hubo aqui ahi"
    ),
    markers=Words(
        "el la los las un una unos unas mi mis nuestro nuestra nuestros nuestras cada este esta "
        "al del dos tres cuatro cinco"
    ),
    people=Words(
        "herman* madre padre mama papa padres hijo hijos hija hijas esposa esposo marido mujer "
        "tio tia prim* abuel* sobrin* amig* jef* colega* companer* vecin* caser* cliente* clienta "
        "usuari* medic* doctor* profesor* novi* pareja bebe nino nina ninos chico chica hombre "
        "fontanero electricista tecnico enfermer* abogad* alguien"
    ),
    place_words=Words("en a de desde hacia por para cerca sobre al del"),
    decisions=Words(
        "a_partir_de_ahora de_ahora_en_adelante decid* decision acord* acuerdo elegi* escog* "
        "eligi* optamos opto opte vot* aprob* rechaz* cancel* aplaz* pospon* pospus* quedamos_en "
        "quede_en resolv* resolvi* nos_quedamos_con apruebo hemos_decidido he_decidido convin* "
        "pactamos descart*"
    ),
    promises=Words(
        "promet* promesa juro jure juramos se_comprometio me_comprometi comprometi* garantiz* "
        "me_debe le_debo nos_deben les_debemos"
    ),
    preferences=Words(
        "prefier* prefer* gusta gustan gusto gustaba gustaria encanta encantan encanto odia odio "
        "odian detesta detesto cree creo creen piensa pienso opina opino favorit* preferid* "
        "le_parece me_parece nos_parece considera considero adora adoro soporta soporto aguanta "
        "recomiend* convencid* está_segur* ama aman disfruta disfruto interesa"
    ),
    states=Words(
        "crecio crecimos creci me_pidio nos_pidio pidio_que vive vivo viven vivia trabaja_en "
        "trabaja_de trabaja_como trabaja trabajo_en trabajan cuesta cuestan costo costaba "
        "alergic* vegetarian* vegan* diabetic* estudia estudio_en estudian ensena nacio nacieron "
        "casad* divorciad* embarazad* espera_un_bebe espera_el_bebe jubilad* cumple cumplio "
        "cumplira vence vencen caduca gana pesa dura mide pertenece cobra cobran se_llama se_muda "
        "se_mudo se_mudan mudarse casaron se_caso separ* oper* diagnostic* vale valen está_a "
        "es_de se_encarga fallecio murio fractur* rompio lesion* anos_de habla_con_fluidez"
    ),
    matters=Words(
        "direccion numero_de_telefono presupuesto precio alquiler plazo fecha_limite cumpleanos "
        "aniversario cita horario responsable"
    ),
    events=Words(
        "se_cayo derrumb* inund* quem* estrope* me_dejo nos_dejo rompieron confirm* llamamos_al "
        "llamamos_a compr* vend* firm* pagu* pago pagaron pagamos gan* perdi perdio perdimos "
        "perdieron terminamos termino termine terminaron acabamos acabe acabo acabaron "
        "completamos complete lanz* public* entreg* renunci* dimiti* contrat* despidi* ascendi* "
        "gradu* aprobo aprobe aprobaron suspendi* adopt* reserv* consegu* consigu* solicit* "
        "inscrib* inscrit* apunt* arregl* repar* instal* renov* prest* regal* herede heredo fund* "
        "constru* invert* robaron robo recuper* migr* devolv* reembols* logr* super* mud* "
        "cobro_por cobro plantamos murio rompi* le_di les_di nos_dio me_dio di_a dimos alquil* "
        "corri corrimos corrio marca premio nacio casamos se_caso"
    ),
    lesser=Words(
        "deje dejo dejamos dejaron tiene tengo tienen tenemos quiere quieren necesita requiere "
        "abre cierra conduce toca llama usa lleva mantiene incluye funciona envi* empec* empez* "
        "comenz* visit* viaj* llego llegue llegamos volvi volvio volvimos regres* pedi pedimos "
        "pidio recibi recibio recibimos dio di mand* recog* abri abrio abrimos cree_un creo_un "
        "creamos escribi escribio escribimos grab* descubri* aprendi* ahorr* actualiz* cambi* "
        "celebr* organiz* asisti* particip* encontr* conoci* vi vimos vio fui fuimos fue hice "
        "hicimos hizo retir* pint* cocin* entrev* present* anunci* cerro cerramos ayud* traj* "
        "llevo llevamos llevar quede quedo alquilo"
    ),
    plans=Words(
        "va_a voy_a vamos_a van_a plan planea* planeamos empieza empiezo empiezan comienza "
        "comienzan sale salen salgo llega llegan viene vienen vuelve vuelo viaja viajan sera "
        "seran tendra tendremos entregara vendra iremos ira abrira cerrara empezara programad* "
        "previst* se_encarga se_casa se_casan cambia lanza lanzamos visita toma tocara piensa_ir "
        "quiere_ir"
    ),
    being=Words("es son esta está estan fue fueron era eran sera seran estaba ha han he hemos"),
    is_somebody=Words(
        "es_el es_la es_un es_una es_mi es_nuestro es_nuestra es_ahora sera_el sera_la"
    ),
    has_something=Words("tiene tienen"),
    habits=Words("no nunca siempre solo suele"),
    regularly=Words(
        "cada los_lunes los_martes los_miercoles los_jueves los_viernes los_sabados los_domingos "
        "todos_los todas_las semanal mensual diario al_mes a_la_semana al_dia al_ano"
    ),
    small=Words(
        "dijo dije llamo llame vino vine miro mire vimos_la comi comimos comio dormi dormimos "
        "desperte pase_la paseamos pasee hablo hable hablamos conto conte salio sali pens* sonri* "
        "llor* esper* martill* grun* jug* bail* cant* sig* sigo sigue"
    ),
    routine=Words(
        "almuerzo cena desayuno comida cafe té sopa pastel galletas siesta ducha colada platos "
        "tranvia bus autobus trafico cola tele pelicula sueno cansad* dormi dormid* paseo pasee "
        "paseamos ruido hambre sofa comi comimos"
    ),
    weather=Words(
        "lluvia llueve llovi* lloviendo sol soleado nieve nieva nublado viento tormenta calor "
        "frio clima tiempo_horrible niebla bochorno"
    ),
    feelings=Words(
        "conexion libertad confianza fuerza gratitud impacto triste alegre feliz content* cansad* "
        "orgullos* emocionad* aburrid* enfadad* nervios* genial increible maravillos* bonito "
        "bonita precios* divertid* horrible terrible siento sentimos alegria pena pobre"
    ),
    hedges=Words(
        "tengo_que tenemos_que hay_que quiza quizas tal_vez a_lo_mejor igual podria podriamos "
        "deberia deberiamos ojala supongo algun_dia parece espero ya_quiero no_se"
    ),
    loose=Words("algo alguien cosa cosas cualquier cualquiera"),
    chatter=Words(
        "hola gracias vale jaja jajaja uf ay oye bueno buenos_dias buenas_noches buenas_tardes "
        "adios felicidades enhorabuena suerte en_fin por_favor claro si_claro que_tal que_bien "
        "perdon chao menudo menuda que_sueno que_luz que_dia"
    ),
    bare=Words(
        "por_favor recuerda transfiere debes compra llama envia manda escribe haz pon ve ven mira "
        "limpia arregla actualiza anade instala ejecuta usa prueba pregunta di olvida piensa "
        "busca empieza para abre cierra reserva pide vende firma trae elige decide lee escucha "
        "deja ten espera ayuda revisa comprar llamar enviar mandar escribir hacer poner ir venir "
        "mirar limpiar arreglar actualizar instalar ejecutar usar probar preguntar recordar "
        "pensar buscar empezar abrir cerrar reservar pedir pagar vender firmar traer elegir "
        "decidir leer dejar esperar ayudar revisar renovar cancelar mirad abrazad ignora "
        "no_olvides tengo_que hay_que abrazar"
    ),
    leads=Words(
        "nota aviso dato noticia novedad resultado asi_que tambien ademas bueno pues por_cierto "
        "ah oye vale si en_fin de_hecho la_verdad gracias hola aun_asi ay oh"
    ),
    joins=Words("y e pero entonces luego"),
    halves=Words(
        "porque aunque mientras cuando_no que quien cual cuyo cuya sino ni como_por por_culpa "
        "por_eso debido a_causa sin con para segun_parece desde_entonces hasta_entonces "
        "incluyendo"
    ),
    back=Words(
        "desde_entonces hasta_entonces para_entonces despues_de_eso antes_de_eso ese_dia "
        "esa_semana de_eso por_eso con_eso a_eso lo_mismo asi_es hacerlo lo_hizo lo_hice "
        "lo_hicimos"
    ),
    pointing=Words(
        "este esta estos estas ese esa esos esas aquel aquella aquellos aquellas aqui ahi"
    ),
    day_words=Words(
        "manana tarde noche dia semana mes ano verano invierno otono primavera vez es fue"
    ),
    idioms=Words(
        "me_gustaria le_gustaria nos_gustaria estoy_de_acuerdo de_acuerdo_con vale_la_pena "
        "vale_la ganas_de gana_de tengo_ganas cuesta_creer cuesta_arriba"
    ),
    units=Words(
        "euro euros peso pesos dolar dolares libras centimos hora horas minuto minutos km "
        "kilometros kg kilos metros puntos personas entradas dias semanas meses anos copias "
        "paginas panecillos panes litros gramos grados plazas habitaciones millones mil "
        "por_ciento veces"
    ),
    not_names=Words("internet navidad pascua dios sr sra dr dra don dona ud uds"),
    itself=Words(
        "nacio murio fallecio empieza empezo comienza comenzo llega llego vence vencio termina "
        "termino cierra cerro abre abrio caduca gano quedan falta sale salio cumple vino viene"
    ),
    drops_subject=True,
    present=("a", "e", "an", "en", "ce", "ge"),
    done=("ó", "é", "aron", "ieron", "amos", "imos", "ió"),
    present_by_us=("o", "amos", "emos", "imos"),
    done_by_us=("é", "amos", "imos", "emos"),
    done_by_other=("ó", "aron", "ieron"),
)

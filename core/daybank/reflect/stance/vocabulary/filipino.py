"""Filipino."""

from daybank.reflect.stance.vocabulary.model import Cue, Vocabulary

FILIPINO = Vocabulary(
    code="fil",
    small=(
        "ang ng sa na mga ay si sina ni nina kay kina at o nang pa din rin daw raw lang lamang "
        "naman po ho nga ba kasi pala muna ulit muli ko mo niya nila namin natin ninyo ako ikaw ka "
        "siya niyang siyang kami tayo kayo sila akin iyo kanya kaniya atin amin kanila ito iyon "
        "iyan yun yung ditto dito diyan doon itong iyong may mayroon wala walang hindi huwag kung "
        "kapag pag dahil para pero ngunit subalit kahit habang mula hanggang noong nitong tuwing "
        "bawat lahat buong ilan ilang iba ibang isa isang dalawa dalawang tatlo tatlong lalo mas "
        "pinaka napaka talaga sobra masyado lagi laging palagi palaging minsan ngayon kahapon "
        "bukas "
        "kanina mamaya araw oras noon pagkatapos bago nasa tungkol gaya tulad kaysa yata sana "
        "kailanman ganito ganyan sino ano alin saan kailan paano bakit sabi kaniyang kanyang aking "
        "ibinigay sarili ding daw ring iyon yaon papunta papuntang makalipas pagkalipas bilang "
        "mismo tapos nag mag pag nakapag makapag naka maka ipag pinag"
    ),
    light=(
        "gawa gumawa ginawa kuha kumuha kinuha bigay nagbigay punta pumunta nagpunta dala dinala "
        "nagdala lagay tingin gamit gumamit ginagamit gusto gustong nais kailangan kailangang "
        "trabaho tao linggo buwan taon panahon bagay maganda mabuti dating dumating kita nakita "
        "hanap isip "
    ),
    cues={
        Cue.NOT: "hindi, di, wala, walang, huwag, ayaw, ayaw na ayaw, hindi kailanman, kailanman",
        Cue.UNTRUE: "hindi totoo, di totoo, hindi totoong, kasinungalingan",
        Cue.WITHOUT: "nang walang, na walang",
        Cue.ENDED: (
            "hindi na, ayaw na, ayaw nang, wala na, wala nang, tumigil na, tumigil sa, itinigil, "
            "huminto na, huminto sa, di na, tinigilan"
        ),
        Cue.FORMERLY: "dati, noong una, noon ay, dati rati",
        Cue.CHANGED: (
            "nagbago ang isip, nagbago na ang isip, nagbago ang kanyang isip, kinansela, "
            "umatras, hindi itinuloy"
        ),
        Cue.LEFT: "lumipat mula, lumipat galing, umalis sa, umalis na sa",
        Cue.INSTEAD: "sa halip na, imbes na, sa halip ng",
        Cue.PREFER: "mas gusto, mas mahal, mas nais",
        Cue.THAN: "kaysa, kaysa sa, kesa, kesa sa",
        Cue.NEGATIVE: (
            "takot, natatakot, takot na takot, umiiwas, iniiwasan, allergic sa, galit sa, "
            "para hindi, inis sa, sawa na, naubusan, nawalan, nawala ang"
        ),
        Cue.DOUBT: (
            "baka, siguro, marahil, hindi sigurado, hindi na sigurado, di sigurado, duda, "
            "nagdududa, nag aalinlangan, "
            "posible, malay, parang hindi, di tiyak, hindi tiyak"
        ),
        Cue.ALMOST: "halos, muntik, muntik na, medyo, bahagya, hindi gaano, hindi gaanong, di "
        "masyado, kalahati lang, kaunti lang",
        Cue.MILD: "medyo, kahit papaano, bahagyang",
        Cue.ONCE: (
            "nakakagulat na, "
            "minsan, minsan lang, isang beses, isang beses lang, ngayon lang, "
            "dahil lang, sa unang pagkakataon"
        ),
        Cue.EXCEPT: "maliban, maliban kung, maliban sa, paminsan minsan, hindi palagi, hindi lagi",
        Cue.TODAY: "nitong, ngayong buwan, ngayon, kanina, kaninang, ngayong araw, ngayong taon, "
        "ngayong linggo",
        Cue.USUALLY: "karaniwan, kadalasan, kalimitan, sa pangkalahatan",
        Cue.HINDERED: (
            "dahil sa, may sakit, sira ang, pagod na pagod, naubos ang, bilang paggalang, napilitan"
        ),
        Cue.DISPOSED: "ibinenta, binura, itinapon, ipinamigay, niregalo, ipinahiram",
        Cue.WANTED: "gusto sana, sana, balak sana, binalak, plano sana, nagbalak",
        Cue.LATER: "ipinagpaliban, inilipat, ipinagpapaliban, saka na, itinabi muna",
        Cue.REFUSED: "tumanggi, ayaw mangako, hindi pumayag",
        Cue.WISH: "mas gusto, kailangan, kailangang, nais, gusto, gustong",
        Cue.STILL: "pa rin, pa din, hanggang ngayon, gaya ng dati",
        Cue.BUT: "pero, ngunit, subalit, kaya lang, kaso",
        Cue.ALTHOUGH: "kahit, kahit na, bagaman, bagamat, habang",
        Cue.BECAUSE: "dahil, kasi, sapagkat",
        Cue.AND: "at, o, saka",
        Cue.ASKED: "tinanong, itinanong, nagtanong, tanong, hindi alam kung, gustong malaman",
        Cue.SAID: (
            "sabi, sinabi, sabi ni, ayon kay, ayon sa kanya, sigaw, akala, tingin ni, paniwala, "
            "kuwento ni, raw, daw, isinulat ni, tawag ni"
        ),
        Cue.IF: "kung, kapag, sakaling, kundi",
        Cue.WITHIN: "sa loob ng, araw ding iyon, hindi lalampas, bago matapos ang",
        Cue.SKIP: (
            "hindi lang, hindi lamang, walang duda, walang problema, hindi ba, gayon din, "
            "mahaba ang, napakahaba ng, mula nang, higit sa, tapos ang, tapos na ang, "
            "parehong araw, araw ng"
        ),
    },
    opposites={
        "liking": (
            "gusto, gustong, mahal niya, mahal na mahal, paborito, hilig, mahilig, nasisiyahan, "
            "masaya sa, natutuwa, tuwang tuwa, type niya, gustung gusto, minamahal",
            "ayaw, ayaw na ayaw, kinaiinisan, galit sa, inis sa, nagreklamo, nagrereklamo, "
            "nakakasawa, nakakainip, "
            "kinasusuklaman, naiinis, sawa na",
        ),
        "punctual": (
            "maaga, maagang, maagap, nasa oras, sa oras, eksaktong oras",
            "huli, huling dumating, nahuli, nahuhuli, late, naantala, atrasado",
        ),
        "price": (
            "mura, kalahati ang presyo, murang, mumurahin, abot kaya, napakamura",
            "mahal ang, mahal, napakamahal, mamahalin, mahal sa, ang mahal",
        ),
        "open": (
            "bukas mula, bukas, nagbubukas, nagbukas, magbukas, bubukas",
            "sarado, nagsara, nagsasara, magsasara, isinara",
        ),
        "good": (
            "magaling, pinakamagaling, mahusay, pinakamahusay, maganda, mabuti, galing, husay, "
            "napakagaling, napakaganda, ayos",
            "masama, pangit, palpak, mahina sa, hindi maganda, pinakamasama, bulok",
        ),
        "worth": (
            "sulit, kumikita, kumita, mabenta, nauubos, naubos",
            "lugi, nalugi, sayang, nasayang",
        ),
        "speed": ("mabilis, mabilisan, napakabilis", "mabagal, napakabagal"),
        "amount": ("tumaas, dumami, marami", "bumaba, kumaunti, kaunti"),
        "patience": (
            "pasensya, pasensyoso, mapagpasensya, matiyaga",
            "mainitin ang ulo, walang pasensya, inip, naiinip",
        ),
        "trust": (
            "tiwala, nagtitiwala, pinagkakatiwalaan, maaasahan",
            "walang tiwala, duda sa, di maaasahan",
        ),
        "tidy": ("malinis, maayos, masinop", "marumi, makalat, magulo"),
        "salt": ("maalat", "matabang"),
        "saving": (
            "ipon, nag iipon, nakapag ipon, naipon, tipid",
            "gastos, gumastos, ginastos, nagastos",
        ),
        "memory": (
            "naaalala, naalala, natandaan, tanda",
            "nakalimutan, nakakalimutan, nalimutan, limot",
        ),
        "safe": ("ligtas", "delikado, mapanganib"),
        "ease": ("madali, madaling", "mahirap"),
        "mood": ("masaya, masayang, masayahin", "malungkot"),
        "health": ("malusog, magaling na", "may sakit, nagkasakit"),
        "strength": ("malakas", "mahina"),
        "heat": ("mainit", "malamig"),
        "noise": ("tahimik", "maingay"),
        "length": ("mahaba, mahabang", "maikli, maikling"),
        "size": ("malaki, malaking", "maliit"),
        "keeping": (
            "tumutupad, tumupad, tinupad, tinutupad, tutupad",
            "sinira, sumira, hindi tumupad",
        ),
        "honest": ("tapat, matapat", "sinungaling, nagsinungaling, nandaya, manloloko"),
        "kind": ("mabait, magalang", "bastos, masungit"),
        "work": ("masipag", "tamad"),
        "giving": ("mapagbigay, galante", "kuripot, madamot"),
        "right": ("tama, totoo", "mali, hindi totoo"),
        "quiet mind": ("matapang, kalmado", "takot, natatakot, takot na takot"),
        "often": ("lagi, laging, palagi, palaging, madalas", "bihira, bihirang"),
        "company": ("magkasama, sama sama, kasama", "mag isa, nag iisa"),
        "full": ("puno, siksikan", "walang laman, bakante"),
        "fair": ("patas, makatarungan", "madaya, hindi patas"),
        "dryness": ("tuyo", "basa, basang basa, binabaha, baha"),
        "able": ("marunong, kaya niya", "hindi kaya"),
        "order": ("bago", "pagkatapos"),
    },
    concepts={
        "answer": "sagot, sumagot, sumasagot, sinagot, sasagot, tugon, tumugon",
        "message": "mensahe, mensaheng, text",
        "mail": "sulat, liham, email",
        "phone": "tawag, tumawag, tawagan, tinawagan, telepono",
        "talk": "usap, nag usap, kausap, nakipag usap",
        "eat": "kain, kumain, kumakain, kinain, kinakain, kakain, kainin",
        "cook": "luto, nagluto, nagluluto, magluto, pagluluto",
        "drink": "inom, uminom, umiinom, iniinom, ininom, iinom",
        "meat": "karne, karneng, manok, baboy, baka, tapa, longganisa",
        "write": "sulat, sumulat, isinulat, nagsulat",
        "read": "basa, nagbasa, nagbabasa, binasa",
        "sleep": "tulog, natulog, natutulog, matulog",
        "sell": "tinda, magtinda, nagtitinda, nagtinda, benta, ibinenta, nagbebenta, mabibili",
        "buy": "bili, bumili, bumibili, binili, bibili",
        "pay": "bayad, nagbayad, binayaran, magbayad",
        "owe": "utang, umutang, nangutang, hulugan, pautang",
        "repair": "ayos, inayos, kumpuni, kinumpuni",
        "money": "pera, salapi",
        "cost": "presyo, halaga",
        "promise": "pangako, nangako, ipinangako, mangako, salita niya",
        "work": "trabaho, nagtrabaho, nagtatrabaho, magtrabaho, nakakapagtrabaho",
        "live": "nakatira, tumira, tira, titira, naninirahan, nakatirang",
        "move": "lipat, lumipat, lilipat",
        "learn": "matuto, matutong, natuto, nag aral, nag aaral, klase ng, aral",
        "begin": "simula, nagsimula, magsimula",
        "finish": "tapos, matatapos, natapos, matapos, tatapusin, tapusin",
        "arrive": "dating, dumating, darating, dumarating",
        "meeting": "pulong, pulungan, miting",
        "child": "bata, batang",
        "house": "bahay, tahanan, apartment",
        "customer": "suki, kustomer, mamimili, parokyano",
        "travel": "biyahe, bumiyahe, lakbay",
        "help": "tulong, tumulong, tinulungan",
        "tired": "pagod, napagod",
        "rain": "ulan, umuulan, umulan",
        "ride": "sakay, sumakay, sumasakay, isinabay",
        "day.morning": "umaga, umagahan, almusal",
        "day.noon": "tanghali, tanghalian",
        "day.afternoon": "hapon",
        "day.night": "gabi, hatinggabi",
        "day.day": "kaysa sa araw",
        "way.car": "kotse, nagkokotse, nagkotse",
        "way.foot": "naglakad, naglalakad, lakad",
        "way.bike": "bisikleta, nagbibisikleta, nagbisikleta",
        "way.bus": "bus, nagbubus, nagbus",
        "way.train": "tren, nagtren",
        "way.plane": "eroplano",
        "way.ship": "barko, nagbarko",
        "drink.tea": "tsaa, tsaang",
        "drink.coffee": "kape, nagkape, nagkakape, kapeng",
        "drink.beer": "serbesa, beer",
        "season.wet": "tag ulan",
        "season.dry": "tag araw",
        "pet.cat": "pusa",
        "pet.dog": "aso",
    },
    articles="",
    places_after="sa taga papuntang galing",
    clock_after="alas ala",
    lengths={1: "minuto", 60: "oras", 1440: "araw", 10080: "linggo linggong", 43200: "buwan"},
    kin=(
        "kapatid nanay tatay ina ama pinsan tiyo tiya tito tita asawa anak kaibigan kapitbahay amo "
        "kasama lolo lola pamangkin nobyo nobya kuya ate"
    ),
    numbers={
        2: "dos",
        3: "tres",
        4: "kuwatro",
        5: "singko",
        6: "sais",
        7: "siyete",
        8: "otso",
        9: "nuwebe",
        10: "diyes",
        11: "onse",
        12: "dose",
    },
    before="bago hanggang",
    after="pagkatapos lampas mula",
    owners="niya niyang nila nilang ko kong",
    owner_follows=True,
    name_markers="si ni kay nina sina",
    pronouns="siya niya sila",
)

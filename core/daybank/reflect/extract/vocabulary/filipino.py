"""Filipino (Tagalog), with the English and Spanish loans in daily use.

A verb changes at its beginning and inside (``bili``: bumili, binili, bibili, nakabili), so most of
its entries are roots.
"""

from daybank.reflect.extract.vocabulary.model import Vocabulary, Words

FILIPINO = Vocabulary(
    code="fil",
    function=Words(
        "ang ng sa na mga ay si sina ni nina kay kina at ko mo niya nila namin natin ito iyon "
        "yung po hindi may kung para ako siya kami tayo sila pero dahil nang din rin lang naman "
        "kasi pa ba ayaw gusto wala walang noong nitong kaninang ngayon kahapon bukas akong "
        "kaming kong"
    ),
    first=Words(
        "ako ko kami namin tayo natin atin amin akin akong kong kaming naming tayong nating aming "
        "ating aking kita saamin"
    ),
    ourselves=Words("ako kami tayo akong kaming tayong"),
    second=Words("ikaw ka mo kayo ninyo niyo iyo inyo mong kang inyong iyong nyo"),
    single=Words("siya siyang"),
    several=Words("sila silang"),
    leaning=Words(
        "siya siyang sila silang niya niyang nila nilang kanya kanila kaniya kanyang nito"
    ),
    vague=Words(
        "ito iyon iyan yun yon yan itong_ito heto ganito ganoon ganyan lahat iba ibang_tao doon "
        "dito diyan nandito"
    ),
    markers=Words("ang ng mga si ni sina nina kay kina yung"),
    people=Words(
        "user kapatid ate kuya nanay tatay ina ama magulang anak asawa tiya tiyo pinsan lola lolo "
        "pamangkin kaibigan boss amo katrabaho kapitbahay kasera may-ari kliyente kostumer "
        "doktor* guro nobyo nobya sanggol bata lalaki babae tubero elektrisista tekniko nars "
        "abogado mag-asawa"
    ),
    place_words=Words("sa papuntang mula galing tungong patungong"),
    decisions=Words(
        "mula_ngayon +pasya +desisyon +kasundo pumili pinili pumayag +kasunduan napagkasunduan "
        "+apruba tinanggihan kinansela +kansela ipinagpaliban +liban nagkasundo napili bumoto "
        "ibinoto nagdesisyon napagpasyahan"
    ),
    promises=Words("+pangako nangako nangakong pinangako utang may_utang sumumpa garantiya"),
    preferences=Words(
        "gusto gustong gusto_ko gustong-gusto ayaw ayoko ayokong paborito paboritong mahilig "
        "mas_gusto naniniwala sa_tingin sa_palagay mahal_na_mahal hilig kinaiinisan kinamumuhian "
        "naiinis pinakagusto inirerekomenda tingin palagay"
    ),
    states=Words(
        "lumaki lumaking hiniling marunong bawal nakatira nakatirang tumitira naninirahan "
        "nagtatrabaho nagtatrabahong nagkakahalaga may_allergy allergy allergic vegetarian vegan "
        "diabetes nag-aaral nagtuturo +panganak isinilang kasal ikinasal hiwalay buntis "
        "manganganak retirado nag-expire mag-e-expire +expire kumikita tumitimbang +singil +lipat "
        "hahawak +opera nabali namatay pumanaw anyos taong_gulang pag-aari umuupa inuupahan "
        "nasira"
    ),
    matters=Words(
        "tirahan address badyet presyo upa deadline anibersaryo kaarawan appointment iskedyul "
        "oras_ng sahod presyo_ng"
    ),
    events=Words(
        "gumuho nasunog binaha iniwan naghiwalay +kumpirma +pangalan nawala +bili +benta +bayad "
        "+pirma +panalo nanalo natalo natapos tinapos +lunsad inilabas +lathala +sumite nagbitiw "
        "+tanggap natanggal pumasa bumagsak sumali inampon nag-book +reserba nakuha nag-apply "
        "nag-enroll nag-sign-up nagparehistro +ayos inayos naayos +kumpuni +kabit nag-renew "
        "+hiram ibinigay nagbigay +mana nagtayo itinayo nag-ipon naipon namatay ninakaw gumaling "
        "+lipat nagpalit pinalitan isinauli naibalik nanganak nakapasa napromote na-promote "
        "nag-resign nagpakasal nagtapos nakatanggap nakabili nakapagbayad tumakbo pinakamabilis "
        "inilipat"
    ),
    lesser=Words(
        "+kilala nakilala nakita nakipagkita bumisita binisita +byahe lumipad dumating bumalik "
        "umuwi umorder inorder kinuha nagbukas binuksan gumawa ginawa nagawa sumulat isinulat "
        "nahanap natagpuan natuto natutunan umalis nagsimula sinimulan nawala nagdiwang +organisa "
        "dumalo +tanim +pinta nagluto +padala ipinadala +hatid kailangan_ng may_dalawang "
        "may_tatlong may_isang tumutugtog nagmamaneho namamahala hawak nagbubukas nagsasara "
        "nagbabayad gumagamit"
    ),
    plans=Words(
        "lilipat magsisimula pupunta darating aalis bibisita uuwi babalik lilipad magkakaroon "
        "magbubukas magsasara maghahatid dadalhin plano planong balak balak_ng magkikita gagawin "
        "ikakasal magpapakasal bibili magbabayad magtatrabaho mag-aaral hahawak maglalakbay "
        "ilulunsad manganganak magtatapos kakanta sasali simula"
    ),
    being=Words("ay may mayroon meron nasa naging"),
    is_somebody=Words("na_ang ang ay_ang"),
    has_something=Words("may"),
    habits=Words("hindi bawal marunong laging palaging"),
    regularly=Words(
        "tuwing kada bawat linggo-linggo araw-araw buwan-buwan lingguhan lingguhang buwanang"
    ),
    small=Words(
        "sabi sinabi tumawag kumain nanood natulog natutulog naglakad umupo naghintay umiyak "
        "tumawa pumunta nagkwentuhan naglaro naisip umungol nagising nakatulong"
    ),
    routine=Words(
        "tanghalian hapunan almusal kape tsaa sopas keyk biskwit antok ligo labada pinggan jeep "
        "bus trapik pila tv pelikula pagod tulog puyat naglakad lakad maingay ingay gutom sopa "
        "natutulog merienda"
    ),
    weather=Words(
        "ulan umulan umuulan maulan araw_lang init mainit malamig lamig bagyo hangin ulap panahon"
    ),
    feelings=Words(
        "kalayaan lakas_ng_loob inspirasyon nakaka-inspire malungkot masaya saya proud "
        "nakakaproud nakakapagod galit kabado ganda magaling galing grabe pagod nakakatuwa "
        "nakakainis kawawa sayang nakakatawa"
    ),
    hedges=Words(
        "kailangan_kong kailangan_naming kailangan_ko dapat_kong baka siguro sana marahil "
        "balang_araw parang kaya_siguro maaaring mukhang pwedeng puwedeng"
    ),
    loose=Words("bagay kahit_ano anuman kung_ano lahat_ng_bagay"),
    chatter=Words(
        "kumusta salamat sige haha hay naku hay_naku aray magandang_umaga magandang_gabi "
        "magandang_hapon paalam bahala_na congrats ayun ayun_na ok okay opo oo hello hi pasensya"
    ),
    bare=Words(
        "pakiusap tandaan bumili_ng tawagan ipadala isulat gawin ilagay tingnan linisin ayusin "
        "i-update idagdag i-install gamitin subukan tanungin sabihin alalahanin kalimutan isipin "
        "hanapin simulan buksan isara bayaran ibenta pirmahan dalhin piliin basahin pakinggan "
        "hayaan hintayin tulungan suriin yakapin huwag kailangan_ko kailangang mag-renew"
    ),
    leads=Words(
        "tala balita resulta paalala at_saka nga_pala oo opo salamat sige hay naku kasi ngunit"
    ),
    joins=Words("at pero kaya saka tapos ngunit"),
    halves=Words(
        "dahil kahit habang kung na imbes upang para kaysa mula_noon hanggang_noon bago_iyon"
    ),
    back=Words(
        "mula_noon hanggang_noon pagkatapos_noon bago_iyon noong_araw_na_iyon tungkol_doon "
        "ganoon_din"
    ),
    pointing=Words("itong iyong_iyon ganitong ganoong na_ito na_iyon dito rito doon roon"),
    day_words=Words("umaga hapon gabi araw linggo buwan taon tanghali"),
    idioms=Words("gusto_mo gusto_ko_sana sumasang-ayon tapos_na_ang salamat_sa"),
    units=Words(
        "piso pisong peso pesos dolyar euro sentimo oras minuto km kilometro kg kilo metro puntos "
        "tao tiket araw linggo buwan taon kopya pahina piraso pandesal litro gramo degree kwarto "
        "porsiyento milyon libo anyos beses"
    ),
    not_names=Words("pasko diyos internet ok tagalog ingles filipino pilipino"),
    verb_first=True,
    done_begins=("nag", "naka", "nai", "ipina", "ini", "isin", "ibin", "pina", "nap", "nas", "nak"),
)

"""English."""

from daybank.reflect.stance.vocabulary.model import Cue, Vocabulary

ENGLISH = Vocabulary(
    code="en",
    small=(
        "a an the this that these those and or of in on at to for from with by as into about "
        "through during until since after before over under up down out off again still always "
        "every each all some any own too very so such really quite rather just only even also "
        "be is are was were been being am has have had do does did done will would shall should "
        "can could may might must he she it they we i you him her them us me his its their our my "
        "your mine hers theirs who whom whose which what when where why how there here then now "
        "if than because while everybody everyone somebody someone nobody anything something "
        "anybody anyone nothing thing things one once though although but not no nor never s t d "
        "ll re ve m "
        "per him herself himself itself themselves myself both either neither other another "
        "much many most more less few little lot lots first last next new old same today "
        "yesterday tomorrow ago already yet ever along back around between within without "
        "against near beside behind please well told tells tell says said say"
    ),
    light=(
        "go goes went gone going come comes came coming get gets got getting take takes took "
        "taken make makes made making give gives gave given put puts have use uses used using "
        "do want wants wanted need needs needed look looks looked find finds found see sees saw "
        "seen let lets keep keeps kept keeping hold holds held bring brings brought work works "
        "worked working start starts started begin begins began try tries tried ask asks asked "
        "show shows showed best better good time times day days week weeks month months year "
        "years way people person think thinks thought feel feels felt know knows knew like likes"
    ),
    cues={
        Cue.NOT: (
            "not, never, no, nobody, none, neither, nor, don t, doesn t, didn t, isn t, aren t, "
            "wasn t, weren t, won t, can t, couldn t, hasn t, haven t, hadn t, shouldn t, cannot, "
            "cant, dont, doesnt, isnt, wont, far from, unable to, fail* to, refus* to, lack* "
        ),
        Cue.UNTRUE: (
            "not true, not true that, untrue that, isn t true, false that, a lie that, "
            "not the case, not the case that"
        ),
        Cue.WITHOUT: "without, free of, free from",
        Cue.ENDED: (
            "no longer, not any more, not anymore, stopped, gave up, "
            "given up, gives up, ceased to, has stopped, got over, grew out of, gone off, "
            "can no longer, not since, over and done, past that"
        ),
        Cue.FORMERLY: "used to, formerly, back then, once upon a time, in the past",
        Cue.CHANGED: (
            "changed his mind, changed her mind, changed their mind, changed my mind, "
            "change of mind, decided against, cancelled, canceled, called off, dropped the plan, "
            "dropped the idea, backed out"
        ),
        Cue.LEFT: (
            "moved from, moved away from, moved out of, switched from, changed from, left for good"
        ),
        Cue.INSTEAD: "instead of, rather than, in place of",
        Cue.THAN: "than",
        Cue.PREFER: "prefer*, would rather, choose*, chose, chosen",
        Cue.OVER: "over",
        Cue.TO: "to",
        Cue.NEGATIVE: (
            "avoid*, afraid of, fear of, fears, feared, scared of, allergic to, refus*, "
            "dislikes, hates, "
            "hated, hate, dislike, disliked, detest*, loath*, can t stand, cannot stand, "
            "can t bear, cannot bear, is sick of, is tired of, distrust*, mistrust*, lost, "
            "loses, lose, losing, "
            "ran out of, runs out of, lacks"
        ),
        Cue.DOUBT: (
            "maybe, perhaps, possibly, not sure, unsure, not certain, uncertain, not so sure, "
            "no longer sure, no longer certain, "
            "doubt*, not convinced, might, may not, wonder* whether it, begin to doubt, not all "
            "is, "
            "less sure, has second thoughts, second thoughts, remains to be seen, questionable"
        ),
        Cue.ALMOST: "almost, nearly, hardly, barely, scarcely, not quite, not really, not "
        "entirely, only a little, "
        "only half, half way",
        Cue.MILD: "quite, fairly, somewhat, reasonably, a bit, a little",
        Cue.ONCE: (
            "for the first time, surprisingly, to my surprise, to our surprise, unusually, "
            "once, this time, just once, just this once, for once, one time, only today, "
            "exceptionally, as an exception, "
            "for a change, at first, on a * day, on a * * day, on a * evening, on a * morning"
        ),
        Cue.EXCEPT: "with one exception, except, except when, except for, except on, except in, "
        "apart from, not always, sometimes, at times, now and then, only when, only if",
        Cue.TODAY: "this monday, this tuesday, this wednesday, this thursday, this friday, "
        "this saturday, this sunday, today, this week, this morning, this evening, tonight, this "
        "month",
        Cue.USUALLY: "usually, as a rule, otherwise, normally, in general, as much as",
        Cue.HINDERED: (
            "because of, due to, had been ill, was ill, is ill, was sick, was closed, "
            "was broken, out of politeness, had no choice, was finished, hurts"
        ),
        Cue.DISPOSED: "sold, sells, gave away, deleted, got rid of, threw away, threw out, lent "
        "out",
        Cue.WANTED: (
            "wanted to, meant to, planned to, intended to, was going to, were going to, hoped to, "
            "would have, had planned"
        ),
        Cue.LATER: "put off, put it off, put that off, postponed, delayed until, on hold, on ice",
        Cue.REFUSED: "would not, wouldn t, did not want to, didn t want to",
        Cue.WISH: "prefer*, would rather, need*, want, wants, require*, wish*, hopes for",
        Cue.STILL: "still, as ever, as always, to this day",
        Cue.BUT: "but, however, yet, except that, only that",
        Cue.ALTHOUGH: "although, though, even though, despite, in spite of, while, whereas",
        Cue.BECAUSE: "because, since she, since he, since they",
        Cue.AND: "and, or, then, who, which",
        Cue.ASKED: (
            "asked if, asked whether, asks if, asks whether, wonder* if, wonder* whether, "
            "want* to know if, want* to know whether, not known whether, unclear whether, "
            "unclear if, the question whether"
        ),
        Cue.SAID: (
            "say, says, said, think, thinks, thought, believes, claims, claimed, told, tells, "
            "call, "
            "calls, called, according to, reckons, suspects, insists, writes, wrote that, "
            "shouted, heard from, complains, complained, mention*, argue*, swear*, swore"
        ),
        Cue.IF: "if, unless, suppose, supposing, in case, would be, imagine",
        Cue.WITHIN: "within, in less than, in under, at most, no later than",
        Cue.SKIP: (
            "any more, anymore, no hurry, no rush, not only, no matter, no wonder, no doubt, "
            "without a word, "
            "no sooner, in no time, why not, no one else, not until, not before, "
            "without doubt, of course, "
            "each other, at all, of late, as well, as well as, well over, may be, in case of, "
            "would like, than before, no problem"
        ),
    },
    opposites={
        "liking": (
            "like, likes, liked, liking, love, loves, loved, enjoy*, adore*, prefer*, fond of, "
            "keen on, fan of, favourite, favorite, happy with, likes better, would rather, "
            "delighted, appreciates, appreciated, looks forward to",
            "hate, hates, hated, hating, dislike*, detest*, loath*, can t stand, cannot stand, "
            "can t bear, cannot bear, sick of, fed up with, tired of, complain* about, boring, "
            "bores, bored",
        ),
        "punctual": (
            "early, on time, in time, punctual*, ahead of time, on the dot, before everybody, "
            "before everyone, ahead of schedule",
            "late, delayed, delay, delays, overdue, unpunctual, behind schedule, too late",
        ),
        "price": (
            "cheap, cheaper, cheapest, inexpensive, affordable, bargain, half price",
            "expensive, overpriced, pricey, costly, dear, cost a fortune",
        ),
        "open": (
            "open, opens, opened, opening",
            "closed, closes, close, shut, shuts, closing",
        ),
        "good": (
            "good, well, great, excellent, better, best, fine, superb, brilliant, outstanding, "
            "talented, skilled, excels, wonderful, perfect, perfectly, impressive",
            "bad, badly, poor, poorly, worse, worst, terrible, awful, hopeless, lousy, "
            "mediocre, useless, disappointing",
        ),
        "worth": (
            "worth, worthwhile, pays off, pay off, paid off, profitable, made a profit, "
            "pays for itself, well spent, worth every",
            "worthless, lost money, loses money, waste of money, waste of time, a waste, "
            "unprofitable, "
            "made a loss, not worth, did not pay, does not pay, doesn t pay",
        ),
        "speed": ("fast, faster, quick, quickly, quicker, swift, rapid", "slow, slowly, slower"),
        "amount": (
            "more, a lot, plenty, lots of, very much, increase*, rises, rose, risen, higher, "
            "grew, grows",
            "less, fewer, very little, little, few, decrease*, falls, fell, fallen, lower, "
            "drops, dropped, shrank",
        ),
        "patience": ("patient, patiently, patience", "impatien*, short tempered, loses patience"),
        "trust": (
            "trust, trusts, trusted, trusting, relies on, rely on, relied on",
            "distrust*, mistrust*, suspicious of",
        ),
        "reliable": ("reliable, dependable, can rely on him, can rely on her", "unreliable"),
        "tidy": (
            "tidy, tidied, tidies, clean, cleaned, neat, spotless",
            "untidy, mess, messy, dirty, filthy, chaos, chaotic, cluttered",
        ),
        "salt": (
            "salty, salt, salted, too much salt",
            "bland, unsalted, too little salt, tasteless",
        ),
        "saving": (
            "save, saves, saved, saving, puts aside, put aside",
            "spend*, spent, waste*, squander*",
        ),
        "rank": ("first, at the beginning", "last, at the end"),
        "memory": ("remember*, recall*", "forget*, forgot, forgotten"),
        "safe": ("safe, safely, harmless", "dangerous, unsafe, risky, harmful"),
        "ease": ("easy, easily, easier, simple", "hard, difficult, complicated, tricky"),
        "mood": ("happy, cheerful, glad, content", "sad, unhappy, miserable, gloomy, upset"),
        "health": ("healthy, recovered, well again", "ill, sick, unwell"),
        "strength": ("strong, stronger", "weak, weaker"),
        "heat": ("hot, warm", "cold, cool, freezing"),
        "noise": ("quiet, silent, calm, silence", "noisy, loud, noise"),
        "length": ("long, longer, lengthy", "short, shorter, brief, concise"),
        "size": ("big, large, bigger, huge", "small, tiny, smaller"),
        "keeping": (
            "kept, keep, keeps, keeping, honoured, honored",
            "broke, breaks, break, broken, breaking",
        ),
        "honest": (
            "honest, truthful, sincere",
            "dishonest, lies, lied, lying, liar, cheats, cheated",
        ),
        "kind": (
            "kind, friendly, polite, warm hearted",
            "rude, unfriendly, impolite, mean, unkind",
        ),
        "care": ("careful, carefully, cautious", "careless, reckless, sloppy"),
        "work": ("hard working, diligent, industrious", "lazy, idle"),
        "giving": ("generous", "stingy, greedy, miserly"),
        "right": ("right, correct, true", "wrong, incorrect, false, untrue, mistaken"),
        "quiet mind": (
            "brave, fearless, not afraid, fear lost",
            "afraid, scared, fear, fears, frightened",
        ),
        "often": ("often, always, usually, regularly, every day, all the time", "rarely, seldom"),
        "company": (
            "together, with others, in company, in a group",
            "alone, by himself, by herself",
        ),
        "where": ("indoors, inside", "outdoors, outside"),
        "full": ("full, crowded, packed, sold out", "empty, deserted, half empty"),
        "fair": ("fair, just, fairly", "unfair, unjust, unfairly"),
        "dryness": ("dry, dried", "wet, flooded, under water, soaked"),
        "order": ("before", "after"),
        "able": ("can, could, able to, capable of, knows how to, fluent", "incapable, unable"),
        "sure": ("sure, certain, confident", "insecure, hesitant"),
        "works": ("works fine, sturdy", "broken down, out of order, defective, faulty"),
    },
    concepts={
        "answer": "answer*, reply, replies, replied, replying, respond*, response, wrote back, "
        "writes back",
        "message": "message*, note, notes, memo",
        "mail": "mail, mails, email*, e mail, letter, letters",
        "phone": "phone*, call up, rang, ring, rings, telephone*, called me, call me",
        "talk": "talk*, chat, chats, chatted, speak, speaks, spoke, spoken",
        "eat": "eat, eats, ate, eaten, eating",
        "drink": "drink*, drank, drunk",
        "meat": "meat, steak, beef, pork, chicken, sausage*, ham, bacon, lamb",
        "cook": "cook*, bake, bakes, baked, baking",
        "drive": "drive, drives, drove, driven, driving",
        "write": "write, writes, wrote, written, writing, typed, typing, type",
        "read": "read, reads, reading",
        "sleep": "sleep*, slept, asleep",
        "draw": "draw, draws, drew, drawn, drawing*, sketch*",
        "sell": "sell, sells, sold, selling, sale, sales",
        "buy": "buy, buys, bought, buying, purchase*",
        "pay": "pay, pays, paid, paying, payment*",
        "owe": "owe, owes, owed, owing, debt*, loan*, credit, borrow*, lend*, lent, instalment*",
        "repair": "repair*, fix, fixes, fixed, mend*",
        "money": "money, cash, savings",
        "cost": "price*, cost, costs",
        "promise": "promise*, his word, her word, their word, its word, my word, commitment*",
        "work": "work, works, worked, working, job, jobs",
        "live": "live, lives, lived, living, resides",
        "move": "move, moves, moved, moving, relocat*",
        "run": "run, runs, ran, running",
        "swim": "swim, swims, swam, swimming",
        "sing": "sing, sings, sang, sung, singing",
        "teach": "teach*, taught",
        "learn": "learn*, study, studies, studied, lessons, course",
        "begin": "begin*, began, begun, start, starts, started, starting",
        "finish": "finish*, complet*, ready, done with, on track",
        "arrive": "arrive*, arriving, came, comes, come, coming, show* up, turn* up, shows up",
        "meeting": "meeting*, appointment*",
        "child": "child, children, kid, kids",
        "house": "house, home, flat, apartment",
        "customer": "customer*, client, clients, guest, guests",
        "holiday": "holiday*, vacation*",
        "travel": "travel*, trip, trips, journey*",
        "help": "help*, assist*, support*",
        "film": "film, films, movie*",
        "tired": "tired, exhausted, weary",
        "rain": "rain*",
        "day.morning": "morning, mornings, breakfast, dawn",
        "day.noon": "noon, midday, lunchtime",
        "day.afternoon": "afternoon, afternoons",
        "day.evening": "evening, evenings",
        "day.night": "night, nights, midnight",
        "way.car": "by car, drives to, drove to, drive to, the car",
        "way.foot": "on foot, walks to, walked to, walk to, walking to",
        "way.bike": "bike, bikes, bicycle, cycles, cycled, cycle, cycling",
        "way.bus": "bus, buses",
        "way.train": "train, trains",
        "way.tram": "tram, trams",
        "way.plane": "plane, planes, fly, flies, flew, flying, flight*",
        "drink.tea": "tea, teas",
        "drink.coffee": "coffee, coffees, espresso",
        "drink.beer": "beer, beers",
        "drink.wine": "wine, wines",
        "pet.cat": "cat, cats",
        "pet.dog": "dog, dogs",
    },
    articles="a an the another",
    places_after="in at near from to",
    clock_after="at by until after before past",
    lengths={
        1: "minute minutes min",
        60: "hour hours",
        1440: "day days",
        10080: "week weeks",
        43200: "month months",
    },
    kin=(
        "sister brother mother father cousin uncle aunt wife husband son daughter friend neighbour "
        "neighbor boss colleague partner parents grandmother grandfather nephew niece mum mom dad "
        "girlfriend boyfriend landlord flatmate"
    ),
    before="before until",
    after="after past since",
    owners="his her their my",
    pronouns="he she it they i we there this that everybody everyone nobody someone somebody",
)

"""English."""

from daybank.dates.vocabulary.model import FEW, Kind, Lead, Shift, Tense, Unit, Vocabulary

_PERIODS = frozenset({Kind.MONTH, Kind.SEASON, Kind.YEAR, Kind.QUARTER})

ENGLISH = Vocabulary(
    months=(
        "january jan",
        "february feb febr",
        "march mar",
        "april apr",
        "may",
        "june jun",
        "july jul",
        "august aug",
        "september sep sept",
        "october oct",
        "november nov",
        "december dec",
    ),
    weekdays=(
        "monday mon",
        "tuesday tue tues",
        "wednesday wed",
        "thursday thu thur thurs",
        "friday fri",
        "saturday sat",
        "sunday sun",
    ),
    seasons=("spring springtime", "summer summertime", "autumn fall", "winter wintertime"),
    units={
        Unit.DAY: "day days",
        Unit.WEEK: "week weeks wk wks",
        Unit.WEEKEND: "weekend weekends",
        Unit.MONTH: "month months",
        Unit.QUARTER: "quarter quarters",
        Unit.HALF: "half",
        Unit.HALF_YEAR: "half_a_year",
        Unit.YEAR: "year years yr yrs",
    },
    plurals="days weeks weekends months quarters years",
    numbers={
        FEW: "few a_few several",
        1: "a an one",
        2: "two a_couple_of couple_of a_couple couple",
        3: "three",
        4: "four",
        5: "five",
        6: "six",
        7: "seven",
        8: "eight",
        9: "nine",
        10: "ten",
        11: "eleven",
        12: "twelve",
        14: "fourteen",
        15: "fifteen",
        18: "eighteen",
        20: "twenty",
        30: "thirty",
        40: "forty",
        50: "fifty",
        60: "sixty",
        90: "ninety",
    },
    ordinals={
        1: "first",
        2: "second",
        3: "third",
        4: "fourth",
        5: "fifth",
        -1: "last final",
    },
    days={
        -2: "the_day_before_yesterday day_before_yesterday",
        -1: "yesterday last_night",
        0: "today tonight this_morning this_afternoon this_evening",
        1: "tomorrow",
        2: "the_day_after_tomorrow day_after_tomorrow",
    },
    leads={
        Lead.AT: "due due_on in on during throughout of within over",
        Lead.FROM: "from",
        Lead.BETWEEN: "between",
        Lead.SINCE: "since starting starting_on starting_in beginning_on as_of as_from ever_since",
        Lead.AFTER: "after following later_than",
        Lead.BEFORE: "before prior_to earlier_than ahead_of",
        Lead.UNTIL: "until till til through thru up_to up_until no_later_than",
        Lead.BY: "by due_by",
        Lead.AROUND: "around circa roughly sometime_around",
    },
    tense_of_lead={"for": Tense.FUTURE},
    shifts={
        Shift.LAST: "last previous",
        Shift.PAST: "past",
        Shift.THIS: "this current this_very",
        Shift.NEXT: "next upcoming coming this_coming the_coming",
    },
    parts=(
        "early start_of beginning_of the_start_of the_beginning_of",
        "mid middle_of the_middle_of",
        "late end_of the_end_of",
    ),
    vouches={
        "in": _PERIODS,
        "during": _PERIODS | {Kind.WEEKDAY},
        "throughout": _PERIODS,
        "within": frozenset(),
        "over": frozenset({Kind.WEEKDAY}),
        "on": frozenset({Kind.WEEKDAY, Kind.DAY_OF_MONTH}),
        "of": frozenset({Kind.YEAR}),
        "from": frozenset({Kind.YEAR, Kind.DAY_OF_MONTH}),
        "following": frozenset(),
        "around": frozenset({Kind.MONTH, Kind.YEAR, Kind.DAY_OF_MONTH}),
        "due": frozenset({Kind.WEEKDAY, Kind.MONTH}),
    },
    doubtful=(
        "april may june august march "
        "jan feb febr mar apr jun jul aug sep sept oct nov dec "
        "mon tue tues wed thu thur thurs fri sat sun"
    ),
    verbs="may march sat sun",
    articles="the",
    joins="of of_the",
    ranges="to until till til through thru",
    ands="and",
    ors="or",
    now="now present the_present today date",
    onward="on onward onwards forward",
    ago="ago back",
    hence="from_now from_today hence",
    hence_before="in",
    within="within",
    year_words="year",
    day_parts="morning afternoon evening night noon",
    every="every each any most",
    past_words=(
        "was were went did had got came took made saw met bought left told said spent began gave "
        "found thought felt heard kept knew lost paid ran read sent sold spoke stood taught wrote "
        "won broke brought built caught chose drew drove ate fell flew forgot grew held hit hurt "
        "led lent rode rose sang sat slept swam wore been ago already"
    ),
    future_words=(
        "will ll wo shall going gonna plan plans planning planned scheduled schedule due deadline "
        "upcoming booked expects expected should must need needs want wants hope hopes hoping "
        "intends intend arranged postponed tomorrow appointment remind reminder leaves leaving "
        "arrives arriving flies flying departs returns returning starts starting begins todo"
    ),
    past_endings=("ed",),
    not_past="need speed feed seed indeed bed red wed hundred shed led embed exceed proceed breed",
    function_words=(
        "in at on for with and or but to from of by as is are was were will we i he she they it "
        "you who which that this these those then when while until till so because if after before "
        "since during via per the a an our my his her their its had has have did not also only "
        "about around between near both all still just"
    ),
    measures=(
        "km kms m cm mm mi mile miles kg g mg lb lbs oz l ml chars char characters words word "
        "tokens lines pages files items people persons users guests percent pct once twice times "
        "x usd eur gbp dollars euros pounds pesos bucks hours hour hrs hr h minutes minute mins "
        "min seconds secs sec am pm a.m p.m kb mb gb tb ms px points votes cars steps calories "
        "kcal degrees rpm meters metres feet ft inches watts volts k copies units pieces rows"
    ),
    numbered=(
        "room page pages chapter model version ver v no nr number flat apartment apt suite bus "
        "line code pin id issue ticket port error section release build python windows office "
        "route highway gate unit house total"
    ),
    compounds_before=(
        "good black ash easter palm cyber super casual taco bloody ruby manic maundy giving freaky"
    ),
    compounds_after=(
        "school roast times brunch addams blues funday prayers mornings afternoons evenings nights"
    ),
    places_after="street st road rd avenue ave lane boulevard blvd square",
    places_before="",
    modals=(
        "will ll would can could may might should must to not t does do did doesn don didn won "
        "usually only"
    ),
    makers="written made drawn sung sent taken painted baked directed composed shot given done",
)

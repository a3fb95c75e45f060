"""English."""

from daybank.reflect.extract.vocabulary.model import Vocabulary, Words

ENGLISH = Vocabulary(
    code="en",
    function=Words(
        "me us him them every again now only the a an and or but of to in on at for with from by "
        "is are was were be been am do does did has have had will would can could not no that "
        "this it he she they we i you my our his her their your as so if then than what when who "
        "which there all too very just more about after before into out up i'm it's we're don't "
        "didn't can't won't isn't there's that's"
    ),
    first=Words(
        "i we my our us me mine ours myself i'm i've i'll i'd we're we've we'll we'd im ive"
    ),
    ourselves=Words("i we i'm we're i've we've i'd we'd"),
    second=Words("you your yours yourself you're you've you'll you'd u ya y'all"),
    single=Words("he she he's she's"),
    several=Words("they they're they've"),
    leaning=Words("him her his hers them their theirs he she they it its it's he's she's they're"),
    personal=Words("he she he's she's him her his hers"),
    vague=Words(
        "it it's its it'll it'd this_is this_was this_will this_has this_would this_could "
        "this_makes this_made this_means this_one this_helps this_gives this_feels this_looks "
        "that that's that'll these_are these_were those both neither others another another_one "
        "someone somebody something everything everyone everybody nobody nothing anyone there's "
        "there_is there_are there_was there_were here_is here's here_are one_of some_of most_of "
        "all_of each_of who which what such_a same what's"
    ),
    markers=Words("the a an my our every each some two three four five all both another"),
    people=Words(
        "user users owner* sister* brother* mother* father* mum mom dad parents son sons "
        "daughter* wife husband aunt* uncle* cousin* grandma* grandpa* grandmother* grandfather* "
        "niece* nephew* friend* boss colleague* coworker* neighbour* neighbor* landlord* landlady "
        "client* customer* doctor* teacher* girlfriend boyfriend partner* fiance* baby kid kids "
        "child children man woman guy girl boy plumber* electrician* manager* nurse* lawyer* "
        "somebody someone"
    ),
    place_words=Words("in to from at near into through around towards via for of on"),
    decisions=Words(
        "from_now_on starting_now decided decide decides decision decisions agreed agree_to "
        "agree_on agree_that agrees_to agreement chose choose chosen settled_on opted voted "
        "picked_the picked_a resolved concluded approved rejected cancelled canceled postponed "
        "rescheduled ruled made_up_our_minds made_up_my_mind going_with went_with"
    ),
    promises=Words(
        "promised promise promises swore vowed committed guaranteed volunteered offered_to owes "
        "owe owed undertook pledged"
    ),
    preferences=Words(
        "prefer* i_like we_like they_like don't_like would_like really_like likes liked i_love "
        "we_love they_love really_love always_love also_love still_love just_love absolutely_love "
        "loves loved hate hates hated dislike* enjoy enjoys enjoyed adore* favourite* favorite* "
        "i'd_rather we'd_rather would_rather think thinks i_believe we_believe believes "
        "believe_in convinced cannot_stand can't_stand can't_bear fond keen_on considers "
        "finds_the recommends i_recommend overrated passionate big_fan a_fan insists detest* "
        "not_like interested_in not_a_fan"
    ),
    states=Words(
        "grew_up raised_in native_of asked_me_to asked_us_to asked_to asked_not is_called "
        "are_called live lives lived living_in works_at works_as works_for works_in works_from "
        "work_at work_as work_for worked_at worked_as worked_for working_at working_for works_the "
        "works cost costs owns belongs allergic vegetarian vegan diabetic studies studying "
        "teaches born married engaged divorced pregnant expecting retired turned turns expires "
        "expire valid opens closes earns weighs lasts headquartered comes_from moved moves moving "
        "operated diagnosed majoring years_old year-old been_married single_parent speaks "
        "has_been_with dating engaged_to years_ago moved_in switched_from changed_jobs weigh "
        "responsible_for in_charge manages increased retiring widowed the_age"
    ),
    matters=Words(
        "rent address phone_number budget price deadline birthday anniversary insurance surgery "
        "operation"
    ),
    events=Words(
        "collapsed burned burnt flooded leaked left_me left_us left_him left_her broke_up "
        "split_up confirmed named we_called_the bought sold signed paid won lost finished "
        "completed launched shipped released submitted quit resigned hired fired promoted "
        "graduated passed_the passed_his passed_her passed_my passed_our failed joined booked "
        "adopted got_the_job got_a_job got_engaged got_married got_hired got_promoted applied "
        "enrolled enroled registered signed_up repaired fixed installed renewed borrowed lent "
        "gave_my gave_him gave_her gave_the delivered inherited donated founded invested proposed "
        "died passed_away crashed stolen stole injured broke broken merged deployed migrated "
        "replaced handed_over handed_in reached beat organized organised hosted opened_a "
        "opened_the opened_my closed_the_deal published started_a started_my started_the "
        "started_working began_working quit_my raised bought_a accepted took_over volunteered "
        "personal_best best_time earned award prize landed_the landed_a got_back moved_out "
        "moved_in set_up built gave"
    ),
    lesser=Words(
        "left met visited travelled traveled flew arrived returned ordered received got began "
        "start started created wrote recorded discovered learned learnt saved sent collected "
        "opened recovered upgraded switched transferred handed celebrated attended performed ran "
        "ran_a scored tried declined invited introduced announced participated trained hiked "
        "camped painted cooked baked planted made helped ended hit found landed been_to wants "
        "want needs need requires uses use runs run has_a has_an have_a owns_a plays charges pays "
        "charged open_from works_on working_on called_the named keeps rents supports went_to "
        "practicing learning training building writing making started_to bring brings passed "
        "closed"
    ),
    plans=Words(
        "will 'll i'll we'll he'll she'll they'll going_to plan plans planning planned scheduled "
        "starts start begins begin leaves leave arrives arrive comes come flies fly takes "
        "takes_over taking_over starting joins joining intends intend aims hopes_to launches "
        "visits returns is_due moves moving ends wants_to gets goes opens"
    ),
    being=Words("is are was were isn't aren't wasn't has_been have_been 's i'm we're"),
    is_somebody=Words(
        "is_a is_an is_the is_now is_our is_my is_her is_his was_the was_a was_an became_the "
        "became_a"
    ),
    has_something=Words(
        "has_a has_an has_two has_three has_four has_five has_six has_no has_one has_got have_two "
        "have_three have_a"
    ),
    habits=Words("can't cannot doesn't don't never always only won't usually speaks"),
    regularly=Words(
        "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays weekends every "
        "weekly daily monthly yearly each_day each_week each_month a_month a_week a_day a_year"
    ),
    small=Words(
        "called came went had said says told tell asked saw looked walked watched ate slept woke "
        "felt sat stood talked chatted spent wanted needed seemed happened stayed waited smiled "
        "laughed cried danced groaned listened played worked shared showed hugged answered "
        "noticed counted carried folded gone remembered used"
    ),
    routine=Words(
        "lunch dinner breakfast coffee tea soup cake biscuits nap shower laundry dishes tram bus "
        "traffic queue tv film movie scroll* tired sleepy yawn* slept woke walk walked walking "
        "stroll* snack* couch sofa hungry awake noise* hammering"
    ),
    weather=Words(
        "rain* raining rainy sunny cloudy snow* windy storm* drizzl* fog* grey weather humid "
        "chilly freezing sunshine sunset sunrise"
    ),
    feelings=Words(
        "connection freedom positivity impact confidence camaraderie setback strength gratitude "
        "encouraging challenging tired sad glad proud happy excited exciting amazing awesome "
        "wonderful incredible inspiring grateful thankful bored angry annoyed nervous stressed "
        "great cool nice lovely fun funny awful terrible terrific fantastic rewarding overwhelmed "
        "exhausted relaxing feel feeling feels felt special meaningful amazed joy blast motivat* "
        "inspir* purpose cozy gorgeous stunning"
    ),
    hedges=Words(
        "can_improve can_change can_bring can_give can_make can_be can_help i_need_to we_need_to "
        "i_have_to we_have_to i_must i_should gotta maybe perhaps might may_be probably possibly "
        "somehow if_only wish hope hoping hopefully guess supposedly someday some_day one_day "
        "can't_wait i'd_love_to would_love_to i'd_like_to would_like_to love_to_see "
        "looking_forward wonder wondering seems seem kind_of sort_of imagine"
    ),
    loose=Words(
        "something someone stuff things thing everything anything anyone somewhere somehow "
        "whatever lot lots everyone"
    ),
    chatter=Words(
        "hi hey hello thanks thank wow haha hahaha lol omg ok okay yeah yep yes nope sigh ugh "
        "oops congrats congratulations bye goodnight good_night good_morning good_luck whatever "
        "anyway sorry please cheers phew yay absolutely definitely totally sure of_course "
        "how_about let's lets sounds take_care keep_it no_problem"
    ),
    bare=Words(
        "kindly let's lets let move buy call send write take give make get go come put keep check "
        "look wash clean fix update add remove install run use try ask tell remember forget think "
        "find set start stop open close book order pay sell sign meet visit bring pick choose "
        "decide finish read watch listen learn be do don't never always please hug wait see have "
        "help turn prepare plan schedule review test deploy renew cancel ignore follow consider "
        "ensure note"
    ),
    leads=Words(
        "note fyi update info news learned reminder lesson insight fact outcome result anyway "
        "well oh ah yes yeah yep ok okay hey hi wow btw by_the_way actually besides plus still "
        "thanks thank_you haha lol honestly speaking_of_which moreover furthermore anyways "
        "on_the_other_hand in_fact that_said good_news fun_fact ps definitely absolutely totally "
        "sure"
    ),
    joins=Words("and but so then also plus"),
    halves=Words(
        "helps makes means gives shows reminds sounds looks feels seems just_a only_a since_i "
        "since_we because although though while whereas which who whose unless until_then "
        "since_then especially including like such_as or nor than instead_of due_to despite "
        "without with as_well"
    ),
    back=Words(
        "trip_there go_there went_there back_there get_there moved_there live_there lives_there "
        "into_it last_one the_ones these_ones those_ones agree_more until_then since_then by_then "
        "after_that before_that that_day that_one this_one the_other_one the_same_thing like_that "
        "like_this as_well_as_that do_that do_this do_it did_it did_that we_will_see we'll_see "
        "for_that about_that about_it from_it of_it of_that with_it for_it the_latter the_former "
        "that_week there_too love_it loved_it enjoy_it try_it tried_it made_it got_it love_them "
        "to_it in_it"
    ),
    pointing=Words(
        "there here this these those such in_that at_that of_that for_that from_that with_that "
        "about_that on_that to_that"
    ),
    day_words=Words(
        "morning afternoon evening night time day week weekend month year summer spring autumn "
        "winter season"
    ),
    idioms=Words(
        "best_part favorite_part favorite_was favourite_was loved_one loved_ones love_and "
        "and_love of_love our_lives their_lives people's_lives your_lives my_lives the_lives "
        "his_life i_promise promise_me completely_agree totally_agree i_agree agree_with "
        "agreed_with made_me make_me makes_me won't_quit not_quit never_quit lost_in getting_lost "
        "got_lost cost_of best_of_luck free_will like_to_say i_think_so think_about think_of "
        "thinking_of i'd_love_to i'd_like_to would_love_to would_like_to paid_off pays_off "
        "broke_down_and accepted_me accepts_me feel_accepted sold_out i_like_that i_love_that "
        "i_like_how i_love_how passed_on married_life moved_by moving_on moving_forward moved_on "
        "moves_me touched_me_and kept_moving keep_moving"
    ),
    units=Words(
        "euro euros pound pounds dollar dollars bucks cents percent hour hours minutes km miles "
        "kg kilos metres meters points people tickets days weeks months years guests copies pages "
        "rolls loaves litres grams degrees seats rooms times square"
    ),
    not_names=Words(
        "i i'm i've i'll i'd english spanish russian french german italian dutch portuguese "
        "chinese japanese korean american british european african asian christmas easter mr mrs "
        "ms dr internet god ok"
    ),
    done=("ed",),
    present=("s",),
)

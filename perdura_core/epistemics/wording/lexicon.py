"""Words that observations and judgements are made of, by what they do. `_` stands for a blank, `+` for any ending."""

__all__ = [
    "ABSTRACT",
    "CAUSING",
    "DEGREE",
    "DESCRIBING",
    "EVALUATING",
    "FIGURES",
    "FORETELLING",
    "GENERALISING",
    "HEDGING",
    "JUDGING",
    "PRESCRIBING",
    "READING",
    "STANCE",
    "VERDICTS",
]

HEDGING = """
    apparently appear_in_conflict appear_to appeared_to appears_that appears_to arguable arguably as_if
    as_though believed_to chances_are conceivable conceivably could debatable doubt doubtful doubtless_not
    doubts evident_only feels_like guess hard_to_say hard_to_tell imaginable in_all_likelihood in_theory likely
    look_like looked_like looks_like may maybe might no_doubt not_clear odds_are on_balance open_question
    perhaps plausible plausibly possibly potentially presumably presumed presumptive probable probably
    questionable remains_to_be_seen rumored rumoured seem seemed seemingly seems smells_like sounds_like
    speculation speculative supposed_to supposedly suspected suspects tentative tentatively thought_to uncertain
    unclear unlikely
"""

PRESCRIBING = r"""
    advisable aim_to avoid be_allowed be_banned be_cut be_replaced be_required best_to better_off better_to
    call_for calls_for can't_afford can_be_ignored can_wait cannot_afford cries_out demand_that deserve+
    discourage do_not_rely duty_to entitled_to first_thing_to had_better has_to have_a_duty have_to it_is_time
    it_pays justif+ let's let_us makes_sense_to must must_be need need_a need_not need_to needed_to needs
    needs_a needs_to never_again never_trust obligation ought owe_it preferable prevent priority prudent
    recommend+ required_to_preserve requires_us responsibility_to ripe_for should should_be should_not
    start_with time_to wise_to worth_\w+ing worth_the would_do_well
"""

FORETELLING = """
    about_to are_bound_to are_going_to bound_to eventually going_to here_to_stay in_the_future in_the_long_run
    is_bound_to is_going_to is_set_to on_its_way_to on_the_verge on_track_to shall sooner_or_later
    what_is_to_come will_be won't yet_to_come
"""

EVALUATING = """
    abnormal absurd abundant acceptable accurate active_role addictive adequate advanced affordable aggressive
    alarming ambiguous apparent appealing appropriate arbitrary arrogant artificial attractive atypical awful
    backward bad badly balanced barren bearable beautiful beloved beneficial benign best better biased bland
    bloated bold boring brave brilliant brittle brutal capable careless cautious central cheap cheaper cleaner
    clever cleverly clumsy coherent comfortable common_sense competent complacent complex complicated
    comprehensive confident conservative considerable consistent contentious controversial convincing correct
    corrupt cosmetic costlier costly counterproductive cowardly credible critical crowded crucial crucially
    crude cruel dangerous dead debatable decent deceptive decisive decisive_factor defective defensible
    defensive democratic dense deserving detrimental difficult dirtier disappointing disgraceful dishonest
    disloyal divisive dominant doomed dramatic drastic dubious dull dying early_enough easier easy effective
    efficient elegant embarrassing empty_promise encouraging endless enormous enough enthusiastic essential
    essential_to eternal ethical evident exaggerated excellent exceptional excessive exciting excusable
    expensive extreme fair false far-fetched fast_enough faulty feared fertile flawed flexible flimsy foolish
    foremost forgettable fragile fragmented fresh_start friendly fruitful fruitless fundamental futile generous
    gifted glorious good grave great greedy gripping guilty happier happy hard harder harmful harmful_to
    harmless hated healthier healthy helpful helpless heroic hesitant hollow honest hopeless hostile huge humane
    iconic ideal ignorant ill-suited illegitimate illogical imbalanced immature immoral impartial imperfect
    implausible important impossible imprecise impressive improbable inaccurate inadequate inappropriate
    incapable incoherent incompetent incomplete inconsistent incorrect indefensible indispensable ineffective
    inefficient inevitable inexcusable inferior influential innocent innocuous insatiable insecure insignificant
    instrumental insufficient integral intense interesting intolerable intolerant intractable irrational
    irrelevant irresponsible just_cause justified key late laughable lax lazy leading_cause lean legendary
    legitimate lethal_to lively logical lonely loose lopsided loyal lucrative maintainable malign manageable
    marginal massive mature meaningful meaningless mediocre memorable mild misguided misinformed misleading
    misplaced misunderstood moderate modern modest moral naive necessary needless needlessly neglected
    negligible nervous neutral nicer nonsensical notable noteworthy objective obsolete obvious odd old-fashioned
    oppressive optimal optimistic ordinary outdated outstanding overblown overdone overdue overloaded overpriced
    overrated oversized overused overwhelming painful painless paramount patchy perfect peripheral persuasive
    pessimistic pivotal plausible plentiful pointless poisonous_to polarising polarizing poor poorly popular
    popular_with powerful powerless precise premature priceless pricey primary_driver primitive principal
    proactive productive profitable profound progressive promising promising-looking puzzling quick radical
    rare_gift rash rational reactive readable real realistic reasonable reckless redundant relevant reliable
    remarkable repulsive resilient respected responsible rich ridiculous rigid risky robust sad sadder safe
    safer scalable scarce scattered sceptical secure sensible serious severe shaky shameful significant simple
    simpler sinister skeptical skilled slick slight sloppy slow sluggish smart smarter solid sound sparse
    spectacular stable stagnant stale steep strange strict striking strong structural stubborn stunning stupid
    subjective suboptimal substantial successful sufficient suitable superficial superfluous superior surprising
    suspicious sustainable swift symbolic talented tedious telling tempting terrible thin tight timeless timely
    timid tiny tired tolerable tolerant too toxic tragic tremendous trivial troubling true trustworthy uglier
    ugly unacceptable unaffordable unappealing unattractive unavoidable unbalanced unbearable unbelievable
    uncertain unclear uncomfortable unconvincing undemocratic undeniable underestimated underfunded underpowered
    underpriced underrated undersized underused undervalued underwhelming undeserved unenforceable unethical
    uneven unfair unfinished unfit unforgivable unfounded unhappy unhealthy unhelpful unifying unique universal
    unjust unjustified unlimited unlucky unmaintainable unmanageable unmistakable unnatural unnecessary
    unpopular unprecedented unproductive unprofitable unreadable unrealistic unreasonable unreliable
    unremarkable unsafe unscientific unsound unstable unstoppable unsuccessful unsuitable unsurprising
    unsustainable untenable untimely untrustworthy unusual unviable unwieldy unwise unworkable useful useless
    useless_effort vague valuable viable vibrant vital vulnerable wasteful weak well well-suited wild wise
    wisely workable worrying worse worst worthless wrong
"""

VERDICTS = """
    absence_of abundance abuse advantage+ alarm_bell ambition+ anomaly answer_to antidote appetite artefact
    artifact asset backbone band-aid bargain barrier+ benefit+ blame blunder bottleneck brake breakthrough
    bubble burden camp camps caricature catalyst catastrophe cause cause_of chaos classic clique coincidence
    comedy conflict_of_interest consensus consequence+ controversy core_of cornerstone crime_against crisis
    crisis_of crux culprit cure_for danger+ dead_end debate_about decline_of defect_of deficiency deficit_of
    desert_of despair dilemma disadvantage+ disaster disgrace double-edged drama drawback+ driver dwarf
    echo_chamber elite embodiment engine engine_of equal_of error_of essence evidence_against evidence_of
    evidence_that excess_of excuse explanation+ face_of fad failure_of false_economy family_of farce favourite
    fit flaw flaws fluke fool foretaste foundation free_lunch future gamble gap_in gem genius gesture gist
    good_choice harbinger headache heart_of hero hinge hint hints hope house_of hub hurdle+ hype hypocrisy idiot
    illusion imbalance impact impediment importance indication+ influence infringement injustice instrument_of
    insult irony island_of issue issues joke jungle key_to lack_of last_resort legacy lesson+ liability
    lifeblood linchpin loser losers lottery luck luxury mainstay maintenance_issue margin_for masterpiece
    match_for matter_of maze means_of means_to merit mess milestone mismatch mistake+ mockery monopoly_of
    monument_to motor_of muddle myth nature_of necessity nightmare no_match noise nuisance obstacle+ omen
    opportunity origin_of outlier outrage pain_point pale panacea paradox parody patch_on pillar pioneer
    point_of_no_return point_of_view poor_choice potential price_to_pay priority privilege problem problems
    proof prospect+ purpose question_of race_to reason reasons recipe red_flag red_herring relevance remedy
    revolution revolutionary right_tool risk risks rival_to role role_model root root_cause roots safety_margin
    scandal seed_of sense_of shadow_of shame shortage_of shortcoming+ sign signal_that signs silver_bullet
    single_point_of_failure slap_on slippery_slope solution solutions soul source_of spirit_of standard-bearer
    step_back step_forward substitute_for stepping_stone stopgap story strength strengths success success_of symptom+
    tension testament threat threat+ tip_of trade-off+ tragedy trap tribute triumph turning_point underdog value_of
    vehicle_for vicious_circle victim+ villain violation violation_of virtuous_circle wake-up_call want_of
    warning waste watershed way_out weak_spot weakness+ weapon_of why winner winners worth_of wrong_tool
"""

CAUSING = """
    accelerate+ allows_people allows_us as_a_consequence as_a_result attributable attributed_to because
    behind_the blamed_on boost boosted boosts breed breeds brought_about by_mistake cause caused causes causing
    compel+ compels consequence_of contributed_to contributes_to cost_us decreases_the deter deterred deters
    discourage driven_by drives drove due due_to empower+ enabled enables explain explained_by explains
    favoured_by for_the_sake forced foster fostered fosters fueled fuelled gave_birth gave_rise_to gives_rise_to
    hamper+ hasten+ helped_by hinder+ improves_the in_order_to incentiv+ increases_the induce+ knock-on lead_to
    leads_to led_to lessen+ lies_in lowers_the made_it made_possible made_the made_worse makes_it makes_people
    makes_them making_way nurtures on_account_of opened_the_door owed owed_to owes owing_to paved_the_way
    prevented prevents product_of prompted prompts provoked raises_the reduce_the reflect reflects
    responsible_for result_in result_of resulted_from resulted_in results_from rooted_in ruined_by set_back
    sets_back shaped shapes side_effect_of so_that sparked spurred stemmed_from stems_from thanks thanks_to
    to_blame triggered triggers undermined undermines worsened
"""

READING = """
    act_as acts_as adds_up_to amounts_to amounts_to_a are_about as_expected attest+ bear_out bears_out bespeak+
    betray betrays boils_down_to borne_out calls_into_question came_about can_be_read cast_doubt casts_doubt
    comes_about conceal+ confirm confirmed confirms conform+ consistent_with constitutes contradicted_by
    contradicts_the correspond+_to could_explain counts_as demonstrate demonstrates does_not_mean embod+
    epitomi+ exemplif+ exposes_a functions_as give_away gives_away hid hide hides highlight+ hint_at hints
    hints_at hints_that illustrate illustrates implied implies imply implying indicate indicated indicates
    indicating interpreted_as is_about leaves_no_doubt limit_the limits_the looks_set makes_sense marks marks_a
    mask masks mean_that means_that mirror mirrors misrepresent+ not_mean overestimate+ overstate overstates
    passes_for point_to pointed_to points_to prove proved proves proving qualifies_as read_as reads_like_a
    reinforce reinforces represent represents represents_the resemble resembles reveal_a reveal_that
    revealed_that revealing reveals reveals_how reveals_that rule_out ruled_out rules_out says_little says_more
    says_much says_nothing says_something seen_as serve_as serves_as show_a show_how show_that showed_how
    shows_a shows_how shows_that shows_why signal signalled signif+ speak_for speaks_against speaks_for
    speaks_volumes stands_in_for suggest suggested suggesting suggestive suggests support_the symboli+ symptom
    tell_of tells_of tells_the tells_us testif+_to turns_into underestimate+ underline underlines undermine+
    underscore+ understate+ validat+ viewed_as vindicate+ was_about what_matters
"""

STANCE = """
    above_all actually admittedly after_all almost_certainly anything_but arguably as_such at_all at_best
    at_heart at_worst barely basically beyond_recognition blindly by_far carelessly certainly clearly curiously
    deservedly despite_claims disproportionately effectively essentially even_if even_though ever_more evidently
    famously far_less far_more far_too for_good fortunately frankly freely fundamentally genuinely hardly
    honestly importantly in_essence in_fact in_name in_practice in_principle in_reality in_truth increasingly
    indeed inevitably ironically just_like largely less_and_less literally little_else little_more_than
    long_since luckily merely more_and_more more_than_people much_more naturally needless_to_say no_more_than
    not_only notably nothing_but obviously oddly of_course once_and_for_all only_if only_way only_when
    overwhelmingly plainly practically predictably quietly_dropped rather_than really recklessly regardless
    regrettably remarkably rightly sadly scarcely simply so_far_as so_much still strangely surely surprisingly
    tellingly thankfully tragically truly understandably undeservedly undoubtedly unfortunately unnecessarily
    unreasonably virtually wrongly yet_again
"""

GENERALISING = """
    all_of_us all_too always any_decent anyone apt_to as_a_rule at_the_end_of_the_day by_and_large by_nature
    commonly every_time everybody everyone everything few_people for_ever for_most forever frequently generally
    habitually human_nature in_every in_general in_most_cases in_the_end inclined_to invariably largely
    likely_to mainly many_people more_often most_people mostly never no_one nobody normally nothing occasionally
    of_all_time often on_the_whole ordinary_people over_time people_who politicians prone_to rarely
    routinely_ignore seldom society_as some_people sometimes tend tended tendency tends the_media the_public
    typically usually whoever young_people
"""

JUDGING = """
    able_to abuse+ achieve+_nothing admir+ ador+ afford alienat+ annoy+ appease asking_for aspire+
    attract+_contradictions backfire+ be_trusted bear_the_brunt belong_together belongs_in belongs_on benefit
    benefits bet_on betray+ betting_on between_two_worlds bloom+ blunder+ boast+ botch+ bother_to brag+ brokered
    bully bungl+ burden+ care cares carried_the carries_little carries_much carries_the carry_much carry_the
    carry_weight censor+ cheat+ chill coerc+ collapse_under compete_at complain_about compromis+ condemn+
    condone+ cost_her cost_him cost_jobs cost_them cost_us costs_them count_for counts_for crave cripple+
    crumble+ cut_corners dare dared decay_into deceiv+ decline_into degenerate+ deliver_on depend_heavily
    depend_on depends_on deserve+ despis+ destroy destroyed destroys deteriorat+ dilut+ disappoint+ discipline+
    discourage+ discriminat+ disrespect+ distort+ distrust divide_the do_more_harm dominate+ dominated dominates
    downplay+ drain_the drains_the dream_of encourage encouraged encourages endanger+ envied envy erode erode+
    erodes exaggerat+ excel+ exhaust_the exploit+ exposed_the exposes_the fade faded fades fail failed_to fails
    fails_to fall_short falls_short false_sense falter+ favor favors favour+ favoured fear_of fell_short
    flounder+ flourish+ forgot frustrat+ fumbl+ give_a_false gives_a_false glorif+ go_hand_in_hand go_too_far
    goes_hand goes_too_far gone_too_far handicap+ handled hang_on hangs_on harm harms has_no_place have_no_place
    help helps hinges_on holds_the holds_together hope_to hoped hurt hurts ignore+ impede+ impress+ improve
    improves infring+ intention invite invites isolate_the jeopard+ keep_the keep_up_with keeps_the lack lacked
    lacks liberat+ lies_with live_up loath+ long_for lose_control lost_control lost_sight made_sense make_for
    make_sense make_the makes_for makes_sense makes_the manage_to managed_to manipulat+ marginal+ matter
    matter_more mattered matters mishandled misjudged mislead+ mismanag+ misread miss misses mistrust neglect
    neglected neglects no_longer no_place obstruct+ oppress+ outdo outgrow outgrown outlive+ outperform+
    outweigh+ overlook+ overreact+ oversimpl+ overstep+ paid_off pander+ paraly+ pay_lip pay_off pays_off
    persecut+ play_a_role play_down played_a_role plays_a_role please please_short polari+ politici+ pose_a
    poses_a prais+ preserve_the pretend+ prosper+ protects_the pull_the_strings punch+ punish+ purport+
    rebound_soon recover_well refuse_to relies_on reluctant rely_on rescue+ resent+ resist+ respect_the reward+
    romantici+ ruin ruined ruins sap saps seek+_to set_the_tone shackle+ shape+ shine+ silenc+ simplif+ spoil+
    squander+ stagnat+ stands_for_all steer+ stifl+ strengthen strengthens strive+ struggle+ struggles_to suffer
    suffers suppress_the survive_on take_for_granted takes_for_granted tempt+ threaten threatens thrive+
    tolerate transform transformed transforms tried_to trivial+ trust trusted turn_a_blind unable_to
    underperform+ understat+ understood unite_the unwilling violate+ want_to wanted_to wants_to waste wasted
    wastes weaken weakened weakens went_too_far willing_to wither+ worlds worsen worsens worth_it
"""

DEGREE = """
    all_too anything_but at_any_price barely completely deeply enough entirely equally ever_so exceptionally
    extremely fairly far_too good_enough hardly hardly_any hardly_ever high_enough highly incredibly
    large_enough little_more_than little_to mere more_than_adequate much_too nearly_as needlessly not_enough
    nothing_less nothing_more only_a overly plain_wrong practically_nothing pure_luck quite rather remarkably
    scarcely sheer simply_too small_enough so_few so_large so_little so_small so_very strong_enough surprisingly
    too totally unduly utter utterly very way_too
"""

DESCRIBING = r"""
    accepts accepts_json accounts_for activate+ agrees_with applies_to_all are_located are_routed averaged
    belongs_to binds borders carries catalyses catalyzes closes_at comprise comprised comprises connects
    consist_of consists consists_of contain contains covers covers_the crosses_the dates_back dates_from
    delivers depends_on_version derives_from drains_into emits employed employs empties_into encode encodes
    ends_on entered_into_force enters_into_force expires_in expires_on exports express_the extends faces_north
    feed_on feeds_on flows found_in gives_\w+_a grants grows_in hangs_in_the has_been_\w+ed hibernate+ holds
    implements imports includes inherits inhibit inhibits is_appointed is_attached is_based_in is_bounded
    is_chaired is_composed is_connected is_divided is_driven_by_a_motor is_due is_edited is_elected is_encrypted
    is_fed is_filed is_given is_headquartered is_heard is_held is_hosted is_inflected is_kept is_linked_to
    is_listed is_located is_made_of is_measured is_mounted is_owned_by is_payable is_pronounced is_published
    is_rated is_routed is_served is_signed is_spelled is_stored is_written joins_the lasts lies_at lies_between
    lies_in_the lies_on listens listens_on live_in lives_in lives_on marks_the matures_in measured measures
    native_to numbered occurs_in opens_at overlooks produce produces raises_a raises_an ranged rated_at
    requires_python rests_on_piles returns rises_in runs_at runs_every runs_on runs_to samples_at seated seats
    share_no shares_no sits_at sits_on spanned spans stands_at stands_on starts_at starts_on stores
    supports_\w+_and takes_an_argument takes_arguments takes_effect takes_one takes_part takes_two throws
    totaled totalled traded_at trades translates_to uses weighed weighs writes
"""

ABSTRACT = """
    accountability ambition anger anxiety appearance arrogance attention attitude attitudes authority_of
    autonomy awareness beauty belief beliefs bias bureaucracy capitalism change_in_attitude chaos character
    charm civilisation civilization clarity coherence cohesion collaboration collapse comfort common_sense
    competence competition complexity conflict conflicts confusion conscience consciousness consistency contempt
    cooperation courage cowardice creativity credibility crisis culture debate decay decline democracy
    dependence destiny dignity discourse discrimination distrust division dominance effectiveness elegance elite
    envy equality essence establishment ethics everyday_life evolution_of experience_of expertise fate fear
    fears flexibility folly fragility freedom future globalisation globalization glory greed guilt happiness
    harmony honour hope hopes hubris humanity identity ideology ignorance illusion imagination impression
    incentive incentives incompetence independence inequality inferiority influence injustice innovation
    insecurity instability intelligence intention intentions interest_in judgement judgment justice knowledge
    leadership legacy legitimacy leverage liberty logic loyalty management_of mankind meaning memory_of
    mentality mindset misery mission mistrust misunderstanding modernity momentum morale morality motivation
    motive motives narrative nature_of opinion opinions order_and originality past_glory peace perception
    performance potential poverty power_of prejudice prestige pride principles privilege productivity progress
    propaganda prosperity purpose quality quality_of_life reality reasoning recognition reform_of renaissance
    renewal reputation resentment resilience respect responsibility revival rhetoric rigidity rivalry robustness
    safety security sense shame simplicity skill_of socialism society solidarity sovereignty spirit stability
    strategy suffering superiority supremacy taste tensions tradition traditions transformation transparency
    trust truth tyranny uncertainty understanding unity values vanity vision way_of_life welfare well-being
    wellbeing wisdom
"""

FIGURES = """
    add_insult ally_of arms_race at_the_cost_of at_the_mercy back_to_square backbone balance_of_power
    battle_against battle_for beacon_of bear_fruit bears_fruit beating_heart beside_the_point bite_the_hand
    black_box black_hole blind_spot blind_to bore_fruit bottom-up break_the_mould breaks_the_mould breathe_new
    breathed_new bridge_the_gap bridges_the_gap broke_the_mould burden capture_the captures_the cast_a_shadow
    castle_in castle_of casts_a_shadow cat_and_mouse catch-22 champion_of change_the_game changed_the_game
    chicken_and_egg child_of cuts_both_ways cutting-edge deaf_to deep-rooted deep-seated double_standard
    down-to-earth dress_rehearsal drop_in_the_bucket drop_in_the_ocean dust_settles echo_of echoes_of
    elephant_in end_of_the_tunnel enemy_of enrich enriched enriches eye_of eyes_on face_value fall_apart
    falls_apart far-reaching father_of fell_apart fight_against fight_for first-rate foot_in foothold friend_of
    fruit_of fuel_to game-changer game_changer gatekeeper ghost_of giant_leap grey_area ground-breaking
    groundbreaking guardian_of half-baked ham-fisted hand_in_hand hands-off hands-on hands_tied head_start
    heart_and_soul held_back her_nerve his_nerve hold_back hold_water holds_back holds_water hostage_to
    house_of_cards impoverish+ in_step in_the_face_of in_the_shadow in_the_wake into_the_hands king_of knee-jerk
    landmark larger-than-life leap_forward leap_of level_the_playing lifeline light_at lip_service long-overdue
    long_overdue lose-lose lose_his_nerve lost_her lost_his lost_its_way lost_their made_the_case makes_the_case
    master_of masters_of mirror_of miss_the_point missed_the_point mother_of needle_in new_life off_the_mark
    on_the_back_of on_the_shoulders open_the_floodgates out_of_control out_of_hand out_of_proportion out_of_step
    out_of_touch overshadow+ paid_the_price paved pays_the_price perfect_storm pillar_of play_into played_into
    playing_field plays_into price_for prisoner_of quantum_leap queen_of race_against raise_the_bar
    raises_the_bar reflection_of run-of-the-mill safety_valve sand_in scratch_the_surface sea_change second-rate
    seeds_of servant_of set_the_bar shadow_of shoot_itself shot_itself shoulder+_the skin-deep slave_to
    slaves_to sow+_the spectre_of spotlight square_one stand_out stand_the_test stands_out state-of-the-art
    stood_out storm_in struggle_for struggle_to surface_of take_its_toll takes_its_toll test_of_time their_nerve
    third-rate ticking time_bomb tip_of_the_iceberg tip_the tipped_the tips_the to_the_point took_its_toll
    top-down top-heavy tore_apart torn_apart turn_of_the turn_the_tide turned_the_tide uphill upper_hand war_on
    watershed white_elephant wide-ranging win-win world-class zero-sum
"""

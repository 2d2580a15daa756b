"""Words that are no names by themselves, though they are written with a capital."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = _words(
    """
    a an the
    """
)

TITLES = _words(
    """
    bcc capt captain cc ceo cfo chancellor colonel coo cto dame dear detective dr gov hello hi i'm inspector judge
    lieutenant lt madam minister miss mr mrs ms mx officer president prof professor senator sergeant sgt sir
    """
)
"""Leading words that belong to the role, not to the name."""

WEAK_TITLES = _words(
    """
    col gen general maj rep rev sen
    """
)
"""Titles that begin names, too ("General Motors", "Sen"): dropped before two words that no organisation has."""

TIGHT = _words(
    """
    al bin bint da das de del den der des di do dos du e el et ibn la le mac no of the und van von y zu
    """
)
"""Lower-case words that stand inside names."""

LOOSE = _words(
    """
    a an and as at by for from in into is les on or to with
    """
)
"""Lower-case words that stand inside titles, but as often between two names."""

FUNCTION = _words(
    """
    a about above according actually additionally after afterwards again all allows almost already also although
    am an and another any anyone anything approximately are as ask at attached based be because been before
    being below best between born both bring but by call can check clean close cluster confirm contact could
    create current currently dear despite did directed do does don done during each earlier either else ensure
    even every everyone everything except featuring few fill filmed final finally first follow following for
    former founded from further get give given go good had has have having he hello hence her here hers hi him
    his how however i if in including indeed initially inside instead into is it its itself just keep last later
    latest least less let like likewise located many may maybe me meanwhile might more moreover most much must
    my need neither never nevertheless new next no none nor not note nothing now of off often old on once one
    only open or originally other others otherwise our out over overall own per perhaps please previously prior
    produced rather re read regards released remember run said same say second see send set several shall she
    should show similarly since so some soon starring start still stop such take thank thanks that the their
    them then there therefore these they third this those though three through throughout thus to today together
    tomorrow too two under unless unlike until up upon us use usually very via wait was we were what when
    whenever where whereas whether which while who whole whom whose why will with within without would written
    yes yesterday yet you your yours i'd i'll i'm i've it's that's there's we'll we're we've you're
    """
)
"""Words that begin sentences; alone they name nothing."""

TIMES = _words(
    """
    ad am apr april aug august autumn bc cest cet christmas dec december easter feb february fri friday gmt h1
    h2 jan january jul july jun june mar march may mon monday nov november oct october pm q1 q2 q3 q4 sat
    saturday sep sept september spring summer sun sunday thu thur thurs thursday today tomorrow tue tues tuesday
    utc wed wednesday winter yesterday
    """
)

ROLES = _words(
    """
    action actions agenda agreement alert alerts amendment analysis annex announcement answer answers api apis
    apologies appendix approval approvals approved approver article attachment attendance attendee attendees
    author authors background board body budget case category cause chair change changes chapter checklist chf
    clause client cny code comment comments committee company conclusion confidential confidentiality contact
    contacts contents context contract cost costs critical customer customers cv date dates deadline decision
    decision-log decisions department description detail details diagnosis director document documents draft due
    duration effective email employee employees english error escalate escalation eur example expiry faq fault
    feature file final findings form from gbp goal goals governing guide head heading high history hr id impact
    important incident info information internal introduction invoice issue issues item items jpy kpi law lead
    legal legend lesson liability licence license list location log low mail manager medium meeting meetings
    memo message minutes mitigation monitoring n/a name names new no notes notice number office officer old
    olympics open order outcome overview owner owner's owners page parliament part participants parties party
    payment pdf people person phase phone plan plans police policy portal prerequisites present priority problem
    procedure process product products project projects purpose qa question questions queue readme reason recipient
    reference references related release remarks reminder report reporter request requester resolution resolved
    response responsible restart result results review reviewer risk risks rmb role rollback root runbook
    schedule scope section senate sender service services severity sign signature sim source sponsor staff stage
    status step steps subject subtotal summary supplier suspect symptom symptoms table target task tasks team
    teams term termination terms ticket tickets time timeline title to todo topic topics total ui update updates
    untitled url usd user users vendor verification version victim vpn warning week work workaround yes
    """
)
"""Words of forms, roles, headings and money."""

LEGAL_FORMS = _words(
    """
    a.s ab ag b.v bv co company corp corporation gmbh inc incorporated kg limited llc ltd n.v nv oy plc s.a sa
    """
)

ORGANISATION_WORDS = LEGAL_FORMS | _words(
    """
    agency airlines analytics association bank capital committee consulting council department entertainment
    foundation freight group holdings hosting institute labs logistics media ministry partners pictures
    productions records software solutions studios systems team technologies university
    """
)
"""Last words of names of organisations."""

DEPARTMENTS = {
    "customer success",
    "customer support",
    "data platform",
    "human resources",
    "information security",
} | _words(
    """
    accounting audit communications compliance data design engineering facilities finance hr infrastructure it
    legal logistics manufacturing marketing operations payroll platform procurement product purchasing quality
    research risk sales security strategy support training treasury
    """
)

NOBILITY = _words(
    """
    archbishop archduchess archduke baron baroness bishop cardinal count countess duchess duke earl emperor
    empress grand infanta infante king lady lord margrave marquis pope prince princess queen saint sultan tsar
    viscount
    """
)
"""Ranks that belong to the name where they stand before it, and are no name alone."""

COMMON = NOBILITY | FUNCTION | TIMES | ROLES

PARTICLES = _words(
    """
    al ap ben bin bint da dal das de del della den der des di do dos du el ibn la le lo mac st ten ter van von zu
    """
)
"""Words that begin a surname of several words."""

BEFORE = PARTICLES | _words("for of the y")
"""Words behind which a name is someone else's or something else's, of which this is a part, a child, a place."""

POSTS = _words(
    """
    actor actress ambassador attorney banker boxer candidate chairman chef climber coach comedian
    congressman congresswoman councillor councilman councilwoman counsel defender defendant deputy developer director
    doctor drummer driver economist editor engineer ex executive explorer forward founder goalkeeper governor guard
    guitarist historian journalist justice lawyer lineman linebacker manager mayor midfielder minister mountaineer
    musician novelist owner pastor photographer physicist pilot pitcher playwright poet politician premier producer
    prosecutor psychologist quarterback rapper reporter scientist secretary sheriff singer skipper spokesman
    spokeswoman striker superintendent surgeon swimmer treasurer vice writer
    """
)
"""What someone does, as news puts it before a full name."""

SUFFIXES = _words(
    """
    esq jnr jr junior mba md phd senior snr sr
    """
)
"""Words behind a person's name that are no part of it."""

_NICKNAMES = """
abraham abe; albert al bert; alan al allan allen; alfred al alf fred; alexander alex al sandy; alexandra alex sandra;
alexandros alexander alexis alex; amanda mandy; andrew andy drew; anthony antony antonio tony; barbara barb; benjamin
ben benny; beatrice bea; bradley brad; catherine cathy kate katie katherine kathryn kathleen kathy; charles charlie
chuck; christopher chris; christian chris; christina christine chris tina; cynthia cindy; daniel dan danny; david dave
davy; deborah debra deb debbie; richard rich rick ricky richie dick; donald don donnie; douglas doug; edward ed eddie
ted ned; edwin ed eddie; eleanor ellie; elizabeth elisabeth beth betty bettie betsy liz lizzie eliza; eugene gene;
francis frank; frances fran; frederick fred freddy freddie; gabriel gabe; gerald gerard gerry jerry; geoffrey jeffrey
geoff jeff; gregory greg; harold harry hal; henry harry hank; herbert herb bert; jacob jake; james jim jimmy jamie;
jennifer jen jenny; jerome jerry; jessica jess jessie; john jack johnny; jonathan jon; joseph joe joey; joshua josh;
judith judy; kenneth ken kenny; lawrence laurence larry; leonard len lenny leo; louis lou; margaret maggie meg peggy;
mary molly polly; matthew matt; maurice mo; maximilian max; maxwell max; melanie mel; melvin mel; michael mike mikey
mick mickey; mohammed mohamed muhammad mo; morris mo; nathaniel nathan nate; nicholas nick nicky; pamela pam; patricia
pat patty; patrick pat paddy; peter pete; philip phillip phil; raymond ray; robert bob bobby rob robbie bert; ronald
ron ronnie; rudolph rudy; russell russ; samantha sam sammy; samuel sam sammy; sandra sandy; sarah sally; steven stephen
steve stevie; stuart stewart stu; susan suzanne susanna sue susie; theodore ted theo; thomas tom tommy; timothy tim
timmy; tobias toby; valerie val; victor vic; victoria vicky; vincent vince vinnie; walter walt wally; wesley wes;
william bill billy will willy; zachary zach zack
"""
"""Groups of a first name with its short and other forms."""


def _nicknames() -> dict[str, frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for group in _NICKNAMES.split(";"):
        full, *others = group.split()
        for name in (full, *others):
            groups.setdefault(name, set()).add(full)
    return {name: frozenset(of) for name, of in groups.items()}


NICKNAMES = _nicknames()
"""First names and their short forms, each with the full names that it may stand for."""

SPELLINGS = {
    "&": "and",
    "assn": "association",
    "calif": "california",
    "centre": "center",
    "co": "company",
    "corp": "corporation",
    "defence": "defense",
    "dept": "department",
    "ft": "fort",
    "harbour": "harbor",
    "intl": "international",
    "labour": "labor",
    "mt": "mount",
    "natl": "national",
    "organisation": "organization",
    "st": "saint",
    "theatre": "theater",
    "univ": "university",
}
"""Words that are written in two ways, in the form by which they are compared."""

GENERIC = {
    "place": _words(
        """
        avenue bay center centre clinic county facility hospital island islands lake mountain ocean park province
        river sea street treatment valley
        """
    ),
    "organisation": ORGANISATION_WORDS
    | _words("center centre clinic club college department hospital inc magazine newspaper party school service team"),
}
"""Words behind a name that say what kind of thing it names, by type."""

CARE = _words("center clinic facility hospital treatment")
"""What one house of care is called, now so, now otherwise."""

DEPARTMENT_FORMS = {
    "bd": "business development",
    "hr": "human resources",
    "it": "information technology",
    "qa": "quality assurance",
    "r&d": "research and development",
}
"""Short names of departments, with the full ones."""

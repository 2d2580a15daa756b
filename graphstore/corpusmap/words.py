"""Words that are no names by themselves, though they are written with a capital."""

from __future__ import annotations

ARTICLES = frozenset({"the", "a", "an"})

TITLES = frozenset(
    """mr mrs ms miss mx dr prof professor sir dame madam president chancellor minister senator judge captain general
    colonel lieutenant sergeant detective officer inspector ceo cto cfo coo hi hello dear cc bcc""".split()  # noqa: SIM905
)
"""Leading words that belong to the role, not to the name."""

TIGHT = frozenset(
    "of the de la le von van der den du del des di da do dos das bin ibn bint mac al el no zu und et y e".split()  # noqa: SIM905
)
"""Lower-case words that stand inside names."""

LOOSE = frozenset("and in for on at to with a an or from by as into or is les".split())  # noqa: SIM905
"""Lower-case words that stand inside titles, but as often between two names."""

FUNCTION = frozenset(
    """starring featuring directed written produced based born filmed released set founded located i a about above according actually additionally after afterwards again all allows almost already also although
    am an and another any anyone anything approximately are as ask at attached based be because been before being
    below best between both bring but by call can check check clean close cluster confirm contact could create
    current currently dear despite did do does don done during each earlier either else ensure even every everyone
    everything except few fill final finally first follow following for former from further get give given go good
    had has have having he hello hence her here hers hi him his how however i if in including indeed initially
    inside instead into is it its itself just keep last later latest least less let like likewise many may maybe me
    meanwhile might more moreover most much must my need neither never nevertheless new next no none nor not note
    nothing now of off often old on once one only open or originally other others otherwise our out over overall own
    per perhaps please previously prior rather re read regards remember run said same say second see send set
    several shall she should show similarly since so some soon start still stop such take thank thanks that the
    their them then there therefore these they third this those though three through throughout thus to today
    together tomorrow too two under unless unlike until up upon us use usually very via wait was we were what when
    whenever where whereas whether which while who whole whom whose why will with within without would yes yesterday
    yet you your yours""".split()  # noqa: SIM905
)
"""Words that begin sentences; alone they name nothing."""

TIMES = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun january
    february march april may june july august september october november december jan feb mar apr jun jul aug sep
    sept oct nov dec today tomorrow yesterday spring summer autumn winter q1 q2 q3 q4 h1 h2 am pm bc ad easter christmas bc ad utc gmt cet cest""".split()  # noqa: SIM905
)

ROLES = frozenset(
    """action actions agenda agreement analysis announcement answer answers approval approvals approved approver
    article attachment attendee attendees author authors background board body budget case category cause chair
    change changes checklist client code comment comments committee company conclusion confidential contact contents
    context contract cost costs customer customers date dates deadline decision decisions department description
    detail details director document documents draft due duration email employee employees english error escalation
    example faq feature file final findings form from goal goals guide head heading history hr id impact important
    incident info information internal introduction invoice issue issues item items lead legend legal list location
    log mail manager meeting meetings memo message minutes mitigation n/a name names notes number office officer
    open order outcome overview owner owners page part participants party people person phase phone plan plans
    police policy present priority problem procedure process product products project projects purpose question
    questions reason recipient reference references related release remarks reminder report reporter request
    requester resolution resolved response responsible result results review reviewer risk risks role root runbook
    schedule scope section sender severity sign signature source sponsor staff stage status step steps subject
    subtotal summary supplier suspect table task tasks team teams ticket tickets time timeline title to todo topic
    topics total update updates user users vendor version eur usd gbp cny jpy chf rmb api apis vpn sim pdf url ui faq kpi qa cv queue restart lesson licence license target fault portal parliament senate olympics victim warning week work workaround yes no attendance
    apologies appendix chapter decision-log effective expiry amendment annex clause terms term services service
    parties payment governing law notice termination confidentiality liability new old high low medium critical
    verification rollback prerequisites diagnosis symptoms contacts escalate monitoring alert alerts owner's symptom""".split()  # noqa: SIM905
)
"""Words of forms, roles and headings."""

LEGAL_FORMS = frozenset(
    [
        "b.v",
        "s.a",
        "n.v",
        "a.s",
        "inc",
        "ltd",
        "llc",
        "plc",
        "gmbh",
        "ag",
        "corp",
        "corporation",
        "co",
        "company",
        "sa",
        "bv",
        "nv",
        "oy",
        "ab",
        "kg",
        "limited",
        "incorporated",
    ]
)

DEPARTMENTS = frozenset(
    """finance legal hr engineering sales marketing operations it security procurement research support compliance
    facilities product design data platform logistics accounting treasury audit quality manufacturing purchasing
    communications infrastructure payroll risk strategy training""".split()  # noqa: SIM905
) | {"human resources", "customer support", "information security", "data platform", "customer success"}

NOBILITY = frozenset(
    [
        "king",
        "queen",
        "prince",
        "princess",
        "duke",
        "duchess",
        "grand",
        "count",
        "countess",
        "baron",
        "baroness",
        "lord",
        "lady",
        "emperor",
        "empress",
        "pope",
        "saint",
        "earl",
        "viscount",
        "marquis",
        "margrave",
        "archduke",
        "archduchess",
        "bishop",
        "archbishop",
        "cardinal",
        "infante",
        "infanta",
        "tsar",
        "sultan",
    ]
)
"""Ranks that belong to the name where they stand before it, and are no name alone."""

COMMON = NOBILITY | FUNCTION | TIMES | ROLES

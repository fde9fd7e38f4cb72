"""The words of the generated web: topics, the background they drown in, and the filler they share.

Within each list the words stand in order of frequency: the first is drawn most often, the k-th about 1/k as
often (Zipf). Topics overlap on purpose, by the words they share and by their `kin`, the topic that loosely
related pages drift to: a crawler that tells them apart has done some work.
"""

from __future__ import annotations

from typing import NamedTuple


class Theme(NamedTuple):
    name: str
    slug: str  # as it appears in host names and paths
    kin: str  # name of the neighbouring topic
    nouns: tuple[str, ...]
    adjectives: tuple[str, ...]
    verbs: tuple[str, ...]  # past participles of transitive verbs


def _theme(name: str, slug: str, kin: str, nouns: str, adjectives: str, verbs: str) -> Theme:
    return Theme(name, slug, kin, tuple(nouns.split()), tuple(adjectives.split()), tuple(verbs.split()))


TOPICS = (
    _theme(
        "orchids",
        "orchid",
        "beekeeping",
        "orchid flower petal pseudobulb greenhouse species hybrid root spike bloom sepal lip pollinium repotting"
        " bark moss epiphyte cultivar seedling humidity cattleya phalaenopsis dendrobium vanda cymbidium leaf stem"
        " pot medium fertilizer pollinator column keiki rhizome velamen flask genus habitat shade mist canopy"
        " grower nursery bract capsule substrate perlite slipper fragrance collector conservatory mycorrhiza",
        "epiphytic tropical fragrant terrestrial monopodial sympodial humid shaded dormant variegated waxy leafless"
        " miniature cool-growing resupinate",
        "repotted pollinated watered divided misted fertilized mounted hybridized staked propagated",
    ),
    _theme(
        "beekeeping",
        "honeybee",
        "orchids",
        "bee hive honey queen swarm colony comb apiary nectar brood frame pollen drone worker beekeeper smoker"
        " varroa super forager wax propolis foundation mite nurse cluster entrance skep veil extractor excluder"
        " flower clover heather stings apiarist larva requeening supering nucleus brace-comb pheromone waggle cell"
        " feeder syrup harvest winter robber mead uncapping bloom pollinator hedgerow royal-jelly landing-board",
        "capped foraging drone-laying overwintered gentle defensive worker-laid sugary hived mite-ridden"
        " pollen-laden queenless sealed spring-fed",
        "requeened smoked extracted inspected hived uncapped fed swarmed overwintered split",
    ),
    _theme(
        "tidal power",
        "tidal-power",
        "lighthouses",
        "tide turbine barrage current estuary generator rotor lagoon blade megawatt grid sluice basin stream"
        " energy electricity channel flow moorings seabed nacelle powerhouse ebb flood caisson strait bulb-turbine"
        " head cable substation foundation survey array monopile slack-water spring-tide neap harmonic sediment"
        " tariff yield engineer prototype gearbox corrosion biofouling wake velocity inlet coast harbour vessel",
        "tidal submerged bidirectional renewable estuarine predictable axial kinetic ducted offshore synchronous"
        " semidiurnal moored low-head",
        "generated moored installed rated dredged harnessed submerged commissioned impounded metered",
    ),
    _theme(
        "lighthouses",
        "lighthouse",
        "telescope making",
        "lighthouse lamp keeper lantern fresnel lens tower beacon headland rock reef fog signal coast ship shoal"
        " gallery prism light flash beam daymark oil wick foghorn harbour pier mariner wreck granite stair storm"
        " clockwork mercury-bath occulting bearing channel lightship buoy vapour-burner chart assistant relief tender"
        " islet automation cottage landing swell optic turret logbook period visibility",
        "revolving wave-washed dioptric catoptric unmanned whitewashed granite-built offshore stormbound occulting"
        " lightless rocky leeward",
        "lit manned automated relieved whitewashed shipwrecked sighted charted trimmed extinguished",
    ),
    _theme(
        "coral reefs",
        "coral-reef",
        "tidal power",
        "coral reef polyp bleaching atoll lagoon symbiont algae skeleton fish sponge colony larva spawning anemone"
        " zooxanthella current diver substrate shoal rubble parrotfish wrasse urchin starfish transect quadrat"
        " calcium limestone acidification nursery outplant fragment branch brain-coral staghorn seagrass mangrove"
        " trench plankton visibility seabed temperature islet wave survey biodiversity sediment grazer cay swell",
        "bleached branching calcareous shallow fringing massive symbiotic encrusting sunlit tropical submerged"
        " spawning reef-building",
        "bleached surveyed outplanted fragmented grazed colonized monitored spawned smothered restored",
    ),
    _theme(
        "cheese making",
        "cheesemaker",
        "sourdough baking",
        "cheese curd milk whey rennet rind cheddar culture cellar vat goat ewe dairy mould brine blue brie gouda"
        " affineur wheel maturing press cloth cream acidity paste starter ripening cave humidity lactose coagulation"
        " cutting cheesecloth creamery herd pasture truckle bacterium washed-rind halloumi ricotta turning salting"
        " casein flavour crust season farmhouse ladle raw-milk grading tasting drain muslin",
        "raw-milk washed-rind blue-veined creamy ripened crumbly unpasteurised aged lactic cloth-bound brined"
        " bloomy nutty",
        "curdled pressed salted brined ripened drained milled ladled matured cultured",
    ),
    _theme(
        "sourdough baking",
        "sourdough",
        "cheese making",
        "sourdough starter dough flour loaf crust crumb levain oven yeast ferment gluten rye wheat proofing hydration"
        " banneton baker bread salt culture autolyse folding scoring steam lactobacillus acidity peel hearth baking"
        " retarding bulk miller spelt discard bakery kneading shaping cooling fermentation grain bran germ batard"
        " rise temperature sponge tang blister flavour boule poolish stone tin mill slice",
        "leavened wild-yeasted open-crumbed tangy wholegrain sticky slack proofed crusty lactic stone-milled"
        " hand-shaped underproofed",
        "kneaded proofed folded scored baked fed fermented shaped retarded leavened",
    ),
    _theme(
        "bookbinding",
        "bookbinder",
        "bell founding",
        "binding leather spine paper signature thread book endpaper board sewing glue vellum gilding folio cloth"
        " binder press awl bookbinder headband quarto marbling cover hinge parchment calfskin goatskin paring tooling"
        " guillotine wheat-paste linen frame kettle-stitch rebinding conservation text-block cord slipcase bone-folder"
        " fillet manuscript buckram quire deckle lettering foil joint workshop grain leaf margin atelier codex",
        "gilt leather-bound hand-sewn marbled quarter-bound limp tooled acid-free coptic foxed deckle-edged"
        " blind-stamped rounded",
        "sewn bound gilded tooled pasted pared rebound marbled trimmed backed",
    ),
    _theme(
        "telescope making",
        "telescope",
        "lighthouses",
        "telescope mirror lens eyepiece aperture focal-length reflector optics star planet mount objective nebula"
        " refractor grinding polishing pitch figuring galaxy dobsonian parabola observatory coating finder tube"
        " diagonal secondary focuser seeing moon cluster collimation grit blank pyrex aberration coma astronomer"
        " eclipse sky declination bearing foucault ronchi hyperbola aluminium observer magnitude comet focus glass"
        " prism beam tripod clock-drive",
        "parabolic equatorial achromatic collimated spherical deep-sky dark-adapted apochromatic optical lunar"
        " diffraction-limited stellar",
        "ground polished figured collimated aluminized observed focused silvered resolved mounted",
    ),
    _theme(
        "caving",
        "caver",
        "coral reefs",
        "cave passage caver limestone stalactite chamber rope pothole sump survey shaft speleology stalagmite cavern"
        " carabiner descender pitch helmet lamp karst crawl streamway ascender belay ladder formation bat entrance"
        " flowstone dig boulder choke squeeze traverse bolt rigging abseil resurgence sinkhole doline mud wetsuit"
        " rescue expedition calcite darkness aven bedding wellington cavefish depth conservation gour club",
        "underground vertical flooded phreatic vadose muddy limestone-walled tight horizontal dripping unexplored"
        " fossil gated",
        "rigged explored surveyed abseiled bolted descended dug flooded squeezed derigged",
    ),
    _theme(
        "bell founding",
        "bell-founder",
        "bookbinding",
        "bell tower bronze foundry ringing clapper peal casting ringer belfry tenor treble mould carillon tuning tin"
        " copper headstock rope founder frame change-ringing strike note wheel inscription partial loam crown yoke"
        " furnace lathe hum octave rim harmonic bellmaster cope core chime louvre rehanging method campanology steeple"
        " stay slider church metal workshop alloy sound waist lip hammer ladle restoration quarter",
        "bronze cast cracked tuned sonorous tolling true-harmonic hand-rung rehung molten full-circle inscribed"
        " half-muffled",
        "cast tuned rung rehung recast hung muffled struck poured tolled",
    ),
    _theme(
        "steam railways",
        "steam-railway",
        "bell founding",
        "locomotive steam boiler railway engine firebox tender track driver fireman piston cylinder coal station"
        " carriage signal wagon valve smokebox wheel platform gauge shed pressure chimney injector coupling brake"
        " regulator signalman timetable turntable footplate tube axle restoration bogie branch-line siding crosshead"
        " superheater buffer viaduct cutting tunnel sleeper ballast whistle shunting depot guard rivet semaphore"
        " frame gradient preservation halt workshop",
        "narrow-gauge steam-hauled preserved superheated coal-fired riveted overhauled broad-gauge saturated"
        " double-headed disused articulated",
        "overhauled fired hauled shunted retubed restored coupled steamed withdrawn banked",
    ),
)

BACKGROUND = (
    _theme(
        "local news",
        "local",
        "",
        "council street resident budget road mayor planning traffic school library parking committee bus vote"
        " neighbour market bridge police election hall bin housing pavement petition charity",
        "municipal elected busy residential delayed public unanimous temporary nearby",
        "approved postponed elected repaired debated opened funded closed",
    ),
    _theme(
        "football",
        "football",
        "",
        "match goal team league player season coach penalty defender midfield cup stadium fixture referee striker"
        " training corner transfer captain supporter derby keeper whistle table promotion tackle",
        "unbeaten home away late injured promoted relegated defensive goalless",
        "scored signed booked substituted promoted tackled beaten drawn",
    ),
    _theme(
        "travel",
        "travel",
        "",
        "hotel flight beach ticket train journey island airport luggage guide passport ferry hostel museum tour"
        " city booking village itinerary harbour sunset backpack border coast mountain room",
        "sunny cheap scenic crowded overnight coastal remote charming ancient",
        "booked visited cancelled recommended photographed reserved explored packed",
    ),
    _theme(
        "computing",
        "computing",
        "",
        "software file server password browser keyboard update network screen driver backup program window folder"
        " database printer website memory code user laptop install query log interface cable patch",
        "digital wireless default encrypted outdated portable secure broken compatible",
        "installed downloaded upgraded deleted configured encrypted copied rebooted",
    ),
    _theme(
        "money",
        "money",
        "",
        "bank loan interest savings tax mortgage pension account insurance credit price investment fund rate salary"
        " debt market fee broker payment inflation invoice profit share deposit allowance",
        "fixed annual taxable monthly variable unpaid secured affordable net",
        "paid invested borrowed saved refunded taxed insured withdrawn",
    ),
    _theme(
        "films",
        "films",
        "",
        "film actor director scene cinema screenplay camera audience role plot sequel studio trailer festival award"
        " script documentary soundtrack comedy drama critic editing stunt costume premiere reel",
        "black-and-white animated acclaimed silent gripping predictable low-budget award-winning dramatic",
        "filmed directed reviewed screened dubbed cast edited released",
    ),
    _theme(
        "gardening",
        "gardens",
        "",
        "garden lawn vegetable compost border tomato soil seed hedge rose greenhouse pruning spade bed bulb mulch"
        " frost allotment weed shrub tree potting flower bean trellis wheelbarrow slug harvest",
        "perennial hardy sunny raked sheltered herbaceous frost-free annual clay",
        "planted pruned weeded mulched mown harvested sown watered",
    ),
    _theme(
        "cooking",
        "kitchen",
        "",
        "recipe sauce onion pan oven dinner butter garlic soup pastry spoon rice kitchen chicken salad vegetable"
        " lemon pepper cheese bread dessert cake stew grill herb menu",
        "roasted spicy quick seasonal homemade fried fresh sweet simmering",
        "chopped roasted served seasoned fried simmered grated baked",
    ),
)

THEMES = TOPICS + BACKGROUND

FILLER = _theme(
    "filler",
    "filler",
    "",
    "year time day way part member week page question visitor morning photograph article report meeting note"
    " beginner group place hand list letter example summer detail letterbox problem idea result reason corner history"
    " story work afternoon picture advice experience weather month evening tea card journal talk catalogue",
    "good small new early long whole old careful useful difficult simple usual quiet important local patient",
    "described found kept seen shown written discussed left taken given made mentioned explained noticed",
)

FOREIGN = {
    "de": (
        "Der Verein trifft sich jeden zweiten Dienstag im Gasthaus am Marktplatz.",
        "Neue Mitglieder sind herzlich willkommen und zahlen im ersten Jahr keinen Beitrag.",
        "Am Wochenende wurde der alte Brunnen hinter dem Rathaus endlich gereinigt.",
        "Wer beim Umzug helfen möchte, meldet sich bitte bis Ende März im Büro.",
        "Die Straße bleibt wegen der Bauarbeiten noch für mehrere Wochen gesperrt.",
        "Unsere Bücherei hat im Winter länger geöffnet als im Sommer.",
        "Für das Frühstück sorgen wie immer die Schülerinnen der vierten Klasse.",
        "Das Wetter war leider schlecht, aber die Stimmung blieb bis zum Schluss gut.",
    ),
    "fr": (
        "La réunion aura lieu jeudi soir dans la grande salle de la mairie.",
        "Les élèves ont préparé une petite pièce de théâtre pour la fête de l'école.",
        "Il faudra réserver sa place avant la fin du mois auprès du secrétariat.",
        "Le marché reste ouvert tous les samedis, même pendant les vacances d'été.",
        "Nous remercions les bénévoles qui ont nettoyé les bords de la rivière.",
        "Après la pluie, le vieux pont a été fermé pour quelques jours.",
        "Chaque année, le village accueille des visiteurs venus de très loin.",
        "Le café sera offert à tous ceux qui viendront nous aider.",
    ),
}

SECTIONS = ("articles", "guides", "notes", "history", "members", "gallery", "letters", "workshop")
SOCIETIES = ("society", "journal", "circle", "guild", "almanac", "notebook", "companion", "register", "review", "post")
PORTALS = (
    "northgate-herald", "millbrook-online", "open-shelf", "county-pages", "harbour-post", "plain-portal", "weekday",
    "old-town-net", "college-web", "greenlane", "the-lantern-room", "riverside-times", "common-ground", "pinboard",
    "upland-gazette", "seven-bridges", "market-square", "homepages", "evening-mail", "public-square",
)  # fmt: skip

package spatial

// The texts on what surrounds a parcel.
var (
	wordAround       = word{"Umgebung", "Surroundings"}
	wordAroundUnread = word{"Die Umgebung ist derzeit nicht vollständig lesbar.", "The surroundings cannot be read completely at the moment."}
	wordFrom         = word{"Luftlinie von einem Punkt im Grundstück.", "Straight lines from a point in the parcel."}
	wordRoad         = word{"Straße", "Road"}
	wordMajorRoad    = word{"Hauptstraße", "Major road"}
	wordRail         = word{"Bahnstrecke", "Railway"}
	wordStop         = word{"Haltestelle", "Stop"}
	wordStation      = word{"Bahnhof", "Train station"}
	wordWater        = word{"Gewässer", "Water"}
	wordSettlement   = word{"Siedlung", "Settlement"}
	wordNames        = word{"Namen bis 500 m", "Names within 500 m"}
	wordNeighbours   = word{"Angrenzende Grundstücke", "Neighbouring parcels"}
	wordNumber       = word{"Nummer", "Number"}
	wordMainUse      = word{"überwiegende Nutzung", "Main use"}
	wordBorder       = word{"Grenze", "Border"}
)

// featureWords are the classes of the community map.
var featureWords = map[string]word{
	"motorway": {"Autobahn", "motorway"}, "motorway_link": {"Autobahnauffahrt", "motorway link"},
	"trunk": {"Schnellstraße", "trunk road"}, "trunk_link": {"Auffahrt", "trunk road link"},
	"primary": {"Landesstraße" + noBreak + "B", "primary road"}, "primary_link": {"Auffahrt", "primary road link"},
	"secondary": {"Landesstraße" + noBreak + "L", "secondary road"}, "secondary_link": {"Auffahrt", "secondary road link"},
	"tertiary": {"Verbindungsstraße", "tertiary road"}, "tertiary_link": {"Auffahrt", "tertiary road link"},
	"unclassified": {"Nebenstraße", "minor road"}, "residential": {"Wohnstraße", "residential road"},
	"living_street": {"Wohnstraße, Schritttempo", "living street"}, "pedestrian": {"Fußgängerzone", "pedestrian street"},
	"service": {"Zufahrt", "service road"}, "track": {"Feld- oder Waldweg", "track"}, "road": {"Straße", "road"},
	"rail": {"Eisenbahn", "railway"}, "light_rail": {"Stadtbahn", "light rail"}, "narrow_gauge": {"Schmalspurbahn", "narrow gauge"},
	"tram": {"Straßenbahn", "tram"}, "subway": {"U-Bahn", "underground"}, "funicular": {"Standseilbahn", "funicular"},
	"river": {"Fluss", "river"}, "stream": {"Bach", "stream"}, "canal": {"Kanal", "canal"}, "drain": {"Graben", "drain"},
	"water": {"Wasserfläche", "water"}, "reservoir": {"Speicher", "reservoir"}, "riverbank": {"Flussfläche", "river bank"},
	"bus_stop": {"Bushaltestelle", "bus stop"}, "bus_station": {"Busbahnhof", "bus station"}, "tram_stop": {"Straßenbahn", "tram stop"},
	"subway_station": {"U-Bahn", "underground station"}, "railway_station": {"Bahnhof", "railway station"},
	"railway_halt": {"Haltepunkt", "railway halt"}, "ferry_terminal": {"Schiffsanlegestelle", "ferry terminal"},
	"city": {"Großstadt", "city"}, "town": {"Stadt", "town"}, "suburb": {"Stadtteil", "suburb"}, "village": {"Ort", "village"},
	"hamlet": {"Weiler", "hamlet"},
}

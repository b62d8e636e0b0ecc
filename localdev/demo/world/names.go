package world

import "fmt"

// All names are invented; a test holds them apart from the names of the real registers.
const (
	riverName = "Lorfach"
	brookName = "Quettenbach"
)

var streamNames = []string{"Hirnzgraben", "Zwieslgraben", "Dürrnzbach", "Mosterlbach", "Kalchgraben", "Rettlbach", "Oxngraben", "Farmbachl",
	"Schattseitgraben", "Lehnachbach", "Grubnerbach"}

var roadNames = []string{"Lorfachtalstraße", "Schattseitstraße", "Quettentalstraße", "Sonnzergerstraße", "Hinterzwiesler Straße",
	"Gföllnerstraße"}

var bridgeNames = []string{"Ullnauer Brückenweg", "Mühlbruckgasse", "Marktbrücke", "Bahnbruckgasse", "Ostringbrücke"}

// settlementNames are the localities, in the order of the settlement table.
var settlementNames = []string{"Lorfach", "Lorfach Schattseite", "Ullnau", "Brennzach", "Zwieslwinkl", "Pfarrnöd", "Oxnau an der Lorfach",
	"Quettenach", "Sonnzerg", "Hinterzwiesl", "Ullnau Ost", "Pfarrnöd West"}

var streetNames = []string{
	"Marktgasse", "Lorfachgasse", "Bahnhofgasse", "Schulgasse", "Kirchsteig", "Färbergasse", "Gerbergasse", "Lindenweg", "Erlenweg",
	"Birkenweg",
	"Mühlgasse", "Badgasse", "Sägewerkweg", "Lagerhausgasse", "Sonnleitn", "Feldgasse", "Wiesengrund", "Angerweg", "Brunnengasse",
	"Postgasse",
	"Kreuzweg", "Am Anger", "Am Rain", "Auweg", "Uferweg", "Schmiedgasse", "Bäckersteig", "Wagnergasse", "Hafnerweg", "Tischlergasse",
	"Holunderweg", "Ahornweg", "Eschenweg", "Lärchenweg", "Zirbenweg", "Haselweg", "Weidenweg", "Rosengasse", "Fliedergasse", "Tulpenweg",
	"Enzianweg", "Almrauschweg", "Arnikaweg", "Gamssteig", "Murmeltierweg", "Adlerweg", "Falkenweg", "Amselweg", "Drosselweg", "Finkenweg",
	"Starenweg", "Lerchenfeld", "Kornblumenweg", "Haferweg", "Gerstenfeld", "Flachsgasse", "Webergasse", "Sattlergasse", "Binderweg",
	"Seilergasse",
	"Kapellenweg", "Pfarrgasse", "Mesnerweg", "Friedhofgasse", "Schützenweg", "Turnergasse", "Sportplatzweg", "Feuerwehrgasse",
	"Rathausgasse", "Amtsgasse",
	"Talblick", "Bergblick", "Sonnenhang", "Südhang", "Waldrand", "Forstgasse", "Jägersteig", "Köhlerweg", "Pechergasse", "Steinbruchweg",
}

// streetNamer gives the streets of a settlement their names one by one.
func (w *World) streetNamer(i int) func() string {
	v := w.settlements[i]
	n := 0
	step := []int{1, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43}[i%12]
	return func() string {
		defer func() { n++ }()
		if !v.named {
			return v.name
		}
		if n == 0 {
			return []string{"Hauptgasse", "Dorfgasse", "Ortsstraße"}[i%3]
		}
		name := streetNames[(n*step+i*5)%len(streetNames)]
		if n >= len(streetNames) {
			name = fmt.Sprintf("%s %d", name, n/len(streetNames)+1)
		}
		return name
	}
}

var farmNames = []string{"Oberlechnz", "Unterlechnz", "Gfölln", "Stanzlhof", "Marxnerhof", "Hörnzgut", "Rieplgut", "Pichlnzer", "Grubnzer",
	"Kaslhof", "Eggnzgut", "Wurmsteinhof",
	"Ofnzer", "Schwaignzer", "Veitlgut", "Simerlhof", "Blasnzgut", "Urbnzer", "Jaggelhof", "Loisnzgut", "Thomerlgut", "Kristlhof",
	"Hansnzgut", "Peterlgut"}

package spatial

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mappe/shared/austria"
	"mappe/shared/landprice"
)

// word is a text of the sheet in both languages.
type word struct{ de, en string }

func (w word) in(l language) string {
	if l == english {
		return w.en
	}
	return w.de
}

// The texts of the sheet.
var (
	wordTitle        = word{"Grundstück", "Parcel"}
	wordKG           = word{"Katastralgemeinde", "Cadastral unit (KG)"}
	wordGemeinde     = word{"Gemeinde", "Municipality"}
	wordDistrict     = word{"Bezirk", "District"}
	wordFolio        = word{"Einlagezahl", "Folio (EZ)"}
	wordArea         = word{"Fläche", "Area"}
	wordComputed     = word{" (aus der Grenze berechnet)", " (computed from the outline)"}
	wordBoundary     = word{"Grenze", "Boundary"}
	wordPosition     = word{"Lage", "Position"}
	wordInCadastre   = word{"im Grenzkataster", "boundary cadastre (Grenzkataster)"}
	wordInTax        = word{"im Grundsteuerkataster", "tax cadastre (Grundsteuerkataster)"}
	wordUse          = word{"Benützungsarten und Nutzungen", "Land use"}
	wordNoUse        = word{"nicht bekannt", "not known"}
	wordSymbols      = word{"Symbole", "symbols"}
	wordBuildings    = word{"Gebäude", "Buildings"}
	wordFootprints   = word{"Grundrisse", "Footprints"}
	wordMostly       = word{" (überwiegend auf dem Grundstück)", " (mostly on the parcel)"}
	wordBuilt        = word{"Bebaute Fläche", "Built-up area"}
	wordAddresses    = word{"Adressen", "Addresses"}
	wordMore         = word{"weitere", "more"}
	wordNone         = word{"keine", "none"}
	wordPrice        = word{"Geschätzter Preis", "Estimated price"}
	wordNoPrice      = word{"Für diesen Datenstand sind keine Preise veröffentlicht.", "No prices are published for this state of the data."}
	wordPricesUnread = word{"Die Preise sind derzeit nicht lesbar.", "The prices cannot be read at the moment."}
	wordClass        = word{"Klasse, Preisjahr", "Class, year"}
	wordPerSqm       = word{"Grund je m²", "Land per m²"}
	wordTotal        = word{"Grund gesamt", "Land in total"}
	wordRent         = word{"Pacht je Jahr", "Rent a year"}
	wordInterval     = word{"erwartet zwischen", "expected between"}
	wordConfidence   = word{"Verlässlichkeit", "Confidence"}
	wordBaseline     = word{"Ausgangswert", "Baseline"}
	wordFactors      = word{"Faktoren", "Factors"}
	wordFactorsOf    = word{" (Kalibrierung × Größe × Form × Siedlungstyp)", " (calibration × size × shape × settlement type)"}
	wordHouse        = word{"Wert der Gebäude", "Buildings"}
	wordCombined     = word{"Grund und Gebäude", "Land and buildings"}
	wordCaution      = word{"Eine Schätzung ist kein Gutachten: sie ist ein veröffentlichter Mittelwert des Gebiets, angepasst an Größe, " +
		"Form und Siedlungstyp.",
		"An estimate is no appraisal: it is a published mean of the area, adjusted by size, shape and settlement type."}
	wordProtected = word{"Schutzgebiete und Rechtsvorschriften", "Protected areas and laws"}
	wordNatura    = word{"Natura 2000", "Natura 2000"}
	wordAreas     = word{"Schutzgebiete", "Protected areas"}
	wordLaws      = word{"Vorschriften", "Laws"}
	wordPlaces    = word{"Natura 2000 am Schwerpunkt, Schutzgebiete an einem Punkt im Grundstück; Rechtsvorschriften, die das Grundstück nennen.",
		"Natura 2000 at the centroid, protected areas at a point in the parcel; laws that name the parcel."}
	wordUnknown   = word{"Für diesen Datenstand nicht bekannt.", "Not known for this state of the data."}
	wordHeights   = word{"Höhen", "Heights"}
	wordNoHeights = word{"Für dieses Grundstück sind keine Höhenmodelle veröffentlicht.",
		"No height models are published for this parcel."}
	wordHeightsUnread = word{"Die Höhenmodelle sind derzeit nicht lesbar.", "The height models cannot be read at the moment."}
	wordGround        = word{"Gelände", "Ground"}
	wordMean          = word{"im Mittel", "mean"}
	wordAbove         = word{"höchster Punkt über dem Gelände (Baum, Gebäude)", "highest point above the ground (tree, building)"}
	wordKnown         = word{"Höhen bekannt von", "heights known of"}
	wordProfile       = word{"Profil entlang der längeren Achse des Grundstücks", "Profile along the longer axis of the parcel"}
	wordTimes         = word{"Höhen %s-mal so groß wie Längen gezeichnet.", "heights drawn %s times as large as lengths."}
	wordProfileKey    = word{"Braun: Gelände, grün: Oberfläche, rot: im Grundstück; im Plan gestrichelt. Meter über Adria.",
		"Brown: ground, green: surface, red: in the parcel; dashed on the plan. Metres above the Adriatic."}
	wordsNotKnown = []word{{"keine Höhen", "no heights"}, {"bekannt", "known"}}
	wordGap       = word{"Lücken: keine Höhen bekannt.", "Gaps: no heights known."}
	wordScan      = word{"Laserscan", "Laser scan"}
	wordSources   = word{"Quellen", "Sources"}
	wordDate      = word{"Stichtag", "Date of the data"}
	wordPrices    = word{"Preise", "Prices"}
	wordCadastre  = word{"Kataster", "Cadastre"}
	wordAddress   = word{"Diese Seite", "This page"}
	wordChanged   = word{", verändert", ", modified"}
	wordScale     = word{"Maßstab 1:%s bei Druck auf A4 in 100 % Größe; Norden ist oben. Grau: Gebäude.",
		"Scale 1:%s when printed on A4 at 100 %; north is up. Grey: buildings."}
	wordGaps = word{"Nachbarn in Katastralgemeinden, die nicht geladen sind, fehlen im Plan.",
		"Neighbours in KGs that are not loaded are missing from the plan."}
	wordLegal = word{"Kein amtlicher Auszug. Rechtsverbindlich sind Grundbuch und Kataster.",
		"No official extract. Only the land register and the cadastre are binding."}
)

// The words of closed sets.
var (
	classWords = map[string]word{"bauland_built": {"Bauland, bebaut", "building land, built"},
		"bauland_zoned": {"Bauland, unbebaut", "building land, not built"},
		"ackerland":     {"Ackerland", "arable land"}, "gruenland": {"Grünland", "grassland"}, "wald": {"Wald", "forest"},
		"other": {"andere (ohne Preis)", "other (no price)"}}
	confidenceWords = map[string]word{"none": {"keine", "none"}, "low": {"gering", "low"}, "medium": {"mittel", "medium"},
		"high": {"hoch", "high"}}
	levelWords = map[string]word{"gemeinde": {"Gemeinde", "municipality"}, "bezirk": {"Bezirk", "district"},
		"state": {"Bundesland", "state"}, "national": {"Österreich", "country"},
		"literature_state": {"Bundesland, Literatur", "state, literature"}}
	methodWords = map[string]word{"observed": {"veröffentlicht für", "published for"},
		"interpolated": {"interpoliert bis", "interpolated up to"}, "extrapolated": {"fortgeschrieben von", "continued from"}}
)

// basisWords say in German what an interval rests on, by the level of the baseline; landprice says it in English.
var basisWords = map[landprice.Level]string{
	landprice.Gemeinde:        "Validierung: 89 % der Gemeinden liegen innerhalb von 25 % des veröffentlichten Werts",
	landprice.Bezirk:          "Bezirkswert anstelle des Gemeindewerts: die Gemeinden eines Bezirks liegen etwa 40 % auseinander",
	landprice.State:           "Landeswert: die Bezirke eines Landes liegen etwa 60 % auseinander",
	landprice.National:        "Österreichwert: die Länder liegen etwa um den Faktor 2 auseinander",
	landprice.LiteratureState: "Richtwert für das Bundesland",
}

// basisWord says what the interval of a price rests on; "" if the price has no interval.
func basisWord(e *landprice.Estimate, year int, l language) string {
	basis := e.IntervalBasis(year)
	switch {
	case basis == "" || l == english:
		return basis
	case e.Class == landprice.Wald:
		return "Richtspanne des Bundeslandes"
	case !e.AppliesFactors:
		return "Landeswert: landwirtschaftliche Flächen eines Landes liegen etwa 35 % auseinander; keine Validierung veröffentlicht"
	case e.Baseline.Years(year) > 0:
		return fmt.Sprintf("nicht validiert für %d: der Wert (%s) von %d ist fortgeschrieben, je Jahr 3 %% weiter; im eigenen Jahr: %s",
			year, levelWords[e.Baseline.Source.String()].de, e.Baseline.From, basisWords[e.Baseline.Source])
	}
	return basisWords[e.Baseline.Source]
}

// credit is whom to name in a language: sources say in either that their data were changed.
func (l language) credit(named string) string {
	for _, said := range []string{", modified", ", bearbeitet", ", verändert"} {
		named = strings.ReplaceAll(named, said, wordChanged.in(l))
	}
	return named
}

// shownWord is the word of a value of a closed set; the value itself where it has none.
func shownWord(of map[string]word, value string, l language) string {
	if w, ok := of[value]; ok {
		return w.in(l)
	}
	return value
}

// noBreak is a space without a break: figures and their units stay on one line.
const noBreak = "\u00a0"

// figure is a number as the language writes it, with its unit; a dash for NaN.
func (l language) figure(v float64, decimals int, unit string) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	text := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, part, _ := strings.Cut(text, ".")
	thousands, point := ".", ","
	if l == english {
		thousands, point = ",", "."
	}
	var b strings.Builder
	if v < 0 && strings.Trim(text, "0.") != "" {
		b.WriteString("−")
	}
	for i, c := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(thousands)
		}
		b.WriteRune(c)
	}
	if part != "" {
		b.WriteString(point + part)
	}
	if unit != "" {
		b.WriteString(noBreak + unit)
	}
	return b.String()
}

// date is a date of the form YYYY-MM-DD as the language writes it.
func (l language) date(iso string) string {
	if l == english || len(iso) != len("2006-01-02") {
		return iso
	}
	return strings.TrimPrefix(iso[8:], "0") + "." + noBreak + strings.TrimPrefix(iso[5:7], "0") + "." + noBreak + iso[:4]
}

// use is the name of a land use.
func (l language) use(u austria.LandUse) string {
	row, ok := u.Row()
	if name := (word{row.Name, row.English}).in(l); ok && name != "" {
		return name
	}
	return strconv.Itoa(int(u))
}

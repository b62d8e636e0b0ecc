package main

import (
	"fmt"
	"strconv"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// The tables of the address register that the country has.
const (
	adresse = iota
	gebaeude
	strasse
	ortschaft
	tables
)

var (
	addressFiles = [tables]string{"ADRESSE", "GEBAEUDE", "STRASSE", "ORTSCHAFT"}
	addressHeads = [tables]string{
		"ADRCD;GKZ;OKZ;PLZ;SKZ;HAUSNRZAHL1;RW;HW;EPSG\r\n", "ADRCD;SUBCD;RW;HW;EPSG;EIGENSCHAFT\r\n",
		"SKZ;STRASSENNAME;GKZ\r\n", "GKZ;OKZ;ORTSNAME\r\n"}
	streetNames = [...]string{"Hauptstraße", "Kirchengasse", "Bahnhofstraße", "Feldgasse", "Schulgasse", "Mühlweg", "Wiener Straße",
		"Gartengasse",
		"Lindengasse", "Am Anger", "Dorfstraße", "Siedlungsstraße", "Waldgasse", "Birkenweg", "Kellergasse", "Bergstraße", "Bachgasse",
		"Am Kirchplatz",
		"Sonnenweg", "Rosengasse", "Ringstraße", "Sportplatzweg", "Wiesenweg", "Steinbruchweg", "Sankt-Florian-Gasse"}
)

// book is the address register of some KGs: a locality each, a street for forty houses.
type book struct{ text [tables]strings.Builder }

// add writes the addresses of KG i.
func (b *book) add(i int, k *kg, s *kgfile.Snapshot) {
	okz, system := 10_000+i, strip(s.KG.Box.Center())
	fmt.Fprintf(&b.text[ortschaft], "%s;%05d;%s\r\n", k.GemeindeCode, okz, k.Name)
	for n := 0; n*40 < len(s.Buildings); n++ {
		fmt.Fprintf(&b.text[strasse], "%d;%s;%s\r\n", i*100+n%100, streetNames[n%len(streetNames)], k.GemeindeCode)
	}
	for n := range s.Buildings {
		x, y := system.Project(s.Buildings[n].At)
		code := 1_000_000 + i*10_000 + n
		fmt.Fprintf(&b.text[adresse], "%d;%s;%05d;%04d;%d;%d;%.2f;%.2f;%d\r\n", code, k.GemeindeCode, okz, 1000+i%8900, i*100+n/40%100,
			1+n%40, x, y, int(system))
		fmt.Fprintf(&b.text[gebaeude], "%d;001;%.2f;%.2f;%d;%02d\r\n", code, x, y, int(system), 1+n%14)
	}
}

// streetOf and houseOf are the address of a building of any KG by its number.
func streetOf(n int) string { return streetNames[n/40%100%len(streetNames)] }

func houseOf(n int) string { return strconv.Itoa(1 + n%40) }

func (b *book) texts() (out [tables]string) {
	for t := range out {
		out[t] = b.text[t].String()
	}
	return out
}

// strip is the Austrian system that the survey office uses at a place.
func strip(p geom.Point) crs.System {
	switch lon := p.Lon(); {
	case lon < 11+50./60:
		return crs.GaussKruegerWest
	case lon < 14+50./60:
		return crs.GaussKruegerMid
	}
	return crs.GaussKruegerEast
}

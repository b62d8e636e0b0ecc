package demo

import (
	"fmt"
	"strings"

	"mappe/localdev/demo/world"
	"mappe/shared/geo/crs"
)

// book gathers the rows of one file of the address register: semicolons, every cell quoted, a
// byte-order mark in front, lines ended with CR LF.
type book struct{ b strings.Builder }

func newBook(columns string) *book {
	b := &book{}
	b.b.WriteString("\ufeff")
	for i, c := range strings.Fields(columns) {
		if i > 0 {
			b.b.WriteByte(';')
		}
		b.b.WriteString(`"` + c + `"`)
	}
	b.b.WriteString("\r\n")
	return b
}

func (b *book) row(cells ...any) {
	for i, c := range cells {
		if i > 0 {
			b.b.WriteByte(';')
		}
		fmt.Fprintf(&b.b, `"%s"`, strings.ReplaceAll(fmt.Sprint(c), `"`, `""`))
	}
	b.b.WriteString("\r\n")
}

// The columns of the address register, in its order.
const (
	adresseColumns = `ADRCD GKZ OKZ PLZ SKZ ZAEHLSPRENGEL HAUSNRTEXT HAUSNRZAHL1 HAUSNRBUCHSTABE1 HAUSNRVERBINDUNG1 HAUSNRZAHL2 HAUSNRBUCHSTABE2
		HAUSNRBEREICH GNRADRESSE HOFNAME RW HW EPSG QUELLADRESSE BESTIMMUNGSART`
	gebaeudeColumns = `ADRCD SUBCD OBJEKTNUMMER HAUPTADRESSE HAUSNRVERBINDUNG2 HAUSNRZAHL3 HAUSNRBUCHSTABE3 HAUSNRVERBINDUNG3 HAUSNRZAHL4
		HAUSNRBUCHSTABE4 HAUSNRVERBINDUNG4 HAUSNRGEBAEUDEBEZ RW HW EPSG QUELLADRESSE BESTIMMUNGSART EIGENSCHAFT`
)

// property is the register's code of a building's main use (EIGENSCHAFT).
func property(k world.FootprintKind, units int) string {
	switch k {
	case world.House:
		if units > 1 {
			return "02"
		}
		return "01"
	case world.Farmhouse, world.Hut:
		return "01"
	case world.Church:
		return "12"
	case world.Hall:
		return "08"
	case world.Station:
		return "07"
	}
	return "14"
}

// addressRegister writes the folder addresses.
func (o *output) addressRegister(w *world.World) error {
	adresse, gebaeude := newBook(adresseColumns), newBook(gebaeudeColumns)
	gst := newBook("ADRCD KGNR GSTNR LFDNR")
	system := crs.GaussKruegerMid
	for i, a := range w.Addresses {
		l, s, p := w.Localities[a.Locality], w.Streets[a.Street], w.Parcels[a.Parcel]
		at := a.At.E7()
		x, y := system.Project(at)
		rw, hw := fmt.Sprintf("%.2f", x), fmt.Sprintf("%.2f", y)
		gkz := w.Gemeinden[a.Gemeinde].Code
		adresse.row(a.ADRCD, gkz, fmt.Sprintf("%05d", l.OKZ), w.PLZ(l), fmt.Sprintf("%06d", s.SKZ), "", "", a.Number, a.Letter, "", "", "",
			"",
			0, a.FarmName, rw, hw, int(system), "", "B")
		for u := 1; u <= a.Units; u++ {
			sub := ""
			if a.Units > 1 {
				sub = fmt.Sprintf("Objekt %d", u)
			}
			bx, by := system.Project(a.At.East(2.5 * float64(u-1)).E7())
			gebaeude.row(a.ADRCD, fmt.Sprintf("%03d", u), 7700001+2*i+u-1, 1, "", "", "", "", "", "", "", sub,
				fmt.Sprintf("%.2f", bx), fmt.Sprintf("%.2f", by), int(system), "", "B", property(w.Footprints[a.Building].Kind, a.Units))
		}
		gst.row(a.ADRCD, w.KGs[p.KG].Code, p.GNR, 1)
	}
	strasse := newBook("SKZ STRASSENNAME STRASSENNAMENZUSATZ SZUSADRBEST GKZ ZUSTELLORT")
	for _, s := range w.Streets {
		g := w.Gemeinden[s.Gemeinde]
		strasse.row(fmt.Sprintf("%06d", s.SKZ), s.Name, "", 0, g.Code, g.Post)
	}
	ort, gem := newBook("GKZ OKZ ORTSNAME"), newBook("GKZ GEMEINDENAME")
	for _, l := range w.Localities {
		ort.row(w.Gemeinden[l.Gemeinde].Code, fmt.Sprintf("%05d", l.OKZ), l.Name)
	}
	for _, g := range w.Gemeinden {
		gem.row(g.Code, g.Name)
	}
	for _, f := range []struct {
		name string
		b    *book
	}{{"ADRESSE", adresse}, {"GEBAEUDE", gebaeude}, {"STRASSE", strasse}, {"ORTSCHAFT", ort}, {"GEMEINDE", gem}, {"ADRESSE_GST", gst}} {
		if err := o.file("addresses/"+f.name+".csv", []byte(f.b.b.String())); err != nil {
			return err
		}
	}
	return nil
}

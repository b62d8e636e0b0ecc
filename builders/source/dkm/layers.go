package dkm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mappe/builders/source/geopackage"
	"mappe/shared/geo/crs"
)

// Role is what a layer holds.
type Role uint8

// The roles.
const (
	Parcels Role = iota
	LandUse
	Labels
	Symbols
)

// AllRoles lists the roles.
func AllRoles() []Role { return []Role{Parcels, LandUse, Labels, Symbols} }

func (r Role) String() string {
	return [...]string{"parcels", "land use", "number labels", "land-use symbols"}[r]
}

// Tile layers and attributes are those of the survey office's own vector tiles.
const (
	tilesetCadastre = "kataster"
	tilesetSymbols  = "symbole"
)

// attribute is a column's name in the tiles, its usual spellings in files, and whether the layer needs it.
type attribute struct {
	name      string
	spellings []string
	must      bool
}

var (
	attrKG = attribute{"kg", []string{"kg", "kg_nr", "kgnr", "kg_nummer", "kg_code", "katastralgemeinde_nr", "katastralgemeindenummer"},
		false}
	attrGNR    = attribute{"gnr", []string{"gnr", "gst_nr", "gstnr", "gst", "grundstuecksnummer", "grundstuecksnr", "grundstueck_nr"}, true}
	attrEZ     = attribute{"ez", []string{"ez", "ez_nr", "einlagezahl", "einlage"}, false}
	attrStatus = attribute{"rstatus", []string{"rstatus", "r_status", "rechtsstatus", "status"}, false}
	attrNS     = attribute{"ns", []string{"ns", "ns_nr", "ns_code", "nutzung", "nutzungscode", "nutzungssymbol", "symbol"}, true}
	attrRot    = attribute{"rot", []string{"rot", "rotation", "winkel", "drehung", "drehwinkel"}, false}
)

// form is how layers of a role are recognised and what is read of them.
type form struct {
	role       Role
	tileset    string
	layer      string   // in the tiles
	names      []string // words of a table's name
	points     bool
	attributes []attribute
}

var forms = []form{
	{Parcels, tilesetCadastre, "gst", []string{"gst", "grundstueck", "grundstuecke", "parcels"}, false,
		[]attribute{{attrKG.name, attrKG.spellings, true}, attrGNR, attrEZ, attrStatus}},
	{LandUse, tilesetCadastre, "nfl", []string{"nfl", "nutzungsflaeche", "nutzungsflaechen", "nutzung"}, false, []attribute{attrNS}},
	{Labels, tilesetCadastre, "gnr", []string{"gnr", "grundstuecksnummer", "grundstuecksnummern"}, true,
		[]attribute{attrKG, attrGNR, attrStatus, attrRot}},
	{Symbols, tilesetSymbols, "nsy", []string{"nsy", "nss", "symbole", "nutzungssymbol", "nutzungssymbole"}, true,
		[]attribute{attrNS, attrRot}},
}

// fits says whether a layer of a file has the form: what it draws, as MULTIPOLYGON or ST_MULTIPOLYGON, and the
// columns it needs. A layer of any geometry fits every form.
func (f *form) fits(l *geopackage.Layer) bool {
	anything := strings.TrimPrefix(l.Type, "ST_") == "GEOMETRY"
	if !anything && strings.Contains(l.Type, "POINT") != f.points || strings.Contains(l.Type, "LINE") {
		return false
	}
	return !slices.ContainsFunc(f.attributes, func(a attribute) bool { return a.must && l.Find(a.spellings...) == "" })
}

// named says whether the layer's name has a word of the form.
func (f *form) named(l *geopackage.Layer) bool {
	words := strings.FieldsFunc(strings.ToLower(l.Table), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(f.names, w) })
}

// A layer is one that is read.
type layer struct {
	*form
	from   *geopackage.Layer
	file   string
	system crs.System
	index  *geopackage.Index
	rows   *geopackage.Rows
}

// choose gives the layers of the files their roles: by name where a table bears one, else by what it draws
// and its columns. Several files may hold one role, each a part of the country.
func choose(files []*geopackage.File) (chosen []layer, others []string) {
	for _, f := range files {
		for i := range f.Layers {
			l := &f.Layers[i]
			form := formOf(l)
			if form == nil {
				others = append(others, fmt.Sprintf("%s: table %s (%s)", f.Name, l.Table, strings.ToLower(l.Type)))
				continue
			}
			chosen = append(chosen, layer{form: form, from: l, file: f.Name})
		}
	}
	return chosen, others
}

func formOf(l *geopackage.Layer) *form {
	for _, byName := range []bool{true, false} {
		for i := range forms {
			if f := &forms[i]; f.fits(l) && (!byName || f.named(l)) {
				return f
			}
		}
	}
	return nil
}

// locate reads which system the layer's coordinates are in.
func (l *layer) locate() (err error) {
	if l.system, err = crs.Parse(l.from.System); err != nil {
		return fmt.Errorf("%s: table %s: %w", l.file, l.from.Table, err)
	}
	return nil
}

// open prepares the reading of a layer.
func (l *layer) open(ctx context.Context) error {
	if err := l.locate(); err != nil {
		return err
	}
	var err error
	columns := make([]string, len(l.attributes))
	for i, a := range l.attributes {
		columns[i] = l.from.Find(a.spellings...)
	}
	if l.rows, err = l.from.Rows(ctx, columns...); err != nil {
		return err
	}
	l.index, err = l.from.Index(ctx)
	return err
}

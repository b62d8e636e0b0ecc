package crs

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of a well-known text.
const (
	maxWKT      = 16 << 10 // bytes
	maxWKTDepth = 16
)

// FromWKT finds the system that well-known text describes: of version 1, as the .prj file of a shapefile has it in the
// spelling of ESRI or GDAL, or of version 2 (ISO 19162). A projected system is known by its method and its parameters, not by its name; the
// datum by its name and ellipsoid. ETRS89 in degrees is taken as WGS84.
func FromWKT(text string) (System, error) {
	root, err := parseWKT(text)
	if err != nil {
		return 0, fmt.Errorf("the text of the coordinate reference system cannot be read: %w", err)
	}
	root.older()
	s := root.system()
	if s == 0 {
		return 0, fmt.Errorf("coordinate reference system %q is not known: expected %s", root.label(), sourcesExpected)
	}
	return s, nil
}

// wktNode is NAME["text", number, NODE[...], ...]; values are the texts and numbers.
type wktNode struct {
	name   string // upper case
	values []string
	nodes  []*wktNode
}

// label is what the text calls the system, shortened.
func (n *wktNode) label() string {
	l := n.name
	if len(n.values) > 0 {
		l = n.values[0]
	}
	for len(l) > 60 {
		_, size := utf8.DecodeLastRuneInString(l)
		l = l[:len(l)-size]
	}
	return strings.ToValidUTF8(l, "\ufffd")
}

// child is the first node of a name; an empty one where no child has the name.
func (n *wktNode) child(name string) *wktNode {
	for _, c := range n.nodes {
		if c.name == name {
			return c
		}
	}
	return &wktNode{}
}

// text is a value in lower case, letters and digits only: spellings differ in blanks, dashes and underscores.
func (n *wktNode) text(i int) string {
	if i >= len(n.values) {
		return ""
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, n.values[i])
}

// number is a value as a number; NaN for another value.
func (n *wktNode) number(i int) float64 {
	if i < len(n.values) {
		if v, err := strconv.ParseFloat(strings.TrimSpace(n.values[i]), 64); err == nil {
			return v
		}
	}
	return math.NaN()
}

// system is the system of a GEOGCS or PROJCS, 0 for another one.
func (n *wktNode) system() System {
	switch n.name {
	case "GEOGCS":
		if n.datum() == datumETRS {
			return WGS84
		}
	case "PROJCS":
		if !near(n.child("UNIT").number(1), 1, 1e-9) {
			return 0 // not in metres
		}
		return n.projected()
	}
	return 0
}

// Datums that are told apart.
const (
	datumETRS = iota + 1 // WGS84 or ETRS89
	datumMGI
)

// datum is the datum of a GEOGCS in degrees from Greenwich, 0 for another one.
func (n *wktNode) datum() int {
	if !near(n.child("UNIT").number(1), degree, 1e-9) || !near(n.child("PRIMEM").number(1), 0, 1e-9) {
		return 0
	}
	d := n.child("DATUM")
	name := strings.TrimPrefix(d.text(0), "d")
	is := func(e ellipsoid) bool {
		s := d.child("SPHEROID")
		return near(s.number(1), e.a, 0.001) && near(s.number(2), 1/e.f, 1e-6)
	}
	switch {
	case strings.HasPrefix(name, "wgs1984"), strings.HasPrefix(name, "wgs84"), strings.HasPrefix(name, "worldgeodeticsystem1984"):
		if is(wgs84) {
			return datumETRS
		}
	case strings.HasPrefix(name, "etrs1989"), strings.HasPrefix(name, "etrs89"),
		strings.HasPrefix(name, "europeanterrestrialreferencesystem1989"):
		if is(grs80) {
			return datumETRS
		}
	case name == "mgi", strings.HasPrefix(name, "militargeographische"), strings.HasPrefix(name, "militrgeographische"):
		if is(bessel) {
			return datumMGI
		}
	}
	return 0
}

// projected compares the projection of a PROJCS with those of the systems.
func (n *wktNode) projected() System {
	datum, method, p := n.child("GEOGCS").datum(), n.child("PROJECTION").text(0), n.parameters()
	switch method {
	case "lambertazimuthalequalarea":
		if datum == datumETRS && p.are(laeaX0, laeaY0, 10, 52) {
			return LAEA
		}
	case "lambertconformalconic", "lambertconformalconic2sp", "lambertconicconformal2sp":
		a, b := min(p["standardparallel1"], p["standardparallel2"]), max(p["standardparallel1"], p["standardparallel2"])
		if !near(a, 46, degrees) || !near(b, 49, degrees) || !p.are(400000, 400000, 40./3, 47.5) {
			return 0
		}
		switch datum {
		case datumMGI:
			return LambertMGI
		case datumETRS:
			return LambertETRS89
		}
	case "transversemercator", "gausskruger":
		for k, s := range []System{GaussKruegerWest, GaussKruegerMid, GaussKruegerEast} {
			if datum == datumMGI && p.are(0, gkNorthing, 31./3+3*float64(k), 0) {
				return s
			}
			if m := MeldenetzWest + System(k); datum == datumMGI && p.are(m.falseEasting(), gkNorthing, 31./3+3*float64(k), 0) {
				return m
			}
		}
		return n.utm(p)
	case "mercatorauxiliarysphere", "mercator1sp", "popularvisualisationpseudomercator":
		// The ellipsoid of both Mercators is the same; GDAL says in an extension that this one is of a sphere.
		sphere := method != "mercator1sp" || strings.Contains(strings.Join(n.child("EXTENSION").values, " "), "+b=6378137 ")
		if datum == datumETRS && sphere && p.are(0, 0, 0, 0) {
			return WebMercator
		}
	}
	return 0
}

// degrees is how far angles may differ: a centimetre on the ground.
const degrees = 1e-7

func near(v, want, tolerance float64) bool { return math.Abs(v-want) <= tolerance }

// wktParameters are the parameters of a projection; absent ones are zero.
type wktParameters map[string]float64

// utm is the UTM zone of a transverse Mercator, 0 for another one.
func (n *wktNode) utm(p wktParameters) System {
	if !near(p["scalefactor"], utmScale, 1e-9) || n.child("GEOGCS").datum() != datumETRS {
		return 0
	}
	of := wktParameters{}
	for name, v := range p {
		of[name] = v
	}
	delete(of, "scalefactor")
	wgs := strings.Contains(n.child("GEOGCS").child("DATUM").text(0), "84")
	for k, s := range [][2]System{{UTM32, UTM32WGS}, {UTM33, UTM33WGS}} {
		if of.are(utmEasting, 0, 9+6*float64(k), 0) {
			if wgs {
				return s[1]
			}
			return s[0]
		}
	}
	return 0
}

// are says whether the false origin, the central meridian and the latitude of origin are these, with scale 1.
func (p wktParameters) are(x0, y0, lon0, lat0 float64) bool {
	scale, ok := p["scalefactor"]
	return near(p["falseeasting"], x0, 0.001) && near(p["falsenorthing"], y0, 0.001) &&
		near(p["centralmeridian"], lon0, degrees) && near(p["latitudeoforigin"], lat0, degrees) && (!ok || near(scale, 1, 1e-9))
}

// parameters are those of a PROJCS under one name each. One that is given twice or that no known system has makes
// the projection another one, unless it is zero.
func (n *wktNode) parameters() wktParameters {
	p := wktParameters{}
	for _, c := range n.nodes {
		if c.name != "PARAMETER" {
			continue
		}
		name, v := c.text(0), c.number(1)
		switch name {
		case "longitudeofcenter", "longitudeoforigin":
			name = "centralmeridian"
		case "latitudeofcenter":
			name = "latitudeoforigin"
		case "falseeasting", "falsenorthing", "centralmeridian", "latitudeoforigin", "scalefactor", "standardparallel1",
			"standardparallel2":
		default:
			if v == 0 {
				continue
			}
			v, name = math.NaN(), "falseeasting"
		}
		if _, twice := p[name]; twice {
			v = math.NaN()
		}
		p[name] = v
	}
	return p
}

var errWKT = errors.New(`expected text like PROJCS["name",GEOGCS[...],...]`)

// parseWKT reads a node with all below it.
func parseWKT(text string) (*wktNode, error) {
	if len(text) > maxWKT {
		return nil, fmt.Errorf("%d bytes: at most %d are read", len(text), maxWKT)
	}
	r := wktText{strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))}
	n, err := r.node(0)
	if err == nil && r.rest != "" {
		err = errWKT
	}
	return n, err
}

type wktText struct{ rest string }

func (r *wktText) skip(n int) { r.rest = strings.TrimLeft(r.rest[n:], " \t\r\n") }

func (r *wktText) node(depth int) (*wktNode, error) {
	end := strings.IndexAny(r.rest, "[(")
	if end <= 0 || depth == maxWKTDepth {
		return nil, errWKT
	}
	n := &wktNode{name: strings.ToUpper(strings.TrimSpace(r.rest[:end]))}
	r.skip(end + 1)
	for {
		if err := r.item(n, depth); err != nil {
			return nil, err
		}
		if r.rest == "" {
			return nil, errWKT
		}
		c := r.rest[0]
		r.skip(1)
		switch c {
		case ',':
		case ']', ')':
			return n, nil
		default:
			return nil, errWKT
		}
	}
}

// item reads a text, a number or word, or a node.
func (r *wktText) item(n *wktNode, depth int) error {
	if strings.HasPrefix(r.rest, `"`) {
		value, _, ok := strings.Cut(r.rest[1:], `"`)
		if !ok {
			return errWKT
		}
		n.values = append(n.values, value)
		r.skip(len(value) + 2)
		return nil
	}
	end := strings.IndexAny(r.rest, `[](),"`)
	if end <= 0 || r.rest[end] == '"' {
		return errWKT
	}
	if c := r.rest[end]; c == '[' || c == '(' {
		child, err := r.node(depth + 1)
		if err == nil {
			n.nodes = append(n.nodes, child)
		}
		return err
	}
	n.values = append(n.values, strings.TrimSpace(r.rest[:end]))
	r.skip(end)
	return nil
}

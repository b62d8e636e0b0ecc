package demo

import (
	"bytes"
	"fmt"
	"strings"

	"mappe/localdev/demo/world"
	"mappe/shared/geo/geom"
)

// extract writes an OpenStreetMap extract of the country: elements as contributors would have drawn them.
type extract struct {
	nodes, ways bytes.Buffer
	id          int64
}

// Extract is the file of the community map.
const Extract = "osm/demo.osm"

// node writes a place and gives its id.
func (e *extract) node(p world.P, tags ...string) int64 {
	e.id++
	at := p.E7()
	fmt.Fprintf(&e.nodes, `<node id="%d" lat="%.7f" lon="%.7f"`, e.id, at.Lat(), at.Lon())
	finish(&e.nodes, "node", "", tags)
	return e.id
}

func finish(b *bytes.Buffer, name, inside string, tags []string) {
	if inside == "" && len(tags) == 0 {
		b.WriteString("/>\n")
		return
	}
	b.WriteString(">" + inside)
	for i := 0; i+1 < len(tags); i += 2 {
		if tags[i+1] != "" {
			fmt.Fprintf(b, `<tag k="%s" v="%s"/>`, escape.Replace(tags[i]), escape.Replace(tags[i+1]))
		}
	}
	b.WriteString("</" + name + ">\n")
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;")

// way writes a line; a closed one ends at its first node.
func (e *extract) way(line []world.P, closed bool, tags ...string) {
	var refs strings.Builder
	first := int64(0)
	for _, p := range line {
		id := e.node(p)
		if first == 0 {
			first = id
		}
		fmt.Fprintf(&refs, `<nd ref="%d"/>`, id)
	}
	if closed {
		fmt.Fprintf(&refs, `<nd ref="%d"/>`, first)
	}
	e.id++
	fmt.Fprintf(&e.ways, `<way id="%d"`, e.id)
	finish(&e.ways, "way", refs.String(), tags)
}

// roadTags are the class and the number of the main roads by name; others are unclassified.
var roadTags = map[string][2]string{
	"Lorfachtalstraße": {"primary", "B 999"}, "Schattseitstraße": {"secondary", "L 9901"}, "Quettentalstraße": {"tertiary", "L 9902"},
}

// stopsOf are the settlements that trains stop at.
var stopsOf = map[string]string{"Lorfach": "station", "Ullnau": "halt", "Pfarrnöd": "halt"}

// communityMap writes the folder osm.
func (o *output) communityMap(w *world.World) error {
	e := &extract{}
	var rail []world.P
	for _, x := range w.Ways() {
		switch x.Kind {
		case world.MainRoad:
			tags := [2]string{"unclassified", ""}
			if t, ok := roadTags[x.Name]; ok {
				tags = t
			}
			e.way(x.Line, false, "highway", tags[0], "name", x.Name, "ref", tags[1])
		case world.StreetWay:
			e.way(x.Line, false, "highway", "residential", "name", x.Name)
		case world.Track, world.ForestRoad:
			e.way(x.Line, false, "highway", "track")
		case world.Railway:
			rail = x.Line
			e.way(x.Line, false, "railway", "rail", "name", "Lorfachtalbahn")
		case world.River:
			e.way(x.Line, false, "waterway", "river", "name", x.Name)
		case world.Brook:
			e.way(x.Line, false, "waterway", "stream", "name", x.Name)
		}
	}
	for _, s := range w.Sites() {
		if s.Kind == world.Lake {
			e.way(s.Ring, true, "natural", "water", "name", s.Name)
		}
	}
	e.settlements(w, rail)
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<osm version=\"0.6\" generator=\"mappe demo\" timestamp=\"" + Stichtag +
		"T00:00:00Z\">\n")
	b.Write(e.nodes.Bytes())
	b.Write(e.ways.Bytes())
	b.WriteString("</osm>\n")
	if err := o.file(Extract, b.Bytes()); err != nil {
		return err
	}
	return o.file("osm/attribution.txt", []byte(Attribution+"\n"))
}

// settlements writes the localities with their stops.
func (e *extract) settlements(w *world.World, rail []world.P) {
	houses := make([]int, len(w.Localities))
	for _, a := range w.Addresses {
		houses[a.Locality]++
	}
	for i, l := range w.Localities {
		kind := "hamlet"
		switch {
		case i == 0:
			kind = "town"
		case houses[i] >= 60:
			kind = "village"
		}
		const perHouse = 2
		e.node(l.At, "place", kind, "name", l.Name, "population", fmt.Sprint(perHouse*houses[i]))
		if kind != "hamlet" {
			e.node(l.At.East(25), "highway", "bus_stop", "name", l.Name+" Ortsmitte")
		}
		if what, ok := stopsOf[l.Name]; ok {
			name := l.Name
			if what == "station" {
				name += " Bahnhof"
			}
			e.node(nearestOf(rail, l.At.E7()), "railway", what, "name", name, "public_transport", "stop_position")
		}
	}
}

// nearestOf is the vertex of a line nearest to a place.
func nearestOf(line []world.P, to geom.Point) (best world.P) {
	least := int64(1) << 62
	for _, p := range line {
		at := p.E7()
		dx, dy := int64(at.X-to.X), int64(at.Y-to.Y)
		if d := dx*dx + dy*dy; d < least {
			least, best = d, p
		}
	}
	return best
}

package proximity

import (
	"context"
	"fmt"
	"strings"

	"mappe/artefacts/manifest"
	"mappe/artefacts/proximity"
	"mappe/builders/stage"
	"mappe/builders/tiles"
	"mappe/shared/geo/mvt"
)

// licence of the community map.
const licence = "https://opendatacommons.org/licenses/odbl/1-0/"

// zooms are the lowest zooms that show the classes of a category; "" is the other classes.
var zooms = map[proximity.Category]map[string]uint8{
	proximity.Road: {"motorway": 8, "trunk": 8, "primary": 9, "secondary": 10, "motorway_link": 11, "trunk_link": 11, "primary_link": 12,
		"secondary_link": 12,
		"tertiary":       11, "unclassified": 12, "residential": 12, "track": 14, "service": 14, "": 13},
	proximity.Rail:    {"rail": 9, "": 12},
	proximity.Water:   {"river": 9, "canal": 10, "stream": 12, "water": 10, "reservoir": 10, "riverbank": 10, "": 13},
	proximity.Transit: {"railway_station": 12, "railway_halt": 13, "": 14},
	proximity.Place:   {"city": 8, "town": 8, "village": 11, "suburb": 12, "": 13},
}

func zoomOf(c proximity.Class) uint8 {
	of := zooms[c.Category()]
	if z, ok := of[c.String()]; ok {
		return z
	}
	return of[""]
}

// draw makes the layers of the base map that come from the community map.
func draw(c *proximity.Country, workers int) ([]byte, error) {
	b := tiles.Base{Name: "Base map", Description: "Roads, railways, water, stops and settlements of the community map",
		Attribution: c.Attribution, License: licence, Stichtag: c.Date}
	water := b.Layer("water", "Lakes, reservoirs and wide rivers", 10)
	waterway := b.Layer("waterway", "Rivers, streams and canals", 9)
	rail := b.Layer("rail", "Railways", 9)
	road := b.Layer("road", "Roads", 8)
	stop := b.Layer("stop", "Stops and stations", 12)
	place := b.Layer("place", "Settlements", 8)
	class := func(k proximity.Class) mvt.Attr { return tiles.Text("fclass", k.String()) }
	for i := range c.Areas {
		a := &c.Areas[i]
		water.Area(zoomOf(a.Class), a.Geometry, class(a.Class), tiles.Text("name", a.Name))
	}
	for i := range c.Lines {
		l := &c.Lines[i]
		to := road
		switch l.Class.Category() {
		case proximity.Water:
			to = waterway
		case proximity.Rail:
			to = rail
		}
		to.Line(zoomOf(l.Class), l.Vertices, class(l.Class), tiles.Text("name", l.Name), tiles.Text("ref", l.Ref))
	}
	for i := range c.Points {
		p := &c.Points[i]
		if p.Class.Category() == proximity.Transit {
			stop.Point(zoomOf(p.Class), p.At, class(p.Class), tiles.Text("name", p.Name))
			continue
		}
		people := mvt.Attr{Key: "population"}
		if p.Population >= 0 {
			people.Value = mvt.Uint(uint64(p.Population))
		}
		place.Point(zoomOf(p.Class), p.At, class(p.Class), tiles.Text("name", p.Name), people)
	}
	body, err := b.Encode(workers)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.ToLower(b.Name), err)
	}
	return body, nil
}

// writeBase writes the layers of the base map beside the artefact.
func writeBase(ctx context.Context, c *stage.Country, country *proximity.Country) error {
	body, err := draw(country, c.Workers)
	if err != nil || body == nil {
		return err
	}
	var o manifest.Object
	if o, err = c.Write(ctx, proximity.BaseArtefact, "pmtiles", body); err == nil {
		c.Note(proximity.BaseArtefact, o)
	}
	return err
}

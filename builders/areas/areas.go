// Package areas draws the municipalities of the country and the borders between them as vector tiles for the map at small
// zooms, where no parcels are drawn yet: a page colours them by what is available. What is available changes oftener than a
// border does and is not in the tiles. builders/national runs the stage.
//
// Layer municipality has areas with gemeinde_code and name, layer border lines with level: municipality, district or state,
// the highest of what they part; the border of the country is one of states. What has no outline of its own is drawn by the
// outlines of its KGs.
package areas

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/builders/stage"
	"mappe/builders/tiles"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// Artefact is the kind of the tiles in a generation.
const Artefact = "base-areas"

// recipe names what in the program decides the bytes beside the outlines.
const recipe = "areas-1"

// The lowest zooms that show municipalities and the borders of a level: districts are drawn as areas of one colour before
// their municipalities can be told apart.
const areaZoom = 4

// maxZoom is the highest zoom of the tiles, with pixels of 5 m: as exact as the outlines.
const maxZoom = 11

var borderZooms = map[level]uint8{state: 4, district: 5, municipality: 8}

// Stage makes the artefact.
func Stage() stage.Stage { return stage.Stage{Artefact: Artefact, Recipe: recipe, Make: draw} }

// area is a municipality with its outlines.
type area struct {
	code austria.GemeindeCode
	name string
	geom.MultiPolygon
}

// draw makes the tiles, or takes those over that were made of the same outlines; none where nothing has an outline.
func draw(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	list := areasOf(c.Register)
	made := recipe + " " + sum(c.Register, list)
	if live, ok := c.Live[Artefact]; ok {
		if had, err := stage.RecipeOf(ctx, c.Store, live); err == nil && had == made {
			return live, nil
		}
	}
	b := tiles.Base{Name: "Areas", Description: "Municipalities and the borders between municipalities, districts and states",
		Attribution: c.Register.Attribution, License: rowschema.LicenseURL, Recipe: made}
	municipalities := b.Layer("municipality", "Municipalities", areaZoom).UpTo(maxZoom)
	for _, a := range list {
		municipalities.Area(areaZoom, a.MultiPolygon, tiles.Text("gemeinde_code", string(a.code)), tiles.Text("name", a.name))
	}
	borders := b.Layer("border", "Borders between municipalities, districts and states", borderZooms[state]).UpTo(maxZoom)
	lines, err := bordersOf(ctx, c.Workers, list)
	if err != nil {
		return manifest.Object{}, err
	}
	for _, l := range lines {
		borders.Line(borderZooms[l.level], l.line, tiles.Text("level", l.level.String()))
	}
	body, err := b.Encode(c.Workers)
	if err != nil {
		return manifest.Object{}, fmt.Errorf("areas: %w", err)
	}
	if body == nil || ctx.Err() != nil {
		return manifest.Object{}, ctx.Err()
	}
	return c.Write(ctx, Artefact, "pmtiles", body)
}

// areasOf are the municipalities that have an outline, in the order of their codes.
func areasOf(r *register.Contents) []area {
	of := map[austria.GemeindeCode]*area{}
	var list []*area
	put := func(code austria.GemeindeCode, name string) *area {
		if of[code] == nil {
			of[code] = &area{code: code, name: name}
			list = append(list, of[code])
		}
		return of[code]
	}
	drawn := map[austria.GemeindeCode]bool{}
	for i := range r.Municipalities {
		m := &r.Municipalities[i]
		put(m.Code, m.Name).MultiPolygon = m.Outline
		drawn[m.Code] = len(m.Outline) > 0
	}
	for i := range r.KGs {
		k := &r.KGs[i]
		if !drawn[k.GemeindeCode] {
			a := put(k.GemeindeCode, k.GemeindeName)
			a.MultiPolygon = append(a.MultiPolygon, k.Outline...)
		}
	}
	out := make([]area, 0, len(list))
	for _, a := range list {
		if len(a.MultiPolygon) > 0 {
			out = append(out, *a)
		}
	}
	slices.SortFunc(out, func(a, b area) int { return strings.Compare(string(a.code), string(b.code)) })
	return out
}

// sum is a fingerprint of what is drawn and whom it is credited to.
func sum(r *register.Contents, list []area) string {
	h := sha256.New()
	fmt.Fprintln(h, r.Attribution)
	for _, a := range list {
		fmt.Fprintln(h, a.code, a.name)
		a.writeTo(h)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

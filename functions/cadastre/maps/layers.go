package maps

import (
	"errors"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"mappe/artefacts/rowschema"
	"mappe/shared/austria"
)

// layer is a styled layer, by its public name.
type layer string

// The layers from the lowest to the highest; they are those of the vector tiles. whole is all of them; over.go and
// themes.go have others.
const (
	landUse    layer = "landuse"
	footprints layer = "footprints"
	parcels    layer = "parcels"
	kgs        layer = "kg"
	labels     layer = "labels"
	whole      layer = "cadastre"
)

// described is what a layer says of itself, and from which zoom of the map page on it is drawn.
type described struct {
	layer           layer
	title, abstract string
	zoom            float64
	until           float64 // zoom from which nothing is seen of it; 0: none
}

// all are the layers in drawing order.
var all = []described{
	{landUse, "Land use", "Land-use areas (Nutzungen) in the colours of their nine classes.", 13, 0},
	{footprints, "Buildings", "Building footprints.", 14, 0},
	{parcels, "Parcels", "Boundaries of the parcels (Grundstücke).", 13, 0},
	{kgs, "Katastralgemeinden", "Outlines of the Katastralgemeinden.", 0, 0},
	{labels, "Parcel numbers", "Numbers of the parcels (Grundstücksnummern); one that would lie over another is left out.", 16, 0},
}

// describedAs is the description of one of the layers.
func (l layer) describedAs() described {
	for _, d := range listed() {
		if d.layer == l {
			return d
		}
	}
	return described{whole, "Cadastre", "All layers: land use, buildings, parcels, Katastralgemeinden and parcel numbers.", 0, 0}
}

func layerNames() []string {
	names := []string{string(whole)}
	for _, d := range listed() {
		names = append(names, string(d.layer))
	}
	return names
}

// maxLayers bounds the layers of one picture.
const maxLayers = 16

// parseLayers reads a comma list of layers, from the lowest on.
func parseLayers(text string) ([]layer, error) {
	var list []layer
	for name := range strings.SplitSeq(text, ",") {
		if !slices.Contains(layerNames(), name) || len(list) == maxLayers {
			return nil, errors.New("a comma list of at most " + strconv.Itoa(maxLayers) + " of " + strings.Join(layerNames(), ", "))
		}
		list = append(list, layer(name))
	}
	return list, nil
}

// drawn are the layers that a list stands for, each once.
func drawn(list []layer) (out []layer) {
	for _, l := range list {
		if l != whole {
			if !slices.Contains(out, l) {
				out = append(out, l)
			}
			continue
		}
		for _, d := range all {
			if !slices.Contains(out, d.layer) {
				out = append(out, d.layer)
			}
		}
	}
	return out
}

// style is the one style of each layer.
const style = "default"

// The colours that rowschema has no name for are those of the map page (localdev/server/web/src/palette.js, light); a test compares.
var (
	inkKG     = hex("#7d1d43")
	inkParcel = hex(rowschema.Parcels.Style().Line)
	inkHouse  = hex(rowschema.Footprints.Style().Line)
	house     = hex(rowschema.Footprints.Style().Fill)
	inkNumber = hex(rowschema.Labels.Style().Line)
	halo      = hex("#ffffff")
	ground    = hex(rowschema.LandUsePolygons.Style().Fill)
)

// class is a class of land use in the pictures.
type class struct {
	title  string
	colour color.NRGBA
}

// titles are the classes as the map page names them.
var titles = map[austria.LandUseClass]string{
	austria.ClassBuilding: "Building", austria.ClassBuiltUp: "Yards, gardens, commercial land",
	austria.ClassArable: "Fields, meadows, vineyards",
	austria.ClassGrass:  "Grassland, scrubland", austria.ClassForest: "Forest", austria.ClassWater: "Water",
	austria.ClassTraffic: "Traffic",
	austria.ClassAlpine:  "Alpine pasture", austria.ClassOther: "Rock, glacier, other",
}

// classes are the classes in their order; the index is that of austria.LandUseClass.
var classes = func() []class {
	out := make([]class, len(austria.AllLandUseClasses())+1)
	of := rowschema.LandUsePolygons.Style().Classes
	for i, c := range austria.AllLandUseClasses() {
		out[c] = class{titles[c], hex(of[i].Fill)}
	}
	return out
}()

// hex is the colour of #rrggbb.
func hex(text string) color.NRGBA {
	v, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 24)
	if err != nil {
		return color.NRGBA{}
	}
	return color.NRGBA{R: byte(v >> 16), G: byte(v >> 8), B: byte(v), A: 255}
}

// stops is a number that grows with the zoom of the map page, from stop to stop in a line.
type stops [][2]float64

func (s stops) at(zoom float64) float64 {
	for i := 1; i < len(s); i++ {
		if zoom < s[i][0] {
			a, b := s[i-1], s[i]
			return a[1] + (b[1]-a[1])*max(0, zoom-a[0])/(b[0]-a[0])
		}
	}
	return s[len(s)-1][1]
}

// Widths and sizes in pixels, as the map page has them.
var (
	parcelWidth = stops{{13, 0.2}, {16, 0.8}, {19, 1.6}}
	kgWidth     = stops{{9, 0.8}, {16, 2.5}}
	numberSize  = stops{{16, 11}, {19, 14}}
)

const (
	houseWidth = 0.6
	haloWidth  = 1.4
)

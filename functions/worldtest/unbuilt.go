package worldtest

import (
	"fmt"
	"slices"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// AddUnbuilt gives a register n more KGs without a snapshot, 10001 and on: of the state that the world lies in, beside each
// other far east of it, with outlines. With 7,845 of them it has the size of the country's.
func AddUnbuilt(n int) func(*register.Contents) {
	return func(c *register.Contents) {
		for i := range n {
			x, y := float64(100+3*(i%100)), float64(3*(i/100))
			outline := geom.MultiPolygon{{Rect(x, y, x+3, y+3)}}
			gemeinde := austria.GemeindeCode(fmt.Sprintf("3%02d%02d", 1+i/400, i/4%100))
			k := kgfile.KG{Code: austria.KGCode(fmt.Sprint(10_001 + i)), Name: fmt.Sprintf("Leerdorf %d", i), GemeindeCode: gemeinde,
				GemeindeName: "Gemeinde " + string(gemeinde),
				DistrictName: "Bezirk " + string(gemeinde.District()), Box: outline.Bounds()}
			c.KGs = append(c.KGs, register.KG{KG: k, DistrictCode: gemeinde.District(), Outline: outline, Centroid: k.Box.Center()})
		}
		slices.SortFunc(c.KGs, func(a, b register.KG) int { return strings.Compare(string(a.Code), string(b.Code)) })
	}
}

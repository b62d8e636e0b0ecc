package kg

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/builders/kg/tilecut"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// loose is a label as the survey office's number layer carries it: number, status and rotation.
func loose(gnr string, x, y int64) tilecut.Feature {
	f := labelAt(gnr, x, y)
	f.Attrs = f.Attrs[1:]
	return f
}

// foreign is a parcel of the neighbouring KG.
func foreign(gnr string, m ...geom.Polygon) tilecut.Feature {
	f := parcel(gnr, m...)
	f.Attrs = slices.Clone(f.Attrs)
	f.Attrs[0].Value = mvt.Uint(1005)
	return f
}

func TestLabelsWithoutAKGBelongWhereTheyLie(t *testing.T) {
	bare := parcel("", geom.Polygon{rect(0, 0, 600, 600)})
	bare.Attrs = bare.Attrs[:1] // kg alone
	fs := []tilecut.Feature{
		bare, parcel("2", geom.Polygon{rect(600, 0, 600, 600)}), parcel("3", geom.Polygon{rect(0, 600, 600, 600)}),
		foreign("2", geom.Polygon{rect(1200, 0, 600, 600)}), foreign("7", geom.Polygon{rect(1200, 600, 10, 10)}),
		loose("1", 300, 300),    // names the area without a number
		loose("2", 900, 300),    // stands in its parcel
		loose("3", 1100, 300),   // stands beside its parcel
		loose("2", 1500, 300),   // stands in the neighbour's parcel 2
		loose("5", 300, 900),    // of a parcel too small to be drawn
		loose("7", 590, 900),    // the neighbour's, beside its small parcel
		loose("9", 5000, 5000),  // in no parcel
		labelAt("3", 300, 1000), // one that names its KG
	}
	got, s, rep := assembleFeatures(t, fs, nil)
	if want := []austria.GNR{"1", "2", "3", "5"}; !slices.Equal(slices.Sorted(maps.Keys(got)), want) {
		t.Fatalf("want the parcels %v, got %v", want, slices.Sorted(maps.Keys(got)))
	}
	wantArea(t, got["1"], bare.Geometry)
	if !aPixel(got["5"]) || rep.Unnumbered != 0 || s.Build.SourceLabels != 4 || got["2"].Status != austria.StatusG {
		t.Errorf("%+v, %+v", got["5"], s.Build)
	}
	var at []string
	for _, l := range s.Labels {
		at = append(at, fmt.Sprint(l.GNR, " ", l.At == g15.Point(originX+1100, originY+300)))
	}
	if want := []string{"1 false", "2 false", "3 true", "3 false", "5 false"}; !slices.Equal(at, want) &&
		!slices.Equal(at, []string{"1 false", "2 false", "3 false", "3 true", "5 false"}) {
		t.Errorf("labels %v", at)
	}
}

// A KG whose parcels have no numbers but those of the number layer comes back whole.
func TestParcelsNumberedByLabelsOnly(t *testing.T) {
	w := tessellate(plan{seed: 5, grid: g15, x: originX + 3000, y: originY + 3000, cols: 18, rows: 17, cell: 300, jitter: 0.3, bends: 2})
	fs := w.features()
	for i := range fs {
		at, _ := fs[i].Geometry.Inside()
		number := fs[i].Attrs[1]
		fs[i].Attrs = slices.Delete(slices.Clone(fs[i].Attrs), 1, 2)
		fs = append(fs, tilecut.Feature{Layer: "gnr", At: at, Attrs: []mvt.Attr{number, {Key: "rstatus", Value: mvt.String("E")}}})
	}
	got, s, rep := assembleFeatures(t, fs, nil)
	if len(got) != 306 || rep.Unnumbered != 0 || s.Build.SourceLabels != 306 || len(s.Labels) != 306 {
		t.Errorf("%d parcels, %d unnumbered, %d labels of %d", len(got), rep.Unnumbered, len(s.Labels), s.Build.SourceLabels)
	}
	for gnr, p := range got {
		if p.Repairs != kgfile.RepairNoLabel {
			t.Errorf("parcel %s: repairs %b", gnr, p.Repairs)
		}
	}
}

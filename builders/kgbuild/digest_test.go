package kgbuild

import (
	"bytes"
	"math"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/shared/geo/geom"
)

func TestDigestRoundTripKeepsUnknownMetrics(t *testing.T) {
	want := Digest{
		Format: DigestFormat, Entry: manifest.Entry{Code: "01004", Parcels: 3},
		KG: kgfile.KG{Code: "01004", Name: "Probe", AvgNNDistanceM: math.NaN(), FootprintMedianAreaSqm: 12.5,
			MedianParcelAreaSqm: math.NaN(), AvgFAR: 0.25},
		Centroid: geom.Point{X: 1, Y: 2}, Outline: geom.MultiPolygon{{{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 0, Y: 1}}}},
		Extra: []tileName{{Tileset: "kataster"}}, ExtraSum: "aa",
	}
	b, err := manifest.Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := parseDigest(b)
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(got.KG.AvgNNDistanceM) || !math.IsNaN(got.KG.MedianParcelAreaSqm) || got.KG.FootprintMedianAreaSqm != 12.5 ||
		got.KG.AvgFAR != 0.25 {
		t.Errorf("metrics: got %+v", got.KG)
	}
	again, err := manifest.Encode(got)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b, again) {
		t.Errorf("want the same bytes:\n%s\n%s", b, again)
	}
}

func TestDigestOfAnotherFormatIsRefused(t *testing.T) {
	for _, s := range []string{`{"Format":2}`, `{}`, `[`} {
		if _, err := parseDigest([]byte(s)); err == nil {
			t.Errorf("%s: want an error", s)
		}
	}
}

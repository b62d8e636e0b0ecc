package spatial

import (
	"errors"
	"testing"

	"mappe/shared/austria"
	"mappe/shared/web/fault"
)

// Whatever the body, it is read or refused with a fault that the client can mend.
func FuzzBodies(f *testing.F) {
	for _, s := range []string{`{"points":[{"lon":15,"lat":48,"id":"a"}],"wait":true,"radius":5,"layers":["parcels"]}`,
		`{"ids":["88801-1","88801_fp_1"]}`, `["88801-1"]`,
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"id":1},"geometry":{"type":"Polygon","coordinates":[[[15,48],[15.1,48],[15.1,48.1],[15,48]]]}}],"layers":"buildings"}`,
		`{"polygons":[{"type":"MultiPolygon","coordinates":[[[[15,48],[15.1,48],[15.1,48.1],[15,48]]]]}]}`,
		`{"type":"Polygon","coordinates":[[[15,48],[15.002,48.002],[15.002,48],[15,48.002],[15,48]]]}`, `[[[[[`, `{"":`,
		"lon,lat,id\n15,48,a\n", "x;y\n15,0;48,0\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err1 := readContainBody(b)
		_, err2 := readPointsBody(b)
		p, err3 := readPolygonBody(b)
		m, err4 := readOneShape(b)
		_, err5 := readIDs(austria.ParseParcelID)(b)
		_, err6 := readIDs(austria.ParseFootprintID)(b)
		if err4 == nil && m.Empty() || err3 == nil && p.one.shape.Empty() && len(p.batch) == 0 {
			t.Fatalf("%q was read, but holds no polygon", b)
		}
		for _, err := range []error{err1, err2, err3, err4, err5, err6} {
			var fa *fault.Fault
			if err != nil && (!errors.As(err, &fa) || fa.Status() >= 500) {
				t.Fatalf("%q: %v", b, err)
			}
		}
	})
}

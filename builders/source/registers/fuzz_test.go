package registers

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"testing/fstest"
)

// FuzzRead reads registers of any bytes: what comes out is sorted, has codes and finite areas, and a second
// reading gives the same.
func FuzzRead(f *testing.F) {
	f.Add([]byte("kg_code,kg_name,gemeinde_code,gemeinde_name\n1004,Ullnau,30101,Tal\n"),
		[]byte("gemeinde_code,gemeinde_name,lon,lat\n30101,Tal,15.1,48.2\n"),
		[]byte("okz,ort_name,gemeinde_code,kg_code,lon,lat,plz\n1,Ort,30101,1004,15.1,48.2,3100 3101\n"),
		[]byte("kg_code,area_sqm,parcel_count\n1004,\"9,369\",12\n"))
	f.Add([]byte("\xef\xbb\xbfkg_code;kg_name;gemeinde_code;gemeinde_name\r\n01004;\"A\"\"B\";30101;\r\n"), []byte(nil),
		[]byte("okz,ort_name,gemeinde_code\n99999999,x,30101\n"), []byte("kg_code,area_sqm\n1004,1e309\n1004,NaN\n"))
	f.Fuzz(func(t *testing.T, kg, gemeinden, localities, areas []byte) {
		source := fstest.MapFS{
			"registers/kg.csv": {Data: kg}, "registers/gemeinden.csv": {Data: gemeinden}, "registers/districts.csv": {Data: gemeinden},
			"registers/ortschaften.csv": {Data: localities}, "registers/plz.csv": {Data: localities}, "registers/areas.csv": {Data: areas},
		}
		for _, drop := range []string{"", "registers/gemeinden.csv", "registers/districts.csv", "registers/ortschaften.csv",
			"registers/plz.csv"} {
			delete(source, drop) // the first that lacks a column ends the reading: the others shall be read too
			r, p, err := Read(source)
			again, q, err2 := Read(source)
			if (err == nil) != (err2 == nil) || p.Total != q.Total || len(again.KGs) != len(r.KGs) {
				t.Fatalf("read twice: %v and %v, %d and %d problems", err, err2, p.Total, q.Total)
			}
			if err != nil {
				continue
			}
			if !slices.IsSortedFunc(r.KGs, func(a, b KG) int { return cmp.Compare(a.Code, b.Code) }) {
				t.Fatal("KGs out of order")
			}
			for _, k := range r.KGs {
				if len(k.Code) != 5 || k.Name == "" || len(k.GemeindeCode) != 5 {
					t.Fatalf("%+v", k)
				}
			}
			for _, a := range r.Areas {
				if !(a.Sqm > 0) || math.IsInf(a.Sqm, 0) || a.ParcelCount < -1 {
					t.Fatalf("%+v", a)
				}
			}
		}
	})
}

package register

import (
	"encoding/hex"
	"sync/atomic"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

func eachDiff(d *column.Reader, n int, set func(i int, v int32)) {
	v := int64(0)
	for i, u := range column.Ints[uint64](d, n) {
		v += column.Unzig(u)
		set(i, int32(v))
	}
}

func eachPoint(d *column.Reader, n int, at func(i int) *geom.Point) {
	eachDiff(d, n, func(i int, v int32) { at(i).X = v })
	eachDiff(d, n, func(i int, v int32) { at(i).Y = v })
}

func readKGs(d *column.Reader, n int) []KG {
	k := make([]KG, n)
	d.EachText(n, func(i int, s string) { k[i].Code = austria.KGCode(s) })
	d.EachText(n, func(i int, s string) { k[i].Name = s })
	d.EachText(n, func(i int, s string) { k[i].GemeindeCode = austria.GemeindeCode(s) })
	d.EachText(n, func(i int, s string) { k[i].GemeindeName = s })
	d.EachText(n, func(i int, s string) { k[i].DistrictCode = austria.DistrictCode(s) })
	d.EachText(n, func(i int, s string) { k[i].DistrictName = s })
	eachDiff(d, n, func(i int, v int32) { k[i].Box.MinX = v })
	eachDiff(d, n, func(i int, v int32) { k[i].Box.MinY = v })
	eachDiff(d, n, func(i int, v int32) { k[i].Box.MaxX = v })
	eachDiff(d, n, func(i int, v int32) { k[i].Box.MaxY = v })
	eachPoint(d, n, func(i int) *geom.Point { return &k[i].Centroid })
	for _, c := range counts {
		for i, v := range column.Ints[uint32](d, n) {
			*c(&k[i]) = int(v)
		}
	}
	readClasses(d, k)
	readMetrics(d, k)
	readSnapshots(d, k)
	return k
}

func readTolerances(d *column.Reader, k []KG) {
	for i, q := range column.Ints[uint64](d, len(k)) {
		if q > 1 {
			k[i].ToleranceM = column.Value(q, perMetre)
		}
	}
}

func readProvenance(d *column.Reader, k []KG) {
	d.EachText(len(k), func(i int, s string) { k[i].Assembly = s })
	d.EachText(len(k), func(i int, s string) { k[i].Ingest = s })
}

func readSnapshots(d *column.Reader, k []KG) {
	n := len(k)
	d.EachText(n, func(i int, s string) { k[i].Snapshot.Date = s })
	for i, v := range column.Ints[uint64](d, n) {
		if v > column.MaxFile {
			d.Fail("KG %s: snapshot of %d bytes: at most %d are allowed", k[i].Code, v, column.MaxFile)
			return
		}
		k[i].Snapshot.Bytes = int64(v)
	}
	kind := column.Ints[uint8](d, n)
	odd := d.Text(d.Count(n))
	named := 0
	for _, t := range kind {
		if t > 0 {
			named++
		}
	}
	sums := d.Frame(32 * named)
	if d.Err != nil {
		return
	}
	var names []byte
	ends := make([]int, n)
	for i, t := range kind {
		if t > 0 {
			copy(k[i].Snapshot.SHA256[:], sums)
			sums = sums[32:]
		}
		switch {
		case t == 0:
		case t == 1:
			names = appendKey(names, &k[i])
		case t == 2 && len(odd) > 0:
			names = append(names, odd[0]...)
			odd = odd[1:]
		default:
			d.Fail("KG %s: key of kind %d", k[i].Code, t)
			return
		}
		ends[i] = len(names)
	}
	all, a := string(names), 0
	for i, e := range ends {
		k[i].Snapshot.Key = all[a:e]
		a = e
	}
}

// appendKey is usualKey without an allocation a row; a test holds the two equal.
func appendKey(b []byte, k *KG) []byte {
	b = append(append(b, "kg/"...), k.Code...)
	b = append(append(b, '/'), k.Code...)
	b = append(append(b, '-'), k.Snapshot.Date...)
	b = hex.AppendEncode(append(b, '-'), k.Snapshot.SHA256[:8])
	return append(b, ".kgs"...)
}

func readOutlines(d *column.Reader, n int) *outlines {
	total := d.Count(maxOutlines)
	o := &outlines{boxes: make([]geom.Box, n), done: make([]atomic.Pointer[geom.MultiPolygon], n)}
	o.end = column.Ends(d, column.Ints[uint32](d, n), total)
	b := column.Ints[uint32](d, 4*n)
	for i := range o.boxes {
		o.boxes[i] = geom.Box{MinX: int32(b[4*i]), MinY: int32(b[4*i+1]), MaxX: int32(b[4*i+2]), MaxY: int32(b[4*i+3])}
	}
	o.packed = d.Plain(total)
	return o
}

func readMunicipalities(d *column.Reader, n int) []Municipality {
	m := make([]Municipality, n)
	d.EachText(n, func(i int, s string) { m[i].Code = austria.GemeindeCode(s) })
	d.EachText(n, func(i int, s string) { m[i].Name = s })
	d.EachText(n, func(i int, s string) { m[i].DistrictCode = austria.DistrictCode(s) })
	d.EachText(n, func(i int, s string) { m[i].DistrictName = s })
	eachPoint(d, n, func(i int) *geom.Point { return &m[i].At })
	return m
}

func readDistricts(d *column.Reader, n int) []District {
	b := make([]District, n)
	d.EachText(n, func(i int, s string) { b[i].Code = austria.DistrictCode(s) })
	d.EachText(n, func(i int, s string) { b[i].Name = s })
	d.EachText(n, func(i int, s string) { b[i].State = austria.StateCode(s) })
	return b
}

func readLocalities(d *column.Reader, n int) []Locality {
	l := make([]Locality, n)
	eachDiff(d, n, func(i int, v int32) { l[i].OKZ = uint32(v) })
	d.EachText(n, func(i int, s string) { l[i].Name = s })
	d.EachText(n, func(i int, s string) { l[i].GemeindeCode = austria.GemeindeCode(s) })
	d.EachText(n, func(i int, s string) { l[i].GemeindeName = s })
	d.EachText(n, func(i int, s string) { l[i].KG = austria.KGCode(s) })
	eachPoint(d, n, func(i int) *geom.Point { return &l[i].At })
	sizes := column.Ints[uint32](d, n)
	total := d.List()
	end := column.Ends(d, sizes, total)
	all := make([]austria.PLZ, total)
	d.EachText(total, func(i int, s string) { all[i] = austria.PLZ(s) })
	if d.Err != nil {
		return l
	}
	a := uint32(0)
	for i, e := range end {
		if a < e {
			l[i].PLZ = all[a:e:e]
		}
		a = e
	}
	return l
}

func readPLZ(d *column.Reader, n int) []PostalPlace {
	p := make([]PostalPlace, n)
	d.EachText(n, func(i int, s string) { p[i].PLZ = austria.PLZ(s) })
	d.EachText(n, func(i int, s string) { p[i].Place = s })
	d.EachText(n, func(i int, s string) { p[i].GemeindeCode = austria.GemeindeCode(s) })
	return p
}

func readClasses(d *column.Reader, k []KG) {
	for i, v := range column.Ints[uint8](d, len(k)) {
		k[i].Typology = kgfile.Typology(v)
	}
	for i, v := range column.Ints[uint8](d, len(k)) {
		k[i].DominantLandUse = austria.LandUse(v)
	}
}

// readMetrics goes through the metrics column by column, as they are stored.
func readMetrics(d *column.Reader, k []KG) {
	for _, m := range kgfile.AllMetrics() {
		for i, q := range column.Ints[uint64](d, len(k)) {
			*m.Of(&k[i].KG) = column.Value(q, m.Per)
		}
	}
}

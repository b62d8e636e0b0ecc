package demo

import (
	"encoding/binary"
	"os"
	"testing"

	"mappe/artefacts/ne"
	"mappe/builders/source/observations"
	tables "mappe/builders/source/table"
	"mappe/shared/geo/hexgrid"
)

// The peer's file is read without a problem and covers its two KGs with values of the scale.
func TestObservationsAreRead(t *testing.T) {
	var p tables.Problems
	chunks := map[hexgrid.Cell]bool{}
	l, err := observations.Read(os.DirFS(sourceDir(t)), func(chunk hexgrid.Cell) func(hexgrid.Cell) bool {
		chunks[chunk] = true
		return func(hexgrid.Cell) bool { return true }
	}, &p)
	if err != nil || p.Total > 0 || !*l.Released {
		t.Fatal(err, p.First)
	}
	area := map[string]float64{}
	for _, k := range readTruth(t).PerKG {
		area[k.Code] = k.AreaSqm
	}
	if want := (area[observedKGs[0]] + area[observedKGs[1]]) / 307; float64(l.Header.Rows) < 0.95*want ||
		float64(l.Header.Rows) > 1.05*want {
		t.Errorf("%d cells, two KGs have about %.0f", l.Header.Rows, want)
	}
	sum, n := 0, 0
	var rows []byte
	for c := range chunks {
		b, err := l.Below(c)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, b...)
	}
	for ; len(rows) > 0; rows = rows[l.RecordBytes:] {
		v := int(binary.LittleEndian.Uint16(rows[8:]))
		if v > 1000 || rows[10] < 3 || rows[10] > 12 || ne.CellOf(rows).Resolution() != ne.LURes {
			t.Fatalf("cell %s: %d in %d pictures", ne.CellOf(rows), v, rows[10])
		}
		sum, n = sum+v, n+1
	}
	if n != l.Header.Rows || sum/n < 300 || sum/n > 900 {
		t.Errorf("%d rows with a mean of %d", n, sum/max(n, 1))
	}
}

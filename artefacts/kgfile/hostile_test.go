package kgfile

import (
	"encoding/binary"
	"slices"
	"testing"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/internal/column/columntest"
	"mappe/shared/geo/geom"
)

const padding = 400_000

// with gives a file of one parcel whose named section has another body.
func with(t *testing.T, name string, body []byte) []byte {
	t.Helper()
	b, err := Encode(&Snapshot{Parcels: []Parcel{{Geometry: geom.MultiPolygon{{{{X: 1, Y: 1}, {X: 2, Y: 1}, {X: 2, Y: 2}}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	secs, err := format.Disassemble(b)
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(secs, func(s column.Section) bool { return s.Name == name })
	secs[k].Body = append(body, make([]byte, padding)...)
	secs[k].Raw = 1<<20 + 64*padding // the most a section may declare
	if b, err = format.Assemble(secs); err != nil {
		t.Fatal(err)
	}
	return b
}

// Columns of width 0 take no bytes: a file of some hundred bytes could ask for gigabytes with them.
func TestColumnsWithoutBytesAskForNoMemory(t *testing.T) {
	uv := binary.AppendUvarint
	for _, n := range []uint64{1 << 20, 25_000_000, 1 << 27, 1 << 40} {
		counts := append(uv([]byte{0}, n), make([]byte, 8)...) // dominant use, then symbol counts
		var sum []byte                                         // one row that claims all entries
		for k := range 4 {
			sum = append(sum, 2, byte(n>>(8*k)))
		}
		claimed := append(append(uv([]byte{0}, n), 4), append(sum, make([]byte, 8)...)...)
		areas := append(uv([]byte{0, 0, 0, 0, 0}, n), make([]byte, 8)...)
		shapes := make([]byte, 0, 40)
		for range 6 {
			shapes = uv(shapes, n)
		}
		folios := append(uv([]byte{0, 0, 0}, n), make([]byte, 16)...)
		for _, c := range []struct {
			name string
			body []byte
		}{
			{"puse", counts}, {"puse", claimed}, {"puse", areas}, {"foli", folios},
			{"pgeo", append(shapes, make([]byte, 8)...)}, {"foot", append(shapes, make([]byte, 8)...)},
			{"luse", append(shapes, make([]byte, 8)...)}, {"outl", append(shapes, make([]byte, 8)...)},
		} {
			b := with(t, c.name, c.body)
			columntest.Bounded(t, len(b), func() {
				f, err := Open(b)
				if err == nil {
					_, err = f.Snapshot()
				}
				if err == nil {
					t.Errorf("section %q with %d entries in %d bytes was read", c.name, n, len(b))
				}
			})
		}
	}
}

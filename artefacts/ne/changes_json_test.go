package ne

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// plain are changes by encoding/json alone.
func plain(tb testing.TB, c *Changes) []byte {
	tb.Helper()
	c.Format = 1
	b, err := json.Marshal(c)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// What is written and read by hand is what encoding/json writes and reads.
func TestChangesByHand(t *testing.T) {
	_, list := randomKGs(t, rand.New(rand.NewPCG(7, 7)))
	list = append(list, &Changes{KG: "99101", Cells: []Change{}})
	odd := *list[0]
	odd.Cells = append([]Change{}, odd.Cells...)
	odd.Cells[0].Since = "a \"date\" <1>\u2028" // left to encoding/json
	for _, c := range append(list, &odd) {
		got, err := c.Encode()
		if want := plain(t, c); err != nil || string(got) != string(want) {
			t.Fatalf("got %s, %v\nwant %s", got, err, want)
		}
		back, err := ParseChanges(got)
		if err != nil || !reflect.DeepEqual(back, c) {
			t.Fatalf("%s reads as %v, %v", got, back, err)
		}
	}
	if _, ok := readChanges(plain(t, &odd)); ok {
		t.Error("a text with marks was read by hand")
	}
}

// The cells alone are those of the changes, in whatever form these are and however many were said to be there.
func TestChangedCells(t *testing.T) {
	_, list := randomKGs(t, rand.New(rand.NewPCG(7, 9)))
	for _, c := range append(list, &Changes{KG: "99101", Cells: []Change{}}) {
		want := c.Changed()
		b := plain(t, c)
		var other bytes.Buffer
		if err := json.Indent(&other, b, "", " "); err != nil {
			t.Fatal(err)
		}
		for _, body := range [][]byte{b, other.Bytes()} {
			for _, said := range []int{len(c.Cells), len(c.Cells) + 1, 0, -1} {
				if got, err := ChangedCells(body, said); err != nil || !slices.Equal(got, want) {
					t.Fatalf("%d changes, %d said: want %v, got %v, %v", len(c.Cells), said, want, got, err)
				}
			}
		}
		if got, err := ChangedCells(b[:len(b)-20], len(c.Cells)+1); err == nil {
			t.Errorf("half of the changes read as %v", got)
		}
	}
}

// FuzzChangesByHand: what is read by hand, encoding/json reads as the same.
func FuzzChangesByHand(f *testing.F) {
	_, list := randomKGs(f, rand.New(rand.NewPCG(7, 7)))
	for _, c := range list[:2] {
		c.Cells = c.Cells[:min(2, len(c.Cells))]
		f.Add(plain(f, c))
	}
	f.Add([]byte(`{"format":1,"kg_code":"","cells":[]}`))
	f.Add([]byte(`{"format":1,"kg_code":"99101","cells":[,]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, ok := readChanges(b)
		if !ok {
			return
		}
		want := &Changes{}
		if err := json.Unmarshal(b, want); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s reads as %v, by encoding/json as %v, %v", b, got, want, err)
		}
	})
}

// BenchmarkSumsOfChanges reads and adds up the changes of a KG whose ground was drawn anew, 2,401 cells of it.
func BenchmarkSumsOfChanges(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 7))
	c := &Changes{KG: "10001"}
	for _, cell := range someCells(b, 2401) {
		c.Cells = append(c.Cells, randomChange(r, cell, 255, Candidate))
	}
	body := plain(b, c)
	b.ReportAllocs()
	for b.Loop() {
		back, err := ParseChanges(body)
		if err != nil {
			b.Fatal(err)
		}
		var noted Noted
		noted.Note(back.Changed())
		sums := noted.Sums()
		sums.Add(sums.Part(PlacedKG{Code: "10001", Gemeinde: "10101", District: "101"}, Sum{}, back))
		if _, err := sums.Sections(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(c.Cells)), "ns/cell")
}

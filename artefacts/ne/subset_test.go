package ne

import (
	"slices"
	"testing"

	"mappe/shared/austria"
)

// A subset that has every layer is the container; one of none is a container without rows.
func TestSubset(t *testing.T) {
	lu, k := someChunks(t, 3, 4)
	body := container(t, nil, lu, k)
	h, err := ParseFront(body, int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		layers   []Layer
		sections int
	}{"all": {AllLayers(), 2}, "none": {nil, 0}, "one that is not there": {[]Layer{Obs}, 0}, "the second": {[]Layer{Bev}, 1}} {
		front, pieces, err := h.Subset(c.layers)
		if err != nil {
			t.Fatal(err)
		}
		out := front
		for _, p := range pieces {
			out = append(out, body[p.Offset:p.Offset+p.Length]...)
		}
		sub, err := ParseFront(out, int64(len(out)))
		if err != nil || len(sub.Sections) != c.sections {
			t.Errorf("%s: %v, %d sections", name, err, len(sub.Sections))
		}
		if name == "all" && string(out) != string(body) {
			t.Error("the subset of all layers is another container")
		}
		if name == "the second" && (sub.Sections[0].Offset != 0 || sub.Generation == h.Generation) {
			t.Errorf("%+v", sub)
		}
	}
}

// Subsets of containers of every format are containers of that format, with their own generation.
func TestSubsetsOfEveryFormat(t *testing.T) {
	dict := frozen(t, "v1.zdict")
	for _, name := range []string{"v1.ne", "v1-plain.ne", "v2.ne", "v2-plain.ne"} {
		body := frozen(t, name)
		h, err := ParseFront(body, int64(len(body)))
		if err != nil {
			t.Fatal(err)
		}
		for _, layers := range [][]Layer{AllLayers(), {Bev}, nil} {
			out, pieces, err := h.Subset(layers)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range pieces {
				out = append(out, body[p.Offset:p.Offset+p.Length]...)
			}
			sub, err := Verify(out, func(string) ([]byte, error) { return dict, nil })
			if err != nil || sub.Format != h.Format || sub.KG != h.KG || (sub.Generation == h.Generation) != (len(layers) > 1) {
				t.Errorf("layers %v of %s: %+v, %v", layers, name, sub, err)
			}
		}
	}
}

// The neighbours that were not there stand in the front; a container without any says so by an empty list.
func TestPendingNeighbours(t *testing.T) {
	lu, k := someChunks(t, 1, 4)
	p, err := NewPacker(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [][]austria.KGCode{nil, {"99102", "99103"}} {
		b, err := Encode(Header{KG: "99101", Stichtag: "2026-10-01", Pending: want}, []Rows{lu, k}, p)
		if err != nil {
			t.Fatal(err)
		}
		h, err := ParseFront(b, int64(len(b)))
		if err != nil || h.Pending == nil || !slices.Equal(h.Pending, want) {
			t.Errorf("want %v, got %v, %v", want, h.Pending, err)
		}
	}
}

package ne

import "testing"

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

package tiles

import (
	"bytes"
	"testing"

	"mappe/artefacts/pmt"
	"mappe/shared/austria"
	"mappe/shared/geo/mvt"
)

// stripe are five KGs side by side, each sharing tiles with its neighbours; the middle one as it was and as it is.
func stripe(t *testing.T) (was, is []*pmt.Archive) {
	for i, kg := range []string{"99901", "99902", "99903", "99904", "99905"} {
		a := openArchive(t, build(t, patchwork(austria.KGCode(kg), 20*i, 20), Options{}))
		was, is = append(was, a), append(is, a)
	}
	is[2] = openArchive(t, build(t, patchwork("99903", 40, 19), Options{}))
	return was, is
}

// What is merged over an earlier archive has the bytes of a merging from nothing: after a KG has changed, was added, has gone.
func TestMergeOverAnEarlierOne(t *testing.T) {
	was, is := stripe(t)
	for name, c := range map[string]struct {
		was, is   []*pmt.Archive
		new, gone []int // of is, of was
	}{
		"changed": {was, is, []int{2}, []int{2}},
		"added":   {append(was[:2:2], was[3:]...), was, []int{2}, nil},
		"gone":    {was, append(was[:2:2], was[3:]...), nil, []int{2}},
		"same":    {was, was, nil, nil},
	} {
		merged, err := mergeOver(c.was, nil)
		if err != nil {
			t.Fatal(err)
		}
		e := &Earlier{Merged: openArchive(t, merged), New: map[*pmt.Archive]bool{}}
		for _, i := range c.new {
			e.New[c.is[i]] = true
		}
		for _, i := range c.gone {
			e.Gone = append(e.Gone, c.was[i])
		}
		want, err := mergeOver(c.is, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := mergeOver(c.is, e); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes over an earlier archive, %d from nothing (%v)", name, len(got), len(want), err)
		}
	}
}

// marked is an archive with the joined tiles of another, each with one more layer.
func marked(t *testing.T, merged []byte, mark func(pmt.Entry) bool) []byte {
	var out []pmt.Tile
	zip := newEncoder()
	a := openArchive(t, merged)
	for e, c := range a.All() {
		if c.Err != nil {
			t.Fatal(c.Err)
		}
		content := c.Bytes
		if mark(e) {
			tile, err := mvt.Decode(content, mvt.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			l := mvt.NewLayer("mark", Extent)
			l.Add(mvt.Feature{Type: mvt.Points, Parts: [][]mvt.Point{{{X: 1, Y: 2}}}})
			tile.Layers = append(tile.Layers, l.Layer())
			raw, err := mvt.Encode(*tile)
			if err == nil {
				content, err = zip.pack(raw)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for k := range uint64(e.Run) {
			out = append(out, pmt.Tile{ID: e.ID + k, Content: bytes.Clone(content)})
		}
	}
	b, err := pmt.Encode(pmt.Options{Type: pmt.MVT, TileCompression: pmt.Gzip, Metadata: Metadata{}}, out)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// holders counts the archives that have a tile.
func holders(t *testing.T, archives []*pmt.Archive, at pmt.ZXY) (n int) {
	for _, a := range archives {
		if _, err := a.Tile(at); err == nil {
			n++
		}
	}
	return n
}

// Taken over is what several unchanged archives have, and nothing that a changed one has or had a part in. The earlier archive
// is marked, so that it shows in the result what came from there.
func TestWhatIsTakenOver(t *testing.T) {
	was, is := stripe(t)
	merged, err := mergeOver(was, nil)
	if err != nil {
		t.Fatal(err)
	}
	earlier := &Earlier{Merged: openArchive(t, marked(t, merged, func(pmt.Entry) bool { return true })),
		New: map[*pmt.Archive]bool{is[2]: true}, Gone: was[2:3]}
	got, err := mergeOver(is, earlier)
	if err != nil {
		t.Fatal(err)
	}
	taken, fresh := 0, 0
	for at, tile := range decode(t, got) {
		all := holders(t, is, at)
		changed := holders(t, is[2:3], at) + holders(t, was[2:3], at)
		mark := tile.Layer("mark") != nil
		if want := all > 1 && changed == 0; mark != want {
			t.Errorf("%v, of %d archives, %d of them changed: taken over %v, want %v", at, all, changed, mark, want)
		}
		if mark {
			taken++
		} else if all > 1 {
			fresh++
		}
	}
	if taken < 3 || fresh < 3 {
		t.Errorf("%d tiles were taken over and %d joined: too few to tell", taken, fresh)
	}
}

// A damaged earlier archive changes no byte of the result.
func TestADamagedEarlierArchive(t *testing.T) {
	was, is := stripe(t)
	merged, err := mergeOver(was, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := mergeOver(is, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole := openArchive(t, merged)
	for at := int(whole.Header.Tiles.Offset) + 30; at < len(merged); at += len(merged) / 8 {
		hurt := bytes.Clone(merged)
		hurt[at] ^= 0x10
		e := &Earlier{Merged: openArchive(t, hurt), New: map[*pmt.Archive]bool{is[2]: true}, Gone: was[2:3]}
		if got, err := mergeOver(is, e); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("a bit turned at %d: %d bytes, want %d (%v)", at, len(got), len(want), err)
		}
	}
}

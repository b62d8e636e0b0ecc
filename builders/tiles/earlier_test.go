package tiles

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"testing"

	"mappe/artefacts/pmt"
	"mappe/infra/oracles"
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
		for _, e.Near = range []*Near{nil, inPlace(t, merged)} {
			if got, err := mergeOver(c.is, e); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes over an earlier archive, %d from nothing (%v)", name, len(got), len(want), err)
			}
		}
	}
}

// inPlace is an archive in memory with its sum.
func inPlace(t *testing.T, b []byte) *Near {
	sum := sha256.Sum256(b)
	return &Near{Context: t.Context(), From: bytes.NewReader(b), Size: int64(len(b)), SHA256: hex.EncodeToString(sum[:])}
}

// pool are tiles with few contents, so that equal ones are many: each is a point in a layer.
func pool(t *testing.T, n int) (list [][]byte) {
	zip := newEncoder()
	for i := range n {
		l := mvt.NewLayer("points", Extent)
		l.Add(mvt.Feature{Type: mvt.Points, Parts: [][]mvt.Point{{{X: int32(i), Y: 2}}}})
		raw, err := mvt.Encode(mvt.Tile{Layers: []mvt.Layer{l.Layer()}})
		if err != nil {
			t.Fatal(err)
		}
		b, err := zip.pack(raw)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, bytes.Clone(b))
	}
	return list
}

// drawnFrom is an archive of some tiles with contents of a pool.
func drawnFrom(t *testing.T, rnd *rand.Rand, pool [][]byte) *pmt.Archive {
	var list []pmt.Tile
	for id := range uint64(60) {
		if rnd.IntN(4) == 0 {
			list = append(list, pmt.Tile{ID: 1000 + id, Content: pool[rnd.IntN(len(pool))]})
		}
	}
	list = append(list, pmt.Tile{ID: 1060, Content: pool[0]})
	b, err := pmt.Encode(pmt.Options{Type: pmt.MVT, TileCompression: pmt.Gzip, Metadata: Metadata{}}, list)
	if err != nil {
		t.Fatal(err)
	}
	return openArchive(t, b)
}

// Where tiles are equal, new ones to old ones that come before and behind them or are gone, each content stands once as it does
// in a merging from nothing.
func TestEqualTilesOverAnEarlierOne(t *testing.T) {
	rnd := rand.New(rand.NewPCG(27, 1))
	for round := range oracles.Rounds(t, 60) {
		contents := pool(t, 1+rnd.IntN(12))
		was := make([]*pmt.Archive, 2+rnd.IntN(5))
		for i := range was {
			was[i] = drawnFrom(t, rnd, contents)
		}
		merged, err := mergeOver(was, nil)
		if err != nil {
			t.Fatal(err)
		}
		e := &Earlier{Merged: openArchive(t, merged), New: map[*pmt.Archive]bool{}, Near: inPlace(t, merged)}
		var is []*pmt.Archive
		for i, a := range was {
			if rnd.IntN(3) > 0 {
				is = append(is, a)
				continue
			}
			if e.Gone = append(e.Gone, a); i == 0 || rnd.IntN(2) > 0 {
				a = drawnFrom(t, rnd, contents)
				is, e.New[a] = append(is, a), true
			}
		}
		want, err := mergeOver(is, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := mergeOver(is, e); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("round %d: %d bytes over an earlier archive, %d from nothing (%v)", round, len(got), len(want), err)
		}
	}
}

// A reader whose time is over ends a merging; it is no damage.
func TestAStoppedReadingEndsTheMerging(t *testing.T) {
	was, is := stripe(t)
	merged, err := mergeOver(was, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := &Earlier{Merged: openArchive(t, merged), New: map[*pmt.Archive]bool{is[2]: true}, Gone: was[2:3], Near: inPlace(t, merged)}
	var stop func()
	e.Near.Context, stop = context.WithCancel(t.Context())
	stop()
	if _, err := mergeOver(is, e); !errors.Is(err, context.Canceled) {
		t.Errorf("want that the run was stopped, got %v", err)
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

// Taken over is what several unchanged archives have, of a near one all that unchanged ones have, and nothing that a changed
// one has or had a part in. The earlier archive
// is marked, so that it shows in the result what came from there.
func TestWhatIsTakenOver(t *testing.T) {
	was, is := stripe(t)
	merged, err := mergeOver(was, nil)
	if err != nil {
		t.Fatal(err)
	}
	markedBytes := marked(t, merged, func(pmt.Entry) bool { return true })
	earlier := &Earlier{Merged: openArchive(t, markedBytes),
		New: map[*pmt.Archive]bool{is[2]: true}, Gone: was[2:3]}
	for _, whole := range []bool{false, true} {
		if whole {
			earlier.Near = inPlace(t, markedBytes)
		}
		got, err := mergeOver(is, earlier)
		if err != nil {
			t.Fatal(err)
		}
		taken, fresh := 0, 0
		for at, tile := range decode(t, got) {
			all := holders(t, is, at)
			changed := holders(t, is[2:3], at) + holders(t, was[2:3], at)
			mark := tile.Layer("mark") != nil
			if want := changed == 0 && (whole || all > 1); mark != want {
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
		if at%2 == 0 {
			e.Near = inPlace(t, merged)
			e.Near.From = bytes.NewReader(hurt)
		}
		if got, err := mergeOver(is, e); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("a bit turned at %d: %d bytes, want %d (%v)", at, len(got), len(want), err)
		}
	}
}

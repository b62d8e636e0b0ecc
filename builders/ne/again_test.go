package ne

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// thirds are three KGs beside each other.
func thirds(s *kgfile.Snapshot) []*kgfile.Snapshot {
	w := (s.KG.Box.MaxX - s.KG.Box.MinX) / 3
	var out []*kgfile.Snapshot
	for i, code := range []austria.KGCode{"99101", "99102", "99103"} {
		from := s.KG.Box.MinX + int32(i)*w
		k := half(s, code, func(p geom.Point) bool { return p.X >= from && (p.X < from+w || i == 2) })
		k.KG.Box, k.KG.GemeindeCode = k.Outline.Bounds(), austria.GemeindeCode(code)
		out = append(out, k)
	}
	return out
}

// edited is a KG of which one thing is another.
func edited(r *rand.Rand, s *kgfile.Snapshot) *kgfile.Snapshot {
	c := *s
	c.Parcels, c.LandUse, c.Footprints = slices.Clone(s.Parcels), slices.Clone(s.LandUse), slices.Clone(s.Footprints)
	i := r.IntN(len(c.Parcels))
	p := &c.Parcels[i]
	switch r.IntN(9) {
	case 0:
		p.EZ = 1
	case 1:
		p.Status = austria.StatusE + austria.StatusG - max(p.Status, austria.StatusE)
	case 2:
		c.Parcels = slices.Delete(c.Parcels, i, i+1)
	case 3:
		u := &c.LandUse[r.IntN(len(c.LandUse))]
		u.NS = map[bool]austria.LandUse{true: 48, false: 83}[u.NS == 83]
	case 4:
		c.LandUse = slices.Delete(c.LandUse, 0, 1)
	case 5:
		p.Geometry = moved(p.Geometry)
	case 6:
		u := &c.LandUse[r.IntN(len(c.LandUse))]
		u.Geometry = moved(u.Geometry)
	case 7:
		p.AreaSqm += 900
	default:
		if len(c.Footprints) > 0 {
			n := r.IntN(len(c.Footprints))
			c.Footprints = slices.Delete(c.Footprints, n, n+1)
		}
	}
	c.Folios = kgfile.Folios(c.Parcels)
	c.KG.ParcelCount, c.KG.FootprintCount, c.KG.LandUseCount = len(c.Parcels), len(c.Footprints), len(c.LandUse)
	return &c
}

// moved lies some metres to the east.
func moved(m geom.MultiPolygon) (out geom.MultiPolygon) {
	for _, p := range m {
		var q geom.Polygon
		for _, r := range p {
			ring := slices.Clone(r)
			for i := range ring {
				ring[i].X += 500
			}
			q = append(q, ring)
		}
		out = append(out, q)
	}
	return out
}

// What is taken over of the pass before gives the bytes that counting all chunks gives, over passes in which something
// changes in a KG, beside it, in several, in none, and in which a neighbour comes and goes.
func TestChunksAreTakenOver(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 27))
	now := thirds(kgtest.Snapshot(kgtest.Options{Code: "99101", Parcels: 180, Segments: 2, AreaKm2: 0.36, Seed: 5}))
	p := &publishes{t: t, st: mem.New(), live: manifest.Artefacts{}}
	dates := []string{"2024-10-01", "2025-04-01", "2025-10-01"}
	var gone *kgfile.Snapshot
	for n := range 14 {
		list := slices.Clone(now)
		switch {
		case n == 5:
			gone, now = now[2], now[:2:2]
			list = now
		case n == 7:
			now = append(now, gone)
			list = now
		case n > 0:
			for range r.IntN(4) {
				i := r.IntN(len(now))
				now[i] = edited(r, now[i])
			}
			list = now
		}
		live, kgs := p.live, p.kgs
		if _, err := p.pass(dates[min(n/4, 2)], list...); err != nil {
			t.Fatal(n, err)
		}
		p.sameWhenAllIsCounted(live, kgs)
	}
}

// A KG keeps its container, and the date of it, at a later date at which something changed beside it that its cells do not
// show.
func TestWhatItsCellsDoNotShow(t *testing.T) {
	now := thirds(kgtest.Snapshot(kgtest.Options{Code: "99101", Parcels: 180, Segments: 2, AreaKm2: 0.36, Seed: 5}))
	p := &publishes{t: t, st: mem.New(), live: manifest.Artefacts{}}
	first, err := p.pass("2024-10-01", now...)
	if err != nil {
		t.Fatal(err)
	}
	was := first.KGs
	live, kgs := p.live, p.kgs
	renumbered := *now[1]
	renumbered.Parcels = slices.Clone(now[1].Parcels)
	renumbered.Parcels[0].GNR = "9999/9"
	next, err := p.pass("2025-04-01", now[0], &renumbered, now[2])
	if err != nil {
		t.Fatal(err)
	}
	p.sameWhenAllIsCounted(live, kgs)
	for _, i := range []int{0, 2} {
		k := next.KGs[i]
		if k.Inputs == was[i].Inputs || k.Key != was[i].Key || k.Stichtag != "2024-10-01" || k.Generation != was[i].Generation {
			t.Errorf("KG %s: got %+v, before %+v", k.Code, k, was[i])
		}
	}
	again, err := p.pass("2025-10-01", now[0], &renumbered, now[2])
	if err != nil || !reflect.DeepEqual(again.KGs, next.KGs) {
		t.Errorf("the same again: got %+v, want %+v, %v", again.KGs, next.KGs, err)
	}
	kept := &kept{lu: map[hexgrid.Cell][]byte{1: {1}}, bev: map[hexgrid.Cell][]byte{2: {2}}}
	lu, bev := ne.Rows{Layer: ne.LU, Chunks: []ne.ChunkRows{{Cell: 1, Rows: []byte{1}}}}, ne.Rows{Layer: ne.Bev,
		Chunks: []ne.ChunkRows{{Cell: 2, Rows: []byte{2}}}}
	if !kept.same([]ne.Rows{lu, bev}) {
		t.Error("the same rows differ")
	}
	for what, other := range map[string][]ne.Rows{
		"another row":     {{Layer: ne.LU, Chunks: []ne.ChunkRows{{Cell: 1, Rows: []byte{9}}}}, bev},
		"another chunk":   {{Layer: ne.LU, Chunks: []ne.ChunkRows{{Cell: 3, Rows: []byte{1}}}}, bev},
		"a chunk more":    {{Layer: ne.LU, Chunks: append(lu.Chunks[:1:1], ne.ChunkRows{Cell: 4, Rows: []byte{1}})}, bev},
		"a chunk less":    {{Layer: ne.LU}, bev},
		"another K row":   {lu, {Layer: ne.Bev, Chunks: []ne.ChunkRows{{Cell: 2, Rows: []byte{9}}}}},
		"a chunk of both": {lu, {Layer: ne.Bev, Chunks: append(bev.Chunks[:1:1], ne.ChunkRows{Cell: 1, Rows: []byte{1}})}},
	} {
		if kept.same(other) {
			t.Errorf("%s is taken for the same", what)
		}
	}
}

// sameWhenAllIsCounted counts all chunks over the same served artefacts: of the country, and of its KGs.
func (p *publishes) sameWhenAllIsCounted(live manifest.Artefacts, kgs map[austria.KGCode]manifest.Artefacts) {
	p.t.Helper()
	whole := *p.last
	whole.Live, whole.Was, whole.Made, whole.KGs = live, nil, maps.Clone(p.last.Made), slices.Clone(p.last.KGs)
	for i := range whole.KGs {
		whole.KGs[i].Made, whole.KGs[i].Entry.Artefacts = nil, kgs[whole.KGs[i].Entry.Code]
	}
	if o, err := makeCells(p.t.Context(), &whole, nil); err != nil || o != p.live[ne.Artefact] {
		p.t.Fatalf("the list is %+v, with all chunks counted %+v, %v", p.live[ne.Artefact], o, err)
	}
	for i := range whole.KGs {
		if got, want := p.last.KGs[i].Made, whole.KGs[i].Made; !maps.Equal(got, want) {
			p.t.Errorf("%s: KG %s: got %v, with all chunks counted %v", whole.KGs[i].Entry.Stichtag, whole.KGs[i].Entry.Code, got, want)
		}
	}
}

// One parcel with another folio: the chunks near it are counted again, in its KG and in the one beside it.
func TestFewChunksAreTouched(t *testing.T) {
	first := thirds(kgtest.Snapshot(kgtest.Options{Code: "99101", Parcels: 90, Segments: 2, AreaKm2: 2, Seed: 5}))
	second := slices.Clone(first)
	parcels := slices.Clone(first[0].Parcels)
	parcels[0].EZ += 1000
	c := *first[0]
	c.Parcels, c.Folios = parcels, kgfile.Folios(parcels)
	second[0] = &c
	p := &publishes{t: t, st: mem.New(), live: manifest.Artefacts{}}
	for _, list := range [][]*kgfile.Snapshot{first, second} {
		if _, err := p.pass("2024-10-01", list...); err != nil {
			t.Fatal(err)
		}
	}
	q := pass{c: p.last}
	var err error
	if q.was, err = served(t.Context(), p.st, p.last.Live); err != nil {
		t.Fatal(err)
	}
	for i := range q.c.KGs {
		k := &q.c.KGs[i]
		w := &work{KG: k, near: q.neighbours(k), was: q.was.Find(k.Entry.Code)}
		if w.served, err = q.read(t.Context(), w.was); err != nil {
			t.Fatal(err)
		}
		var files []*kgfile.File
		for _, n := range append([]*stage.KG{k}, w.near...) {
			f, err := q.c.Open(t.Context(), n)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		b := q.before(t.Context(), w, files)
		if b == nil {
			t.Fatalf("KG %s: nothing is known of what was before", k.Entry.Code)
		}
		chunks, err := chunksOf(files[0].Bounds())
		if err != nil {
			t.Fatal(err)
		}
		count, err := b.touched(chunks, Near(files[0].Bounds()), map[*kgfile.File]*features{})
		if err != nil || len(count) > len(chunks)/2 || i == 0 && len(count) == 0 {
			t.Errorf("KG %s: %d of %d chunks are counted, %v", k.Entry.Code, len(count), len(chunks), err)
		}
		was := q.c.Was
		other := k.Entry
		other.Forms.KGS.SHA256 = "another"
		q.c.Was = map[austria.KGCode]manifest.Entry{other.Code: other}
		if b := q.before(t.Context(), w, files); b != nil {
			t.Errorf("KG %s: taken over from a container of other snapshots", k.Entry.Code)
		}
		q.c.Was = was
	}
}

// A chunk lies in its box.
func TestAround(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		at, _ := geom.PointAt(9.5+7.7*r.Float64(), 46.3+2.8*r.Float64())
		c, err := hexgrid.PointToCell(at, ne.ChunkRes)
		if err != nil {
			t.Fatal(err)
		}
		k, err := newChunk(c)
		if err != nil {
			t.Fatal(err)
		}
		if box, err := around(c); err != nil || !box.holds(k.box) {
			t.Fatalf("chunk %s with the box %v does not lie in %v, %v", c, k.box, box, err)
		}
	}
}

// Whatever cells say of a feature makes it another one.
func TestSameFeatures(t *testing.T) {
	const chunk = hexgrid.Cell(1)
	ring := []pt{{0, 0}, {10, 0}, {0, 10}}
	state := func(change func(f *features, p *parcel, u *use, cell, unit *footprint)) *features {
		p, u := parcel{area{[][]pt{ring}, bounds(ring)}, false, 50, 7}, use{area{[][]pt{ring}, bounds(ring)}, austria.ClassBuilding, true}
		cell, unit := footprint{2, 30}, footprint{3, 30}
		f := &features{}
		change(f, &p, &u, &cell, &unit)
		f.parcels, f.uses = append(f.parcels, p), append(f.uses, u)
		f.inCells, f.inUnits = buildings{chunk: {cell}}, buildings{chunk: {unit}}
		f.finish()
		return f
	}
	box := rect{-5, -5, 5, 5}
	none := func(*features, *parcel, *use, *footprint, *footprint) {}
	if !state(none).same(state(none), chunk, box) {
		t.Error("the same features are others")
	}
	far := func(f *features, _ *parcel, _ *use, _, _ *footprint) {
		f.parcels = []parcel{{area: area{[][]pt{ring}, rect{900, 900, 910, 910}}}}
	}
	if !state(none).same(state(far), chunk, box) {
		t.Error("a parcel far away makes a difference")
	}
	other := [][]pt{{{0, 0}, {10, 0}, {0, 11}}}
	for name, change := range map[string]func(f *features, p *parcel, u *use, cell, unit *footprint){
		"survey":           func(_ *features, p *parcel, _ *use, _, _ *footprint) { p.surveyed = true },
		"area":             func(_ *features, p *parcel, _ *use, _, _ *footprint) { p.sqm = 51 },
		"folio":            func(_ *features, p *parcel, _ *use, _, _ *footprint) { p.folio = 8 },
		"ring":             func(_ *features, p *parcel, _ *use, _, _ *footprint) { p.rings = other },
		"ring of a use":    func(_ *features, _ *parcel, u *use, _, _ *footprint) { u.rings = other },
		"class":            func(_ *features, _ *parcel, u *use, _, _ *footprint) { u.class = austria.ClassNone },
		"footprint":        func(_ *features, _ *parcel, u *use, _, _ *footprint) { u.building = false },
		"cell":             func(_ *features, _ *parcel, _ *use, c, _ *footprint) { c.cell = 4 },
		"area of building": func(_ *features, _ *parcel, _ *use, _, u *footprint) { u.sqm = 31 },
		"another parcel":   func(f *features, p *parcel, _ *use, _, _ *footprint) { f.parcels = []parcel{*p} },
		"another use":      func(f *features, _ *parcel, u *use, _, _ *footprint) { f.uses = []use{*u} },
	} {
		if state(none).same(state(change), chunk, box) || state(change).same(state(none), chunk, box) {
			t.Errorf("another %s is not seen", name)
		}
	}
}

// Where a snapshot of before is gone or damaged, all chunks are counted, and nothing fails.
func TestSnapshotsOfBeforeAreGone(t *testing.T) {
	first := thirds(kgtest.Snapshot(kgtest.Options{Code: "99101", Parcels: 60, Segments: 2, AreaKm2: 1, Seed: 5}))
	second := slices.Clone(first)
	second[1] = built(first[1], 0)
	begun := &publishes{t: t, st: mem.New(), live: manifest.Artefacts{}}
	if _, err := begun.pass("2024-10-01", first...); err != nil {
		t.Fatal(err)
	}
	for name, harm := range map[string]func(p *publishes, key string) error{
		"whole": func(*publishes, string) error { return nil },
		"gone":  func(p *publishes, key string) error { return p.st.Delete(t.Context(), key) },
		"damaged": func(p *publishes, key string) error {
			_, err := p.st.Put(t.Context(), key, []byte("MAPPEKGS and no more"), store.PutOptions{})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := begun.copy(t)
			if err := harm(p, p.last.KGs[1].Entry.Forms.KGS.Key); err != nil {
				t.Fatal(err)
			}
			live, kgs, was := p.live, p.kgs, p.last.KGs[1].Entry.Forms.KGS.SHA256
			if _, err := p.pass("2025-10-01", second...); err != nil || p.last.KGs[1].Entry.Forms.KGS.SHA256 == was {
				t.Fatal("the second KG should be another", err)
			}
			p.sameWhenAllIsCounted(live, kgs)
		})
	}
}

package ne

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/artefacts/register"
	"mappe/builders/source/observations"
	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// publishes runs the stages over snapshots as one publication after another would.
type publishes struct {
	t    *testing.T
	st   store.Store
	live manifest.Artefacts
	kgs  map[austria.KGCode]manifest.Artefacts
	cold []register.KG
	last *stage.Country
	obs  *observations.Layer

	bodies map[*kgfile.Snapshot][]byte // the files of snapshots, which are not changed after their first pass
}

// body is the file of a snapshot.
func (p *publishes) body(s *kgfile.Snapshot) []byte {
	p.t.Helper()
	if b, ok := p.bodies[s]; ok {
		return b
	}
	b, err := kgfile.Encode(s)
	if err != nil {
		p.t.Fatal(err)
	}
	if p.bodies == nil {
		p.bodies = map[*kgfile.Snapshot][]byte{}
	}
	p.bodies[s] = b
	return b
}

// copy goes on from where p is, in a store of its own.
func (p *publishes) copy(t *testing.T) *publishes {
	c := *p
	c.t, c.st = t, p.st.(*mem.Store).Clone()
	return &c
}

func (p *publishes) pass(date string, snapshots ...*kgfile.Snapshot) (*ne.Index, error) {
	p.t.Helper()
	c := &stage.Country{Store: p.st, Register: &register.Contents{ToleranceM: 10}, Live: p.live, Made: manifest.Artefacts{}, Workers: 2,
		Was: map[austria.KGCode]manifest.Entry{}}
	if p.last != nil {
		for _, k := range p.last.KGs {
			c.Was[k.Entry.Code] = k.Entry
		}
	}
	for _, s := range snapshots {
		body := p.body(s)
		key := keys.Snapshot{Code: s.KG.Code, Date: date, Sum: keys.Sum(body), Form: keys.KGS}.String()
		if _, err := p.st.Put(p.t.Context(), key, body, store.PutOptions{}); err != nil {
			p.t.Fatal(err)
		}
		sum := sha256.Sum256(body)
		c.Register.KGs = append(c.Register.KGs, register.KG{KG: s.KG, DistrictCode: s.KG.GemeindeCode.District(),
			Snapshot: register.Object{Key: key}, Outline: s.Outline})
		c.KGs = append(c.KGs, stage.KG{Entry: manifest.Entry{Code: s.KG.Code, Stichtag: date, Artefacts: p.kgs[s.KG.Code],
			Forms: manifest.Forms{KGS: manifest.Object{Key: key, Bytes: int64(len(body)), SHA256: hex.EncodeToString(sum[:])}}}})
	}
	for i := range c.KGs {
		c.KGs[i].Register = &c.Register.KGs[i]
	}
	c.Register.KGs = append(c.Register.KGs, p.cold...)
	for _, s := range Stages(p.obs) {
		o, err := s.Make(p.t.Context(), c)
		if err != nil {
			return nil, err
		}
		c.Made[s.Artefact] = o
	}
	p.last = c
	p.live, p.kgs = c.Made, map[austria.KGCode]manifest.Artefacts{}
	for _, k := range c.KGs {
		p.kgs[k.Entry.Code] = k.Made
	}
	b, _, err := store.ReadAll(p.t.Context(), p.st, c.Made[ne.Artefact].Key, 1<<20, store.GetOptions{})
	if err != nil {
		return nil, err
	}
	return ne.ParseIndex(b)
}

func (p *publishes) changes(x *ne.Index, code austria.KGCode) *ne.Changes {
	p.t.Helper()
	key := x.Find(code).Changes
	if key == "" {
		return &ne.Changes{}
	}
	b, _, err := store.ReadAll(p.t.Context(), p.st, key, 1<<24, store.GetOptions{})
	if err != nil {
		p.t.Fatal(err)
	}
	c, err := ne.ParseChanges(b)
	if err != nil {
		p.t.Fatal(err)
	}
	return c
}

// built is a snapshot in which the fields of one parcel became building land.
func built(s *kgfile.Snapshot, parcel int) *kgfile.Snapshot {
	c := *s
	c.LandUse = slices.Clone(s.LandUse)
	for i := range c.LandUse {
		if c.LandUse[i].Inside == s.Parcels[parcel].Inside {
			c.LandUse[i].NS = 83
		}
	}
	return &c
}

// Three epochs with a known edit: the change is a candidate, then confirmed, and tells what became what.
func TestChangesOverThreeEpochs(t *testing.T) {
	first := small()
	at := slices.IndexFunc(first.Parcels, func(p kgfile.Parcel) bool { return p.DominantLandUse == 48 })
	second := built(first, at)
	p := &publishes{t: t, st: mem.New(), live: manifest.Artefacts{}}
	x, err := p.pass("2024-10-01", first)
	if err != nil {
		t.Fatal(err)
	}
	if k := x.Find("99101"); k.Changes != "" || len(k.Pending) != 0 || k.Rows < 150 {
		t.Errorf("the first pass: %+v", k)
	}
	if Stages(nil)[1].Again(p.live) {
		t.Error("nothing waits for a further pass")
	}
	if x, err = p.pass("2025-10-01", second); err != nil {
		t.Fatal(err)
	}
	candidates := p.changes(x, "99101")
	if len(candidates.Cells) < 5 || !Stages(nil)[1].Again(p.live) {
		t.Fatalf("%d candidates", len(candidates.Cells))
	}
	area := 0.0
	for _, c := range candidates.Cells {
		b, a := c.Before.Row(c.Cell), c.After.Row(c.Cell)
		if c.Status != ne.Candidate || c.Since != "2025-10-01" || a.Use[1] <= b.Use[1] || a.Use[2] >= b.Use[2] {
			t.Errorf("%+v: before %v, after %v", c, b.Use, a.Use)
		}
		area += float64(int(a.Use[1])-int(b.Use[1])) / 255 * ne.CellArea(c.Cell)
	}
	if want := second.Parcels[at].AreaSqm; area < want*0.97 || area > want*1.03 {
		t.Errorf("%.0f m² became building land, the parcel has %.0f", area, want)
	}
	was := x.Find("99101").Key
	if x, err = p.pass("2025-10-01", second); err != nil { // nothing changed: the pass is recorded
		t.Fatal(err)
	}
	for _, c := range p.changes(x, "99101").Cells {
		if c.Status != ne.Confirmed || c.Since != "2025-10-01" {
			t.Errorf("%+v", c)
		}
	}
	if k := x.Find("99101"); k.Key != was || k.Confirmed != len(candidates.Cells) || k.Candidates != 0 || Stages(nil)[1].Again(p.live) {
		t.Errorf("%+v", k)
	}
}

// The list names the SHA-256 of each container; a list of an earlier program gets it without a container made anew.
func TestSumsOfContainers(t *testing.T) {
	p := &publishes{t: t, st: mem.New(), live: manifest.Artefacts{}}
	first, err := p.pass("2024-10-01", small())
	if err != nil {
		t.Fatal(err)
	}
	sumOf := func(x *ne.Index) string {
		b, _, err := store.ReadAll(t.Context(), p.st, x.KGs[0].Key, 1<<24, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%x", sha256.Sum256(b))
	}
	if got := first.KGs[0].SHA256; got != sumOf(first) {
		t.Errorf("the list has the sum %q, the container %s", got, sumOf(first))
	}
	old := *first
	old.KGs = slices.Clone(first.KGs)
	old.KGs[0].SHA256 = ""
	body, err := old.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.st.Put(t.Context(), "earlier.json", body, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	p.live[ne.Artefact] = manifest.Object{Key: "earlier.json"}
	second, err := p.pass("2024-10-01", small())
	if err != nil {
		t.Fatal(err)
	}
	if k := second.KGs[0]; k.Key != first.KGs[0].Key || k.SHA256 != sumOf(first) {
		t.Errorf("%+v, the pass before %+v", k, first.KGs[0])
	}
}

// A neighbour without a snapshot is named; built later, it completes the border cells and is no change of the land.
func TestANeighbourIsBuiltLater(t *testing.T) {
	s := small()
	middle := s.KG.Box.MinX/2 + s.KG.Box.MaxX/2
	a := half(s, "99101", func(p geom.Point) bool { return p.X < middle })
	b := half(s, "99102", func(p geom.Point) bool { return p.X >= middle })
	for _, k := range []*kgfile.Snapshot{a, b} {
		k.KG.Box = k.Outline.Bounds()
	}
	p := &publishes{t: t, st: mem.New(), live: manifest.Artefacts{}, cold: []register.KG{{KG: b.KG, Outline: b.Outline}}}
	x, err := p.pass("2026-10-01", a)
	if err != nil {
		t.Fatal(err)
	}
	if k := x.Find("99101"); !slices.Equal(k.Pending, []austria.KGCode{"99102"}) || x.Find("99102") != nil {
		t.Errorf("%+v", k)
	}
	before := x.Find("99101").Digest
	p.cold = nil
	if x, err = p.pass("2026-10-01", a, b); err != nil {
		t.Fatal(err)
	}
	if k := x.Find("99101"); len(k.Pending) != 0 || k.Digest == before {
		t.Errorf("%+v", k)
	}
	if n := len(p.changes(x, "99101").Cells); n > 0 {
		t.Errorf("%d changes", n)
	}
}

// A KG without a snapshot is waited for where its outline may come nearer than a cell reaches, as far as either outline may be off.
func TestWhichKGsArePending(t *testing.T) {
	at := func(x, y float64) geom.Point { // metres from a place, a little more than that north
		return geom.Point{X: 150_000_000 + int32(math.Round(x/7.46*1000)), Y: 480_000_000 + int32(math.Round(y/11.12*1000))}
	}
	square := func(x, side float64) geom.MultiPolygon {
		return geom.MultiPolygon{{{at(x, 0), at(x+side, 0), at(x+side, side), at(x, side)}}}
	}
	whole := square(-500, 1500)[0][0].Bounds() // of both, so that the outlines decide
	const gap = 45                             // metres between the outlines; cellReach is 30
	for _, c := range []struct {
		name               string
		own, other, common float64 // tolerances
		edit               func(own, other *register.KG)
		want               bool
	}{
		{name: "exact outlines"},
		{name: "one may be off", own: 10}, {name: "the other may be", other: 10}, {name: "both may be", own: 10, other: 10, want: true},
		{name: "as the register says of all", common: 10, want: true},
		{name: "nearer", edit: func(_, o *register.KG) { o.Outline = square(100+20, 100) }, want: true},
		{name: "with a snapshot", own: 10, other: 10, edit: func(_, o *register.KG) { o.Snapshot.Key = "kg/x" }},
		{name: "its outline is not known", edit: func(_, o *register.KG) { o.Outline = nil }, want: true},
		{name: "the own outline is not known", edit: func(k, _ *register.KG) { k.Outline = nil }, want: true},
		{name: "a box beside", own: 10, other: 10, edit: func(_, o *register.KG) { o.Box = square(1200, 10)[0][0].Bounds() }},
	} {
		own := register.KG{KG: kgfile.KG{Code: "00001", Box: whole}, Outline: square(0, 100), ToleranceM: c.own}
		own.Snapshot.Key = "kg/own"
		other := register.KG{KG: kgfile.KG{Code: "00002", Box: whole}, Outline: square(100+gap, 100), ToleranceM: c.other}
		if c.edit != nil {
			c.edit(&own, &other)
		}
		country := &stage.Country{Register: &register.Contents{ToleranceM: c.common, KGs: []register.KG{own, other}}}
		var want []austria.KGCode
		if c.want {
			want = []austria.KGCode{"00002"}
		}
		if got := pending(country, &stage.KG{Register: &own}); !slices.Equal(got, want) {
			t.Errorf("%s: want %v, got %v", c.name, want, got)
		}
	}
}

// failing fails the n-th write.
type failing struct {
	store.Store
	left int
}

func (f *failing) Put(ctx context.Context, key string, b []byte, o store.PutOptions) (store.Info, error) {
	if f.left--; f.left == 0 && strings.HasPrefix(key, "cells/") {
		return store.Info{}, errors.New("the disk is full")
	}
	return f.Store.Put(ctx, key, b, o)
}

// A run that breaks off is repeated and gives what it would have given.
func TestABrokenRunIsRepeated(t *testing.T) {
	s := small()
	want, err := (&publishes{t: t, st: mem.New(), live: manifest.Artefacts{}}).pass("2026-10-01", s)
	if err != nil {
		t.Fatal(err)
	}
	broken := 0
	for n := 1; n < 6; n++ {
		st := &failing{Store: mem.New(), left: n + 1}
		p := &publishes{t: t, st: st, live: manifest.Artefacts{}}
		if _, err := p.pass("2026-10-01", s); err != nil {
			broken++
		}
		st.left = -1
		got, err := p.pass("2026-10-01", s)
		if err != nil || got.KGs[0].Digest != want.KGs[0].Digest || got.KGs[0].Key != want.KGs[0].Key {
			t.Errorf("after write %d failed: %v", n, err)
		}
	}
	if broken == 0 {
		t.Error("nothing broke")
	}
}

// At a later date at which nothing changed the containers stay, with the date of the sources they were made from: who mirrors
// them has nothing to fetch. What changed beside them is made anew.
func TestALaterDateKeepsWhatIsTheSame(t *testing.T) {
	p := &publishes{t: t, st: mem.New(), live: manifest.Artefacts{}}
	first := small()
	x, err := p.pass("2026-04-01", first)
	if err != nil {
		t.Fatal(err)
	}
	was := *x.Find("99101")
	if x, err = p.pass("2026-10-01", first); err != nil {
		t.Fatal(err)
	}
	if now := *x.Find("99101"); now.Key != was.Key || now.Stichtag != "2026-04-01" || now.SHA256 != was.SHA256 ||
		now.Generation != was.Generation {
		t.Errorf("expected the container of 2026-04-01, got %+v", now)
	}
	at := slices.IndexFunc(first.Parcels, func(p kgfile.Parcel) bool { return p.DominantLandUse == 48 })
	if x, err = p.pass("2027-04-01", built(first, at)); err != nil {
		t.Fatal(err)
	}
	if now := x.Find("99101"); now.Key == was.Key || now.Stichtag != "2027-04-01" || now.Changes == "" {
		t.Errorf("expected a container of 2027-04-01 with changes, got %+v", now)
	}
}

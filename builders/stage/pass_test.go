package stage_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/manifest"
	artefact "mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/builders/columns"
	"mappe/builders/directory"
	"mappe/builders/overlays"
	"mappe/builders/prices"
	"mappe/builders/stage"
	"mappe/builders/stage/stagetest"
	"mappe/infra/bench/cputime"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// reading are the stages that read snapshots in the pass that they share. A site lies over the whole country.
func reading() []stage.Stage {
	over := &overlays.Source{Sum: "1"}
	ring := geom.Ring{{X: 90_000_000, Y: 400_000_000}, {X: 180_000_000, Y: 400_000_000}, {X: 180_000_000, Y: 500_000_000}, {X: 90_000_000,
		Y: 500_000_000}}
	over.Sites = []artefact.Site{{Code: "AT1", Name: "Everywhere", Type: 'B', Box: ring.Bounds(), Geometry: geom.MultiPolygon{{ring}}}}
	return append([]stage.Stage{columns.Stage(), directory.Stage(), prices.Stage(prices.Given{})}, overlays.Stages(over)...)
}

// opened counts how often the snapshots of KGs are read.
type opened struct {
	store.Store
	mu    sync.Mutex
	times map[string]int
}

func (o *opened) Get(ctx context.Context, key string, opt store.GetOptions) (*store.Object, error) {
	if filepath.Ext(key) == ".kgs" {
		o.mu.Lock()
		o.times[key]++
		o.mu.Unlock()
	}
	return o.Store.Get(ctx, key, opt)
}

// snapshots writes n KGs of four districts, whose codes do not rise with those of the KGs.
func snapshots(tb testing.TB, n, parcels int) *stage.Country {
	tb.Helper()
	c := &stage.Country{Store: &opened{Store: mem.New(), times: map[string]int{}}, Register: &register.Contents{}, Workers: 2,
		Was: map[austria.KGCode]manifest.Entry{}, Made: manifest.Artefacts{}}
	for i := range n {
		addSnapshot(tb, c, i, parcels, uint64(i))
	}
	for i := range c.Register.KGs {
		c.KGs[i].Register = &c.Register.KGs[i]
	}
	return c
}

func addSnapshot(tb testing.TB, c *stage.Country, i, parcels int, seed uint64) {
	tb.Helper()
	s := kgtest.Snapshot(kgtest.Options{Code: austria.KGCode(fmt.Sprint(30001 + i)), Parcels: parcels, Segments: 4, AreaKm2: 1, Seed: seed,
		East: int32(i%25) * 140_000, North: -int32(i/25) * 140_000})
	e := stagetest.Entry(tb, c.Store, s)
	k := register.KG{KG: s.KG}
	k.DistrictCode = austria.DistrictCode(fmt.Sprint(304 - i%4))
	k.Snapshot.Key = e.Forms.KGS.Key
	if i < len(c.KGs) {
		c.KGs[i].Entry = e
		return
	}
	c.KGs, c.Register.KGs = append(c.KGs, stage.KG{Entry: e}), append(c.Register.KGs, k)
}

// alone runs each stage by itself.
func alone(ctx context.Context, c *stage.Country) (manifest.Artefacts, error) {
	made := manifest.Artefacts{}
	for _, s := range reading() {
		o, err := s.Make(ctx, c)
		if err != nil {
			return nil, err
		}
		made[s.Artefact] = o
	}
	return made, nil
}

// Stages that read snapshots read each once, together, and make what each makes alone. Where a KG changed, only it is read.
func TestASnapshotIsReadOnce(t *testing.T) {
	c := snapshots(t, 9, 60)
	counting := c.Store.(*opened)
	told := 0
	c.Progress = func(done, all int) { // one call at a time
		if told++; done != told || all != len(c.KGs) {
			t.Errorf("told %d of %d, want %d of %d", done, all, told, len(c.KGs))
		}
	}
	if err := c.Run(t.Context(), reading(), func(string) {}); err != nil {
		t.Fatal(err)
	}
	c.Progress = nil
	for i := range c.KGs {
		if n := counting.times[c.KGs[i].Entry.Forms.KGS.Key]; n != 1 {
			t.Errorf("the snapshot of KG %s was read %d times, want once", c.KGs[i].Entry.Code, n)
		}
	}
	want, err := alone(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for kind, o := range want {
		if c.Made[kind] != o || o.Key == "" {
			t.Errorf("%s: together %+v, alone %+v", kind, c.Made[kind], o)
		}
	}
	c.Live, c.Made = c.Made, manifest.Artefacts{}
	for i := range c.KGs {
		c.Was[c.KGs[i].Entry.Code] = c.KGs[i].Entry
	}
	addSnapshot(t, c, 4, 61, 99)
	clear(counting.times)
	fresh := *c
	if err := c.Run(t.Context(), reading()[:2], func(string) {}); err != nil {
		t.Fatal(err)
	}
	if len(counting.times) != 1 || counting.times[c.KGs[4].Entry.Forms.KGS.Key] != 1 {
		t.Errorf("for columns and directory of one KG that changed were read %v", counting.times)
	}
	if err := c.Run(t.Context(), reading(), func(string) {}); err != nil {
		t.Fatal(err)
	}
	fresh.Live, fresh.Was = nil, nil
	if want, err = alone(t.Context(), &fresh); err != nil {
		t.Fatal(err)
	}
	for kind, o := range want {
		if c.Made[kind] != o {
			t.Errorf("%s after a change: %+v, made anew %+v", kind, c.Made[kind], o)
		}
	}
}

// A snapshot that is damaged ends the pass with the name of its KG.
func TestADamagedSnapshotIsNamed(t *testing.T) {
	c := snapshots(t, 5, 20)
	key := c.KGs[3].Entry.Forms.KGS.Key
	if err := c.Store.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Store.Put(t.Context(), key, []byte("KGS"), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	err := c.Run(t.Context(), reading(), func(string) {})
	if err == nil || !strings.Contains(err.Error(), "KG 30004") {
		t.Errorf("want an error that names KG 30004, got %v", err)
	}
}

// BenchmarkSnapshots are the stages that read snapshots, each alone and all together.
func BenchmarkSnapshots(b *testing.B) {
	c := snapshots(b, 100, 1300)
	counting := c.Store.(*opened)
	run := func(do func() error) func(b *testing.B) {
		return func(b *testing.B) {
			clear(counting.times)
			n, began := 0, cputime.Used()
			for b.Loop() {
				if err := do(); err != nil {
					b.Fatal(err)
				}
				n++
			}
			read := 0
			for _, times := range counting.times {
				read += times
			}
			b.ReportMetric((cputime.Used()-began).Seconds()/float64(n), "cpu-s/op")
			b.ReportMetric(float64(read)/float64(n*len(c.KGs)), "snapshots/KG")
		}
	}
	b.Run("alone", run(func() error {
		_, err := alone(b.Context(), c)
		return err
	}))
	b.Run("together", run(func() error { return c.Run(b.Context(), reading(), func(string) {}) }))
}

// noted is a reader that notes what happens to it.
type noted struct {
	finish error
	log    *[]string
}

func (r noted) Wants(context.Context, *stage.KG) (bool, error)      { return false, nil }
func (r noted) Take(context.Context, *stage.KG, *kgfile.File) error { return nil }
func (r noted) Finish(context.Context) (manifest.Object, error) {
	*r.log = append(*r.log, "finish")
	return manifest.Object{}, r.finish
}
func (r noted) Close() { *r.log = append(*r.log, "close") }

// What a reader holds of the country is freed before the next stage runs, and once; also where a stage before its own fails.
func TestReadersAreClosedBehindTheirStage(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		finish, make error
		first        bool // the stage that only makes comes first
		want         string
	}{
		{want: "finish close make"}, {finish: broken, want: "finish close"}, {make: broken, want: "finish close make"},
		{first: true, want: "make finish close"}, {first: true, make: broken, want: "make close"},
	} {
		var log []string
		list := []stage.Stage{
			stage.Reading("read", "1", func(context.Context, *stage.Country) (stage.Reader, error) { return noted{c.finish, &log}, nil }),
			{Artefact: "made", Make: func(context.Context, *stage.Country) (manifest.Object, error) {
				log = append(log, "make")
				return manifest.Object{}, c.make
			}},
		}
		if c.first {
			slices.Reverse(list)
		}
		err := snapshots(t, 2, 8).Run(t.Context(), list, func(string) {})
		if got := strings.Join(log, " "); got != c.want || (err != nil) != (c.finish != nil || c.make != nil) {
			t.Errorf("%+v: %s (%v)", c, got, err)
		}
	}
}

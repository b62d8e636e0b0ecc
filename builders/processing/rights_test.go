package processing

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"mappe/artefacts/cog"
	"mappe/builders/national"
	"mappe/builders/rasters"
	"mappe/builders/source/mirror"
	"mappe/builders/source/sourcetest"
	"mappe/infra/rights"
	"mappe/shared/austria"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/processing"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
	"mappe/shared/cloud/warmup"
	"mappe/shared/geo/raster"
)

const artefactBucket = "${ArtefactBucket.Arn}"

// watched is a rig whose functions are noted, with a source that has earlier snapshots and laser scans too.
type watched struct {
	*rig
	acts   rights.Recorder
	runs   *mem.Store
	source *national.Source
}

func watch(t *testing.T) *watched {
	t.Helper()
	a := &watched{rig: newRig(t), runs: mem.New()}
	raw := mem.New()
	put(t, raw, "epochs/99204-2020-10-01.geojson", []byte(sourcetest.Epoch("99204", 3)))
	var err error
	a.source, err = national.OpenSource(t.Context(), national.SourceOptions{Dir: country.dir, Epochs: mirror.Epochs{Store: raw}})
	if err != nil {
		t.Fatal(err)
	}
	a.scan(t, 500)
	return a
}

// scan gives the source a laser scan of another height.
func (a *watched) scan(t *testing.T, height float32) {
	t.Helper()
	g := raster.New(4_400_100, 2_700_100, 1, 20, 20)
	for i := range g.Z {
		g.Z[i] = height
	}
	b, err := cog.Encode(g, cog.Options{Packing: cog.Zstd, EPSG: 3035})
	if err == nil {
		a.source.Country.Rasters, err = rasters.Read(fstest.MapFS{"rasters/DTM_20240915.tif": {Data: b}}, "made up")
	}
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, st store.Store, key string, body []byte) {
	t.Helper()
	if _, err := st.Put(t.Context(), key, body, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
}

// cloud does a task of the state machine, or of a schedule, over a store.
func (a *watched) cloud(t *testing.T, function string, st store.Store, task national.CloudTask) error {
	t.Helper()
	task.Run = "run"
	c := national.Cloud{Artefacts: a.acts.Store(st, artefactBucket, "artefacts/"), Runs: a.acts.Store(a.runs, artefactBucket, "runs/"),
		Source: a.source}
	_, err := c.Do(rights.As(t.Context(), function), task)
	return err
}

// must is cloud over the store of the rig, and has to succeed.
func (a *watched) must(t *testing.T, function string, task national.CloudTask) {
	t.Helper()
	if err := a.cloud(t, function, a.mem, task); err != nil {
		t.Fatalf("%s, task %s: %v", function, task.Task, err)
	}
}

// fails does a task whose nth write fails, for some n until none does.
func (a *watched) fails(t *testing.T, function string, every int64, task national.CloudTask) {
	t.Helper()
	failed := 0
	for n := int64(1); ; n += every {
		st := &storetest.Faulty{Store: a.mem.Clone(), FailAt: n}
		err := a.cloud(t, function, st, task)
		if st.Writes() < n {
			break
		}
		if err != nil {
			failed++
		}
	}
	if failed == 0 {
		t.Errorf("%s, task %s: no write failed", function, task.Task)
	}
}

// The three functions of the builders may do exactly what they do: rebuilds of KGs that are new, as before, refused and unknown,
// publications, warm-ups, prunings, jobs on KGs, evictions, copies of the source, and that over a store that fails.
func TestRightsOfTheBuilders(t *testing.T) {
	a := watch(t)
	a.sources(t)
	a.rebuild(t)
	a.publishes(t)
	a.prunes(t)
	a.works(t)
	for _, function := range []string{"BuildFunction", "PublishFunction", "ProcessFunction"} {
		g, err := rights.Load(filepath.Join("..", "..", "template.yaml"), function)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range rights.Compare(g, a.acts.Done(function), nil) {
			t.Error(d)
		}
	}
}

// sources copies a source as each function does when it opens one.
func (a *watched) sources(t *testing.T) {
	t.Helper()
	raw := mem.New()
	put(t, raw, "source.json", []byte("{}"))
	seen := a.acts.Store(raw, "arn:${AWS::Partition}:s3:::${SourceBucket}", "")
	for _, function := range []string{"BuildFunction", "PublishFunction", "ProcessFunction"} {
		ctx := rights.As(t.Context(), function)
		if err := mirror.Copy(ctx, seen, t.TempDir()); err != nil {
			t.Fatal(err)
		}
		if _, err := (mirror.Epochs{Store: seen}).Of(ctx, small); err != nil {
			t.Fatal(err)
		}
	}
}

func (a *watched) rebuild(t *testing.T) {
	t.Helper()
	const function = "BuildFunction"
	a.must(t, function, national.CloudTask{Task: "list"})
	a.fails(t, function, 1, national.CloudTask{Task: "kg", KGCode: string(other)})
	for range 2 { // the second time it is found
		a.must(t, function, national.CloudTask{Task: "kg", KGCode: string(other)})
	}
	a.must(t, function, national.CloudTask{Task: "kg", KGCode: string(small)})
	if err := a.cloud(t, function, a.mem, national.CloudTask{Task: "kg", KGCode: "12345"}); err == nil {
		t.Error("a KG that is in no register was built")
	}
	before := a.source
	defer func() { a.source = before }()
	a.source = fewer(t)
	a.must(t, function, national.CloudTask{Task: "kg", KGCode: string(small)})
	for _, err := range a.mem.List(t.Context(), "refused/") {
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Error("a KG that has lost nearly all its parcels was not refused")
}

// fewer is a source in which the smallest KG has lost parcels, and that has no other.
func fewer(t *testing.T) *national.Source {
	t.Helper()
	s, err := national.OpenSource(t.Context(), national.SourceOptions{Dir: sourcetest.Write(t, sourcetest.KG{Code: string(small)})})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (a *watched) publishes(t *testing.T) {
	t.Helper()
	const function = "PublishFunction"
	a.fails(t, function, 60, national.CloudTask{Task: "publish"})
	a.must(t, function, national.CloudTask{Task: "publish"})
	for _, code := range []austria.KGCode{beside, "12345"} { // the second has no data
		if err := warmup.Request(t.Context(), a.mem, code); err != nil {
			t.Fatal(err)
		}
	}
	a.must(t, function, national.CloudTask{Task: "warm"})
	before := a.source
	defer func() { a.source = before }()
	a.source = fewer(t)
	there := a.mem.Clone() // what the registers have no more leaves latest/
	if err := a.cloud(t, function, there, national.CloudTask{Task: "publish", Input: national.CloudInput{Accept: true}}); err != nil {
		t.Error(err)
	}
}

// prunes takes away one object of each kind that no generation needs.
func (a *watched) prunes(t *testing.T) {
	t.Helper()
	const sum = "0123456789abcdef"
	doomed := []string{"manifests/kgs-" + sum + ".json", "register/" + sum + ".reg", "national/totals-" + sum + ".json.gz",
		"prices/index-" + sum + ".json.gz", "cells/dict-" + sum + ".zdict", "landscape/99204/99204-2026-10-01-" + sum + ".parts",
		"rasters/dtm/2020-09-15/E4400N2700-" + sum + ".tif", "exports/export-1/cadastre.gpkg"}
	for _, key := range doomed {
		put(t, a.mem, key, []byte("{}"))
	}
	a.must(t, "PublishFunction", national.CloudTask{Task: "prune"})
	for _, key := range doomed {
		if _, err := a.mem.Head(t.Context(), key); err == nil {
			t.Errorf("%s was not pruned", key)
		}
	}
}

// keeping is a store that deletes nothing.
type keeping struct{ store.Store }

func (keeping) Delete(context.Context, string) error { return storetest.ErrFault }

// works does jobs of all kinds as events of the function do.
func (a *watched) works(t *testing.T) {
	t.Helper()
	ctx := rights.As(t.Context(), "ProcessFunction")
	a.over(a.acts.Store(a.mem, artefactBucket, "artefacts/"))
	a.Source = func(context.Context) (*national.Source, error) { return a.source, nil }
	q, err := a.NewQueue(a.acts.Ledger(a.ledger))
	if err != nil {
		t.Fatal(err)
	}
	do := a.handler(q)
	event := func(kind string, o processing.Order, want jobs.State) {
		t.Helper()
		j := a.order(t, kind, o)
		_ = do(ctx, jobs.Event{Job: j.ID})
		for range 20 {
			if j, err = a.queue.Get(t.Context(), j.ID); err != nil || j.State.Final() {
				break
			}
			a.ahead.Add(int64(2 * time.Hour)) // past every pause and lease
			_ = do(ctx, jobs.Event{Job: j.ID})
		}
		if err != nil || j.State != want {
			t.Errorf("%s of %s is %s, %v, want it %s", kind, o.KG, j.State, err, want)
		}
	}
	a.scan(t, 600)
	event(processing.Process, processing.Order{KG: "99205"}, jobs.Done)
	event(processing.Process, processing.Order{KG: small, Force: true}, jobs.Done)
	event(processing.Repair, processing.Order{KG: small}, jobs.Done)
	event(processing.Archive, processing.Order{KG: beside}, jobs.Done)
	event(processing.Process, processing.Order{KG: "12345"}, jobs.Failed)
	event(processing.Repair, processing.Order{KG: "12345"}, jobs.Failed)
	event(processing.Archive, processing.Order{KG: "12345"}, jobs.Failed)
	before := a.source
	a.source = fewer(t)
	event(processing.Process, processing.Order{KG: small, Force: true}, jobs.Failed) // refused
	// A publication that does not come to its end: the next one takes away what is no longer served.
	err = a.cloud(t, "", keeping{a.mem}, national.CloudTask{Task: "publish", Input: national.CloudInput{Accept: true}})
	if !errors.Is(err, storetest.ErrFault) {
		t.Errorf("a publication whose files stay below latest/: %v, want %v", err, storetest.ErrFault)
	}
	a.source = before
	event(processing.Process, processing.Order{KG: "99205", Force: true}, jobs.Done)
	a.Budget = 1
	do = a.handler(q) // a new process looks at once
	if err := do(ctx, jobs.Event{}); err != nil {
		t.Fatal(err)
	}
	e, _ := a.entry(t, small)
	if _, err := a.mem.Head(t.Context(), e.Forms.KGS.Key); err == nil {
		t.Error("nothing was evicted")
	}
	for _, function := range []string{"BuildFunction", "PublishFunction", "ProcessFunction"} {
		from := *a.Archive
		from.Store = a.acts.Store(a.mem.Clone(), artefactBucket, "artefacts/")
		if err := from.Back(rights.As(t.Context(), function), e); err != nil {
			t.Error(err)
		}
	}
	a.Budget = 0
	a.ahead.Add(int64(2 * time.Hour))
	_ = do(ctx, jobs.Event{}) // what nobody does: the archivings that were ordered
}

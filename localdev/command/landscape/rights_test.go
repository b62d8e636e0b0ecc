package landscape

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"mappe/artefacts/library"
	"mappe/builders/landscape/process"
	"mappe/infra/rights"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// The two functions of the processor may do exactly what they do: a run of the state machine over KGs that succeed, with products and
// uploads, and over one that cannot be analysed, then a look of the worker that does one KG after the other, of other inputs.
func TestRightsOfTheProcessor(t *testing.T) {
	const bucket = "${ArtefactBucket.Arn}"
	var done rights.Recorder
	st, runs := villageWorld(t), mem.New()
	_, server := research(t)
	l := sqlitetest.Open(t, sqlite.Options{})
	worker := func(function string) (*process.Worker, context.Context) {
		ctx := rights.As(t.Context(), function)
		seen := done.Store(st, bucket, "artefacts/")
		lib, err := library.Open(ctx, seen, library.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := archiveAt(seen, server.URL)
		if err != nil {
			t.Fatal(err)
		}
		return &process.Worker{Library: lib, Store: seen, Runs: done.Store(runs, bucket, "runs/"),
			Records:  landprocess.Records{Ledger: done.Ledger(l)},
			Products: true, Archive: a}, ctx
	}
	do := func(function string, task process.Task) process.Answer {
		t.Helper()
		w, ctx := worker(function)
		a, err := w.Do(ctx, task)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	former := func(keys ...string) {
		for _, key := range keys {
			if _, err := st.Put(t.Context(), key, []byte("{}"), store.PutOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	former("products/88802/0123456789abcde0/88802-summary.json", "products/88802/0123456789abcde1/88802-summary.json",
		"work/landscape/88802/former/E1N1.gob.zst")
	records := landprocess.Records{Ledger: l}
	stale := func() { // as of other inputs
		e, _, err := records.Entry(t.Context(), village)
		if err != nil || e.Products == nil {
			t.Fatalf("%+v %v", e, err)
		}
		e.Fingerprint, e.Products.Input = "former", "former"
		if err := records.Put(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := records.Change(t.Context(), func(s *landprocess.State) error {
		if _, err := s.Insert([]austria.KGCode{village, "00804"}, -1); err != nil { // no layer reaches into the second
			return err
		}
		return s.Start("", "", time.Now())
	}); err != nil {
		t.Fatal(err)
	}
	if a := do("LandscapeProcessorFunction", process.Task{Task: "plan", Run: "run", Pass: 1}); a.KGs < 2 {
		t.Fatalf("%+v", a)
	}
	for _, code := range []austria.KGCode{village, "00804"} {
		do("LandscapeKGFunction", process.Task{Task: "kg", Run: "run", KG: code, Attempt: 1})
	}
	do("LandscapeProcessorFunction", process.Task{Task: "reduce", Run: "run", Pass: 1})
	if _, err := records.Change(t.Context(), func(s *landprocess.State) error {
		s.One(village)
		_, err := s.Insert([]austria.KGCode{"00804"}, -1) // it fails here, too
		return err
	}); err != nil {
		t.Fatal(err)
	}
	stale()
	former("products/88802/0123456789abcde2/88802-summary.json", "work/landscape/88802/former/E1N1.gob.zst")
	w, ctx := worker("LandscapeProcessorFunction")
	w.Now = func() time.Time { return time.Now().Add(2 * landprocess.RunLease) } // the run is over for it
	if _, err := w.Do(ctx, process.Task{}); err != nil {
		t.Fatal(err)
	}
	holds(t, &done, bucket)
}

// holds compares what was done with the policies of both functions.
func holds(t *testing.T, done *rights.Recorder, bucket string) {
	t.Helper()
	parts := "large objects are written in parts, which are taken away where one fails: those of the village are small"
	one := "one statement has the partitions for this function and for the one that steers"
	for function, spared := range map[string]map[rights.Right]string{
		"LandscapeProcessorFunction": {
			{Action: "dynamodb:GetItem", Resource: "ledger landscape-failed"}:  one,
			{Action: "dynamodb:Query", Resource: "ledger landscape-processor"}: one,
		},
		"LandscapeKGFunction": {
			{Action: "s3:AbortMultipartUpload", Resource: bucket + "/artefacts/landscape/*"}:      parts,
			{Action: "s3:AbortMultipartUpload", Resource: bucket + "/artefacts/tables/*"}:         parts,
			{Action: "s3:AbortMultipartUpload", Resource: bucket + "/artefacts/archive/*"}:        parts,
			{Action: "s3:AbortMultipartUpload", Resource: bucket + "/artefacts/work/landscape/*"}: parts,
			{Action: "s3:PutObject", Resource: bucket +
				"/artefacts/work/landscape/*"}: "squares are kept of KGs that have three and more: the village has fewer",
		},
	} {
		g, err := rights.Load(filepath.Join("..", "..", "..", "template.yaml"), function)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range rights.Compare(g, done.Done(function), spared) {
			t.Error(d)
		}
	}
}

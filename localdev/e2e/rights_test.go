package e2e

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"mappe/functions/families"
	"mappe/functions/family"
	"mappe/infra/rights"
	"mappe/shared/cloud/stack"
	"mappe/shared/cloud/store"
)

// recording notes what is read of a store.
type recording struct {
	store.Store
	mu   sync.Mutex
	keys []string
}

func (r *recording) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	r.mu.Lock()
	r.keys = append(r.keys, key)
	r.mu.Unlock()
	return r.Store.Get(ctx, key, o)
}

// take gives what was read since the last time.
func (r *recording) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	keys := r.keys
	r.keys = nil
	return keys
}

// common are the objects that every family with Needs.Store may read; template.yaml gives the rights, which infra/archtest
// compares with the needs.
var common = []string{"current.json", "availability.json", "manifests", "register", "national", "kg",
	"refused"} // only here: the KG of these tests is no sound one, and published all the same

// TestFamiliesReadWhatTheyNeed asks every example: what is read of the artefacts stands in the needs of the endpoint's
// family, from which its function has its rights. A local store refuses nothing, so that a missing right would show in the
// cloud only.
func TestFamiliesReadWhatTheyNeed(t *testing.T) {
	read := map[string]bool{} // "family folder"
	for _, d := range contract(t) {
		f := familyOf(t, d)
		d.read.take()
		d.program = f.Program
		d.ask(t, nil)
		if themed := themes[d.name()]; themed != nil {
			if w := d.ask(t, themed); w.Code != 200 {
				t.Errorf("%s with %v: %d %s", d.name(), themed, w.Code, w.Body)
			}
		}
		for _, key := range d.read.take() {
			folder, _, _ := strings.Cut(key, "/")
			read[f.Name+" "+folder] = true
			if !slices.Contains(common, folder) && !slices.Contains(f.Needs.Reads, folder) {
				t.Errorf("%s of the family %s reads %s, which its needs do not name", d.name(), f.Name, key)
			}
		}
	}
	held(t)
	for _, want := range []string{"context-cells cells", "cadastre-maps prices", "cadastre-maps cells", "context-place prices",
		"context-place cells", "landscape-analysis rasters", "cadastre-spatial refused"} {
		if !read[want] {
			t.Errorf("no example reads %s: the test sees nothing", want)
		}
	}
}

// themes are requests that read what the example of their endpoint does not.
var themes = map[string]map[string]string{"GET /wms": {"layers": "relief,prices,cells_wald", "styles": "", "width": "512", "height": "512"}}

// familyOf is the family of an endpoint.
func familyOf(t *testing.T, d described) family.Family {
	t.Helper()
	for _, m := range d.service.Members {
		for _, e := range m.Service.Endpoints {
			if e.Method == d.endpoint.Method && e.Path == d.endpoint.Path {
				return m.Family
			}
		}
	}
	t.Fatalf("%s belongs to no family", d.name())
	return family.Family{}
}

// acts are what the functions of the tests do with their stores and ledgers, by their programs.
var acts rights.Recorder

const artefactBucket = "${ArtefactBucket.Arn}"

// opening is the name that the opening of the library is noted under, which every function with a store does for itself.
const opening = "opening"

// spared are rights that no example uses, of any function that has them, with the reason.
var spared = map[rights.Right]string{
	{Action: "s3:GetObject", Resource: artefactBucket +
		"/artefacts/availability.json"}: "read where a KG has no snapshot in the store: here all have",
	{Action: "s3:GetObject", Resource: artefactBucket + "/artefacts/requests/failed.json"}: "as that",
	{Action: "s3:PutObject", Resource: artefactBucket + "/artefacts/requests/warm/*"}:      "as that",
	{Action: "s3:GetObject", Resource: artefactBucket +
		"/artefacts/exports/*"}: "the export of the examples is not made: nobody works",
	{Action: "s3:ListBucket", Resource: "${BooksBucket.Arn}"}:                "by it S3 says that an object is missing: here none is",
	{Action: "s3:PutObject", Resource: artefactBucket + "/shares/jobs/*"}:    "for questions that are too large for a record",
	{Action: "s3:DeleteObject", Resource: artefactBucket + "/shares/jobs/*"}: "as that",
	{Action: "dynamodb:*", Resource: "ledger work/key/*"}:                    "no example gives an Idempotency-Key; functions/workfeed has tests of it",
	{Action: "dynamodb:*", Resource: "ledger pay/*"}:                         "the gate of these tests lets everybody through; shared/cloud/pay has tests of its own",
}

// matter is the right that stands for another one: the records of a partition are read and written by one statement, and those of a
// kind of jobs (job/KIND/*, jobs-open/KIND ...) by one queue, so that its actions are not told apart.
func matter(r rights.Right) rights.Right {
	of, ok := strings.CutPrefix(r.Resource, "ledger ")
	if !ok {
		return r
	}
	for _, prefix := range []string{"job/", "jobs-open/", "jobs-gate/", "jobs-stored/", "job-ends/"} {
		if kind, ok := strings.CutPrefix(of, prefix); ok {
			of = "jobs of " + strings.TrimSuffix(kind, "/*")
		}
	}
	return rights.Right{Action: "dynamodb:*", Resource: "ledger " + of}
}

// held compares what all examples have done with the policies of the public functions: nothing is done without a right, and each
// right is used by one of the functions that have it (several share a statement), or has its reason.
func held(t *testing.T) {
	t.Helper()
	file := filepath.Join("..", "..", "template.yaml")
	declared, err := stack.Load(file, stack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	used := map[rights.Right]bool{}
	for _, s := range families.All(families.Deps{}) {
		for _, m := range s.Members {
			i := slices.IndexFunc(declared.Functions, func(f stack.Function) bool {
				return strings.HasSuffix(filepath.ToSlash(f.Main), "/"+m.Program)
			})
			if i < 0 {
				t.Fatalf("no function runs %s", m.Program)
			}
			g, err := rights.Load(file, declared.Functions[i].Name)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range didOf(m.Family) {
				if !g.Use(d) {
					t.Errorf("%s: has no right to %s %s", g.Function, d.Action, d.Resource)
				}
			}
			for r, is := range g.Rights() {
				used[matter(r)] = used[matter(r)] || is
			}
		}
	}
	for r, is := range used {
		switch {
		case !is && spared[r] == "":
			t.Errorf("no example uses the right to %s %s: take it away, or say why it stays", r.Action, r.Resource)
		case is && spared[r] != "":
			t.Errorf("the right to %s %s needs no reason: it is used", r.Action, r.Resource)
		}
	}
	for r := range spared {
		if _, ok := used[r]; !ok {
			t.Errorf("no function has the right to %s %s, whose reason is given", r.Action, r.Resource)
		}
	}
}

// didOf is what a family has done, with the opening of the library where it has one.
func didOf(f family.Family) []rights.Right {
	done := acts.Done(f.Program)
	if f.Needs.Store {
		done = append(done, acts.Done(opening)...)
	}
	for i := range done { // the KG of these tests is no sound one, and published all the same
		done[i].Resource = strings.Replace(done[i].Resource, "/artefacts/refused/", "/artefacts/kg/", 1)
	}
	return done
}

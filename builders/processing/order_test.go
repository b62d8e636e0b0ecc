package processing

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/manifest"
	"mappe/builders/national"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/processing"
	"mappe/shared/cloud/store"
)

// hooked is a store that tells of every read of the pointer, after it.
type hooked struct {
	store.Store
	pointer func()
}

func (h hooked) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	got, err := h.Store.Get(ctx, key, o)
	if key == "current.json" {
		h.pointer()
	}
	return got, err
}

// republish serves another snapshot of the KG: it names another source.
func (r *rig) republish(t testing.TB) {
	t.Helper()
	s := r.snapshot(t)
	s.Build.Source += " (corrected)"
	if _, err := national.PublishSnapshots(t.Context(), r.mem, s); err != nil {
		t.Fatal(err)
	}
}

// archived says whether the repository has what is served of the KG.
func (r *rig) archived(t *testing.T, e manifest.Entry) bool {
	t.Helper()
	records, err := r.standin.Published()
	if err != nil {
		t.Fatal(err)
	}
	want := md5Of(t, r.mem, e.Forms.KGS.Key)
	for _, rec := range records {
		for name, sum := range rec.Files {
			if strings.HasSuffix(name, ".kgs") && sum == want {
				return true
			}
		}
	}
	return false
}

// What is published while a job archives the KG is archived too: by that job before it looks for the last time, by the
// next one after.
func TestWhatIsPublishedDuringAnArchiving(t *testing.T) {
	for _, c := range []struct {
		name string
		read int64 // of the pointer, by the job that archives: the first before it begins, the second before it ends
	}{{"while it sends", 1}, {"while it ends", 2}} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			before, _ := r.entry(t, small)
			archive := r.order(t, processing.Archive, processing.Order{KG: small})
			var reads atomic.Int64
			ordered := make(chan error, 1)
			r.over(hooked{r.mem, func() {
				if reads.Add(1) != c.read {
					return
				}
				r.republish(t)
				go func() { ordered <- r.orderArchiveOf(t) }()
				if c.read == 1 {
					ordered <- <-ordered // before anything is sent
					return
				}
				time.Sleep(5 * checkPause) // the order is made, or waits
			}})
			if err := r.queue.RunOne(t.Context(), archive.ID); err != nil {
				t.Fatal(err)
			}
			if err := <-ordered; err != nil {
				t.Fatal(err)
			}
			r.over(r.mem)
			last, err := processing.Find(t.Context(), r.queue, processing.Archive, small)
			if err != nil {
				t.Fatal(err)
			}
			if want := c.read == 2; (last.ID != archive.ID) != want {
				t.Errorf("another job: want %v", want)
			}
			if j := r.finish(t, last.ID); j.State != jobs.Done {
				t.Fatalf("%+v", j)
			}
			after, _ := r.entry(t, small)
			if after.Forms == before.Forms || !r.archived(t, after) {
				t.Error("what is served is not archived")
			}
		})
	}
}

// orderArchiveOf orders as a processing that has published does.
func (r *rig) orderArchiveOf(t testing.TB) error {
	t.Helper()
	return r.orderArchive(t.Context(), &jobs.Work{}, processing.Order{KG: small})
}

package processing

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mappe/artefacts/rowschema"
	"mappe/builders/national"
	"mappe/infra/oracles"
	"mappe/shared/austria"
	"mappe/shared/cloud/processing"
)

// disk is a file system in memory of its own, whose size can be set.
type disk struct{ at string }

func newDisk(t *testing.T, bytes int64) disk {
	t.Helper()
	d := disk{t.TempDir()}
	if err := syscall.Mount("tmpfs", d.at, "tmpfs", 0, fmt.Sprintf("size=%d", bytes)); err != nil {
		t.Skip("skipped: a full disk is a file system of its own, which only root may mount")
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(d.at, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return d
}

func (d disk) resize(t *testing.T, bytes int64) {
	t.Helper()
	if err := syscall.Mount("tmpfs", d.at, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", bytes)); err != nil {
		t.Fatal(err)
	}
}

func (d disk) used(t *testing.T) int64 {
	t.Helper()
	var s syscall.Statfs_t
	if err := syscall.Statfs(d.at, &s); err != nil {
		t.Fatal(err)
	}
	return int64(s.Blocks-s.Bfree) * s.Bsize
}

// On a disk that fills while KGs are processed, repaired and archived (store and ledger lie on it) nothing that is served
// is torn; when there is room again the jobs end as if nothing had been.
func TestTheDiskIsFull(t *testing.T) {
	world(t)
	room := []int64{128 << 10, 768 << 10} // none of the work fits, and some of it
	for seed := range oracles.Rounds(t, len(room)) {
		free := rand.New(rand.NewPCG(seed, 28)).Int64N(2 << 20)
		if seed < uint64(len(room)) {
			free = room[seed]
		}
		t.Run(fmt.Sprintf("%d bytes free", free), func(t *testing.T) { aDiskOf(t, free) })
	}
}

func aDiskOf(t *testing.T, free int64) {
	d := newDisk(t, 512<<20)
	k, stop := newKilled(t, d.at)
	defer stop()
	st := k.begin(t)
	d.resize(t, d.used(t)+free)
	failed := 0
	for range 3 {
		k.ahead += 2 * time.Hour
		failed += k.attempt(t)
		c, err := national.Check(t.Context(), st, func(rowschema.Quality) {})
		if err != nil || len(c.Broken) > 0 {
			t.Fatalf("what is served is torn: %v %v", c.Broken, err)
		}
	}
	if failed == 0 && free < 256<<10 {
		t.Error("no attempt failed: the disk was not full")
	}
	d.resize(t, 512<<20)
	k.finish(t, processing.Repair, small)
	k.finish(t, processing.Process, other)
	for _, code := range []austria.KGCode{small, other} {
		k.finish(t, processing.Archive, code)
	}
	k.judge(t, st)
	if left, err := filepath.Glob(filepath.Join(d.at, "data", ".store", "tmp", "*")); err != nil || len(left) > 0 {
		t.Errorf("half-written files are left: %v %v", left, err)
	}
	t.Logf("%d of 9 attempts failed", failed)
}

// attempt does one attempt of each job and counts those that failed. The ledger may have no room either.
func (k *killed) attempt(t *testing.T) (failed int) {
	t.Helper()
	_, q, err := k.workerOver(t.Context(), country.source)
	if err != nil {
		return 1
	}
	for kind, code := range map[string]austria.KGCode{processing.Repair: small, processing.Process: other, processing.Archive: small} {
		j, err := processing.Find(t.Context(), q, kind, code)
		if err != nil {
			t.Fatal(err)
		}
		if j.State.Final() {
			continue
		}
		if err := q.RunOne(t.Context(), j.ID); err != nil {
			failed++
		}
		if j, err = q.Get(t.Context(), j.ID); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(j.Error, k.root) || strings.Contains(j.Error, "no space left") {
			t.Errorf("%s tells of the machine: %s", kind, j.Error)
		}
	}
	return failed
}

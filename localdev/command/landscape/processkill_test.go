package landscape

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"mappe/artefacts/landscape"
	"mappe/artefacts/library"
	"mappe/builders/landscape/process"
	"mappe/infra/oracles"
	standin "mappe/localdev/repository"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
)

// The test's program starts itself again as a worker, whose clock is ahead by some seconds: leases of those that were killed are
// over for it.
const (
	childFolder = "MAPPE_PROCESSOR_CHILD"
	childAhead  = "MAPPE_PROCESSOR_AHEAD"
	childUpload = "MAPPE_PROCESSOR_UPLOAD" // address of the research repository
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(childFolder); folder != "" {
		ahead, _ := strconv.Atoi(os.Getenv(childAhead))
		w, err := workerIn(context.Background(), folder, os.Getenv(childUpload), time.Duration(ahead)*time.Second)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		w.Run(context.Background(), 10*time.Millisecond) // until it is killed
	}
	os.Exit(m.Run())
}

// slow is a store that takes its time, so that a kill finds a KG at each of its steps.
type slow struct{ store.Store }

func (s slow) Put(ctx context.Context, key string, body []byte, o store.PutOptions) (store.Info, error) {
	time.Sleep(rand.N(80 * time.Millisecond))
	info, err := s.Store.Put(ctx, key, body, o)
	time.Sleep(rand.N(80 * time.Millisecond))
	return info, err
}

func workerIn(ctx context.Context, folder, upload string, ahead time.Duration) (*process.Worker, error) {
	st, err := dir.Open(filepath.Join(folder, "data"))
	if err != nil {
		return nil, err
	}
	l, err := sqlite.Open(ctx, filepath.Join(folder, "ledger.db"), sqlite.Options{})
	if err != nil {
		return nil, err
	}
	lib, err := library.Open(ctx, st, library.Options{})
	if err != nil {
		return nil, err
	}
	a, err := archiveAt(st, upload)
	if err != nil {
		return nil, err
	}
	return &process.Worker{Library: lib, Store: slow{st}, Records: landprocess.Records{Ledger: l}, Products: true, Archive: a,
		Now: func() time.Time { return time.Now().Add(ahead) }}, nil
}

// Processors are killed at any moment: no KG that was asked for is lost, what is listed as made is whole, nothing is uploaded twice, and
// nothing of the work is left when all is done.
func TestKilledProcessors(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short leaves out the processes that are killed")
	}
	folder := t.TempDir()
	st, err := dir.Open(filepath.Join(folder, "data"))
	if err != nil {
		t.Fatal(err)
	}
	villageIn(t, st)
	repo, server := research(t)
	w, err := workerIn(t.Context(), folder, server.URL, 0)
	if err != nil {
		t.Fatal(err)
	}
	asked := []austria.KGCode{"88801", village}
	ahead, kills := 0, 0
	for range oracles.Rounds(t, 8) {
		ahead += int((landprocess.Lease + time.Second) / time.Second)
		askFor(t, w.Records, asked)
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), childFolder+"="+folder, fmt.Sprintf("%s=%d", childAhead, ahead), childUpload+"="+server.URL)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50*time.Millisecond + rand.N(900*time.Millisecond))
		c.Process.Kill() // SIGKILL
		c.Wait()         // its failure is the point
		kills++
		notLost(t, w.Records, asked)
		whole(t, w.Records, st)
	}
	askFor(t, w.Records, asked)
	ahead += 2 * int((landprocess.Lease+time.Second)/time.Second)
	last, err := workerIn(t.Context(), folder, server.URL, time.Duration(ahead)*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := last.One(t.Context()); err != nil {
			break // nothing is left
		}
	}
	if n := whole(t, w.Records, st); n != len(asked) {
		s, _ := w.Records.State(t.Context())
		t.Errorf("%d KGs are done after %d kills, want %d: %+v", n, kills, len(asked), s)
	}
	uploadedOnce(t, w.Records, repo, asked)
	t.Logf("%d kills", kills)
	if left, err := filepath.Glob(filepath.Join(folder, "data", "work", "landscape", "*", "*", "*")); err != nil || len(left) > 0 {
		t.Errorf("squares are left: %v %v", left, err)
	}
}

// uploadedOnce proves that each KG is one record of the repository, with the files that are noted of it, and no draft is left.
func uploadedOnce(t *testing.T, r landprocess.Records, repo *standin.Server, codes []austria.KGCode) {
	t.Helper()
	all, err := repo.Published()
	drafts, failed := repo.Drafts()
	if err != nil || failed != nil || drafts != 0 || len(all) != len(codes) {
		t.Fatalf("%d records of %d KGs, %d drafts, %v %v", len(all), len(codes), drafts, err, failed)
	}
	sets := map[string]bool{}
	for _, p := range all {
		sets[fmt.Sprint(slices.Sorted(maps.Keys(p.Files)))] = true
	}
	for _, code := range codes {
		e, _, err := r.Entry(t.Context(), code)
		if err != nil || e.Products == nil || !e.Products.Published() {
			t.Fatalf("KG %s is not uploaded: %+v %v", code, e.Products, err)
		}
		var names []string
		for _, f := range e.Products.Files {
			names = append(names, f.File)
		}
		if slices.Sort(names); !sets[fmt.Sprint(names)] {
			t.Errorf("no record has the files of KG %s: %v", code, names)
		}
	}
}

// askFor has KGs analysed anew.
func askFor(t *testing.T, r landprocess.Records, codes []austria.KGCode) {
	t.Helper()
	for _, code := range codes {
		if err := r.Put(t.Context(), landprocess.Entry{KG: code, Fingerprint: "old"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Change(t.Context(), func(s *landprocess.State) error {
		s.Failed = []landprocess.Failure{{KG: "00804"}} // no layer reaches into it
		_, err := s.Insert(codes, -1)
		if err == nil {
			err = s.Start("", "", time.Now())
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// notLost proves that a KG that was asked for waits, is worked on, failed or is done.
func notLost(t *testing.T, r landprocess.Records, codes []austria.KGCode) {
	t.Helper()
	s, err := r.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range codes {
		e, _, err := r.Entry(t.Context(), code)
		if err != nil {
			t.Fatal(err)
		}
		known := e.Fingerprint != "old" || slices.Contains(s.Queue, code) || s.Now != nil && s.Now.KG == code ||
			slices.ContainsFunc(s.Retry, func(x landprocess.Retry) bool { return x.KG == code }) || slices.ContainsFunc(s.Failed,
			func(x landprocess.Failure) bool { return x.KG == code })
		if !known {
			t.Fatalf("KG %s is lost: %+v", code, s)
		}
	}
}

// whole proves that every file that is listed opens, and gives their number.
func whole(t *testing.T, r landprocess.Records, st store.Store) (n int) {
	t.Helper()
	list, err := r.Entries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.Key == "" {
			continue
		}
		body, _, err := store.ReadAll(t.Context(), st, e.Key, 64<<20, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := landscape.Open(bytes.NewReader(body), int64(len(body)))
		if err == nil {
			_, err = f.Whole()
		}
		if err != nil {
			t.Fatalf("%s is torn: %v", e.Key, err)
		}
		if e.Products != nil {
			for _, f := range e.Products.Files {
				b, _, err := store.ReadAll(t.Context(), st, f.Key, 64<<20, store.GetOptions{})
				if sum := sha256.Sum256(b); err != nil || hex.EncodeToString(sum[:]) != f.SHA256 {
					t.Fatalf("%s is torn: %v", f.Key, err)
				}
			}
		}
		n++
	}
	return n
}

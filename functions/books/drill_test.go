package books

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/functions/books/records"
	"mappe/functions/books/strays"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/store"
)

// restored is a service whose ledger is a file that is copied, and put back.
type restored struct {
	*harness
	dir   string
	close func()
}

// put opens the service over a copy of a ledger; "" is a new one. The files of the books stay as they are.
func (r *restored) put(t *testing.T, from string) {
	t.Helper()
	if r.close != nil {
		r.close()
	}
	now := filepath.Join(r.dir, "ledger.db")
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(now + end); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if from != "" {
		copyFile(t, filepath.Join(r.dir, from), now)
	}
	l, err := sqlite.Open(t.Context(), now, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.close = func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	r.over(t, l)
}

// keep copies the ledger as it is now.
func (r *restored) keep(t *testing.T, name string) {
	t.Helper()
	r.close()
	r.close = nil
	copyFile(t, filepath.Join(r.dir, "ledger.db"), filepath.Join(r.dir, name))
	r.put(t, name)
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// newRestored is a project of three finals with a book, of which a final was ordered and built. The ledger is kept before the upload
// ("granted"), before the order ("uploaded"), before the work ("accepted"), and after it ("built").
func newRestored(t *testing.T) (r *restored, book int64) {
	t.Helper()
	r = &restored{harness: newHarness(t), dir: t.TempDir()}
	r.put(t, "")
	t.Cleanup(func() { r.close() })
	if _, err := r.records.AddClient(t.Context(), "demo", "Demo"); err != nil {
		t.Fatal(err)
	}
	r.project, r.token = r.newProject(t, "atlas")
	r.grant(t, records.Grant{Included: ptr(3)})
	r.keep(t, "granted")
	book = r.upload(t, "Once upon a time.")
	r.keep(t, "uploaded")
	r.want(t, 200, r.do("POST", fmt.Sprintf("/api/books/%d/convert", book), `{"kind":"final"}`))
	r.keep(t, "accepted")
	r.work(t)
	r.keep(t, "built")
	return r, book
}

// The ledger is put back to each step of a book, the files of today beside it. A final costs one credit, once; what the customer orders
// again he gets; and what no record names is found.
func TestDrillTheLedgerIsRestored(t *testing.T) {
	r, book := newRestored(t)
	pdf := func() string {
		t.Helper()
		w := r.do("GET", fmt.Sprintf("/api/books/%d/download/pdf?kind=final", book), "")
		r.want(t, 200, w)
		return w.Body.String()
	}
	files := len(keysOf(t, r.store))
	first := pdf()
	for from, before := range map[string]int{"uploaded": 3, "accepted": 2, "built": 2} {
		r.put(t, from)
		if n := r.remaining(t); n != before {
			t.Fatalf("%s: %d finals remain, want %d", from, n, before)
		}
		if from == "uploaded" {
			w := r.do("GET", fmt.Sprintf("/api/books/%d/download/pdf", book), "")
			r.want(t, 404, w, "build it with POST")
			r.want(t, 200, r.do("POST", fmt.Sprintf("/api/books/%d/convert", book), `{"kind":"final"}`))
		}
		r.work(t)
		if n := r.remaining(t); n != 2 {
			t.Errorf("%s: %d finals remain, want 2", from, n)
		}
		if again := pdf(); from != "uploaded" && again != first { // a later order is of a later day
			t.Errorf("%s: the book is another one", from)
		}
	}
	r.put(t, "built")
	found := r.strays(t)
	if len(found.Strays) != 1 || found.Strays[0].Unknown || len(found.Strays[0].Keys) != len(keysOf(t, r.store))-files {
		t.Errorf("the files of the order that is in no ledger: %+v", found)
	}
}

func (r *restored) strays(t *testing.T) strays.Found {
	t.Helper()
	found, err := strays.Find(t.Context(), r.records, r.store)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func keysOf(t *testing.T, st store.Store) (keys []string) {
	t.Helper()
	for info, err := range st.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, info.Key)
	}
	return keys
}

// A ledger from before the upload: the book is unknown, its files are found, whole, and go when the operator says so. A ledger from before
// the project: its number is not given to another.
func TestDrillABookIsInNoLedger(t *testing.T) {
	r, book := newRestored(t)
	r.put(t, "granted")
	r.want(t, 404, r.do("GET", fmt.Sprintf("/api/books/%d", book), ""))
	other := r.upload(t, "Once upon another time.")
	found := r.strays(t)
	if len(found.Strays) != 1 || found.Strays[0].Book != book || !found.Strays[0].Unknown || found.Project != r.project.ID {
		t.Fatalf("%+v", found)
	}
	if err := found.Strays[0].Remove(t.Context(), r.store); err != nil {
		t.Fatal(err)
	}
	for _, key := range keysOf(t, r.store) {
		if !strings.Contains(key, fmt.Sprint(other)) {
			t.Errorf("%s is left", key)
		}
	}
	r.put(t, "")
	if _, err := r.records.AddClient(t.Context(), "demo", "Demo"); err != nil {
		t.Fatal(err)
	}
	if err := r.records.PassOver(t.Context(), r.strays(t).Project); err != nil {
		t.Fatal(err)
	}
	if p, _ := r.newProject(t, "chart"); p.ID == r.project.ID {
		t.Errorf("the number %d is given twice", p.ID)
	}
}

// Objects of a book are deleted, each by itself: what is asked for is said to be gone, and how to have it again, and no build that needs
// it costs a credit.
func TestDrillObjectsOfABook(t *testing.T) {
	r, book := newRestored(t)
	at := fmt.Sprintf("/api/books/%d", book)
	r.grant(t, records.Grant{Addons: []string{records.AddonIndex}})
	r.want(t, 200, r.do("POST", at+"/convert", `{"kind":"proof"}`))
	r.work(t)
	r.want(t, 200, r.do("POST", at+"/index/draft", ""))
	examine := fmt.Sprintf("/api/projects/%d/preflight", r.project.ID)
	r.want(t, 200, r.do("POST", examine, fmt.Sprintf(`{"book_id":%d}`, book)))
	all := map[string][]byte{}
	for _, key := range keysOf(t, r.store) {
		b, _, err := store.ReadAll(t.Context(), r.store, key, 1<<20, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		all[key] = b
	}
	for folder, ask := range map[string][]string{
		"/source":  {"POST", examine, fmt.Sprintf(`{"book_id":%d}`, book), "upload it again"},
		"outputs/": {"GET", at + "/download/pdf?kind=final", "", "build the book again"},
		".pages":   {"GET", at + "/preview/1", "", "build a proof again"},
		"/index/":  {"GET", at + "/index", "", "draft it anew"},
		".json":    {"GET", examine + fmt.Sprintf("?book_id=%d", book), "", "examined again"},
		".html":    {"GET", examine + fmt.Sprintf("/report?book_id=%d", book), "", "examined again"},
	} {
		for key := range all {
			if strings.Contains(key, folder) && (folder != ".json" || strings.Contains(key, "preflight/")) {
				if err := r.store.Delete(t.Context(), key); err != nil {
					t.Fatal(err)
				}
			}
		}
		w := r.do(ask[0], ask[1], ask[2])
		r.want(t, 404, w, "not in the store any more", ask[3])
		if folder == "/source" || folder == "/index/" {
			r.want(t, 200, r.do("POST", at+"/convert", `{"kind":"final","index":true}`))
			r.work(t)
			r.want(t, 200, r.do("GET", at, ""), `"error"`, "not in the store any more")
			if n := r.remaining(t); n != 2 {
				t.Errorf("%s: %d finals remain, want 2", folder, n)
			}
		}
		for key, b := range all {
			if _, err := r.store.Put(t.Context(), key, b, store.PutOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

package landscape

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/rowschema"
	"mappe/builders/national"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// objectsOf are all objects of a store.
func objectsOf(t *testing.T, st store.Store) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for info, err := range st.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := store.ReadAll(t.Context(), st, info.Key, 1<<30, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		out[info.Key] = b
	}
	return out
}

// analysed is a country of which a KG is analysed, with its files and the tiles of the country.
type analysed struct {
	store   *mem.Store
	records landprocess.Records
	want    map[string][]byte
}

func newAnalysed(t *testing.T) *analysed {
	t.Helper()
	st := mem.New()
	villageIn(t, st)
	_, records := withProducts(t, st, village)
	a := &analysed{store: st, records: records}
	a.work(t, st, records.Ledger)
	a.want = objectsOf(t, st)
	return a
}

// idle is what is told where there is nothing to do: one KG of the country has no heights.
const idle = "KG 00804 cannot be analysed: the KG cannot be analysed: no height model and no orthophoto reaches into it\n"

// work is `landscape process` without a KG, as a start of the processor is, and `landscape tiles`. It gives what is told.
func (a *analysed) work(t *testing.T, st store.Store, l ledger.Ledger) string {
	t.Helper()
	var told bytes.Buffer
	p := processing{products: true, out: &told}
	if err := p.over(t.Context(), st, l, nil); err == nil || err.Error() != "1 KGs could not be analysed" {
		t.Fatalf("%v\n%s", err, &told)
	}
	if err := joinTiles(t.Context(), st, l, io.Discard); err != nil {
		t.Fatal(err)
	}
	return told.String()
}

// same says that a store has the objects that it had, byte by byte, but for those that say when.
func (a *analysed) same(t *testing.T, st store.Store, what string) {
	t.Helper()
	got := objectsOf(t, st)
	for key, b := range a.want {
		if strings.HasPrefix(key, "current.json") || key == "latest/index.json" || strings.HasPrefix(key, "manifests/") ||
			strings.HasPrefix(key, "maintenance/") ||
			strings.HasPrefix(key, "national/publications-") || strings.HasPrefix(key, "work/") { // work/ spares work, and is not missed
			continue
		}
		if now, ok := got[key]; !bytes.Equal(now, b) {
			t.Errorf("%s: %s: there %v, %d bytes, want %d", what, key, ok, len(now), len(b))
		}
	}
}

// What the processor has made is deleted, the folders whole or single files of them, or files are cut short: a start makes it again, byte
// for byte, though nothing that it is made of has changed, and does nothing more than that.
func TestDrillFilesOfTheLandscape(t *testing.T) {
	a := newAnalysed(t)
	e, _, err := a.records.Entry(t.Context(), village)
	if err != nil {
		t.Fatal(err)
	}
	all := func(folders ...string) (lost map[string]bool) {
		lost = map[string]bool{}
		for key := range a.want {
			if slices.ContainsFunc(folders, func(f string) bool { return strings.HasPrefix(key, f) }) {
				lost[key] = false
			}
		}
		return lost
	}
	for _, lost := range []map[string]bool{all("landscape/", "products/", "tables/", "work/"), all("work/"),
		{e.Key: true, e.Products.Of("dtm.tif").Key: false, e.Products.Of("full.gpkg").Key: true}} {
		st := a.store.Clone()
		for key, cut := range lost {
			a.lose(t, st, key, cut)
		}
		if len(lost) < 4 { // of folders that are gone nothing is left that names their files but the index
			a.verified(t, st, lost)
		}
		a.work(t, st, a.records.Ledger)
		a.same(t, st, fmt.Sprint(lost))
		if told := a.work(t, st, a.records.Ledger); told != idle {
			t.Errorf("%v: a second start does more: %s", lost, told)
		}
	}
}

// verified says that a check of the store names what is lost, and nothing else.
func (a *analysed) verified(t *testing.T, st store.Store, lost map[string]bool) {
	t.Helper()
	c, err := national.Check(t.Context(), st, func(rowschema.Quality) {})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for key := range lost {
		if !strings.HasPrefix(key, "work/") {
			want = append(want, key)
		}
	}
	slices.Sort(want)
	broken := slices.DeleteFunc(c.Broken, func(key string) bool { return key == "" }) // the world of the tests has no lists of versions
	if !slices.Equal(broken, want) {
		t.Errorf("broken are %v, want %v", broken, want)
	}
}

// lose takes an object away, or its second half.
func (a *analysed) lose(t *testing.T, st store.Store, key string, cut bool) {
	t.Helper()
	b, ok := a.want[key]
	if !ok {
		t.Fatalf("there is no %s", key)
	}
	err := st.Delete(t.Context(), key)
	if err == nil && cut {
		_, err = st.Put(t.Context(), key, b[:len(b)/2], store.PutOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The processor's records are put back to before a KG was analysed, and to the middle of it, its files of today and the records of the
// research repository beside them: it is analysed again, byte for byte, and not published a second time.
func TestDrillTheLedgerOfTheLandscapeIsRestored(t *testing.T) {
	st := mem.New()
	villageIn(t, st)
	repo, server := research(t)
	archived, err := archiveAt(st, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	_, records := over(t, st, processing{publish: true, archive: archived}, village)
	a := &analysed{store: st, records: records, want: objectsOf(t, st)}
	was, _, err := records.Entry(t.Context(), village)
	if err != nil {
		t.Fatal(err)
	}
	for _, middle := range []bool{false, true} {
		l, err := ledgerurl.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "ledger.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		restored := landprocess.Records{Ledger: l}
		if middle { // its worker of that time lives no more, and nothing was uploaded yet
			noted := was
			noted.Products = nil
			if err := restored.Put(t.Context(), noted); err != nil {
				t.Fatal(err)
			}
			if _, err := restored.Change(t.Context(), func(s *landprocess.State) error {
				s.Now = &landprocess.Current{KG: village, From: "queue", Attempt: 1, Owner: "dead"}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		p := processing{publish: true, archive: archived, out: io.Discard}
		if err := p.over(t.Context(), st, l, []austria.KGCode{village, village}); err != nil {
			t.Fatal(err)
		}
		a.same(t, st, "restored")
		now, _, err := restored.Entry(t.Context(), village)
		if err != nil || now.Products == nil || !slices.Equal(now.Products.Files, was.Products.Files) {
			t.Errorf("middle %t: files %+v, %v", middle, now.Products, err)
		}
		if all, err := repo.Published(); err != nil || len(all) != 1 {
			t.Errorf("middle %t: the repository has %d records, %v", middle, len(all), err)
		}
	}
}

package archive

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
)

func object(form keys.Form, body string) manifest.Object {
	sum := keys.Sum([]byte(body))
	return manifest.Object{Key: keys.Snapshot{Code: "01004", Date: "2026-10-01", Sum: sum, Form: form}.String(), Bytes: int64(len(body)),
		SHA256: sum + strings.Repeat("0", 48)}
}

// journal has two records, of two snapshots, and a draft.
func journal() Journal {
	entry := func(body, date string) Record {
		return RecordOf(manifest.Entry{Code: "01004", Stichtag: date, Snapshot: "01004-" + date, Parcels: 7,
			Forms:   manifest.Forms{KGS: object(keys.KGS, body), GeoParquet: object(keys.GeoParquet, body)},
			Quality: object(keys.Quality, body)})
	}
	first, second, draft := entry("a", "2026-10-01"), entry("b", "2027-01-01"), entry("c", "2027-04-01")
	first.ID, first.DOI, second.ID = 5, "10.5072/zenodo.5", 7
	for i := range first.Files {
		first.Files[i].MD5 = strings.Repeat("ab", 16)
	}
	return Journal{Format: 1, Code: "01004", Concept: "4", Records: []Record{first, second}, Draft: &draft}
}

func listed() Manifest {
	m := Manifest{Format: 1}
	l, _ := LineOf(journal())
	other := l
	other.Code, other.Bytes = "01002", 10
	m, _ = m.With(l)
	m, _ = m.With(other)
	return m
}

func TestDocumentsRoundTrip(t *testing.T) {
	b, err := json.Marshal(journal())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ParseJournal(b); err != nil || !reflect.DeepEqual(got, journal()) {
		t.Errorf("%+v, %v", got, err)
	}
	if b, err = json.Marshal(listed()); err != nil {
		t.Fatal(err)
	}
	got, err := ParseManifest(b)
	if err != nil || !reflect.DeepEqual(got, listed()) || got.KGs != 2 || got.Snapshots != 4 || got.Bytes != 16 ||
		got.List[0].Code != "01002" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestALineIsReplaced(t *testing.T) {
	m := listed()
	same, changed := m.With(m.List[1])
	if changed || !reflect.DeepEqual(same, m) {
		t.Error("the same line is a change")
	}
	l := m.List[1]
	l.Snapshots, l.Bytes = 3, 100
	next, changed := m.With(l)
	if !changed || next.KGs != 2 || next.Snapshots != 5 || next.Bytes != 110 || m.Snapshots != 4 {
		t.Errorf("%+v, earlier %+v", next, m)
	}
	if _, ok := LineOf(Journal{Code: "01004"}); ok {
		t.Error("a KG without records has a line")
	}
}

func TestWhatIsRefused(t *testing.T) {
	for name, edit := range map[string]func(j *Journal){
		"a newer format":          func(j *Journal) { j.Format = 2 },
		"a code that is not one":  func(j *Journal) { j.Code = "1004" },
		"a record without number": func(j *Journal) { j.Records[0].ID = 0 },
		"a record twice":          func(j *Journal) { j.Records[1].Files = j.Records[0].Files; j.Records[1].ID = 9 },
		"another KG's name":       func(j *Journal) { j.Records[0].Name = "01005-2026-10-01" },
		"another KG's file":       func(j *Journal) { j.Draft.Files[1].Key = strings.ReplaceAll(j.Draft.Files[1].Key, "01004", "01005") },
		"a key that leads away":   func(j *Journal) { j.Draft.Files[1].Key = "../current.json" },
		"a name that leads away":  func(j *Journal) { j.Draft.Files[1].Name = "01004-2027-04-01.x/../../y" },
		"a hash of other bytes":   func(j *Journal) { j.Draft.Files[1].SHA256 = strings.Repeat("0", 64) },
		"half an MD5":             func(j *Journal) { j.Draft.Files[0].MD5 = "abab" },
		"no files":                func(j *Journal) { j.Draft.Files = nil },
		"a date that is not one":  func(j *Journal) { j.Draft.Date = "2027-13-01" },
		"another file in front":   func(j *Journal) { f := j.Draft.Files; f[0], f[1] = f[1], f[0] },
	} {
		j := journal()
		edit(&j)
		b, err := json.Marshal(j)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseJournal(b); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	for name, edit := range map[string]func(m *Manifest){
		"a newer format": func(m *Manifest) { m.Format = 2 },
		"other totals":   func(m *Manifest) { m.Bytes++ },
		"out of order":   func(m *Manifest) { m.List[0], m.List[1] = m.List[1], m.List[0] },
		"no record":      func(m *Manifest) { m.List[0].Record = 0 },
	} {
		m := listed()
		edit(&m)
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseManifest(b); err == nil {
			t.Errorf("manifest with %s is read", name)
		}
	}
	if _, err := ParseJournal(bytes.Repeat([]byte(" "), MaxJournal+1)); err == nil {
		t.Error("too large a journal is read")
	}
	if _, err := ParseManifest(bytes.Repeat([]byte(" "), MaxManifest+1)); err == nil {
		t.Error("too large a manifest is read")
	}
}

var freeze = flag.Bool("freeze", false, "write frozen documents that do not exist yet")

func TestFrozenDocumentsOpen(t *testing.T) {
	for name, want := range map[string]any{"journal-1": journal(), "manifest-1": listed()} {
		file := filepath.Join("testdata", "frozen", name+".json")
		if _, err := os.Stat(file); err != nil && *freeze {
			b, _ := manifest.Encode(want)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var got any
		if strings.HasPrefix(name, "journal") {
			got, err = ParseJournal(b)
		} else {
			got, err = ParseManifest(b)
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: want %+v, got %+v, %v", name, want, got, err)
		}
	}
}

func FuzzJournal(f *testing.F) {
	b, _ := json.Marshal(journal())
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		j, err := ParseJournal(b)
		if err != nil {
			return
		}
		b, err = json.Marshal(j)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseJournal(b); err != nil || again.Code != j.Code || len(again.Records) != len(j.Records) {
			t.Errorf("%s: %v", b, err)
		}
	})
}

func FuzzManifest(f *testing.F) {
	b, _ := json.Marshal(listed())
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ParseManifest(b)
		if err != nil {
			return
		}
		for _, l := range m.List {
			if _, changed := m.With(l); changed {
				t.Errorf("%+v is changed by its own line", l)
			}
		}
	})
}

// A journal of products is read as it was written: their keys do not name their bytes.
func TestAJournalOfProducts(t *testing.T) {
	sum := strings.Repeat("ab", 32)
	key := keys.Product{Code: "01004", Input: "0123456789abcdef", Name: "item.json"}
	good := File{Name: "01004-item.json", Key: key.String(), Bytes: 10, SHA256: sum}
	parse := func(f File) error {
		j := Journal{Format: Format, Code: "01004", Of: keys.ProductSets()[0],
			Records: []Record{{ID: 1, Date: "2026-10-01", Name: "01004-2026-10-01", Files: []File{f}}}}
		b, err := json.Marshal(j)
		if err != nil {
			t.Fatal(err)
		}
		_, err = ParseJournal(b)
		return err
	}
	if err := parse(good); err != nil {
		t.Error(err)
	}
	empty, short, other := good, good, good
	empty.Bytes, short.SHA256, other.Key = 0, sum[:62], strings.Replace(good.Key, "01004", "01005", 2)
	for _, f := range []File{empty, short, other} {
		if parse(f) == nil {
			t.Errorf("%+v is taken", f)
		}
	}
}

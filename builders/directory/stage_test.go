package directory_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"mappe/artefacts/directory"
	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/artefacts/sectionfile"
	builder "mappe/builders/directory"
	"mappe/builders/objects"
	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// opened counts the snapshots that are read.
type opened struct {
	store.Store
	snapshots atomic.Int64
}

func (o *opened) Get(ctx context.Context, key string, opt store.GetOptions) (*store.Object, error) {
	if filepath.Ext(key) == ".kgs" {
		o.snapshots.Add(1)
	}
	return o.Store.Get(ctx, key, opt)
}

// country has KGs by their codes; the seed decides what a KG is.
type country map[int]uint64

// write stores the snapshots and gives what the stage reads. Two KGs share each municipality, and streets.
func (seeds country) write(t *testing.T, st store.Store) *stage.Country {
	t.Helper()
	c := &stage.Country{Store: st, Register: &register.Contents{}, Workers: 2, Was: map[austria.KGCode]manifest.Entry{},
		Made: manifest.Artefacts{}}
	for code := 30_001; code < 30_010; code++ {
		seed, ok := seeds[code]
		if !ok {
			continue
		}
		s := kgtest.Snapshot(kgtest.Options{Code: austria.KGCode(fmt.Sprint(code)), Parcels: 40 + int(seed), Segments: 4, AreaKm2: 1,
			Seed: seed})
		s.KG.GemeindeCode = austria.GemeindeCode(fmt.Sprint(30_100 + code/2%4))
		s.KG.GemeindeName = fmt.Sprintf("Öd %d", code/2%4+int(seed)/100) // a seed from 100 on is a municipality with another name
		for i := range s.Buildings {
			b := &s.Buildings[i]
			b.Street, b.Ort, b.PLZ = []string{"Hauptstraße", "Am Anger", ""}[i%3], fmt.Sprint("Ort ", i%2), []austria.PLZ{"1010", ""}[i/2%2]
			if i%7 == 0 {
				b.Parcel = -1
			}
		}
		body, err := kgfile.Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		key := keys.Snapshot{Code: s.KG.Code, Date: s.Build.Stichtag, Sum: keys.Sum(body), Form: keys.KGS}
		if err := objects.Put(t.Context(), st, key, body); err != nil {
			t.Fatal(err)
		}
		k := register.KG{KG: s.KG, DistrictCode: s.KG.GemeindeCode.District()}
		k.Snapshot.Key = key.String()
		c.Register.KGs = append(c.Register.KGs, k)
		c.KGs = append(c.KGs, stage.KG{Entry: manifest.Entry{Code: s.KG.Code, Forms: manifest.Forms{KGS: objects.Of(key, body)}}})
	}
	for i := range c.KGs {
		c.KGs[i].Register = &c.Register.KGs[i]
	}
	return c
}

func mustMake(t *testing.T, c *stage.Country) manifest.Object {
	t.Helper()
	o, err := builder.Stage().Make(t.Context(), c)
	if err != nil || o.Key == "" {
		t.Fatalf("%+v: %v", o, err)
	}
	return o
}

// serve makes the directory of a country and gives the country that follows it.
func serve(t *testing.T, st store.Store, seeds, next country) *stage.Country {
	t.Helper()
	was := seeds.write(t, st)
	c := next.write(t, st)
	c.Live = manifest.Artefacts{directory.Artefact: mustMake(t, was)}
	for i := range was.KGs {
		c.Was[was.KGs[i].Entry.Code] = was.KGs[i].Entry
	}
	return c
}

var five = country{30_001: 1, 30_002: 2, 30_004: 3, 30_005: 4, 30_008: 5}

// with is the country with KGs of other seeds; 0 takes one away.
func (seeds country) with(changed country) country {
	out := country{}
	for code, seed := range seeds {
		out[code] = seed
	}
	for code, seed := range changed {
		if out[code] = seed; seed == 0 {
			delete(out, code)
		}
	}
	return out
}

// The directory of a country of which some KGs changed is that of the country made anew, and only those are read.
func TestWhatIsServedIsTakenOver(t *testing.T) {
	for what, c := range map[string]struct {
		changed country
		read    int64
	}{
		"nothing":                           {country{}, 0},
		"one KG":                            {country{30_004: 9}, 1},
		"the first and the last":            {country{30_001: 7, 30_008: 8}, 2},
		"a KG less":                         {country{30_002: 0}, 0},
		"a KG more, in the middle":          {country{30_003: 6}, 1},
		"one more, one less, one changed":   {country{30_003: 6, 30_008: 0, 30_005: 11}, 2},
		"another name for one municipality": {country{30_002: 102}, 1},
		"all but one":                       {country{30_001: 12, 30_002: 13, 30_004: 14, 30_005: 15}, 4},
		"all":                               {country{30_001: 12, 30_002: 13, 30_004: 14, 30_005: 15, 30_008: 16}, 5},
		"other KGs":                         {country{30_001: 0, 30_002: 0, 30_004: 0, 30_005: 0, 30_008: 0, 30_009: 1}, 1},
	} {
		st := &opened{Store: mem.New()}
		next := serve(t, st, five, five.with(c.changed))
		st.snapshots.Store(0)
		got := mustMake(t, next)
		if n := st.snapshots.Load(); n != c.read {
			t.Errorf("%s: %d snapshots were read, want %d", what, n, c.read)
		}
		next.Live, next.Was = nil, nil
		if want := mustMake(t, next); got != want {
			t.Errorf("%s: got %+v, made anew %+v", what, got, want)
		}
	}
}

// reduced is a directory with the front of another and its names alone, and the sum that the manifest says.
func reduced(t *testing.T, c *stage.Country, b []byte) []byte {
	t.Helper()
	d, err := sectionfile.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	i, ok := directory.NamesSection(d.Directory)
	if !ok {
		t.Fatal("no names")
	}
	names, err := d.Section(i)
	if err != nil {
		t.Fatal(err)
	}
	out, err := sectionfile.Encode(directory.Family, d.Head(), []sectionfile.Section{{Name: d.Name(i), Body: names}})
	if err != nil {
		t.Fatal(err)
	}
	c.Live[directory.Artefact] = objects.Of(keys.National{Name: directory.Artefact, Sum: keys.Sum(out), Ext: "parts"}, out)
	return out
}

// A served directory that is damaged, gone, or made from something else than what is served is made from the snapshots.
func TestADamagedDirectoryIsMadeFromTheSnapshots(t *testing.T) {
	for what, damage := range map[string]func(t *testing.T, c *stage.Country, body []byte) []byte{
		"gone":             func(*testing.T, *stage.Country, []byte) []byte { return nil },
		"cut short":        func(_ *testing.T, _ *stage.Country, b []byte) []byte { return b[:len(b)-1] },
		"longer":           func(_ *testing.T, _ *stage.Country, b []byte) []byte { return append(b, 0) },
		"a byte in front":  func(_ *testing.T, _ *stage.Country, b []byte) []byte { b[9] ^= 1; return b },
		"a byte in blocks": func(_ *testing.T, _ *stage.Country, b []byte) []byte { b[len(b)-9] ^= 1; return b },
		"another file of the right sum": func(_ *testing.T, c *stage.Country, _ []byte) []byte {
			other := []byte("no directory")
			c.Live[directory.Artefact] = objects.Of(keys.National{Name: directory.Artefact, Sum: keys.Sum(other), Ext: "parts"}, other)
			return other
		},
		"of another generation": func(_ *testing.T, c *stage.Country, b []byte) []byte {
			e := c.Was["30001"]
			e.Forms.KGS.SHA256 = "0"
			c.Was["30001"] = e
			return b
		},
		"without its blocks": func(t *testing.T, c *stage.Country, b []byte) []byte { return reduced(t, c, b) },
	} {
		st := &opened{Store: mem.New()}
		next := serve(t, st, five, five.with(country{30_004: 9}))
		key := next.Live[directory.Artefact].Key
		body, err := objects.Read(t.Context(), st, key)
		if err != nil {
			t.Fatal(err)
		}
		body = damage(t, next, body)
		if err := st.Delete(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		if body != nil {
			if _, err := st.Put(t.Context(), next.Live[directory.Artefact].Key, body, store.PutOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		st.snapshots.Store(0)
		got := mustMake(t, next)
		if n := st.snapshots.Load(); n != int64(len(five)) {
			t.Errorf("%s: %d snapshots were read, want all %d", what, n, len(five))
		}
		next.Live, next.Was = nil, nil
		if want := mustMake(t, next); got != want {
			t.Errorf("%s: got %+v, made anew %+v", what, got, want)
		}
	}
}

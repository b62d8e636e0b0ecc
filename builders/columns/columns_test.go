package columns

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"mappe/artefacts/columns"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
	"mappe/builders/stage/stagetest"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// country is KGs in a store: n in each of three districts. seed changes the parcels of the KG it names.
func country(t testing.TB, st store.Store, n int, seeds map[austria.KGCode]uint64) *stage.Country {
	t.Helper()
	c := &stage.Country{Store: st, Register: &register.Contents{}, Live: manifest.Artefacts{}, Workers: 2}
	for i := range 3 * n {
		code := austria.KGCode(fmt.Sprint(99001 + i))
		s := kgtest.Snapshot(kgtest.Options{Code: code, Parcels: 20 + i, Segments: 1, AreaKm2: 1, Seed: seeds[code]})
		row := &register.KG{KG: s.KG, DistrictCode: austria.DistrictCode([]string{"901", "455", "101"}[i%3])}
		c.KGs = append(c.KGs, stage.KG{Entry: stagetest.Entry(t, st, s), Register: row})
	}
	return c
}

func made(t testing.TB, c *stage.Country) (manifest.Object, []byte) {
	t.Helper()
	o, err := Stage().Make(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := store.ReadAll(t.Context(), c.Store, o.Key, 1<<30, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return o, b
}

// The sections of a district are the columns of its KGs, by code; the summaries stand by district.
func TestStage(t *testing.T) {
	c := country(t, mem.New(), 3, nil)
	o, b := made(t, c)
	f, err := sectionfile.Open(bytes.NewReader(b), o.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	head, err := columns.DecodeHead(f.Head())
	if err != nil || len(head) != 3 || head[0].District != "101" || head[2].District != "901" {
		t.Fatalf("head %+v, %v", head, err)
	}
	i, _ := f.Find(columns.Summary)
	body, err := f.Section(i)
	if err != nil {
		t.Fatal(err)
	}
	kgs, _, err := columns.DecodeKGs(body)
	if err != nil || len(kgs) != 9 || kgs[0].Code != "99003" || kgs[0].District != "101" || kgs[1].Code != "99006" {
		t.Fatalf("KGs %+v, %v", kgs, err)
	}
	at := map[austria.KGCode]*stage.KG{}
	for i := range c.KGs {
		at[c.KGs[i].Entry.Code] = &c.KGs[i]
	}
	for _, g := range columns.AllGroups() {
		for _, d := range head {
			i, ok := f.Find(g.Section(d.District))
			if !ok {
				t.Fatalf("no section %s", g.Section(d.District))
			}
			got, err := f.Section(i)
			if err != nil {
				t.Fatal(err)
			}
			var tables []*columns.Table
			for _, k := range kgs {
				if k.District != d.District {
					continue
				}
				file, err := c.Open(t.Context(), at[k.Code])
				if err != nil {
					t.Fatal(err)
				}
				table, err := columns.Of(file)
				if err != nil {
					t.Fatal(err)
				}
				tables = append(tables, table)
			}
			want, err := columns.Join(tables).Encode(g)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: the section is not that of the KGs, %v", g.Section(d.District), err)
			}
		}
	}
}

func TestTheSameCountryGivesTheSameBytes(t *testing.T) {
	one := country(t, mem.New(), 2, nil)
	_, a := made(t, one)
	two := country(t, mem.New(), 2, nil)
	two.Workers = 1
	if _, b := made(t, two); !bytes.Equal(a, b) {
		t.Error("two runs over one country differ")
	}
}

// Of districts that did not change no KG file is read again (they are gone here), and the result is what a first run gives.
func TestUnchangedDistrictsAreTakenOver(t *testing.T) {
	st := mem.New()
	o, _ := made(t, country(t, st, 2, nil))
	changed := map[austria.KGCode]uint64{"99002": 7}
	_, fresh := made(t, country(t, st, 2, changed))

	c := country(t, st, 2, changed)
	c.Live = manifest.Artefacts{columns.Artefact: o}
	for i := range c.KGs {
		if c.KGs[i].Register.DistrictCode != c.KGs[1].Register.DistrictCode {
			if err := st.Delete(t.Context(), c.KGs[i].Entry.Forms.KGS.Key); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, taken := made(t, c)
	if !bytes.Equal(fresh, taken) {
		t.Error("a run over the served artefact gives other bytes")
	}
}

// In passes of random changes (KGs that change, come, go, move to another district) the files of KGs that are as they were are
// not read, they are gone here, and the bytes are those of a first run. What is served of something else than the generation
// says is made anew.
func TestUnchangedKGsOfAChangedDistrictAreTakenOver(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	districts := []austria.DistrictCode{"101", "455", "901"}
	seeds, moved, absent := map[austria.KGCode]uint64{}, map[austria.KGCode]austria.DistrictCode{}, map[austria.KGCode]bool{}
	at := func(st store.Store) *stage.Country {
		c := country(t, st, 4, seeds)
		c.KGs = slices.DeleteFunc(c.KGs, func(k stage.KG) bool { return absent[k.Entry.Code] })
		for i := range c.KGs {
			if d, ok := moved[c.KGs[i].Entry.Code]; ok {
				c.KGs[i].Register.DistrictCode = d
			}
		}
		return c
	}
	served := at(mem.New())
	o, body := made(t, served)
	for pass := range 12 {
		was := map[austria.KGCode]manifest.Entry{}
		district := map[austria.KGCode]austria.DistrictCode{}
		for _, k := range served.KGs {
			was[k.Entry.Code], district[k.Entry.Code] = k.Entry, k.Register.DistrictCode
		}
		for range 1 + random.IntN(3) {
			code := austria.KGCode(fmt.Sprint(99001 + random.IntN(12)))
			switch random.IntN(4) {
			case 0:
				absent[code] = !absent[code]
			case 1:
				moved[code] = districts[random.IntN(3)]
			default:
				seeds[code] = random.Uint64()
			}
		}
		_, want := made(t, at(mem.New()))

		st := mem.New()
		c := at(st)
		if _, err := st.Put(t.Context(), o.Key, body, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		c.Live, c.Was = manifest.Artefacts{columns.Artefact: o}, was
		kept := 0
		for _, k := range c.KGs {
			if e, ok := was[k.Entry.Code]; ok && e.Forms == k.Entry.Forms && district[k.Entry.Code] == k.Register.DistrictCode {
				kept++
				if err := st.Delete(t.Context(), k.Entry.Forms.KGS.Key); err != nil {
					t.Fatal(err)
				}
			}
		}
		now, got := made(t, c)
		if !bytes.Equal(got, want) || kept < 6 {
			t.Fatalf("pass %d, %d KGs kept: other bytes than those of a first run", pass, kept)
		}
		served, o, body = c, now, got
	}
	fewer := func() *stage.Country {
		c := at(mem.New())
		c.KGs = c.KGs[1:]
		return c
	}
	_, want := made(t, fewer())
	lies := map[austria.KGCode]manifest.Entry{} // each KG's file is said to be what the next one's is
	for i, k := range served.KGs {
		lies[k.Entry.Code] = served.KGs[(i+1)%len(served.KGs)].Entry
	}
	for name, was := range map[string]map[austria.KGCode]manifest.Entry{"nothing is known": {}, "other files": lies} {
		c := fewer()
		c.Live, c.Was = manifest.Artefacts{columns.Artefact: o}, was
		if _, err := c.Store.Put(t.Context(), o.Key, body, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, got := made(t, c); !bytes.Equal(got, want) {
			t.Errorf("%s: other bytes than those of a first run", name)
		}
	}
}

// Where nothing changed the served artefact is the result, and nothing of a KG is read.
func TestNothingChanged(t *testing.T) {
	st := mem.New()
	c := country(t, st, 2, nil)
	o, _ := made(t, c)
	for i := range c.KGs {
		if err := st.Delete(t.Context(), c.KGs[i].Entry.Forms.KGS.Key); err != nil {
			t.Fatal(err)
		}
	}
	c.Live = manifest.Artefacts{columns.Artefact: o}
	if again, err := Stage().Make(t.Context(), c); err != nil || again != o {
		t.Errorf("want %+v, got %+v, %v", o, again, err)
	}
	c.KGs = c.KGs[:5]
	if again, err := Stage().Make(t.Context(), c); err == nil {
		t.Errorf("a KG less: %+v", again)
	}
}

// A served artefact that is gone or damaged is passed over.
func TestADamagedServedArtefactIsPassedOver(t *testing.T) {
	st := mem.New()
	c := country(t, st, 2, nil)
	o, want := made(t, c)
	for name, live := range map[string]manifest.Object{"gone": {Key: "national/parcels-0123456789abcdef.parts", Bytes: 100},
		"another length": {Key: o.Key, Bytes: o.Bytes - 1}, "another kind": {Key: c.KGs[0].Entry.Forms.KGS.Key,
			Bytes: c.KGs[0].Entry.Forms.KGS.Bytes}} {
		c.Live = manifest.Artefacts{columns.Artefact: live}
		if _, got := made(t, c); !bytes.Equal(got, want) {
			t.Errorf("%s: other bytes", name)
		}
	}
}

// A KG file that cannot be read ends the stage: nothing half is published.
func TestAKGThatCannotBeRead(t *testing.T) {
	st := mem.New()
	c := country(t, st, 1, nil)
	if err := st.Delete(context.Background(), c.KGs[1].Entry.Forms.KGS.Key); err != nil {
		t.Fatal(err)
	}
	if o, err := Stage().Make(t.Context(), c); err == nil {
		t.Errorf("made %+v without a KG", o)
	}
}

// A country without KGs has an artefact without rows.
func TestNoKGs(t *testing.T) {
	c := country(t, mem.New(), 0, nil)
	o, b := made(t, c)
	if f, err := sectionfile.Open(bytes.NewReader(b), o.Bytes); err != nil || f.Len() != 2 {
		t.Errorf("%v", err)
	}
}

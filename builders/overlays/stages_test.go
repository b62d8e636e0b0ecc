package overlays

import (
	"bytes"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/manifest"
	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
	"mappe/builders/stage/stagetest"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// country is two KGs beside each other, and their files.
type country struct {
	*stage.Country
	snapshots []*kgfile.Snapshot
}

func newCountry(t *testing.T, withFiles bool) country {
	t.Helper()
	c := country{Country: &stage.Country{Store: mem.New(), Register: &register.Contents{}, Made: manifest.Artefacts{}, Workers: 2}}
	for i, code := range []austria.KGCode{"10001", "10002"} {
		o := kgtest.Small
		o.Code, o.Parcels, o.East = code, 300, int32(i)*2_000_000
		s := kgtest.Snapshot(o)
		at := c.Store
		if !withFiles {
			at = mem.New()
		}
		c.Register.KGs = append(c.Register.KGs, register.KG{KG: s.KG})
		c.KGs = append(c.KGs, stage.KG{Entry: stagetest.Entry(t, at, s), Register: &register.KG{KG: s.KG}})
		c.snapshots = append(c.snapshots, s)
	}
	return c
}

func box(code string, b geom.Box) overlays.Site {
	m := geom.MultiPolygon{{{{X: b.MinX, Y: b.MinY}, {X: b.MaxX, Y: b.MinY}, {X: b.MaxX, Y: b.MaxY}, {X: b.MinX, Y: b.MaxY}}}}
	return overlays.Site{Code: code, Name: "Moor " + code, Type: overlays.Birds, AreaHa: 1, Features: 1, Box: b, Geometry: m}
}

// over is a site over the western half of the first KG, one over a strip of the second, and laws of the first.
func over(t *testing.T, c country) *Source {
	t.Helper()
	a, b := c.snapshots[0].KG.Box, c.snapshots[1].KG.Box
	half, strip := a, b
	half.MaxX = a.MinX/2 + a.MaxX/2
	strip.MaxY = b.MinY + (b.MaxY-b.MinY)/3
	s := &Source{Source: overlays.Source{
		Sites: []overlays.Site{box("AT0000001", half), box("AT0000002", strip)},
		Laws:  []overlays.Law{{Name: "Verordnung", Context: "zoning"}},
		Refs:  []overlays.KGRefs{{KG: "10001", Refs: []overlays.Ref{{GNR: c.snapshots[0].Parcels[3].GNR}, {GNR: "99999"}, {}}}},
	}}
	var err error
	if s.Sum, err = sum(&s.Source); err != nil {
		t.Fatal(err)
	}
	return s
}

func written(t *testing.T, c country, o manifest.Object) *sectionfile.File {
	t.Helper()
	b, _, err := store.ReadAll(t.Context(), c.Store, o.Key, 1<<30, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := sectionfile.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func section(t *testing.T, f *sectionfile.File, name string) []byte {
	t.Helper()
	i, ok := f.Find(name)
	if !ok {
		t.Fatalf("no section %s", name)
	}
	b, err := f.Section(i)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestParcelsInSites(t *testing.T) {
	c := newCountry(t, true)
	s := over(t, c)
	o, err := s.kgStage().Make(t.Context(), c.Country)
	if err != nil {
		t.Fatal(err)
	}
	f := written(t, c, o)
	index, err := overlays.DecodeIndex(section(t, f, overlays.IndexSection))
	if err != nil || len(index) != 2 {
		t.Fatalf("want 2 KGs, got %v, %v", index, err)
	}
	for i, snap := range c.snapshots {
		k, _, err := overlays.DecodeKG(section(t, f, overlays.KGSection(snap.KG.Code)))
		if err != nil {
			t.Fatal(err)
		}
		in := 0
		for row := range snap.Parcels {
			want := s.Sites[i].Geometry.Contains(snap.Parcels[row].Centroid)
			if got := len(k.SitesOf(row)) > 0; got != want {
				t.Errorf("KG %s parcel %s: want %v, got %v", snap.KG.Code, snap.Parcels[row].GNR, want, got)
			}
			if want {
				in++
			}
		}
		if in == 0 || in == len(snap.Parcels) || index[i].Parcels != in || len(index[i].Inside()) != 1 || k.Sites[0].Parcels != in {
			t.Errorf("KG %s: want %d of %d parcels, got %+v", snap.KG.Code, in, len(snap.Parcels), index[i])
		}
	}
	k, _, err := overlays.DecodeKG(section(t, f, "k10001"))
	if err != nil || len(k.Refs) != 3 || len(k.RefsOf(3)) != 1 || len(k.RefsOf(-1)) != 2 || k.Contexts().List()[0] != "zoning" {
		t.Errorf("want one reference to parcel 3 and two to none, got %+v, %v", k, err)
	}
}

// What did not change is taken over byte for byte, and no KG's file is opened for it.
func TestUnchangedKGsAreTakenOver(t *testing.T) {
	first := newCountry(t, true)
	s := over(t, first)
	live, err := s.kgStage().Make(t.Context(), first.Country)
	if err != nil {
		t.Fatal(err)
	}
	body, _, err := store.ReadAll(t.Context(), first.Store, live.Key, 1<<30, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	again := func(change func(*Source)) (manifest.Object, error) {
		c := newCountry(t, false) // the KGs' files are not there
		if _, err := c.Store.Put(t.Context(), live.Key, body, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		c.Live = manifest.Artefacts{overlays.KGArtefact: live}
		s := over(t, c)
		change(s)
		return s.kgStage().Make(t.Context(), c.Country)
	}
	if o, err := again(func(*Source) {}); err != nil || o != live {
		t.Errorf("want the live artefact, got %v, %v", o, err)
	}
	if o, err := again(func(s *Source) {
		s.Laws = append([]overlays.Law{{Name: "another", Context: "hunting"}}, s.Laws...)
		for i := range s.Refs[0].Refs {
			s.Refs[0].Refs[i].Law = 1
		}
	}); err != nil || o != live {
		t.Errorf("a law that names no KG moves the rows of laws: want the live artefact, got %v, %v", o, err)
	}
	for name, change := range map[string]func(*Source){
		"the name of a site":  func(s *Source) { s.Sites[0].Name = "Au" },
		"the shape of a site": func(s *Source) { s.Sites[1].Geometry[0][0][0].Y++ },
		"a reference":         func(s *Source) { s.Refs[0].Refs[0].Partial = true },
		"the text of a law":   func(s *Source) { s.Laws[0].Date = "2020" },
	} {
		if _, err := again(change); err == nil {
			t.Errorf("%s changed, and no KG's file was opened", name)
		}
	}
}

// A live artefact that is gone or damaged is made anew.
func TestDamagedLive(t *testing.T) {
	c := newCountry(t, true)
	s := over(t, c)
	want, err := s.kgStage().Make(t.Context(), c.Country)
	if err != nil {
		t.Fatal(err)
	}
	for name, live := range map[string]manifest.Object{"gone": {Key: "national/kg-overlays-0000000000000000.parts", Bytes: 100},
		"cut": {Key: want.Key, Bytes: want.Bytes - 1}} {
		c.Live = manifest.Artefacts{overlays.KGArtefact: live}
		if got, err := s.kgStage().Make(t.Context(), c.Country); err != nil || got != want {
			t.Errorf("%s: want %v, got %v, %v", name, want, got, err)
		}
	}
}

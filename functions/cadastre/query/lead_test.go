package query

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mappe/artefacts/columns"
	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/sectionfile"
	"mappe/functions/core/parcelcolumns"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// nine municipalities of nine districts.
var nine = []austria.GemeindeCode{"30101", "30201", "30301", "30401", "30501", "30601", "30701", "30801", "30901"}

// led is a query over all KGs whose page is shorter than they are many, as the files of the leading ones answer it.
func led(t *rapid.T) *asked {
	a := &asked{sort: rapid.SampledFrom([]string{"area_desc", "area_asc"}).Draw(t, "sort")}
	a.params = append(a.params, "sort="+a.sort, "with_stats=1")
	built := rapid.Bool().Draw(t, "built")
	a.add(fmt.Sprint("has_buildings=", built), func(_ *kgfile.KG, p *kgfile.Parcel) bool {
		return (p.BuildingCount+p.FootprintCount > 0) == built
	})
	if rapid.Bool().Draw(t, "bound") {
		a.add("max_area=8000", func(_ *kgfile.KG, p *kgfile.Parcel) bool { return p.AreaSqm <= 8000 })
	}
	return a
}

// Rows, counts and sums are those of plain loops whether they come out of the leading KGs' files or of columns: because the
// artefact is an older one, or because a leading file is gone.
func TestLeadingFilesChangeNoAnswer(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := spread(rt, 20, nine...)
		s := published(t, list)
		h := serve(t, s)
		before := published(t, list)
		unbuilt(t, before)
		older := serve(t, before)
		for range 3 {
			q := led(rt)
			limit := rapid.IntRange(1, 15).Draw(rt, "limit")
			target := "/api/v1/query?" + strings.Join(q.params, "&") + fmt.Sprint("&limit=", limit)
			want := q.slowly(list)
			ids := []string{}
			for _, r := range want[:min(limit, len(want))] {
				ids = append(ids, r.id())
			}
			for name, h := range map[string]func() answer{"files": func() answer { return ask(t, h, target) },
				"columns": func() answer { return ask(t, older, target) }} {
				got := h()
				if !slices.Equal(got.ids(), ids) || got.total() != len(want) {
					rt.Fatalf("%s, %v: want %v of %d, got %v of %d", name, q.params, ids, len(want), got.ids(), got.total())
				}
				sameFigures(rt, q, want, &got)
			}
		}
	})
}

// unbuilt takes from the artefact what tells of parcels with buildings, as those of before lack it.
func unbuilt(t *testing.T, s store.Store) {
	t.Helper()
	v := viewOf(t, s)
	key, _ := v.Artefact(columns.Artefact)
	b, _, err := store.ReadAll(t.Context(), s, key.String(), 1<<30, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := sectionfile.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var list []sectionfile.Section
	for i := range f.Len() {
		body, err := f.Section(i)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name(i) != columns.BuiltSummary {
			list = append(list, sectionfile.Section{Name: f.Name(i), Body: body})
		}
	}
	if len(list) != f.Len()-1 {
		t.Fatal("the artefact tells nothing of parcels with buildings")
	}
	if b, err = sectionfile.Encode(columns.Family, f.Head(), list); err != nil {
		t.Fatal(err)
	}
	at := keys.National{Name: columns.Artefact, Sum: keys.Sum(b), Ext: "parts"}.String()
	if _, err := s.Put(t.Context(), at, b, store.PutOptions{Immutable: true}); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	o := manifest.Object{Key: at, Bytes: int64(len(b)), SHA256: hex.EncodeToString(sum[:])}
	if err := fixture.Name(s, columns.Artefact, o); err != nil {
		t.Fatal(err)
	}
}

// The KGs on the page are read, and no columns; where one of them is gone its rows keep their places.
func TestReadsOfLeadingFiles(t *testing.T) {
	list := fixture.Many(20)
	for i, s := range list {
		s.KG.GemeindeCode = nine[i%len(nine)]
		s.Parcels[0].AreaSqm, s.Parcels[0].BuildingCount = float64(100_000-i), 1
		kgfile.Quantise(s)
	}
	s := published(t, list)
	const target = "/api/v1/query?has_buildings=true&limit=12"
	if a := ask(t, serve(t, s), target); len(a.Data) != 12 {
		t.Fatalf("want 12 rows, got %v", a.ids())
	}
	v := viewOf(t, s)
	c, err := parcelcolumns.Open(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	p := &plan{view: v, by: areaDesc, through: 12, filter: filter{least: 1}}
	p.filter.most, p.filter.Built = ^uint64(0), 1
	reg := v.Register()
	for i := range reg.KGs() {
		p.places = append(p.places, place{kg: &reg.KGs()[i]})
	}
	if err := p.summarise(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found, err := run(t.Context(), p, scanner{c, p}, want{hits: true})
	if err != nil || !found.inFile || len(found.hits) != 12 {
		t.Fatalf("%+v, %v", found, err)
	}
	lose(t, s, list[3].KG.Code)
	gone := ask(t, serve(t, s), target)
	if len(gone.Data) != 11 || gone.Meta["ready"] != false {
		t.Errorf("want 11 rows, and that one is missing: %v, %v", gone.ids(), gone.Meta)
	}
}

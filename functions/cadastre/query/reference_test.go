package query

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mappe/artefacts/kgfile"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// scattered are KGs whose parcels have every attribute at random, in three districts of two states.
func scattered(t *rapid.T) []*kgfile.Snapshot {
	return spread(t, 6, "38801", "38802", "48804", "32201")
}

// spread are so many KGs of such parcels, in these municipalities by turns.
func spread(t *rapid.T, n int, among ...austria.GemeindeCode) []*kgfile.Snapshot {
	list := fixture.Many(n)
	for i, s := range list {
		s.KG.GemeindeCode = among[i%len(among)]
		s.KG.GemeindeName, s.KG.DistrictName = "G "+string(s.KG.GemeindeCode), "B "+string(s.KG.GemeindeCode.District())
		for k := range s.Parcels {
			p := &s.Parcels[k]
			p.AreaSqm = rapid.SampledFrom([]float64{0, 100, 100.01, 250.5, 8000, 60_000_000.25}).Draw(t, "area")
			p.EZ = austria.EZ(rapid.IntRange(0, 2).Draw(t, "ez"))
			p.Status = rapid.SampledFrom([]austria.Status{0, austria.StatusE, austria.StatusG}).Draw(t, "status")
			p.BuildingCount, p.FootprintCount = rapid.IntRange(0, 2).Draw(t, "buildings"), rapid.IntRange(0, 1).Draw(t, "footprints")
			p.GNR = austria.GNR(rapid.SampledFrom([]string{"", "."}).Draw(t, "plot") + fmt.Sprint(k+1) +
				rapid.SampledFrom([]string{"", "/1", "/12"}).Draw(t, "sub"))
			p.SymbolCounts, p.UseAreas = nil, nil
			for _, c := range []austria.LandUse{41, 52, 56} {
				if rapid.Bool().Draw(t, "symbol") {
					p.SymbolCounts = append(p.SymbolCounts, kgfile.CodeCount{Code: c, N: 1})
				}
				if rapid.IntRange(0, 3).Draw(t, "use") == 0 {
					p.UseAreas = append(p.UseAreas,
						kgfile.CodeArea{Code: c, Sqm: rapid.SampledFrom([]float64{0, 12.5, 80.01}).Draw(t, "of")})
				}
			}
		}
		kgfile.Quantise(s)
		s.Folios = kgfile.Folios(s.Parcels)
	}
	return list
}

// asked is a query with its independent meaning.
type asked struct {
	params []string
	fits   []func(*kgfile.KG, *kgfile.Parcel) bool
	sort   string
}

func (a *asked) add(param string, fits func(*kgfile.KG, *kgfile.Parcel) bool) {
	a.params, a.fits = append(a.params, param), append(a.fits, fits)
}

func queries(t *rapid.T, box geom.Box) *asked {
	a := &asked{sort: rapid.SampledFrom([]string{"area_desc", "area_asc", "gnr"}).Draw(t, "sort")}
	a.params = append(a.params, "sort="+a.sort, "with_stats=1")
	some := func(name string) bool { return rapid.IntRange(0, 3).Draw(t, name) == 0 }
	if some("kg") {
		a.add("kg=81001,81004,81005", func(k *kgfile.KG, _ *kgfile.Parcel) bool {
			return strings.Contains("81001,81004,81005", string(k.Code))
		})
	}
	if some("district") {
		a.add("district=388", func(k *kgfile.KG, _ *kgfile.Parcel) bool { return k.GemeindeCode[:3] == "388" })
	}
	if some("state") {
		a.add("state=3", func(k *kgfile.KG, _ *kgfile.Parcel) bool { return k.GemeindeCode[0] == '3' })
	}
	if some("built") {
		want := rapid.Bool().Draw(t, "is")
		a.add(fmt.Sprint("has_buildings=", want), func(_ *kgfile.KG, p *kgfile.Parcel) bool {
			return (p.BuildingCount+p.FootprintCount > 0) == want
		})
	}
	if some("status") {
		a.add("status=G", func(_ *kgfile.KG, p *kgfile.Parcel) bool { return p.Status == austria.StatusG })
	}
	if some("ez") {
		a.add("ez=2", func(_ *kgfile.KG, p *kgfile.Parcel) bool { return p.EZ == 2 })
	}
	if some("landuse") {
		a.add("landuse=41,56", func(_ *kgfile.KG, p *kgfile.Parcel) bool { return has(p, 41) || has(p, 56) })
	}
	if some("least") {
		v := rapid.SampledFrom([]float64{100, 100.005, 100.01, 100.011, 250.5, 250.51}).Draw(t, "v")
		a.add(fmt.Sprint("min_area=", v), func(_ *kgfile.KG, p *kgfile.Parcel) bool { return p.AreaSqm >= v })
	}
	if some("most") {
		v := rapid.SampledFrom([]float64{251, 8000, 7999.99, 8000.01, 60_000_000.25}).Draw(t, "v")
		a.add(fmt.Sprintf("max_area=%f", v), func(_ *kgfile.KG, p *kgfile.Parcel) bool { return p.AreaSqm <= v })
	}
	if some("q") {
		a.add("q=1/12", func(_ *kgfile.KG, p *kgfile.Parcel) bool { return p.GNR == "1/12" })
	}
	if len(a.fits) == 0 || some("box") {
		a.add(fmt.Sprintf("west=%.7f&south=%.7f&east=%.7f&north=%.7f", float64(box.MinX)/1e7, float64(box.MinY)/1e7, float64(box.MaxX)/1e7,
			float64(box.MaxY)/1e7),
			func(_ *kgfile.KG, p *kgfile.Parcel) bool { return box.Contains(p.Centroid) })
	}
	return a
}

func has(p *kgfile.Parcel, c austria.LandUse) bool {
	return slices.ContainsFunc(p.SymbolCounts, func(s kgfile.CodeCount) bool { return s.Code == c }) ||
		slices.ContainsFunc(p.UseAreas, func(s kgfile.CodeArea) bool { return s.Code == c })
}

// row is a parcel that matches.
type row struct {
	kg *kgfile.KG
	p  *kgfile.Parcel
}

func (r row) id() string { return string(r.kg.Code) + "-" + string(r.p.GNR) }

// slowly looks at every parcel.
func (a *asked) slowly(list []*kgfile.Snapshot) []row {
	var found []row
	for _, s := range list {
		for i := range s.Parcels {
			if !slices.ContainsFunc(a.fits, func(f func(*kgfile.KG, *kgfile.Parcel) bool) bool { return !f(&s.KG, &s.Parcels[i]) }) {
				found = append(found, row{&s.KG, &s.Parcels[i]})
			}
		}
	}
	slices.SortFunc(found, func(x, y row) int {
		switch a.sort {
		case "area_desc":
			return cmp.Or(cmp.Compare(y.p.AreaSqm, x.p.AreaSqm), cmp.Compare(x.id(), y.id()))
		case "area_asc":
			return cmp.Or(cmp.Compare(x.p.AreaSqm, y.p.AreaSqm), cmp.Compare(x.id(), y.id()))
		}
		return cmp.Or(slices.Compare(numbers(x.p.GNR), numbers(y.p.GNR)), cmp.Compare(x.id(), y.id()))
	})
	return found
}

// numbers are main number, sub-number (-1 none) and whether the number is of a building plot.
func numbers(g austria.GNR) []int {
	n := []int{0, -1, 0}
	text, plot := strings.CutPrefix(string(g), ".")
	if plot {
		n[2] = 1
	}
	if strings.Contains(text, "/") {
		fmt.Sscanf(text, "%d/%d", &n[0], &n[1])
	} else {
		fmt.Sscanf(text, "%d", &n[0])
	}
	return n
}

// Random queries over random parcels, beside plain loops over the same rows.
func TestAgainstPlainLoops(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := scattered(rt)
		h := serve(t, published(t, list))
		a := fixture.At(rapid.Float64Range(0, 4).Draw(rt, "x"), rapid.Float64Range(0, 1).Draw(rt, "y"))
		b := fixture.At(rapid.Float64Range(5, 9).Draw(rt, "x"), rapid.Float64Range(1.1, 2).Draw(rt, "y"))
		for range 4 {
			q := queries(rt, geom.Box{MinX: a.X, MinY: a.Y, MaxX: b.X, MaxY: b.Y})
			offset, limit := rapid.IntRange(0, 5).Draw(rt, "offset"), rapid.IntRange(1, 30).Draw(rt, "limit")
			got := ask(t, h, "/api/v1/query?"+strings.Join(q.params, "&")+fmt.Sprintf("&offset=%d&limit=%d", offset, limit))
			want := q.slowly(list)
			ids := []string{}
			for i := offset; i < min(offset+limit, len(want)); i++ {
				ids = append(ids, want[i].id())
			}
			if !slices.Equal(got.ids(), ids) || got.total() != len(want) {
				rt.Fatalf("%v: want %v of %d, got %v of %d", q.params, ids, len(want), got.ids(), got.total())
			}
			sameFigures(rt, q, want, &got)
		}
	})
}

// sameFigures compares the statistics of a query with sums over its rows.
func sameFigures(t *rapid.T, q *asked, rows []row, got *answer) {
	sum, least, most, buildings := 0.0, math.Inf(1), 0.0, 0
	parcels, areas := map[int]int{}, map[int]float64{}
	for _, r := range rows {
		sum, least, most, buildings = sum+r.p.AreaSqm, min(least, r.p.AreaSqm), max(most, r.p.AreaSqm), buildings+r.p.BuildingCount
		for c := range 100 {
			if has(r.p, austria.LandUse(c)) {
				parcels[c]++
			}
		}
		for _, u := range r.p.UseAreas {
			areas[int(u.Code)] += u.Sqm
		}
	}
	s := &got.Stats
	near := func(a, b float64) bool { return math.Abs(a-b) < 0.006 }
	ok := *s.Matching == len(rows) && near(*s.Total, sum) && *s.Buildings == buildings && len(s.Uses) == len(parcels)
	if len(rows) > 0 {
		ok = ok && near(*s.Least, least) && near(*s.Greatest, most)
	}
	for _, u := range s.Uses {
		area, known := areas[u.Code]
		ok = ok && u.Parcels == parcels[u.Code] && known == (u.Area != nil) && (!known || near(area, *u.Area))
	}
	if !ok {
		t.Fatalf("%v: want %d rows, %f m², %f to %f, %d buildings, land use %v %v, got %+v", q.params, len(rows), sum, least, most,
			buildings, parcels, areas, *s)
	}
}

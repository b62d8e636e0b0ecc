package columns_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mappe/artefacts/columns"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
)

// file is a KG with parcels of every sort.
func file(t testing.TB, code austria.KGCode, parcels int) *kgfile.File {
	t.Helper()
	s := kgtest.Snapshot(kgtest.Options{Code: code, Parcels: parcels, Segments: 1, AreaKm2: 1})
	body, err := kgfile.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	f, err := kgfile.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func tableOf(t testing.TB, f *kgfile.File) *columns.Table {
	t.Helper()
	table, err := columns.Of(f)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// decoded is a table as its sections give it.
func decoded(t testing.TB, table *columns.Table) *columns.Table {
	t.Helper()
	out := &columns.Table{}
	for _, g := range columns.AllGroups() {
		b, err := table.Encode(g)
		if err != nil {
			t.Fatal(err)
		}
		part, cost, err := columns.Decode(g, table.N, b)
		if err != nil || cost <= 0 {
			t.Fatalf("%s: %v, cost %d", g, err, cost)
		}
		out = out.With(part)
	}
	return out
}

// Every column of a parcel is that of the KG file, through the bytes of the sections.
func TestColumnsAreThoseOfTheFile(t *testing.T) {
	f := file(t, "99001", 300)
	parcels, err := f.Parcels()
	if err != nil {
		t.Fatal(err)
	}
	got := decoded(t, tableOf(t, f))
	if got.N != len(parcels) {
		t.Fatalf("want %d rows, got %d", len(parcels), got.N)
	}
	last := austria.GNR("")
	for i := range got.N {
		p := &parcels[got.Rows[i]]
		if p.GNR <= last {
			t.Fatalf("%s stands behind %s", p.GNR, last)
		}
		last = p.GNR
		if columns.Sqm(got.Areas[i]) != p.AreaSqm || got.Point(i) != p.Centroid || got.Number(i) != string(p.GNR) ||
			got.EZ[i] != uint32(p.EZ) ||
			got.Statuses[i] != columns.StatusCode(p.Status) || int(got.Buildings[i]) != p.BuildingCount ||
			int(got.Footprints[i]) != p.FootprintCount ||
			columns.Sqm(got.BuiltAreas[i]) != p.BuildingAreaSqm {
			t.Fatalf("row %d: want %+v", i, p)
		}
		var uses []kgfile.CodeArea
		var codes austria.LandUseSet
		for lo, hi := got.Shares(i); lo < hi; lo++ {
			uses = append(uses, kgfile.CodeArea{Code: austria.LandUse(got.ShareCodes[lo]), Sqm: columns.Sqm(got.ShareAreas[lo])})
		}
		for _, c := range p.SymbolCounts {
			codes.Add(c.Code)
		}
		for _, c := range p.UseAreas {
			codes.Add(c.Code)
		}
		if !slices.Equal(uses, p.UseAreas) || got.Sets[got.Use[i]] != codes {
			t.Fatalf("row %d: want land use %v %v, got %v %v", i, p.UseAreas, codes, uses, got.Sets[got.Use[i]])
		}
	}
}

// The rows of joined tables are those of the tables, one after the other.
func TestJoin(t *testing.T) {
	a, b := tableOf(t, file(t, "99001", 40)), tableOf(t, file(t, "99002", 60))
	j := decoded(t, columns.Join([]*columns.Table{a, b}))
	for i := range j.N {
		from, k := a, i
		if i >= a.N {
			from, k = b, i-a.N
		}
		lo, hi := j.Shares(i)
		l, h := from.Shares(k)
		if j.Areas[i] != from.Areas[k] || j.Number(i) != from.Number(k) || j.Point(i) != from.Point(k) ||
			j.Sets[j.Use[i]] != from.Sets[from.Use[k]] || !slices.Equal(j.ShareAreas[lo:hi], from.ShareAreas[l:h]) {
			t.Fatalf("row %d is not row %d of its table", i, k)
		}
	}
}

func TestSummary(t *testing.T) {
	f := file(t, "99001", 200)
	table := tableOf(t, f)
	k, err := columns.Summarise(f, "991", table)
	if err != nil {
		t.Fatal(err)
	}
	parcels, _ := f.Parcels()
	sum, least, buildings := 0.0, math.Inf(1), 0
	for i := range parcels {
		sum, least, buildings = sum+parcels[i].AreaSqm, min(least, parcels[i].AreaSqm), buildings+parcels[i].BuildingCount
		if !k.Box.Contains(parcels[i].Centroid) {
			t.Errorf("the box %v does not hold %v", k.Box, parcels[i].Centroid)
		}
	}
	if math.Abs(float64(k.Area)/100-sum) > 0.01 || columns.Sqm(k.Least) != least || k.Buildings != buildings || k.Parcels != 200 {
		t.Errorf("want %f m², least %f, %d buildings, got %+v", sum, least, buildings, k)
	}
	areas, _ := f.LandUse()
	symbols, _ := f.Symbols()
	polygons, points := 0, 0
	for _, u := range k.Uses {
		polygons, points = polygons+u.Polygons, points+u.Points
	}
	if polygons != len(areas) || points != len(symbols) {
		t.Errorf("want %d polygons and %d symbols, got %d and %d", len(areas), len(symbols), polygons, points)
	}
	second := k
	second.Code = "99002"
	body, err := columns.EncodeKGs([]columns.KG{k, second})
	if err != nil {
		t.Fatal(err)
	}
	back, _, err := columns.DecodeKGs(body)
	if err != nil || !reflect.DeepEqual(back, []columns.KG{k, second}) {
		t.Errorf("want %+v twice, got %+v, %v", k, back, err)
	}
	if body, err = columns.EncodeKGs([]columns.KG{second, k}); err == nil {
		_, _, err = columns.DecodeKGs(body)
	}
	if err == nil {
		t.Error("KGs out of order were read")
	}
}

func TestHead(t *testing.T) {
	want := []columns.Part{{District: "101", Fingerprint: "ab", Rows: 7}, {District: "900", Fingerprint: "", Rows: 0}}
	b, err := columns.EncodeHead(want)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := columns.DecodeHead(b); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("want %v, got %v, %v", want, got, err)
	}
}

// An area on the grid of 0.01 m² comes back as it is, and one that is not known stays so.
func TestAreas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := float64(rapid.Int64Range(0, 1e13).Draw(t, "steps")) / 100
		if got := columns.Sqm(columns.Hundredths(v)); got != v {
			t.Fatalf("want %f, got %f", v, got)
		}
	})
	if columns.Hundredths(math.NaN()) != 0 || !math.IsNaN(columns.Sqm(0)) || columns.Hundredths(0) != 1 {
		t.Error("an unknown area is 0, and 0 m² is 1")
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[austria.GNR][3]uint64{"20": {0, 20, 0}, ".17": {1, 17, 0}, "123/4": {2, 123, 4}, ".3/2": {3, 3, 2},
		"5/0": {2, 5, 0}, "123456789012345": {0, 123456789012345, 0}} {
		kind, main, sub := columns.ParseNumber(text)
		if got := [3]uint64{uint64(kind), main, sub}; got != want {
			t.Errorf("%s: want %v, got %v", text, want, got)
		}
	}
}

// What is told of parcels with buildings, and of those without, is what their rows are, through the bytes of the section.
func TestBuilt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var kgs []columns.KG
		var list []columns.BuiltKG
		var want [][2]columns.KG // without buildings, with
		for range rapid.IntRange(0, 4).Draw(t, "KGs") {
			var k columns.KG
			var parts [2]columns.KG
			table := &columns.Table{}
			for range rapid.IntRange(0, 5).Draw(t, "parcels") {
				a := uint64(rapid.IntRange(0, 3).Draw(t, "area"))
				points, prints := rapid.IntRange(0, 1).Draw(t, "points"), rapid.IntRange(0, 1).Draw(t, "prints")
				table.Areas, table.N = append(table.Areas, a), table.N+1
				table.Buildings, table.Footprints = append(table.Buildings, uint32(points)), append(table.Footprints, uint32(prints))
				for _, s := range []*columns.KG{&k, &parts[max(points, prints)]} {
					if s.Parcels == 0 || a < s.Least {
						s.Least = a
					}
					s.Parcels, s.Area, s.Greatest, s.Buildings = s.Parcels+1, s.Area+max(a, 1)-1, max(s.Greatest, a), s.Buildings+points
				}
			}
			kgs, list, want = append(kgs, k), append(list, table.Built()), append(want, parts)
		}
		body, err := columns.EncodeBuilt(list)
		if err != nil {
			t.Fatal(err)
		}
		got, cost, err := columns.DecodeBuilt(kgs, body)
		if err != nil || cost < int64(len(kgs)) {
			t.Fatal(err, cost)
		}
		for i := range kgs {
			for part := range want[i] {
				if sum := got[i].Of(&kgs[i], part == 1); !reflect.DeepEqual(sum, want[i][part]) {
					t.Fatalf("part %d: want %+v, got %+v", part, want[i][part], sum)
				}
			}
		}
		if _, _, err := columns.DecodeBuilt(append(kgs, columns.KG{}), body); err == nil {
			t.Fatal("a section of fewer KGs is taken")
		}
	})
	body, err := columns.EncodeBuilt([]columns.BuiltKG{{Parcels: 3, Area: 5}})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []columns.KG{{Parcels: 2, Area: 5}, {Parcels: 3, Area: 4}} {
		if _, _, err := columns.DecodeBuilt([]columns.KG{k}, body); err == nil {
			t.Errorf("more parcels with buildings than %+v has are taken", k)
		}
	}
}

// A file of the first version opens for ever.
func TestFrozen(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "frozen", "v1.parts"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := sectionfile.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil || f.Family() != columns.Family {
		t.Fatal(err)
	}
	head, err := columns.DecodeHead(f.Head())
	if err != nil || len(head) != 1 || head[0].Rows != 50 {
		t.Fatalf("head %+v, %v", head, err)
	}
	want := tableOf(t, file(t, "99001", 50))
	for _, g := range columns.AllGroups() {
		i, ok := f.Find(g.Section(head[0].District))
		if !ok {
			t.Fatalf("no section of %s", g)
		}
		body, err := f.Section(i)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := columns.Decode(g, 50, body)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(want.With(got), want) {
			t.Errorf("%s: the columns are others than the KG's", g)
		}
	}
}

// Foreign bytes give an error or rows, never a panic.
func FuzzDecode(f *testing.F) {
	table := tableOf(f, file(f, "99001", 20))
	for i, g := range columns.AllGroups() {
		b, err := table.Encode(g)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), b)
	}
	f.Add(uint8(200), []byte("\x08\x00\x00\x00\x01\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, g uint8, b []byte) {
		all := columns.AllGroups()
		if int(g) < len(all) {
			if got, _, err := columns.Decode(all[g], 20, b); err == nil && got.N != 20 {
				t.Errorf("%d rows", got.N)
			}
			return
		}
		columns.DecodeKGs(b)
		columns.DecodeHead(b)
	})
}

// Numbered finds the rows that searches for the text of the number find.
func TestNumbered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Custom(func(t *rapid.T) austria.GNR {
			digits := rapid.SampledFrom([]string{"0", "1", "9", "10", "12", "120", "121", "1200", "99", "100", "1000000000000000",
				"9999999999999999", "18446744073709551615"})
			n := rapid.SampledFrom([]string{"", "."}).Draw(t, "plot") + digits.Draw(t, "main")
			if rapid.Bool().Draw(t, "has") {
				n += "/" + digits.Draw(t, "sub")
			}
			return austria.GNR(n)
		})
		numbers := rapid.SliceOfN(number, 0, 40).Draw(t, "numbers")
		slices.Sort(numbers)
		table := &columns.Table{N: len(numbers)}
		for _, n := range numbers {
			kind, main, sub := columns.ParseNumber(n)
			table.Plots, table.Main, table.Subs = append(table.Plots, kind), append(table.Main, main), append(table.Subs, sub)
		}
		if body, err := table.Encode(columns.Number); err != nil { // the table as it is read is searched by its leads
			t.Fatal(err)
		} else if table, _, err = columns.Decode(columns.Number, len(numbers), body); err != nil {
			t.Fatal(err)
		}
		lo := rapid.IntRange(0, len(numbers)).Draw(t, "lo")
		hi := rapid.IntRange(lo, len(numbers)).Draw(t, "hi")
		n := number.Draw(t, "sought")
		from := table.NumberFrom(lo, hi, string(n))
		to := table.NumberFrom(from, hi, string(n)+"\x00")
		if a, b := table.Numbered(lo, hi, columns.NumberOf(n)); a != from || b != to {
			t.Fatalf("%s among %v from %d to %d: want %d to %d, got %d to %d", n, numbers, lo, hi, from, to, a, b)
		}
	})
}

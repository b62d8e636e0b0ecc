package columns_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"mappe/artefacts/columns"
	"mappe/artefacts/internal/column"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// parcelFile is a file of these parcels alone.
func parcelFile(t testing.TB, parcels ...kgfile.Parcel) *kgfile.File {
	t.Helper()
	s := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 8, Segments: 1, AreaKm2: 1})
	s.Parcels, s.KG.ParcelCount = s.Parcels[:len(parcels)], len(parcels)
	for i := range parcels {
		p := &s.Parcels[i]
		p.GNR, p.AreaSqm, p.BuildingCount, p.Centroid = parcels[i].GNR, parcels[i].AreaSqm, parcels[i].BuildingCount, parcels[i].Centroid
		p.SymbolCounts, p.UseAreas = parcels[i].SymbolCounts, parcels[i].UseAreas
	}
	s.Buildings, s.Footprints, s.LandUse, s.Symbols, s.Labels, s.Folios = nil, nil, nil, nil, nil, kgfile.Folios(s.Parcels)
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

// The sums of a KG, worked out by hand: an area that is not known adds nothing and makes the least one none.
func TestSumsOfAKG(t *testing.T) {
	use := func(c austria.LandUse, sqm float64) []kgfile.CodeArea { return []kgfile.CodeArea{{Code: c, Sqm: sqm}} }
	at := func(x, y int32) geom.Point { return geom.Point{X: 150_000_000 + x, Y: 480_000_000 + y} }
	f := parcelFile(t,
		kgfile.Parcel{GNR: "1", AreaSqm: 100.25, BuildingCount: 2, Centroid: at(0, 900), UseAreas: use(41, 60),
			SymbolCounts: []kgfile.CodeCount{{Code: 52, N: 3}}},
		kgfile.Parcel{GNR: "2", AreaSqm: 7.5, BuildingCount: 1, Centroid: at(300, -20), UseAreas: use(41, 0.5)},
		kgfile.Parcel{GNR: "3", AreaSqm: 20, Centroid: at(-40, 0), UseAreas: use(41, 0)})
	k, err := columns.Summarise(f, "990", tableOf(t, f))
	if err != nil {
		t.Fatal(err)
	}
	want := columns.KG{Code: "99001", District: "990", Parcels: 3, Area: 12775, Least: 751, Greatest: 10026, Buildings: 3,
		Box: geom.Box{MinX: 149_999_960, MinY: 479_999_980, MaxX: 150_000_300, MaxY: 480_000_900}, Uses: []columns.KGUse{
			{Code: 41, Parcels: 3, ParcelArea: 6051}, {Code: 52, Parcels: 1}}}
	want.Codes.Add(41)
	want.Codes.Add(52)
	if !reflect.DeepEqual(k, want) {
		t.Errorf("want %+v, got %+v", want, k)
	}
	f = parcelFile(t, kgfile.Parcel{GNR: "1", AreaSqm: 5}, kgfile.Parcel{GNR: "2", AreaSqm: math.NaN()},
		kgfile.Parcel{GNR: "3", AreaSqm: 6})
	if k, err = columns.Summarise(f, "990", tableOf(t, f)); err != nil || k.Area != 1100 || k.Least != 0 || k.Greatest != 601 ||
		len(k.Uses) != 0 {
		t.Errorf("one of no known area: %+v, %v", k, err)
	}
	if k, err = columns.Summarise(f, "990", &columns.Table{}); err != nil || k.Parcels != 0 || k.Area != 0 || k.Least != 0 ||
		k.Greatest != 0 || k.Box != geom.EmptyBox {
		t.Errorf("without a parcel: %+v, %v", k, err)
	}
}

// Sums of areas: one that is not known adds nothing, and the sum of two that are not known is not known.
func TestAddArea(t *testing.T) {
	for _, c := range []struct{ sum, area, want float64 }{
		{math.NaN(), math.NaN(), math.NaN()}, {3, math.NaN(), 3}, {math.NaN(), 3, 3}, {math.NaN(), 0, 0}, {0, 0, 0}, {3, 0, 3}, {0, 3, 3},
		{1.25, 2.5, 3.75},
	} {
		sum := columns.Hundredths(c.sum)
		columns.AddArea(&sum, columns.Hundredths(c.area))
		if got := columns.Sqm(sum); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%v and %v: want %v, got %v", c.sum, c.area, c.want, got)
		}
	}
	if columns.Hundredths(-0.01) != 0 || columns.Hundredths(0.004) != 1 || columns.Hundredths(0.006) != 2 {
		t.Error("a negative area is not known; steps are rounded")
	}
}

// Tables whose columns are all alike come back, however many rows a byte stands for: the least section that may hold them is
// read.
func TestRowsThatAreAllAlike(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 100, 5000} {
		table := &columns.Table{N: n, Areas: make([]uint64, n), Lon: make([]int32, n), Lat: make([]int32, n), Buildings: make([]uint32, n),
			Footprints: make([]uint32, n), BuiltAreas: make([]uint64, n), EZ: make([]uint32, n), Plots: make([]uint8, n),
			Main: make([]uint64, n),
			Subs: make([]uint64, n), Rows: make([]uint32, n), ShareEnds: make([]uint32, n), ShareCodes: []uint8{}, ShareAreas: []uint64{},
			Statuses: make([]uint8, n), Sets: []austria.LandUseSet{{}}, Use: make([]uint32, n)}
		got := decoded(t, table)
		if got.N != n || !slices.Equal(got.Areas, table.Areas) || !slices.Equal(got.Main, table.Main) || !slices.Equal(got.ShareEnds,
			table.ShareEnds) || !slices.Equal(got.Use, table.Use) {
			t.Errorf("%d rows are others when they are read", n)
		}
	}
}

// What a table costs is the bytes of its columns and at most half a kilobyte more, group by group.
func TestCostIsThatOfTheColumns(t *testing.T) {
	table := tableOf(t, file(t, "99001", 300))
	// bytes a row; a number has a lead of 8 bytes beside its kind, main and sub-number
	perRow := map[columns.Group]int64{columns.Area: 8, columns.At: 8, columns.Built: 16, columns.Folio: 4, columns.Number: 25,
		columns.Row: 4, columns.Status: 1}
	for _, g := range columns.AllGroups() {
		b, err := table.Encode(g)
		if err != nil {
			t.Fatal(err)
		}
		part, cost, err := columns.Decode(g, table.N, b)
		if err != nil {
			t.Fatal(err)
		}
		held := int64(0)
		v := reflect.ValueOf(part).Elem()
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Slice {
				held += int64(f.Len()) * int64(f.Type().Elem().Size())
			}
		}
		if want, fixed := perRow[g]; fixed && held != want*300 {
			t.Errorf("%s: want %d bytes a row, 300 take %d", g, want, held)
		}
		if cost != held+512 {
			t.Errorf("%s: the columns take %d bytes, the cost is %d", g, held, cost)
		}
	}
	for _, uses := range []int{0, 1, 7} {
		kgs := make([]columns.KG, 3)
		for i := range kgs {
			kgs[i] = columns.KG{Code: austria.KGCode(strconv.Itoa(10_001 + i)), District: "100", Uses: make([]columns.KGUse, uses)}
		}
		b, err := columns.EncodeKGs(kgs)
		if err != nil {
			t.Fatal(err)
		}
		least := int64(3*unsafe.Sizeof(columns.KG{})) + int64(3*uses)*int64(unsafe.Sizeof(columns.KGUse{}))
		if _, cost, err := columns.DecodeKGs(b); err != nil || cost < least || cost > least+least/2 {
			t.Errorf("%d uses a KG: %d bytes at least, the cost is %d, %v", uses, least, cost, err)
		}
	}
}

// A section that is cut off or declares more than its bytes can hold is refused before anything is made for it.
func TestSectionsThatDeclareTooMuch(t *testing.T) {
	table := tableOf(t, file(t, "99001", 30))
	b, err := table.Encode(columns.Area)
	if err != nil {
		t.Fatal(err)
	}
	body := len(b) - 8
	for name, c := range map[string]struct {
		raw, rows int
		say       string
	}{
		"more rows":  {body, column.RowLimit(body) + 1, "too many"},
		"more bytes": {column.RawLimit(body) + 1, 30, "too many"},
		"other rows": {int(binary.LittleEndian.Uint32(b)), 29, "29 rows, expected 30"},
	} {
		bad := bytes.Clone(b)
		binary.LittleEndian.PutUint32(bad, uint32(c.raw))
		binary.LittleEndian.PutUint32(bad[4:], uint32(c.rows))
		if got, _, err := columns.Decode(columns.Area, 30, bad); err == nil || got != nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: want %q, got %v", name, c.say, err)
		}
	}
	for _, n := range []int{0, 7} {
		if _, _, err := columns.Decode(columns.Area, 0, b[:n]); err == nil || !strings.Contains(err.Error(), "expected at least 8") {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if _, _, err := columns.Decode(columns.Area, 0, make([]byte, 8)); err == nil || strings.Contains(err.Error(), "expected at least 8") {
		t.Errorf("a head alone is long enough, and has no columns: %v", err)
	}
	if _, err := table.Encode("colour"); err == nil {
		t.Error("a missing group was written")
	}
	if _, _, err := columns.Decode("colour", 30, b); err == nil {
		t.Error("a missing group was read")
	}
}

// A row may name every set that the section has, and none behind them.
func TestSetsThatRowsName(t *testing.T) {
	for use, ok := range map[uint32]bool{0: true, 1: true, 2: false} {
		for _, uses := range [][]uint32{{0, use}, {use, 0}} {
			table := &columns.Table{N: 2, Sets: make([]austria.LandUseSet, 2), Use: uses}
			b, err := table.Encode(columns.Use)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := columns.Decode(columns.Use, 2, b); (err == nil) != ok {
				t.Errorf("sets %v of 2: %v", uses, err)
			}
		}
	}
}

// KGs stand by district and code; a district has at most column.MaxRows parcels, however they are spread.
func TestOrderAndCountsOfKGs(t *testing.T) {
	kg := func(district austria.DistrictCode, code austria.KGCode, parcels int) columns.KG {
		return columns.KG{Code: code, District: district, Parcels: parcels}
	}
	for _, c := range []struct {
		name string
		kgs  []columns.KG
		ok   bool
	}{
		{"none", nil, true},
		{"a KG that is the whole district", []columns.KG{kg("100", "10001", column.MaxRows)}, true},
		{"a KG beyond it", []columns.KG{kg("100", "10001", column.MaxRows+1)}, false},
		{"a count that is no number of parcels", []columns.KG{kg("100", "10001", -1)}, false},
		{"two KGs that fill it", []columns.KG{kg("100", "10001", column.MaxRows-1), kg("100", "10002", 1)}, true},
		{"two KGs beyond it", []columns.KG{kg("100", "10001", column.MaxRows-1), kg("100", "10002", 2)}, false},
		{"two full districts", []columns.KG{kg("100", "10001", column.MaxRows), kg("101", "10101", column.MaxRows)}, true},
		{"the second district beyond it", []columns.KG{kg("100", "10001", 1), kg("101", "10101", column.MaxRows), kg("101", "10102", 1)},
			false},
		{"one twice", []columns.KG{kg("100", "10001", 1), kg("100", "10001", 1)}, false},
		{"a code that falls", []columns.KG{kg("100", "10002", 1), kg("100", "10001", 1)}, false},
		{"a code that falls in the next district", []columns.KG{kg("100", "10002", 1), kg("101", "10001", 1)}, true},
		{"a district that falls", []columns.KG{kg("101", "10001", 1), kg("100", "10002", 1)}, false},
	} {
		b, err := columns.EncodeKGs(c.kgs)
		if err != nil {
			t.Fatal(err)
		}
		if got, _, err := columns.DecodeKGs(b); (err == nil) != c.ok || err == nil && len(got) != len(c.kgs) {
			t.Errorf("%s: %d KGs, %v", c.name, len(got), err)
		}
	}
	b, err := columns.EncodeHead([]columns.Part{{District: "101"}, {District: "100"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := columns.DecodeHead(b); err == nil {
		t.Error("a head whose districts fall was read")
	}
	if _, err := columns.DecodeHead(b[:4]); err == nil || !strings.Contains(err.Error(), "head") || strings.Contains(err.Error(), "order") {
		t.Errorf("a head that is cut off: %v", err)
	}
}

// The uses of a KG are its own and not its neighbours'.
func TestUsesOfEachKG(t *testing.T) {
	use := func(codes ...austria.LandUse) (out []columns.KGUse) {
		for i, c := range codes {
			out = append(out, columns.KGUse{Code: c, Polygons: i + 1, Points: 10 + i, PolygonArea: uint64(100 * int(c)), Parcels: 3,
				ParcelArea: 7})
		}
		return out
	}
	kgs := []columns.KG{{Code: "10001", District: "100", Uses: use(41, 52, 83)}, {Code: "10002", District: "100", Uses: []columns.KGUse{}},
		{Code: "10003", District: "100", Uses: use(48)}}
	b, err := columns.EncodeKGs(kgs)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := columns.DecodeKGs(b)
	if err != nil || !reflect.DeepEqual(got, kgs) {
		t.Errorf("want %+v, got %+v, %v", kgs, got, err)
	}
}

// Rows are by the number without leading zeros; of two spellings of one number the text decides.
func TestRowsAreByTheirCanonicalNumber(t *testing.T) {
	f := parcelFile(t, kgfile.Parcel{GNR: "10"}, kgfile.Parcel{GNR: "9"}, kgfile.Parcel{GNR: "010"}, kgfile.Parcel{GNR: ".7"},
		kgfile.Parcel{GNR: "9/1"}, kgfile.Parcel{GNR: "1"})
	table := tableOf(t, f)
	var rows []string
	for i := range table.N {
		rows = append(rows, fmt.Sprintf("%s@%d", table.Number(i), table.Rows[i]))
	}
	if got, want := strings.Join(rows, " "), ".7@3 1@5 10@2 10@0 9@1 9/1@4"; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
	for n, want := range map[austria.GNR]string{"007": "7", ".07/08": ".7/8", "0": "0", "5/0": "5/0"} {
		if got := columns.CanonicalNumber(n); got != want {
			t.Errorf("%s: want %s, got %s", n, want, got)
		}
	}
	for text, want := range map[string]int{"": 0, ".7": 0, ".8": 1, "10": 2, "10/1": 4, "9": 4, "9/1": 5, "9/2": 6} {
		if got := table.NumberFrom(0, table.N, text); got != want {
			t.Errorf("%q stands at %d, got %d", text, want, got)
		}
	}
	if got := table.NumberFrom(2, 4, "0"); got != 2 {
		t.Errorf("from row 2 on: got %d", got)
	}
	if from, to := table.Numbered(0, table.N, columns.NumberOf("10")); from != 2 || to != 4 {
		t.Errorf("10 is in two rows from 2, got %d to %d", from, to)
	}
	for _, absent := range []austria.GNR{"2", "0", "99", ".8", "10/1", "9/2"} {
		if from, to := table.Numbered(0, table.N, columns.NumberOf(absent)); from != to {
			t.Errorf("%s is in rows %d to %d", absent, from, to)
		}
	}
}

// Every number is found in its own row and in no other, at each power of ten and beside it, in the columns as they are made
// and as they are read.
func TestNumbersAtThePowersOfTen(t *testing.T) {
	var numbers []austria.GNR
	for power, n := 1, uint64(1); power <= 16; power, n = power+1, n*10 {
		for _, v := range []uint64{n - 1, n, n + 1} {
			numbers = append(numbers, austria.GNR(strconv.FormatUint(v, 10)))
		}
	}
	numbers = append(numbers, "9999999999999999", ".10", ".9", "10/0", "10/1", "10/10", "10/9", "10/2")
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	table := &columns.Table{N: len(numbers)}
	for _, n := range numbers {
		kind, main, sub := columns.ParseNumber(n)
		table.Plots, table.Main, table.Subs = append(table.Plots, kind), append(table.Main, main), append(table.Subs, sub)
	}
	joined := columns.Join([]*columns.Table{table})
	body, err := table.Encode(columns.Number)
	if err != nil {
		t.Fatal(err)
	}
	read, _, err := columns.Decode(columns.Number, table.N, body)
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string]*columns.Table{"without leads": table, "joined": joined, "read": read} {
		for i, n := range numbers {
			if from, to := table.Numbered(0, table.N, columns.NumberOf(n)); from != i || to != i+1 || table.Number(i) != string(n) {
				t.Errorf("%s: %s is in row %d, found %d to %d", name, n, i, from, to)
			}
			if from, to := table.Numbered(0, i, columns.NumberOf(n)); from != i || to != i {
				t.Errorf("%s: %s is not before row %d, found %d to %d", name, n, i, from, to)
			}
			if from, to := table.Numbered(i+1, table.N, columns.NumberOf(n)); from != i+1 || to != i+1 {
				t.Errorf("%s: %s is not behind row %d, found %d to %d", name, n, i, from, to)
			}
		}
	}
	if !slices.IsSortedFunc(numbers, func(a, b austria.GNR) int { return cmp.Compare(a, b) }) {
		t.Fatal("the numbers are not in order")
	}
}

// With takes each column from the table that has it.
func TestWith(t *testing.T) {
	a, b := &columns.Table{N: 2, Areas: []uint64{1, 2}, EZ: []uint32{5, 6}}, &columns.Table{N: 2, EZ: []uint32{7, 8}, Statuses: []uint8{1,
		2}}
	j := a.With(b)
	if want := (&columns.Table{N: 2, Areas: []uint64{1, 2}, EZ: []uint32{7, 8}, Statuses: []uint8{1, 2}}); !reflect.DeepEqual(j, want) {
		t.Errorf("want %+v, got %+v", want, j)
	}
	if !slices.Equal(a.EZ, []uint32{5, 6}) || a.Statuses != nil {
		t.Error("a shared table was changed")
	}
}

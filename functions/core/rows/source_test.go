package rows_test

import (
	"fmt"
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/web/format"
)

// cells are a row's values as text; they are read before the row is set anew.
func cells(r format.Row) string {
	var s []string
	for i := range r.RowType().Columns {
		v := r.Value(i)
		text, isText := v.Str()
		number, _ := v.Float64()
		s = append(s, fmt.Sprint(v.IsNull(), isText, text, number))
	}
	return fmt.Sprint(s, r.Geometry())
}

// sources draw every public layer.
func sources() map[rowschema.Layer]rows.Source {
	return map[rowschema.Layer]rows.Source{
		rowschema.Parcels: rows.Parcels(rowschema.Parcel.Record()), rowschema.Buildings: rows.Buildings(rowschema.Building.Record()),
		rowschema.Footprints: rows.Footprints(rowschema.Footprint.Record()), rowschema.Labels: rows.Labels(rowschema.Label.Record()),
		rowschema.LandUsePolygons: rows.LandUse(rowschema.LandUsePolygon.Record()),
		rowschema.LandUsePoints:   rows.Symbols(rowschema.LandUsePoint.Record()),
	}
}

// Every source draws the rows that the public forms have.
func TestSourcesDrawThePublicLayers(t *testing.T) {
	s := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 200, Segments: 2, AreaKm2: 2, Seed: 5})
	body, err := kgfile.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	f, err := kgfile.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	for layer, source := range sources() {
		n, err := source.Open(f)
		if err != nil || n != layer.Len(s) || n == 0 {
			t.Errorf("layer %s: %d rows, want %d; %v", layer, n, layer.Len(s), err)
			continue
		}
		i := 0
		for want := range layer.Rows(s) {
			if got := cells(source.Row(i)); got != cells(want) {
				t.Fatalf("layer %s, row %d: want %s, got %s", layer, i, cells(want), got)
			}
			i++
		}
		if source.RowType() != layer.RowType() {
			t.Errorf("layer %s is drawn as %s", layer, source.RowType().Name)
		}
	}
}

// Folios and parcels are drawn with what is in them and on them, as they are written of one KG at a time.
func TestSourcesOfWhatIsInThem(t *testing.T) {
	s := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 200, Segments: 2, AreaKm2: 2, Seed: 5})
	body, err := kgfile.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	f, err := kgfile.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	on := rowschema.BuildingsByParcel(s.Parcels, s.Buildings)
	parcel, folio := rowschema.ParcelExport.Record(), rowschema.FolioDetail.Record()
	for name, c := range map[string]struct {
		source rows.Source
		n      int
		want   func(i int) format.Row
	}{
		"parcels": {rows.ParcelExports(rowschema.ParcelExport.Record()), len(s.Parcels), func(i int) format.Row {
			parcel.Item.KG, parcel.Item.P, parcel.Item.Buildings, parcel.Item.On = &s.KG, &s.Parcels[i], s.Buildings, on.Of(i)
			return parcel
		}},
		"folios": {rows.FolioDetails(rowschema.FolioDetail.Record()), len(s.Folios), func(i int) format.Row {
			folio.Item.KG, folio.Item.F, folio.Item.Parcels, folio.Item.Buildings = &s.KG, &s.Folios[i], s.Parcels, s.Buildings
			return folio
		}},
	} {
		n, err := c.source.Open(f)
		if err != nil || n != c.n || n == 0 {
			t.Errorf("%s: %d rows, want %d; %v", name, n, c.n, err)
			continue
		}
		for i := range n {
			if got, want := cells(c.source.Row(i)), cells(c.want(i)); got != want {
				t.Fatalf("%s, row %d: want %s, got %s", name, i, want, got)
			}
		}
	}
}

// opened counts how often a source is opened.
type opened struct {
	rows.Source
	n int
}

func (o *opened) Open(f *kgfile.File) (int, error) { o.n++; return o.Source.Open(f) }

// Neighbouring hits of one KG are drawn from the table as it stands open.
func TestRankingOpensAKGOnce(t *testing.T) {
	v := view.At(t.Context(), fixture.View(t, fixture.Store(t)))
	list := []*register.KG{v.Register().KG("88801"), v.Register().KG("88802")}
	source := &opened{Source: rows.Parcels(rowschema.Parcel.Record())}
	ranking := rows.Ranking{View: v, KGs: list, Layers: []rows.RankedLayer{{Source: source, Rank: func(float64) {}}}}
	given := 0
	for _, err := range ranking.Rows(t.Context(), []rows.Hit{{Row: 0}, {Row: 1}, {Row: 2}, {KG: 1}, {KG: 1, Row: 1}, {Row: 3}}) {
		if err != nil {
			t.Fatal(err)
		}
		given++
	}
	if given != 6 || source.n != 3 {
		t.Errorf("%d rows of a table that was opened %d times, want 3", given, source.n)
	}
}

// Rows of no layer cost an allocation.
func TestRowsDoNotAllocate(t *testing.T) {
	s := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 200, Segments: 2, AreaKm2: 2, Seed: 5})
	body, err := kgfile.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	f, err := kgfile.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	for layer, source := range sources() {
		n, err := source.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		all := func() {
			for i := range n {
				row := source.Row(i)
				for c := range row.RowType().Columns {
					row.Value(c)
				}
			}
		}
		all() // grows the room for texts
		if a := testing.AllocsPerRun(5, all); a != 0 {
			t.Errorf("layer %s: %v allocations for %d rows", layer, a, n)
		}
	}
}

// Hits of several KGs and layers are drawn in their order, each with its rank.
func TestRanking(t *testing.T) {
	s := fixture.Store(t)
	generation := fixture.View(t, s)
	v := view.At(t.Context(), generation)
	reg := v.Register()
	list := []*register.KG{reg.KG("88801"), reg.KG("88802"), reg.KG("00804")}
	var rank float64
	note := func(r float64) { rank = r }
	ranking := rows.Ranking{View: v, KGs: list, Layers: []rows.RankedLayer{
		{Source: rows.Parcels(rowschema.Parcel.Record()), Rank: note},
		{Source: rows.Buildings(rowschema.Building.Record()), Rank: note},
		{Source: rows.KGs(rowschema.KG.Record(), reg, list), Rank: note, External: true},
	}}
	hits := []rows.Hit{{1, 0, 1, 0}, {2, 0, 0, 0}, {3, 1, 0, 1}, {4, 2, 2, 2}, {5, 1, 1, 0}, {6, 3, 2, 0}, {7, 1, 0, 0}}
	for range 2 { // sequences can be ranged over again
		var got []string
		for row, err := range ranking.Rows(t.Context(), hits) {
			if err != nil {
				t.Fatal(err)
			}
			id, _ := row.Value(0).Str()
			got = append(got, fmt.Sprint(rank, " ", id))
		}
		want := []string{"1 88802-1", "2 88801-1", "3 8880102-001", "4 00804", "5 88802-2", "6 00804-4", "7 88801-2"}
		if !slices.Equal(got, want) {
			t.Errorf("want %v, got %v", want, got)
		}
	}
}

// Rows that are in no KG file are drawn though the file of their KG cannot be read.
func TestRankingOfRowsApart(t *testing.T) {
	v := view.At(t.Context(), fixture.View(t, fixture.Store(t)))
	cold := []*register.KG{v.Register().KG("88803")}
	ranking := rows.Ranking{View: v, KGs: cold, Layers: []rows.RankedLayer{
		{Source: rows.KGs(rowschema.KG.Record(), v.Register(), cold), Rank: func(float64) {}, External: true},
		{Source: rows.Parcels(rowschema.Parcel.Record()), Rank: func(float64) {}},
	}}
	given, failed := 0, 0
	for _, err := range ranking.Rows(t.Context(), []rows.Hit{{Layer: 0}, {Layer: 0}, {Layer: 1}, {Layer: 0}}) {
		if err != nil {
			failed++
		} else {
			given++
		}
	}
	if given != 2 || failed != 1 {
		t.Errorf("want two rows of the register and the error of the file, got %d and %d", given, failed)
	}
}

package prices

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"mappe/artefacts/prices"
	"mappe/infra/realdata"
	"mappe/shared/landprice"
)

func source(files map[string]string) fstest.MapFS {
	fs := fstest.MapFS{}
	for name, text := range files {
		fs["prices/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fs
}

func TestNumbersAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]float64{"9,369": 9369, "1,234,567": 1234567, "245.7": 245.7, "245,7": 245.7, "1.379,3": 1379.3,
		"1,379.3":   1379.3,
		"1.234.567": 1234567, "0,250": 0.25, "85": 85, "12,34": 12.34, "\u00a01,043 ": 1043} {
		if got, ok := number(text); !ok || math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: want %v, got %v %v", text, want, got, ok)
		}
	}
	for _, text := range []string{"", "-5", "1e9", "NaN", "1,23,4", "1.2.3", "12,", ".", "€ 12", "1..2", strings.Repeat("9", 30)} {
		if got, ok := number(text); ok {
			t.Errorf("%q is no price, got %v", text, got)
		}
	}
}

func TestCSV(t *testing.T) {
	s, p, err := Read(source(map[string]string{
		"source.json": `{"attribution":"an office"}`,
		"a.csv": "\ufefflevel,code,kind,year,eur\r\ngemeinde,50101,baugrund,2024,\"1,379\"\r\nbezirk,501,haus_pre1960,2024,\"3751,5\"\r\nnational,AT,baugrund,2025,120\r\n" +
			"state,5,acker,2020,4.5\r\nstate,5,acker,2020,4.6\r\nstate,10,acker,2020,4.6\r\nplanet,5,acker,2020,1\r\nstate,5,gold,2020,1\r\nstate,5,acker,20,1\r\nstate,5,acker,2021,-1\r\nstate,5,acker,2022,0\r\n",
		"b.csv": "level;code;name;kind;year;eur_per_sqm\ngemeinde;50201;Abtenau;baugrund;2024;245,7\n",
	}))
	want := []prices.Row{
		{Level: landprice.Gemeinde, Code: "50101", Kind: landprice.BuildingLand, Year: 2024, EUR: 1379},
		{Level: landprice.Gemeinde, Code: "50201", Kind: landprice.BuildingLand, Year: 2024, EUR: 245.7},
		{Level: landprice.Bezirk, Code: "501", Kind: landprice.HousePre1960, Year: 2024, EUR: 3751.5},
		{Level: landprice.State, Code: "5", Kind: landprice.Arable, Year: 2020, EUR: 4.5},
		{Level: landprice.National, Code: "AT", Kind: landprice.BuildingLandSince2025, Year: 2025, EUR: 120},
	}
	if err != nil || s.Attribution != "an office" || !slices.Equal(s.Rows, want) {
		t.Errorf("want %v, got %v, %v", want, s, err)
	}
	if p.Total != 7 {
		t.Errorf("want 7 bad rows, got %+v", p)
	}
	for i, want := range []string{"one row a series and year", "the code of a state", "gemeinde, bezirk", "a kind of series", "a year from",
		"a price in EUR", "a price from 0.001"} {
		if !strings.Contains(p.First[i].Error(), want) {
			t.Errorf("problem %d: want %q, got %v", i, want, p.First[i])
		}
	}
}

func TestSheets(t *testing.T) {
	s, p, err := Read(source(map[string]string{
		"sheets/baugrund-2024-5.csv": "Baugrundstückspreise 2024,,,\nBezirk,Gemeindekennziffer,Gemeinde,EUR/m²\nSalzburg(Stadt),50101,Salzburg,\"1,379\"\nHallein,50201,Abtenau,245.7\n,50202,Adnet,-\n,70101,Wrong,5\nSumme,,,400\nQ: Statistik,,,\n",
		"sheets/haus-2024-5.csv":     "Bezirkscode;Bezirk;bis 1960 EUR/m²;1961-1990 EUR/m²;ab 1991 EUR/m²\n501;Salzburg(Stadt);3.751;4.602,5;6183\n502;Hallein;x;;4,005\n",
	}))
	want := []prices.Row{
		{Level: landprice.Gemeinde, Code: "50101", Kind: landprice.BuildingLand, Year: 2024, EUR: 1379},
		{Level: landprice.Gemeinde, Code: "50201", Kind: landprice.BuildingLand, Year: 2024, EUR: 245.7},
		{Level: landprice.Bezirk, Code: "501", Kind: landprice.HousePre1960, Year: 2024, EUR: 3751},
		{Level: landprice.Bezirk, Code: "501", Kind: landprice.House1960To1990, Year: 2024, EUR: 4602.5},
		{Level: landprice.Bezirk, Code: "501", Kind: landprice.HousePost1991, Year: 2024, EUR: 6183},
		{Level: landprice.Bezirk, Code: "502", Kind: landprice.HousePost1991, Year: 2024, EUR: 4005},
	}
	if err != nil || !slices.Equal(s.Rows, want) {
		t.Errorf("want\n%v, got\n%v, %v", want, s.Rows, err)
	}
	if p.Total != 1 || !strings.Contains(p.First[0].Error(), "of state 5") {
		t.Errorf("a municipality of another state: %+v", p)
	}
	for _, files := range []map[string]string{{"sheets/prices.csv": "a\n"}, {"sheets/baugrund-2024-5.csv": "no header\n"},
		{"a.csv": "level,code\n"}, {"source.json": "{"}} {
		if _, _, err := Read(source(files)); err == nil {
			t.Errorf("%v: want an error", files)
		}
	}
}

// Without the folder there are no prices, and nothing is wrong.
func TestNoFolder(t *testing.T) {
	if s, p, err := Read(fstest.MapFS{}); err != nil || len(s.Rows) != 0 || p.Total != 0 {
		t.Errorf("got %+v %+v %v", s, p, err)
	}
}

// The published anchors are read but for the values of categories, which the model does not know.
func TestAnchors(t *testing.T) {
	b, err := os.ReadFile(realdata.Path(t, "prices/published_anchor_values.csv"))
	if err != nil {
		t.Fatal(err)
	}
	s, p, err := Read(source(map[string]string{"anchors.csv": string(b)}))
	if err != nil || len(s.Rows)+p.Total != 102 || len(s.Rows) < 85 {
		t.Errorf("want 102 values read or named, got %d and %d, %v", len(s.Rows), p.Total, err)
	}
}

// fuzzed reads a file twice: what comes out is in order, encodable and the same.
func fuzzed(t *testing.T, name string, b []byte) {
	s, p, err := Read(source(map[string]string{name: string(b)}))
	again, q, err2 := Read(source(map[string]string{name: string(b)}))
	if (err == nil) != (err2 == nil) || p.Total != q.Total || !slices.Equal(s.Rows, again.Rows) {
		t.Fatal("two readings differ")
	}
	if err != nil {
		return
	}
	if _, err := prices.Encode(&prices.Contents{Rows: s.Rows}); err != nil {
		t.Fatalf("rows that cannot be published: %v", err)
	}
	if _, err := prices.Book(s.Rows); err != nil {
		t.Fatalf("rows that are no series: %v", err)
	}
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("level,code,kind,year,eur\ngemeinde,50101,baugrund,2024,\"1,379\"\nstate,5,acker,2020,4.5\nstate,5,acker,2020,4.5\n"))
	f.Add([]byte("level;code;kind;year;eur_per_sqm\nnational;;baugrund;2025;0,0001\n"))
	f.Fuzz(func(t *testing.T, b []byte) { fuzzed(t, "a.csv", b) })
}

func FuzzSheet(f *testing.F) {
	f.Add([]byte("Bezirk,Gemeindekennziffer,Gemeinde,EUR/m²\nx,50101,Salzburg,\"1,379\"\n"))
	f.Add([]byte("Bezirkscode;bis 1960 €;1961-1990 €;ab 1991 €\n501;3.751;4.602,5;6183\n501;1;2;3\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		fuzzed(t, "sheets/baugrund-2024-5.csv", b)
		fuzzed(t, "sheets/haus-2025-5.csv", b)
	})
}

package cql

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"mappe/shared/web/format"
)

// place is a row with a column of each type.
type place struct {
	name    string
	area    float64
	folio   int64
	built   bool
	lon     int32
	unknown bool // area, folio and name are not known
}

var places = format.NewSchema("place", "A place.", format.Drawing[place]{}, format.Fields[place]{
	{Column: format.Column{Name: "name"}, Get: func(p *place) format.Value { return known(p, format.String(p.name)) }},
	{Column: format.Column{Name: "area", Type: format.TypeFloat, Decimals: 2}, Get: func(p *place) format.Value {
		return known(p, format.Float(p.area, 2))
	}},
	{Column: format.Column{Name: "folio", Type: format.TypeInt}, Get: func(p *place) format.Value { return known(p, format.Int(p.folio)) }},
	{Column: format.Column{Name: "built", Type: format.TypeBool}, Get: func(p *place) format.Value { return format.Bool(p.built) }},
	{Column: format.Column{Name: "lon", Type: format.TypeDegrees}, Get: func(p *place) format.Value { return format.Degrees(p.lon) }},
	{Column: format.Column{Name: "sites", Type: format.TypeJSON}, Get: func(*place) format.Value { return format.RawJSON("[]") }},
	{Column: format.Column{Name: "status", Enum: []string{"G", "E"}}, Get: func(*place) format.Value { return format.String("G") }},
	{Column: format.Column{Name: "in"}, Get: func(*place) format.Value { return format.String("x") }},
})

func known(p *place, v format.Value) format.Value {
	if p.unknown {
		return format.Null
	}
	return v
}

func passes(t *testing.T, filter string, p place) bool {
	t.Helper()
	f, err := Parse(filter, places.RowType)
	if err != nil {
		t.Fatalf("%s: %v", filter, err)
	}
	r := places.Record()
	r.Item = p
	return f.Passes(r)
}

func TestFilters(t *testing.T) {
	mill := place{name: "O'Hara's Mühle", area: 800.25, folio: 17, built: true, lon: 132742000}
	for filter, want := range map[string]bool{
		"area = 800.25":                    true,
		"area <> 800.25":                   false,
		"800 < area":                       true,
		"area between 800.25 and 900":      true,
		"area NOT BETWEEN 800 AND 801":     false,
		"lon > 13.27 AND lon < 13.28":      true,
		"name = 'O''Hara''s Mühle'":        true,
		`name = 'O\'Hara''s Mühle'`:        true,
		"name LIKE 'O%M_hle'":              true,
		"name LIKE 'o%'":                   false,
		"name like '%hle%'":                true,
		"name NOT LIKE '%x%'":              true,
		"folio IN (3, 17, 21)":             true,
		"folio NOT IN (3)":                 true,
		"built = TRUE":                     true,
		"built = false OR area > 1e2":      true,
		"NOT (built = true AND folio < 3)": true,
		"name IS NULL":                     false,
		"name IS NOT NULL":                 true,
		"TRUE AND folio=17":                true,
		"FALSE":                            false,
		`"in" = 'x'`:                       true,
		"folio = 1 OR folio = 2 AND TRUE":  false,
		"status IN ('G')":                  true,
		"area = +8.0025E2":                 true,
		"area > -1":                        true,
	} {
		if got := passes(t, filter, mill); got != want {
			t.Errorf("%s is %v", filter, got)
		}
	}
}

// TestUnknownValues: what is not known passes no comparison, and none of its opposite.
func TestUnknownValues(t *testing.T) {
	nothing := place{unknown: true}
	for filter, want := range map[string]bool{
		"area > 0": false, "NOT (area > 0)": false, "area <= 0 OR built = false": true, "area IS NULL": true,
		"name LIKE '%'": false, "folio IN (0)": false, "folio NOT IN (1)": false, "area > 0 AND built = true": false,
		"NOT (area > 0 AND built = true)": true, "folio BETWEEN 0 AND 9": false, "folio IS NOT NULL": false,
	} {
		if got := passes(t, filter, nothing); got != want {
			t.Errorf("%s is %v", filter, got)
		}
	}
}

func TestWrongFiltersAreExplained(t *testing.T) {
	for filter, want := range map[string]string{
		"":                             "a column",
		"area":                         "a comparison",
		"area >":                       "a number",
		"area > 'x'":                   "a number for area",
		"name = 3":                     "a text in single quotes for name",
		"built = 1":                    "TRUE or FALSE for built",
		"nam = 'x'":                    "did you mean name",
		"sites = 'x'":                  "lists and objects",
		"status = 'X'":                 "one of G, E for status",
		"name = 'x":                    "a closing '",
		"name = 'x' name = 'y'":        "AND, OR or the end",
		"area IN ()":                   "a number",
		"area IN (1, )":                "a number",
		"area IN (1":                   ")",
		"(area = 1":                    ")",
		"area BETWEEN 1 2":             "AND",
		"area IS 1":                    "NULL or NOT NULL",
		"area LIKE 'x'":                "LIKE with a column of texts",
		"area = 1.2.3":                 "a number",
		"area = 1; DROP":               "a column, a value",
		"'x'":                          "one of =",
		"S_INTERSECTS(geometry, BBOX)": "one of the columns",
		strings.Repeat("(", 60):        "at most 50",
		strings.Repeat("NOT ", 60):     "at most 50",
		strings.Repeat("x", 4001):      "at most 4000 bytes",
		"folio IN (1" + strings.Repeat(",1", 1000) + ")": "at most 1000 values",
	} {
		_, err := Parse(filter, places.RowType)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", filter, err, want)
		}
	}
}

// TestValuesOfAColumn: what a plan may narrow by.
func TestValuesOfAColumn(t *testing.T) {
	for filter, want := range map[string]string{
		"name = 'a'":                                    "[a] true",
		"name IN ('a','b') AND area > 3":                "[a b] true",
		"name IN ('a','b') AND name = 'b'":              "[b] true",
		"(name = 'a' OR name = 'b') AND NOT name = 'a'": "[a b] true",
		"name = 'a' OR area > 3":                        "[] false",
		"name <> 'a'":                                   "[] false",
		"area = 3":                                      "[] false",
		"name = 'a' AND name = 'b'":                     "[] true",
	} {
		f, err := Parse(filter, places.RowType)
		if err != nil {
			t.Fatal(err)
		}
		values, ok := f.Values("name")
		if got := fmt.Sprint(values, ok); got != want {
			t.Errorf("%s: %s, want %s", filter, got, want)
		}
	}
}

// TestAsSQLiteHasIt: random filters choose the rows that SQLite chooses by the same text.
func TestAsSQLiteHasIt(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("PRAGMA case_sensitive_like = ON; CREATE TABLE place (id INTEGER, name TEXT, area REAL, folio INTEGER, built BOOLEAN)"); err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(3, 14))
	var rows []place
	for i := range 60 {
		p := place{name: word3(chance), area: float64(chance.IntN(8)) / 2, folio: chance.Int64N(5), built: chance.IntN(2) == 0,
			unknown: chance.IntN(4) == 0}
		rows = append(rows, p)
		values := []any{i, p.name, p.area, p.folio, p.built}
		if p.unknown {
			values[1], values[2], values[3] = nil, nil, nil
		}
		if _, err := db.Exec("INSERT INTO place VALUES (?,?,?,?,?)", values...); err != nil {
			t.Fatal(err)
		}
	}
	r := places.Record()
	for range 2000 {
		filter := randomFilter(chance, 4)
		f, err := Parse(filter, places.RowType)
		if err != nil {
			t.Fatalf("%s: %v", filter, err)
		}
		var got []int
		for i := range rows {
			r.Item = rows[i]
			if f.Passes(r) {
				got = append(got, i)
			}
		}
		found, err := db.Query("SELECT id FROM place WHERE " + filter + " ORDER BY id")
		if err != nil {
			t.Fatalf("%s: %v", filter, err)
		}
		var want []int
		for found.Next() {
			var id int
			if err := found.Scan(&id); err != nil {
				t.Fatal(err)
			}
			want = append(want, id)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s\n got %v\nwant %v", filter, got, want)
		}
	}
}

func word3(chance *rand.Rand) string {
	b := make([]byte, chance.IntN(4))
	for i := range b {
		b[i] = "abA"[chance.IntN(3)]
	}
	return string(b)
}

// randomFilter is a condition in the words that CQL2 and SQL have in common.
func randomFilter(chance *rand.Rand, depth int) string {
	pick := func(of ...string) string { return of[chance.IntN(len(of))] }
	if depth > 0 && chance.IntN(2) == 0 {
		a, b := randomFilter(chance, depth-1), randomFilter(chance, depth-1)
		return pick(a+" AND "+b, a+" OR "+b, "NOT ("+a+")", "("+a+" OR "+b+") AND "+a, "NOT "+a)
	}
	op := pick("=", "<>", "<", ">", "<=", ">=")
	n := func() string { return fmt.Sprint(chance.IntN(9)-1, ".", 5*chance.IntN(2)) }
	w := func() string { return "'" + word3(chance) + "'" }
	return pick(
		"area "+op+" "+n(), n()+" "+op+" area", "folio "+op+" "+n(), "name "+op+" "+w(), w()+" "+op+" name",
		"name LIKE '"+pick("%", "_", "a%", "%a", "_b%", "%a%b", "")+word3(chance)+"'", "name NOT LIKE '"+pick("%", "a_")+"'",
		"folio IN (1, "+n()+")", "name NOT IN ("+w()+","+w()+")", "area BETWEEN "+n()+" AND "+n(), "area NOT BETWEEN "+n()+" AND 2",
		pick("name", "area", "folio")+pick(" IS NULL", " IS NOT NULL"), "built = "+pick("TRUE", "FALSE"), pick("TRUE", "FALSE"),
	)
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"area > 3 AND name LIKE 'a%'", "NOT (folio IN (1,2) OR built = TRUE)",
		`"in" = 'O''x' AND lon BETWEEN -1 AND 2e9`, "name IS NOT NULL"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		filter, err := Parse(s, places.RowType)
		if err != nil {
			return
		}
		r := places.Record()
		r.Item = place{name: "a", area: 1, folio: 2}
		if p := filter.Passes(r); p {
			if texts, ok := filter.Values("name"); ok && !contains(texts, "a") {
				t.Errorf("%q passes a row whose name is not one of %q", s, texts)
			}
		}
	})
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

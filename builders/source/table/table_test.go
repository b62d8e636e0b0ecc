package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

func read(t testing.TB, text string, o Options) ([][]string, Problems, error) {
	t.Helper()
	var p Problems
	o.Problems = &p
	if o.File == "" {
		o.File = "x.csv"
	}
	tab, err := New(strings.NewReader(text), o)
	if err != nil {
		return nil, p, err
	}
	var rows [][]string
	for tab.Next() {
		var row []string
		for i := range len(o.Columns) + len(o.Optional) {
			row = append(row, tab.Text(i))
		}
		rows = append(rows, row)
	}
	return rows, p, tab.Err()
}

func TestReadsWhatRegistersWrite(t *testing.T) {
	o := Options{Comma: ';', Columns: []string{"B", "A"}, Optional: []string{"C"}}
	for _, c := range []struct {
		name, text string
		want       [][]string
		problems   int
	}{
		{"by header name", "A;B\n1;2\n", [][]string{{"2", "1", ""}}, 0},
		{"byte-order mark, quotes, CR LF", "\ufeff\"A\";\"B\"\r\n\"1\";\"2\"\r\n", [][]string{{"2", "1", ""}}, 0},
		{"no line end at the end", "A;B\n1;2", [][]string{{"2", "1", ""}}, 0},
		{"letter case of the header", "a;b;c\n1;2;3\n", [][]string{{"2", "1", "3"}}, 0},
		{"separator and quote in quotes", "A;B\n\"x;y\";\"a \"\"b\"\" c\"\n", [][]string{{`a "b" c`, "x;y", ""}}, 0},
		{"several doubled quotes", "A;B\n\"\"\"a\"\"\";\"\"\"b\"\"\"\n", [][]string{{`"b"`, `"a"`, ""}}, 0},
		{"empty cells", "A;B\n;\n\"\";\"\"\n", [][]string{{"", "", ""}, {"", "", ""}}, 0},
		{"blank lines", "A;B\n\n1;2\n\n", [][]string{{"2", "1", ""}}, 0},
		{"too few cells", "A;B\n1\n3;4\n", [][]string{{"4", "3", ""}}, 1},
		{"too many cells", "A;B\n1;2;3\n3;4\n", [][]string{{"4", "3", ""}}, 1},
		{"lost quote costs one row", "A;B\n\"1;2\n3;4\n", [][]string{{"4", "3", ""}}, 1},
		{"text behind a quote", "A;B\n\"1\"x;2\n3;4\n", [][]string{{"4", "3", ""}}, 1},
		{"long line costs one row", "A;B\n" + strings.Repeat("x", 3*maxLine) + "\n3;4\n", [][]string{{"4", "3", ""}}, 1},
		{"too many columns cost one row", "A;B\n" + strings.Repeat(";", 600) + "\n3;4\n", [][]string{{"4", "3", ""}}, 1},
	} {
		got, p, err := read(t, c.text, o)
		if err != nil || !slices.EqualFunc(got, c.want, slices.Equal[[]string]) || p.Total != c.problems {
			t.Errorf("%s: want %q and %d problems, got %q, %+v, %v", c.name, c.want, c.problems, got, p, err)
		}
	}
}

func TestHeaderMustFit(t *testing.T) {
	o := Options{File: "ADRESSE.csv", Comma: ';', Columns: []string{"ADRCD", "RW"}}
	for _, c := range []struct{ text, want string }{
		{"ADRCD;HW\n", "ADRESSE.csv: column RW is missing; the file has ADRCD, HW"},
		{"", "ADRESSE.csv: no header: the file is empty"},
		{"\"ADRCD;RW\n", "ADRESSE.csv: header: expected a closing quote"},
	} {
		if _, _, err := read(t, c.text, o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, got %v", c.want, err)
		}
	}
}

func TestProblemNamesThePlace(t *testing.T) {
	var p Problems
	tab, err := New(strings.NewReader("A;B\n1;2\n1;abc\n"), Options{File: "x.csv", Comma: ';', Columns: []string{"A", "B"}, Problems: &p})
	if err != nil {
		t.Fatal(err)
	}
	for tab.Next() {
		if _, ok := Uint(tab.Field(1), 9); !ok {
			tab.Bad(1, "a digit")
		}
	}
	if want := `x.csv line 3: B "abc": expected a digit`; len(p.First) != 1 || p.First[0].Error() != want {
		t.Errorf("want %s, got %v", want, p.First)
	}
	for range 1000 {
		p.Add(Problem{Value: strings.Repeat("x", 1000)})
	}
	if p.Total != 1001 || len(p.First) != maxKept || len(p.First[1].Value) > 100 {
		t.Errorf("want 1001 counted and %d kept, got %d and %d", maxKept, p.Total, len(p.First))
	}
}

type broken struct{ n int }

func (b *broken) Read(p []byte) (int, error) {
	if b.n++; b.n == 1 {
		return copy(p, "A;B\n1;2\n"), nil
	}
	return 0, errors.New("disk gone")
}

func TestFailingDiskIsNoEndOfFile(t *testing.T) {
	tab, err := New(&broken{}, Options{File: "x.csv", Comma: ';', Columns: []string{"A"}, Problems: &Problems{}})
	if err != nil {
		t.Fatal(err)
	}
	for tab.Next() {
	}
	if tab.Err() == nil || !strings.Contains(tab.Err().Error(), "disk gone") {
		t.Errorf("want the disk's error, got %v", tab.Err())
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		in   string
		want float64
		ok   bool
	}{{"80893.30", 80893.3, true}, {"80893,30", 80893.3, true}, {"-5", -5, true}, {"", 0, false}, {"1e9", 0, false}, {"NaN", 0,
		false}, {"1.2.3", 0, false}, {"--1", 0, false}, {".", 0, false}} {
		if got, ok := Decimal([]byte(c.in)); ok != c.ok || (ok && got != c.want) {
			t.Errorf("Decimal(%q): want %v %v, got %v %v", c.in, c.want, c.ok, got, ok)
		}
	}
	for _, c := range []struct {
		in   string
		want uint64
		ok   bool
	}{{"0012", 12, true}, {"99", 99, true}, {"100", 0, false}, {"", 0, false}, {"-1", 0, false}, {"1 ", 0, false}, {"99999999999999999999",
		0, false}} {
		if got, ok := Uint([]byte(c.in), 99); ok != c.ok || (ok && got != c.want) {
			t.Errorf("Uint(%q): want %v %v, got %v %v", c.in, c.want, c.ok, got, ok)
		}
	}
}

// Whatever encoding/csv reads from text without line breaks in cells, this reader reads too.
func FuzzTable(f *testing.F) {
	f.Add("A;B\n1;2\n")
	f.Add("\ufeff\"A\";\"B\"\r\n\"1\";\"a\"\"b\"\r\n")
	f.Add("A;B\n\"1;2\n3;4\n")
	f.Fuzz(func(t *testing.T, text string) {
		rows, _, err := read(t, text, Options{Comma: ';', Columns: []string{"A"}, Optional: []string{"B"}})
		if err != nil || strings.Contains(text, "\r") {
			return
		}
		r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
		r.Comma = ';'
		all, err := r.ReadAll()
		if err != nil || len(all) != strings.Count(strings.TrimRight(text, "\n"), "\n")+1 {
			return
		}
		if len(rows) != len(all)-1 {
			t.Fatalf("want %d rows, got %d", len(all)-1, len(rows))
		}
		at := slices.IndexFunc(all[0], func(s string) bool { return strings.ToUpper(strings.TrimSpace(s)) == "A" })
		for i, row := range all[1:] {
			if want := strings.TrimSpace(row[at]); want != rows[i][0] {
				t.Fatalf("row %d: want %q, got %q", i, want, rows[i][0])
			}
		}
	})
}

func BenchmarkTable(b *testing.B) {
	row := `"5000090";"70101";"16853";"6080";"013245";"41";"80893.30";"234024.51";"31254"` + "\r\n"
	text := "A;B;C;D;E;F;G;H;I\r\n" + strings.Repeat(row, 10000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		tab, err := New(io.Reader(strings.NewReader(text)), Options{Comma: ';', Columns: []string{"A", "G", "H"}, Problems: &Problems{}})
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for tab.Next() {
			n += len(tab.Field(1))
		}
		if n != 80000 {
			b.Fatal(fmt.Sprint(n))
		}
	}
}

// What blocks give, and the problems with their lines, is what the table gives row by row.
func TestBlocksReadWhatATableReads(t *testing.T) {
	o := Options{Comma: ';', Columns: []string{"B", "A"}, Optional: []string{"C"}}
	long := strings.Repeat("x", 3*blockBytes)
	var many strings.Builder
	for i := range blockBytes / 25 {
		fmt.Fprintf(&many, "%d;%q;%s\n", i, strings.Repeat("y", i%50), strings.Repeat("z", i%7))
		if i%1000 == 3 {
			many.WriteString("one cell\r\n\r\n")
		}
	}
	for name, text := range map[string]string{
		"a header alone": "A;B;C", "no row": "A;B;C\n", "no line end at the end": "A;B;C\n1;2;3",
		"many rows":                          "\ufeffA;B;C\r\n" + many.String(),
		"a long row among many":              "A;B;C\n" + many.String() + long + "\n" + many.String(),
		"a long row at the end":              "A;B;C\n" + many.String() + long,
		"nothing but a long row":             "A;B;C\n" + long + "\n",
		"two long rows":                      "A;B;C\n" + long + "\n" + long + "\n1;2;3\n",
		"a row that is as long as a block":   "A;B;C\n" + long[:blockBytes] + "\n1;2;3\n",
		"a block that ends where a row ends": "A;B;C\n" + strings.Repeat("1;2;3;\n", blockBytes/7) + "\n1;2;3\n",
	} {
		want, wantProblems, err := read(t, text, o)
		if err != nil {
			t.Fatal(err)
		}
		var got [][]string
		var problems Problems
		to := Options{File: "x.csv", Comma: o.Comma, Columns: o.Columns, Optional: o.Optional, Problems: &problems}
		err = Blocks(strings.NewReader(text), to, func(t *Table, rows *[][]string) {
			*rows = append(*rows, []string{t.Text(0), t.Text(1), t.Text(2)})
		}, func(rows *[][]string) error {
			got = append(got, *rows...)
			return nil
		})
		if err != nil || !slices.EqualFunc(got, want, slices.Equal[[]string]) {
			t.Errorf("%s: want %d rows, got %d other rows, %v", name, len(want), len(got), err)
		}
		if problems.Total != wantProblems.Total || !slices.Equal(problems.First, wantProblems.First) {
			t.Errorf("%s: want %+v, got %+v", name, wantProblems, problems)
		}
	}
}

// A failing disk and a refused block end the reading with their reason.
func TestBlocksEndWithAFailure(t *testing.T) {
	o := Options{File: "x.csv", Comma: ';', Columns: []string{"A"}, Problems: &Problems{}}
	refused := errors.New("refused")
	text := "A\n" + strings.Repeat("1\n", 2*blockBytes)
	count := func(t *Table, n *int) { *n++ }
	in := io.MultiReader(strings.NewReader(text), &broken{1})
	err := Blocks(in, o, count, func(*int) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "disk gone") {
		t.Errorf("want the disk's error, got %v", err)
	}
	if err := Blocks(strings.NewReader(text), o, count, func(*int) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("want %v, got %v", refused, err)
	}
}

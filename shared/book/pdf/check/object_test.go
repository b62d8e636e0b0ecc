package check

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"mappe/shared/book/pdf"
)

// TestObjects: the objects of a PDF file as ISO 32000-1 7.3 writes them, and other bytes.
func TestObjects(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"null", "<nil>"}, {"true", "true"}, {"false", "false"},
		{"12", "12"}, {"-7", "-7"}, {"+7", "7"}, {".5", "0.5"}, {"-.002", "-0.002"}, {"4.", "4"},
		{"/Name", `"Name"`}, {"/A#20B#2fC", `"A B/C"`}, {"/", `""`}, {"/A(", `"A"`},
		{"(text)", `str("text")`}, {"()", `str("")`}, {"(a(b)c)", `str("a(b)c")`}, {`(a\)\(b)`, `str("a)(b")`},
		{`(\n\r\t\b\f\\)`, `str("\n\r\t\b\f\\")`},
		{`(\101\12\0053)`, `str("A\n\x053")`}, {`(\x)`, `str("x")`},
		{"<48 65 6C>", `str("Hel")`}, {"<486>", `str("H` + "`" + `")`}, {"<>", `str("")`},
		{"[1 /A (b)]", `[1 "A" str("b")]`}, {"[]", "[]"}, {"[3 0 R 4]", "[ref(3) 4]"}, {"[[1][2]]", "[[1] [2]]"},
		{"<</A 1/B[2]>>", `map[A:1 B:[2]]`}, {"<<>>", "map[]"}, {"<</P 3 0 R>>", "map[P:ref(3)]"},
		{" % a remark\r\n 12", "12"}, {"BT", "BT"},
		{"", "!ends early"}, {"% a remark", "!ends early"}, {")", "!')'"}, {"(text", "!without its end"}, {`(a\`, "!without its end"},
		{"<4", "!without its end"}, {"<4G>", "!'G'"},
		{"[1", "!ends early"}, {"[1 BT]", "!BT"}, {"[R]", "!a reference"}, {"[1 1 R]", "!a reference"}, {"[0 0 R]", "!a reference"},
		{"[1.5 0 R]", "!a reference"}, {"[(a) 0 R]", "!a reference"},
		{"<</A>>", "!a dictionary"}, {"<</A 1", "!ends early"}, {"<</A 1>", "!a dictionary"}, {"<<(A) 1>>", "!the key"},
		{"<</A 1/A 2>>", "!the key"},
		{"1.2.3", "!the number"}, {"--1", "!the number"}, {"1e5", "!the number"}, {"0x10", "!the number"}, {"+Inf", "!the number"},
		{"-Infinity", "!the number"}, {strings.Repeat("9", 20), "!the number"},
		{strings.Repeat("0", 33), "!the number"}, {"/A#4", `"A#4"`}, {"/A#4G", "!the name"}, {"/A#zz", "!the name"},
		{strings.Repeat("[", 500), "!in each other"},
	} {
		l := lexer{b: []byte(c.in)}
		o, err := l.object()
		got := plain(o)
		if err != nil {
			got = "!" + err.Error()
		}
		if want, refused := strings.CutPrefix(c.want, "!"); refused && (err == nil || !strings.Contains(got, want)) ||
			!refused && got != c.want {
			t.Errorf("%.40q: %s, want %s", c.in, got, c.want)
		}
	}
}

// plain writes an object for people.
func plain(o any) string {
	switch o := o.(type) {
	case name:
		return fmt.Sprintf("%q", string(o))
	case str:
		return fmt.Sprintf("str(%q)", string(o))
	case ref:
		return fmt.Sprintf("ref(%d)", int(o))
	case []any:
		var all []string
		for _, x := range o {
			all = append(all, plain(x))
		}
		return "[" + strings.Join(all, " ") + "]"
	case dict:
		var all []string
		for _, k := range []name{"A", "B", "P"} {
			if x, ok := o[k]; ok {
				all = append(all, string(k)+":"+plain(x))
			}
		}
		return "map[" + strings.Join(all, " ") + "]"
	}
	return fmt.Sprint(o)
}

// TestFilesOutOfShape: what leads through a file, its last lines, its table and its objects, may say anything; each
// wrong word is a fault and nothing worse.
func TestFilesOutOfShape(t *testing.T) {
	good := string(write(t, set(t, manuscriptOf(t, 1), specification(pdf.X1a), pdf.X1a), pdf.X1a))
	at := strings.LastIndex(good, "startxref\n")
	number := strings.TrimSuffix(good[at+len("startxref\n"):], "\n%%EOF\n")
	table := strings.LastIndex(good, "\nxref\n") + 1
	lines := good[table+strings.Index(good[table:], "65535 f")-11:]
	second := lines[20:40] // where object 1 is
	for _, c := range []struct{ name, old, new, want string }{
		{"no number behind startxref", "startxref\n" + number, "startxref\n(x)", "no place in the file"},
		{"infinity behind startxref", "startxref\n" + number, "startxref\n+Inf", "no place in the file"},
		{"a place behind the file", "startxref\n" + number, "startxref\n99999999", "no place in the file"},
		{"a place before the file", "startxref\n" + number, "startxref\n-1", "no place in the file"},
		{"a place that is no table", "startxref\n" + number, "startxref\n5", "does not lead to"},
		{"a table without a count", "\nxref\n0 ", "\nxref\n0 x", "has no"},
		{"a table of millions", "\nxref\n0 ", "\nxref\n0 9", "has no"},
		{"a table without its first line", "0000000000 65535 f", "0000000000 65534 f", "line 0"},
		{"an object taken out", second, second[:17] + "f" + second[18:], "line 1"},
		{"an object of another generation", second, second[:11] + "00001" + second[16:], "line 1"},
		{"an object behind the file", second, "0999999999" + second[10:], "line 1"},
		{"an object before the file", second, "-000000009" + second[10:], "line 1"},
		{"an object in the middle of another", second, fmt.Sprintf("%010d", 30) + second[10:], "is not at byte"},
		{"no trailer", "\ntrailer\n", "\ntrailor\n", "no trailer"},
		{"a trailer that is no dictionary", "\ntrailer\n<<", "\ntrailer\n[<", "the trailer"},
	} {
		if !strings.Contains(good, c.old) {
			t.Fatalf("%s: there is no %q", c.name, c.old)
		}
		i := strings.LastIndex(good, c.old)
		changed := good[:i] + c.new + good[i+len(c.old):]
		if got := strings.Join(Check([]byte(changed), pdf.X1a), "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: %.300q, want %q in it", c.name, got, c.want)
		}
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"an object without an end", "\nendobj\n", "\nendobx\n", "has no end"},
		{"a stream of no length", "/Length ", "/Lengtx ", "without its length"},
		{"a stream of an invalid length", "/Length ", "/Length -", "without its length"},
		{"a stream of infinite length", "/Length ", "/Length +Inf/X ", "the number"},
		{"a stream longer than the file", "/Length ", "/Length 99999", "without its length"},
		{"a stream without an end", "\nendstream", "\nendstreax", "bytes long"},
	} {
		changed := swap(c.old, c.new)(t, split(t, []byte(good))).join()
		if got := strings.Join(Check(changed, pdf.X1a), "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: %.300q, want %q in it", c.name, got, c.want)
		}
	}
	if f := Check(bytes.Clone([]byte(good)), pdf.X1a); len(f) > 0 {
		t.Errorf("the file itself: %v", f)
	}
}

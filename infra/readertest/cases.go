package readertest

import (
	"errors"
	"strings"
	"testing"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

// Reader is what every reader of a format is.
type Reader func([]byte, source.Limits) (manuscript.Book, []finding.Finding, error)

// Case is a file and what is to be read in it, in the letters of Outline and Told; both may begin on a line of
// their own. It and Refusal have no name of their own, so that tables are written without the names of their fields.
type Case = struct {
	Name        string
	File        []byte
	Want, Found string
}

// Cases fails a test where a file is not read as its case wants, or its book is not Sound.
func Cases(t *testing.T, read Reader, cases []Case) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			b, found, err := read(c.File, source.Default())
			if err != nil {
				t.Fatal(err)
			}
			if got, want := Outline(b), strings.TrimPrefix(c.Want, "\n"); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
			if got, want := Told(found), strings.TrimPrefix(c.Found, "\n"); got != want {
				t.Errorf("found\n%s\nwant\n%s", got, want)
			}
			Sound(t, b, found)
		})
	}
}

// Refusal is a file and the code it is refused with.
type Refusal = struct {
	File []byte
	Code string
}

// Refuses fails a test where a file is read, or refused for another reason.
func Refuses(t *testing.T, read Reader, cases map[string]Refusal) {
	t.Helper()
	for name, c := range cases {
		_, _, err := read(c.File, source.Default())
		var r source.Refused
		if !errors.As(err, &r) || r.Code != c.Code || r.Message == "" {
			t.Errorf("%s: %v, want the code %s", name, err, c.Code)
		}
	}
}

// Withstands fails a test where a file made by chance gives a book that is not Sound, or an error that is no
// refusal. The limits are those that such a file reaches soon.
func Withstands(t *testing.T, read Reader, file []byte) {
	t.Helper()
	l := source.Default()
	l.Nodes, l.Blocks = 20_000, 5_000
	b, found, err := read(file, l)
	if err != nil {
		var r source.Refused
		if !errors.As(err, &r) || r.Message == "" {
			t.Fatalf("an error that is no refusal: %v", err)
		}
		return
	}
	Sound(t, b, found)
}

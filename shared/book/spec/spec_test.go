package spec

import (
	"errors"
	"strings"
	"testing"
)

func TestDataAndBack(t *testing.T) {
	s := Default()
	s.Title, s.ISBN, s.Trim, s.HeadRecto, s.Hyphenate = "Die Mappe", "978-3-16-148410-0", Trim{140, 220}, HeadChapter, false
	got, err := Apply(Default(), s.Data())
	if err != nil || got != s {
		t.Errorf("got %+v, %v\nwant %+v", got, err, s)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ data, field string }{
		{`{"trim":"2x3"}`, "trim"}, {`{"trim":"210x148"}`, "trim"}, {`{"size_pt":30}`, "size_pt"}, {`{"size_pt":"eleven"}`, "size_pt"},
		{`{"openers":"verso"}`, "openers"}, {`{"hyphenate":"yes"}`, "hyphenate"}, {`{"isbn":"978-3-16-148410-1"}`, "isbn"},
		{`{"title":"a\nb"}`, "title"}, {`{"leading_pt":10}`, "leading_pt"}, {`{"language":"fr"}`, "language"},
		{`{"inner_mm":60,"outer_mm":60}`, "inner_mm"}, {`{"printer":"ingram","outer_mm":8}`, "outer_mm"}, {`{"colour":"red"}`, "colour"},
		{`{"page_multiple":3}`, "page_multiple"}, {`{"face":"comic"}`, "face"},
	} {
		_, err := Parse([]byte(c.data))
		var fe *FieldError
		if !errors.As(err, &fe) || fe.Field != c.field || fe.Allowed == "" {
			t.Errorf("%s: %v", c.data, err)
		}
	}
	_, err := Apply(Default(), map[string]any{"size_pt": 3.0, "openers": "x"})
	if err == nil || !strings.Contains(err.Error(), "size_pt") || !strings.Contains(err.Error(), "openers") {
		t.Errorf("both faults: %v", err)
	}
}

func TestUnknownMembersOfATransmittalAreNotes(t *testing.T) {
	if _, err := Apply(Default(), map[string]any{"remark": "please hurry"}); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"trim":"A5","size_pt":"10.5","isbn":"9783161484100"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Parse(b)
		if err != nil {
			return
		}
		if again, err := Apply(Default(), s.Data()); err != nil || again != s {
			t.Errorf("%s: %+v, again %+v, %v", b, s, again, err)
		}
	})
}

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
		{`{"title":"a\nb"}`, "title"}, {"{\"title\":\"\u200b\"}", "title"}, {"{\"author\":\"a\u202eb\"}", "author"},
		{"{\"publisher\":\"a\uffff\"}", "publisher"}, {`{"leading_pt":10}`, "leading_pt"}, {`{"language":"fr"}`, "language"},
		{`{"inner_mm":60,"outer_mm":60}`, "inner_mm"}, {`{"printer":"ingram","outer_mm":8}`, "outer_mm"}, {`{"colour":"red"}`, "colour"},
		{`{"page_multiple":3}`, "page_multiple"}, {`{"face":"comic"}`, "face"}, {`{"bleed_mm":0.5}`, "bleed_mm"},
		{`{"outer_mm":60,"inner_mm":35}`, "outer_mm"}, {`{"top_mm":80,"bottom_mm":80}`, "top_mm"},
		{`{"bottom_mm":80,"trim":"90x140"}`, "bottom_mm"},
		{`{"trim":"90x140","size_pt":18,"leading_pt":18}`, "size_pt"}, {`{"trim":"90x140","leading_pt":30,"bottom_mm":38}`, "leading_pt"},
		{`{"printer":"kdp","inner_mm":9}`, "inner_mm"}, {`{"printer":"ingram","inner_mm":12}`, "inner_mm"}, {`{"inner_mm":3}`, "inner_mm"},
		{`{"top_mm":10}`, "top_mm"}, {`{"bottom_mm":10}`, "bottom_mm"},
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

// TestPageHoldsItsText: what is not refused leaves room for text, running head and folio on a thin book, and
// the bound that a refusal names is one that is taken.
func TestPageHoldsItsText(t *testing.T) {
	for _, trim := range append([]string{"90x140", "90x300", "220x300"}, "5x8", "6x9", "A5") {
		for _, size := range []float64{8, 11, 14.5, 18} {
			for _, leading := range []float64{9, 14, 20, 30} {
				for _, margin := range []float64{0, 6.4, 12.7, 25, 40, 60} {
					data := map[string]any{"trim": trim, "size_pt": size, "leading_pt": leading, "inner_mm": margin, "outer_mm": margin,
						"top_mm": margin, "bottom_mm": margin}
					s, err := Apply(Default(), data)
					if err != nil {
						continue
					}
					p := s.Page(100)
					if p.Measure() < MinMeasureEms*units(size) || p.Rows(leading) < MinRows || p.Top < units(leading+0.75*size) ||
						p.Bottom < units(1.25*leading+0.25*size) {
						t.Errorf("%v: %+v", data, p)
					}
				}
			}
		}
	}
	_, err := Apply(Default(), map[string]any{"trim": "90x140", "size_pt": 18.0, "leading_pt": 18.0})
	var fe *FieldError
	if !errors.As(err, &fe) || !strings.HasPrefix(fe.Allowed, "at most 16.5, ") {
		t.Fatal(err)
	}
	if _, err := Apply(Default(), map[string]any{"trim": "90x140", "size_pt": 16.5, "leading_pt": 18.0}); err != nil {
		t.Error(err)
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

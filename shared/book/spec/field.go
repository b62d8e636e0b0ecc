package spec

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mappe/shared/book/manuscript"
)

// Field is a member of a transmittal's data: its name, what it takes, and how it is read and written.
type Field struct {
	Name    string
	Label   string // for the form
	Doc     string
	Allowed []string // of a closed set; nil otherwise
	Form    string   // text, long, number, choice, yes_no
	// Least and Most bound a number; Most of a text is its longest, in characters. 0 is unset.
	Least, Most float64
	set         func(s *Spec, v any) error
	get         func(s *Spec) any
}

// FieldError names a field, its value and what is allowed.
type FieldError struct{ Field, Value, Allowed string }

// Error is the sentence for the author.
func (e *FieldError) Error() string {
	return fmt.Sprintf("%s: %s is not allowed; allowed: %s", e.Field, e.Value, e.Allowed)
}

func bad(name string, v any, allowed string) error {
	b, err := json.Marshal(v)
	if err != nil {
		b = []byte("this value")
	}
	value := string(b)
	if utf8.RuneCountInString(value) > 80 {
		value = string([]rune(value)[:80]) + "…"
	}
	return &FieldError{Field: name, Value: value, Allowed: allowed}
}

// Fields are all members a transmittal knows, in the order of the form.
func Fields() []Field { return fields }

var fields = []Field{
	line("title", "Title", 300, func(s *Spec) *string { return &s.Title }),
	line("subtitle", "Subtitle", 300, func(s *Spec) *string { return &s.Subtitle }),
	line("author", "Author", 300, func(s *Spec) *string { return &s.Author }),
	line("publisher", "Publisher", 200, func(s *Spec) *string { return &s.Publisher }),
	isbn(),
	line("rights", "Copyright line", 500, func(s *Spec) *string { return &s.Rights }),
	{
		Name: "language", Label: "Language", Form: "choice", Allowed: languageNames,
		Doc: "of the text: hyphenation, quotation marks, names of parts",
		set: func(s *Spec, v any) error {
			t, ok := v.(string)
			if i := slices.IndexFunc(languageNames, func(n string) bool { return strings.EqualFold(n, t) }); ok && i >= 0 {
				s.Language = languageNames[i]
				return nil
			}
			return bad("language", v, strings.Join(languageNames, ", "))
		},
		get: func(s *Spec) any { return s.Language },
	},
	trimField(),
	number("bleed_mm", "Bleed", "millimetres on the three outer edges; 0 for a book without pictures to the edge", [2]float64{0, 10},
		func(s *Spec) *float64 { return &s.BleedMM }),
	number("inner_mm", "Inner margin", "millimetres at the spine; 0 chooses by page count", [2]float64{0, 60}, func(s *Spec) *float64 {
		return &s.Margins.InnerMM
	}),
	number("outer_mm", "Outer margin", "millimetres; 0 chooses", [2]float64{0, 60}, func(s *Spec) *float64 { return &s.Margins.OuterMM }),
	number("top_mm", "Top margin", "millimetres above the text; 0 chooses", [2]float64{0, 80}, func(s *Spec) *float64 {
		return &s.Margins.TopMM
	}),
	number("bottom_mm", "Bottom margin", "millimetres below the text; 0 chooses", [2]float64{0, 80}, func(s *Spec) *float64 {
		return &s.Margins.BottomMM
	}),
	{
		Name: "face", Label: "Type face", Form: "choice", Allowed: faceNames,
		set: func(s *Spec, v any) error {
			t, ok := v.(string)
			if !ok || !slices.Contains(faceNames, t) {
				return bad("face", v, strings.Join(faceNames, ", "))
			}
			s.Face = t
			return nil
		},
		get: func(s *Spec) any { return s.Face },
	},
	number("size_pt", "Type size", "points", [2]float64{8, 18}, func(s *Spec) *float64 { return &s.SizePt }),
	number("leading_pt", "Line distance", "points, at least the type size", [2]float64{9, 30}, func(s *Spec) *float64 {
		return &s.LeadingPt
	}),
	choice("openers", "Chapters begin", openersNames, func(s *Spec) *Openers { return &s.Openers }),
	choice("head_verso", "Running head, left page", headNames, func(s *Spec) *Head { return &s.HeadVerso }),
	choice("head_recto", "Running head, right page", headNames, func(s *Spec) *Head { return &s.HeadRecto }),
	choice("first_line", "First line of a chapter", firstLineNames, func(s *Spec) *FirstLine { return &s.FirstLine }),
	line("scene_mark", "Scene break", 12, func(s *Spec) *string { return &s.SceneMark }),
	yesNo("chapter_label", "“Chapter 3” above the title", func(s *Spec) *bool { return &s.ChapterLabel }),
	choice("contents", "Table of contents", contentsNames, func(s *Spec) *Contents { return &s.Contents }),
	choice("notes", "Notes", notesNames, func(s *Spec) *Notes { return &s.Notes }),
	yesNo("hyphenate", "Divide words", func(s *Spec) *bool { return &s.Hyphenate }),
	keepAll(),
	choice("printer", "Printer", printerNames, func(s *Spec) *Printer { return &s.Printer }),
	choice("pdf", "Print file", pdfNames, func(s *Spec) *PDFPreset { return &s.PDF }),
	{
		Name: "page_multiple", Label: "Pages a multiple of", Form: "choice", Allowed: []string{"1", "2", "4"},
		set: func(s *Spec, v any) error {
			n, ok := toNumber(v)
			if !ok || n != 1 && n != 2 && n != 4 {
				return bad("page_multiple", v, "1, 2, 4")
			}
			s.PageMultiple = int(n)
			return nil
		},
		get: func(s *Spec) any { return s.PageMultiple },
	},
}

func line(name, label string, most int, at func(*Spec) *string) Field {
	return Field{
		Name: name, Label: label, Form: "text", Doc: fmt.Sprintf("at most %d characters", most), Most: float64(most),
		set: func(s *Spec, v any) error {
			t, ok := v.(string)
			t = strings.TrimSpace(t)
			if !ok || utf8.RuneCountInString(t) > most || t != "" && !manuscript.OneLine(t) {
				return bad(name, v, fmt.Sprintf(
					"text of at most %d characters in one line, none of which is hidden or turns the others round", most))
			}
			*at(s) = t
			return nil
		},
		get: func(s *Spec) any { return *at(s) },
	}
}

// number is a field of a number within bounds, both allowed, kept to the thousandth.
func number(name, label, doc string, bounds [2]float64, at func(*Spec) *float64) Field {
	least, most := bounds[0], bounds[1]
	return Field{
		Name: name, Label: label, Form: "number", Doc: doc, Least: least, Most: most,
		set: func(s *Spec, v any) error {
			n, ok := toNumber(v)
			if !ok || math.IsNaN(n) || n < least || n > most {
				return bad(name, v, fmt.Sprintf("a number from %g to %g", least, most))
			}
			*at(s) = math.Round(n*1000) / 1000
			return nil
		},
		get: func(s *Spec) any { return *at(s) },
	}
}

func toNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	case string: // a form sends text
		n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		return n, err == nil
	}
	return 0, false
}

func choice[T ~uint8](name, label string, names []string, at func(*Spec) *T) Field {
	return Field{
		Name: name, Label: label, Form: "choice", Allowed: names,
		set: func(s *Spec, v any) error {
			t, ok := v.(string)
			i := slices.Index(names, t)
			if !ok || i < 0 {
				return bad(name, v, strings.Join(names, ", "))
			}
			*at(s) = T(i)
			return nil
		},
		get: func(s *Spec) any { return names[*at(s)] },
	}
}

func yesNo(name, label string, at func(*Spec) *bool) Field {
	return Field{
		Name: name, Label: label, Form: "yes_no",
		set: func(s *Spec, v any) error {
			b, ok := v.(bool)
			if !ok {
				return bad(name, v, "true, false")
			}
			*at(s) = b
			return nil
		},
		get: func(s *Spec) any { return *at(s) },
	}
}

func keepAll() Field {
	f := yesNo("keep_all", "Set every word", func(s *Spec) *bool { return &s.KeepAll })
	f.Doc = "true or false; true also sets contents pages, half titles and running heads of the manuscript, although the book makes its own"
	return f
}

func trimField() Field {
	names := make([]string, len(trims))
	for i, t := range trims {
		names[i] = t.name
	}
	allowed := strings.Join(names, ", ") + ", or width x height in millimetres from 90x140 to 220x300"
	return Field{
		Name: "trim", Label: "Page size", Form: "text", Doc: allowed,
		set: func(s *Spec, v any) error {
			t, ok := v.(string)
			for _, n := range trims {
				if ok && strings.EqualFold(n.name, t) {
					s.Trim = n.trim
					return nil
				}
			}
			w, h, cut := strings.Cut(strings.TrimSuffix(strings.ToLower(strings.ReplaceAll(t, " ", "")), "mm"), "x")
			width, err1 := strconv.ParseFloat(w, 64)
			height, err2 := strconv.ParseFloat(h, 64)
			if !cut || err1 != nil || err2 != nil || !(width >= 90 && width <= 220 && height >= 140 && height <= 300 && height > width) {
				return bad("trim", v, allowed)
			}
			s.Trim = Trim{width, height}
			return nil
		},
		get: func(s *Spec) any { return s.trim() },
	}
}

// trim is the page size as a transmittal names it.
func (s Spec) trim() string {
	for _, n := range trims {
		if n.trim == s.Trim {
			return n.name
		}
	}
	return fmt.Sprintf("%gx%g", s.Trim.WidthMM, s.Trim.HeightMM)
}

func isbn() Field {
	f := line("isbn", "ISBN", 20, func(s *Spec) *string { return &s.ISBN })
	plain := f.set
	f.Doc = "13 digits with or without hyphens"
	f.set = func(s *Spec, v any) error {
		before := s.ISBN
		if err := plain(s, v); err != nil {
			return err
		}
		digits := strings.NewReplacer("-", "", " ", "").Replace(s.ISBN)
		sum := 0
		for i, c := range digits {
			if c < '0' || c > '9' {
				sum = -1
				break
			}
			sum += int(c-'0') * (1 + 2*(i%2))
		}
		if digits != "" && (len(digits) != 13 || sum < 0 || sum%10 != 0) {
			s.ISBN = before
			return bad("isbn", v, "an ISBN of 13 digits whose check digit is right")
		}
		return nil
	}
	return f
}

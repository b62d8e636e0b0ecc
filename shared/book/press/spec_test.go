package press

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"mappe/localdev/demo/sample"
	"mappe/shared/book/layout"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// members picks members of a transmittal at random: extremes of numbers, any of a closed set, a page of any
// size, titles as long as they may be.
func members(r *rand.Rand) map[string]any {
	data := map[string]any{}
	for _, f := range spec.Fields() {
		if r.IntN(3) == 0 {
			continue
		}
		switch {
		case f.Name == "trim":
			all := []string{"5x8", "5.25x8", "5.5x8.5", "6x9", "A5", "135x215", "90x140", "90x300", "220x300", "100x150"}
			data[f.Name] = all[r.IntN(len(all))]
		case f.Name == "page_multiple":
			n, _ := strconv.Atoi(f.Allowed[r.IntN(len(f.Allowed))])
			data[f.Name] = n
		case f.Name == "isbn":
			data[f.Name] = "978-3-16-148410-0"
		case f.Form == "number":
			between := f.Least + r.Float64()*(f.Most-f.Least)
			data[f.Name] = []float64{f.Least, f.Most, between, between / 2}[r.IntN(4)]
		case f.Form == "choice":
			data[f.Name] = f.Allowed[r.IntN(len(f.Allowed))]
		case f.Form == "yes_no":
			data[f.Name] = r.IntN(2) == 0
		default:
			data[f.Name] = strings.Repeat("Wort ", int(f.Most)/5)
		}
	}
	return data
}

// crowded is a rich sample with a table of many columns, pictures higher than any page, and quotations in
// lists in quotations.
func crowded(t *testing.T) Manuscript {
	made := sample.Make(sample.Options{Language: "de", Words: 2400, Seed: 7, Title: "Die Mappe", Author: "Ida Example", Rich: true,
		Matter: true})
	m, err := Open("sample.docx", made.DOCX(), ordinary())
	if err != nil {
		t.Fatal(err)
	}
	text := func(s string) manuscript.Block {
		return &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: s}}}
	}
	table := &manuscript.Table{HeadRows: 1}
	for range 12 {
		var row manuscript.Row
		for range 24 {
			row.Cells = append(row.Cells, manuscript.Cell{ColSpan: 1, RowSpan: 1, Blocks: []manuscript.Block{text("Donaudampfschiff")}})
		}
		table.Rows = append(table.Rows, row)
	}
	deep := text("Die Laterne schwankte über dem Hafen.")
	for i := range 8 {
		if i%2 == 0 {
			deep = &manuscript.Quote{Blocks: []manuscript.Block{deep}}
		} else {
			deep = &manuscript.List{Ordered: true, Start: 900, Items: [][]manuscript.Block{{deep}}}
		}
	}
	picture := m.Book.Images[0]
	picture.Width, picture.Height = 40, 4000
	m.Book.Images = append(m.Book.Images, picture)
	tall := &manuscript.Figure{Image: len(m.Book.Images) - 1, Alt: "a pole",
		Caption: []manuscript.Inline{manuscript.Text{S: strings.Repeat("Ein Mast am Ufer. ", 30)}}}
	last := &m.Book.Sections[len(m.Book.Sections)-1]
	last.Blocks = append(last.Blocks[:len(last.Blocks):len(last.Blocks)], table, deep, tall,
		&manuscript.Table{Rows: []manuscript.Row{{Cells: []manuscript.Cell{{Blocks: []manuscript.Block{tall, deep}},
			{Blocks: []manuscript.Block{tall}}}}}})
	return m
}

// TestAnySpecification: a specification is refused with the names of its fields, or the book is built; a
// printer may still refuse it, with a sentence that says what to change. None is a fault of the press.
func TestAnySpecification(t *testing.T) {
	m := crowded(t)
	built, refused := 0, 0
	for seed := range uint64(400) {
		data := members(rand.New(rand.NewPCG(seed, 1)))
		s, err := spec.Apply(spec.Default(), data)
		if err != nil {
			refused++
			for _, one := range err.(interface{ Unwrap() []error }).Unwrap() {
				var field *spec.FieldError
				if !errors.As(one, &field) || field.Value == "" || field.Allowed == "" {
					t.Errorf("%v: %v names no field", data, one)
				} else if _, given := data[field.Field]; !given && !strings.Contains("trim size_pt leading_pt", field.Field) {
					t.Errorf("%v: %v names a field that was not given", data, one)
				}
			}
			continue
		}
		if built++; built > 24 {
			break
		}
		format := Both
		if built%4 > 0 {
			format = PDF
		}
		if _, err := Build(t.Context(), m, s, Job{Edition: Proof, Format: format, Created: created}); err != nil {
			t.Errorf("seed %d: %v: %v", seed, data, err)
		}
	}
	t.Logf("%d built, %d refused", built, refused)
	if built < 24 || refused < 24 {
		t.Errorf("%d built and %d refused: one of them is not tried", built, refused)
	}
}

// TestTooThick: a page that is wide enough for a thin book may leave a thick one too little.
func TestTooThick(t *testing.T) {
	s, err := spec.Apply(ordinary(), map[string]any{"trim": "90x140", "size_pt": 16.0, "leading_pt": 30.0, "openers": "next_page"})
	if err != nil {
		t.Fatal(err)
	}
	for chapters, fits := range map[int]bool{2: true, 24: false} {
		m, err := Open("lantern.md", novel(chapters), s)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Build(t.Context(), m, s, Job{Edition: Proof, Format: PDF, Created: created})
		if fits && err != nil {
			t.Error(err)
		}
		if !fits {
			wantFault(t, err, "margin at the spine", "size_pt: 16 is not allowed; allowed: at most 14.7", "Change the transmittal")
		}
	}
}

// TestFaultsOfASpecification are told in words, wherever they come up.
func TestFaultsOfASpecification(t *testing.T) {
	_, err := spec.Apply(spec.Default(), map[string]any{"size_pt": 40.0})
	wantFault(t, Of(err), "size_pt: 40 is not allowed", "Change it and build again")
	wantFault(t, Of(layout.ErrTooManyPages), "more than 2000 pages", "volumes")
}

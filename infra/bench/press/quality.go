package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"mappe/shared/book/font"
	"mappe/shared/book/layout"
	"mappe/shared/book/layout/paginate"
	"mappe/shared/book/press"
	"mappe/shared/book/spec"
)

// measureInches is the width of the text that quality is measured at, with 11 points on 14.
const measureInches = 4.1

// quality prints how well manuscripts are set, in every face.
func quality(ctx context.Context, w io.Writer, files []string, language string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "text\tface\tin\tlines\tdivided\tin a row\tspaces > 1.5\tspaces > 1.8\tpages\tfaults of pages\t")
	for _, file := range files {
		for _, face := range font.Faces() {
			pages, r, err := setFile(ctx, file, face, language)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			name := filepath.Base(file)
			all := r.Textures.All()
			for _, m := range layout.AllMeasures() {
				if r.Textures[m].Lines < all.Lines {
					row(t, name+"\t"+face+"\t"+m.String(), r.Textures[m], "\t")
				}
			}
			row(t, name+"\t"+face+"\tall", all, fmt.Sprintf("%d\t%s", pages, faults(r)))
		}
	}
	return t.Flush()
}

// row prints a line of the table: text, face and kind of column, tab-separated, its lines, and the rest.
func row(w io.Writer, of string, x layout.Texture, rest string) {
	if x.Lines == 0 {
		return
	}
	share := 100 * float64(x.Hyphens) / float64(x.Lines)
	fmt.Fprintf(w, "%s\t%d\t%.1f %%\t%d\t%d\t%d\t%s\t\n", of, x.Lines, share, x.MaxRow, x.Loose, x.Wide, rest)
}

// faults are the pages that have a reason not to be as they should, by reason.
func faults(r layout.Report) string {
	count := map[paginate.Reason]int{}
	for _, f := range r.Faults {
		for _, why := range f.Reasons {
			count[why]++
		}
	}
	var out []string
	for why := paginate.Uneven; why <= paginate.TinyEnd; why++ {
		if count[why] > 0 {
			out = append(out, fmt.Sprintf("%s %d", why, count[why]))
		}
	}
	if out == nil {
		return "none"
	}
	return strings.Join(out, ", ")
}

// setFile sets a manuscript on the measure; an empty language is the manuscript's own.
func setFile(ctx context.Context, file, face, language string) (pages int, r layout.Report, err error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, r, err
	}
	s := spec.Default()
	s.Language, s.Face = language, face
	s.Margins.InnerMM = (s.Trim.WidthMM - measureInches*25.4) / 2
	s.Margins.OuterMM = s.Margins.InnerMM
	m, err := press.Open(filepath.Base(file), b, s)
	if err != nil {
		return 0, r, err
	}
	s.Language = m.Language
	set, r, err := layout.Set(ctx, m.Book, s, layout.Options{})
	if err != nil {
		return 0, r, err
	}
	return len(set.Pages), r, nil
}

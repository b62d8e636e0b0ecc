package books

import (
	"fmt"
	"io"
	"strings"

	"mappe/localdev/terminal"
)

// pressed is the outcome of the press command.
type pressed struct {
	Status    string      `json:"status"` // ready or error
	Error     string      `json:"error,omitempty"`
	Words     int         `json:"words,omitempty"`
	Pages     int         `json:"pages,omitempty"`
	Files     []madeFile  `json:"files"`
	Seconds   float64     `json:"seconds"`
	Preflight any         `json:"preflight,omitempty"`
	Line      *lineReport `json:"setting,omitempty"`
}

type madeFile struct {
	Path  string `json:"path"`
	Bytes int    `json:"size_bytes"`
}

// lineReport is what the setting says of itself.
type lineReport struct {
	Lines   int `json:"lines"`
	Hyphens int `json:"hyphenated_lines"`
	Row     int `json:"longest_row_of_hyphens"`
	Wide    int `json:"wide_lines"`
	Faults  int `json:"pages_with_a_reason"`
}

func (d *pressed) print(w io.Writer) {
	for _, f := range d.Files {
		fmt.Fprintf(w, "%s  %.1f KB\n", f.Path, float64(f.Bytes)/1024)
	}
	if d.Line != nil {
		fmt.Fprintf(w, "%d words, %d pages, %d lines of which %d end in a divided word, %d with wide spaces; %d pages with a reason; %.2f s\n",
			d.Words, d.Pages, d.Line.Lines, d.Line.Hyphens, d.Line.Wide, d.Line.Faults, d.Seconds)
	}
}

// steps shows the step and its share of the whole: as one line that is written over on a terminal, elsewhere as
// a line for each step.
type steps struct {
	w    io.Writer
	line terminal.Line
	last string
}

func (s *steps) show(step string, done float64) {
	text := fmt.Sprintf("%3.0f %%  %s", 100*done, step)
	switch {
	case s.line.Live && text != s.last:
		s.line.Show("%s", text)
	case !s.line.Live && !strings.HasSuffix(s.last, "  "+step):
		fmt.Fprintln(s.w, text)
	}
	s.last = text
}

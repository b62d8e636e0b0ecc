package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"mappe/shared/book/bookindex"
	"mappe/shared/book/preflight"
	"mappe/shared/book/press"
	"mappe/shared/book/spec"
)

// pressing is what the press command was asked.
type pressing struct {
	out, kind, format, specFile, title, author, date string
	index, json                                      bool
}

func pressCommand() *cobra.Command {
	var p pressing
	c := &cobra.Command{
		Use:   "press FILE --out DIR",
		Short: "A manuscript to a preflight report, a print PDF and an EPUB, as the book service makes them",
		Long: `Read a manuscript (DOCX, ODT, EPUB, Markdown, HTML or plain text), write what is to be said of it
(preflight.html, preflight.json), set it and write the print PDF and the EPUB into DIR.

It is the same code as the service's: a manuscript that cannot be built ends with the same text.
--spec is a JSON object of the fields of a transmittal (docs/books.md), such as
{"trim":"A5","language":"de","openers":"next_page"}.

Exit status 1 when the book could not be built; the reason is on standard error, with --json on standard
output.`,
		Example: `  localdev press book.docx --out out
  localdev press book.docx --out out --kind final --spec spec.json
  localdev press notes.md --out out --format epub --title "Notes" --author "Anna Huber"`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return p.run(c.Context(), args[0], c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.StringVar(&p.out, "out", "", "directory for the files; it is made")
	f.StringVar(&p.kind, "kind", string(press.Proof), "proof or final")
	f.StringVar(&p.format, "format", string(press.Both), "both, pdf or epub; an EPUB alone is always a proof")
	f.StringVar(&p.specFile, "spec", "", "JSON file with fields of a transmittal")
	f.StringVar(&p.title, "title", "", "title of the book, where neither --spec nor the manuscript has the right one")
	f.StringVar(&p.author, "author", "", "author, likewise")
	f.StringVar(&p.date, "date", "", "date written into the files, as 2026-11-21; today. The same date gives the same bytes")
	f.BoolVar(&p.index, "index", false, "set a back-of-book index drafted from the manuscript")
	f.BoolVar(&p.json, "json", false, "print the outcome as JSON")
	_ = c.MarkFlagRequired("out") // the flags exist: they are declared above
	_ = c.MarkFlagDirname("out")
	_ = c.MarkFlagFilename("spec", "json")
	return c
}

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

func (p *pressing) run(ctx context.Context, path string, out, notes io.Writer) error {
	job, s, err := p.job()
	if err != nil {
		return err
	}
	began := time.Now()
	done := pressed{Status: "ready", Files: []madeFile{}}
	bar := newStepBar(notes)
	job.Progress = bar.tell
	err = p.build(ctx, path, s, job, &done)
	bar.end()
	done.Seconds = float64(time.Since(began).Milliseconds()) / 1000
	var fault *press.Fault
	if errors.As(err, &fault) {
		done.Status, done.Error = "error", fault.Error()
	} else if err != nil {
		return err
	}
	if p.json {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(done); err != nil {
			return err
		}
	} else {
		done.print(out)
	}
	if fault == nil {
		return nil
	}
	if p.json {
		return errSilent
	}
	return fault
}

// job checks the flags.
func (p *pressing) job() (press.Job, spec.Spec, error) {
	j := press.Job{Kind: press.Kind(p.kind), Format: press.Format(p.format)}
	if !slices.Contains(press.AllKinds(), j.Kind) {
		return j, spec.Spec{}, fmt.Errorf("--kind %s: expected proof or final", p.kind)
	}
	if !slices.Contains(press.AllFormats(), j.Format) {
		return j, spec.Spec{}, fmt.Errorf("--format %s: expected both, pdf or epub", p.format)
	}
	day := time.Now().UTC()
	if p.date != "" {
		var err error
		if day, err = time.Parse(time.DateOnly, p.date); err != nil {
			return j, spec.Spec{}, fmt.Errorf("--date %s: expected a date such as 2026-11-21", p.date)
		}
	}
	j.Created = day.Truncate(24 * time.Hour)
	s := spec.Default()
	s.Language = "" // the manuscript's
	if p.specFile != "" {
		b, err := os.ReadFile(p.specFile)
		if err != nil {
			return j, s, fmt.Errorf("--spec: %w", err)
		}
		if s, err = spec.Parse(b); err != nil {
			return j, s, fmt.Errorf("--spec %s: %w", p.specFile, err)
		}
		var members map[string]any
		if err := json.Unmarshal(b, &members); err == nil && members["language"] == nil {
			s.Language = ""
		}
	}
	for _, over := range []struct {
		to   *string
		with string
	}{{&s.Title, p.title}, {&s.Author, p.author}} {
		if over.with != "" {
			*over.to = over.with
		}
	}
	return j, s, nil
}

func (p *pressing) build(ctx context.Context, path string, s spec.Spec, job press.Job, done *pressed) error {
	b, err := readAtMost(path, maxManuscript)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(p.out, 0o755); err != nil {
		return err
	}
	if err := p.spares(path, p.specFile); err != nil {
		return err
	}
	job.Progress("reading the manuscript", 0)
	m, err := press.Open(filepath.Base(path), b, s)
	if err != nil {
		return err
	}
	done.Words = m.Words
	if err := p.report(m, done); err != nil {
		return err
	}
	if p.index {
		job.Index = bookindex.Draft(m.Book)
	}
	made, err := press.Build(ctx, m, s, job)
	if err != nil {
		return err
	}
	l, all := made.Layout, made.Layout.Textures.All()
	done.Pages, done.Line = made.Pages, &lineReport{all.Lines, all.Hyphens, all.MaxRow, all.Wide, len(l.Faults)}
	if made.PDF != nil {
		if err := p.write(stem(path)+".pdf", made.PDF, done); err != nil {
			return err
		}
	}
	if made.EPUB != nil {
		return p.write(stem(path)+".epub", made.EPUB, done)
	}
	return nil
}

// stem is the name of the book's files without its end.
func stem(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }

// Names of the preflight report.
const (
	reportPage = "preflight.html"
	reportData = "preflight.json"
)

// spares refuses a directory where a file that is read would be written over.
func (p *pressing) spares(manuscript, specFile string) error {
	for _, name := range []string{reportPage, reportData, stem(manuscript) + ".pdf", stem(manuscript) + ".epub"} {
		there, err := os.Stat(filepath.Join(p.out, name))
		if err != nil {
			continue // nothing to lose
		}
		for _, read := range []string{manuscript, specFile} {
			if given, err := os.Stat(read); err == nil && os.SameFile(given, there) {
				return fmt.Errorf("--out %s: %s would be written over: expected another directory", p.out, read)
			}
		}
	}
	return nil
}

// report writes the preflight report, before the build that may fail.
func (p *pressing) report(m press.Manuscript, done *pressed) error {
	var page bytes.Buffer
	if err := m.Report.HTML(&page, preflight.HTMLOptions{Source: m.Name}); err != nil {
		return err
	}
	if err := p.write(reportPage, page.Bytes(), done); err != nil {
		return err
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(m.Report); err != nil {
		return err
	}
	done.Preflight = m.Report
	return p.write(reportData, text.Bytes(), done)
}

func (p *pressing) write(name string, b []byte, done *pressed) error {
	path := filepath.Join(p.out, name)
	if err := writePrivate(path, b); err != nil {
		return err
	}
	done.Files = append(done.Files, madeFile{path, len(b)})
	return nil
}

// writePrivate writes a file that nobody else on the machine may read: a manuscript is its author's. The mode holds
// for a file that was there before, too.
func writePrivate(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Chmod(0o600), f.Close())
}

// maxManuscript is the largest file the service takes.
const maxManuscript = 50 << 20

func readAtMost(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		err = &press.Fault{Plain: fmt.Sprintf("The file is larger than the %d MB a manuscript may have. Compress its pictures (in Word: Picture Format > Compress Pictures) and try again.", most>>20)}
	}
	return b, err
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

// stepBar shows the step and its share of the whole: as one line that is written over on a terminal,
// elsewhere as a line for each step.
type stepBar struct {
	w    io.Writer
	live bool
	last string
}

func newStepBar(w io.Writer) *stepBar {
	f, ok := w.(*os.File)
	return &stepBar{w: w, live: ok && term.IsTerminal(int(f.Fd()))}
}

func (b *stepBar) tell(step string, done float64) {
	line := fmt.Sprintf("%3.0f %%  %s", 100*done, step)
	switch {
	case b.live && line != b.last:
		fmt.Fprintf(b.w, "\r\x1b[K%s", line)
	case !b.live && !strings.HasSuffix(b.last, "  "+step):
		fmt.Fprintln(b.w, line)
	}
	b.last = line
}

func (b *stepBar) end() {
	if b.live {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}

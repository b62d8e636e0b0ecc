package books

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"mappe/localdev/terminal"
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
		Example: `  go run ./localdev press book.docx --out out
  go run ./localdev press book.docx --out out --kind final --spec spec.json
  go run ./localdev press notes.md --out out --format epub --title "Notes" --author "Anna Huber"`,
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

func (p *pressing) run(ctx context.Context, path string, out, notes io.Writer) error {
	job, s, err := p.job()
	if err != nil {
		return err
	}
	began := time.Now()
	done := pressed{Status: "ready", Files: []madeFile{}}
	shown := steps{w: notes, line: terminal.NewLine(notes)}
	job.Progress = shown.show
	err = p.build(ctx, path, s, job, &done)
	shown.line.Clear()
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
		return terminal.ErrSilent
	}
	return fault
}

// job checks the flags.
func (p *pressing) job() (press.Job, spec.Spec, error) {
	j := press.Job{Edition: press.Edition(p.kind), Format: press.Format(p.format)}
	if !slices.Contains(press.AllEditions(), j.Edition) {
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

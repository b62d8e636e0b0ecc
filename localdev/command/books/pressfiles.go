package books

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mappe/shared/book/preflight"
	"mappe/shared/book/press"
)

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

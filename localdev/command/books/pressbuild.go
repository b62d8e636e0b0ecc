package books

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mappe/shared/book/bookindex"
	"mappe/shared/book/press"
	"mappe/shared/book/spec"
)

// build reads the manuscript, writes its report, and the book where it can be built.
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
		err = &press.Fault{Plain: fmt.Sprintf(
			"The file is larger than the %d MB a manuscript may have. Compress its pictures (in Word: Picture Format > Compress Pictures) and try again.", most>>20)}
	}
	return b, err
}

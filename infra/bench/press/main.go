// Command press measures how long a book takes: from the bytes of a manuscript to the print PDF and the
// EPUB, in a process of its own with one processor. Beside it, in the same run, LuaLaTeX (memoir,
// microtype, the two passes a table of contents needs), WeasyPrint and Typst set the same book in the same type
// on the same page, where they are installed: its running text with italics and notes, quotations, verse,
// lists, tables, figures and headings. They read ready-made sources and write the PDF alone.
//
//	go run ./infra/bench/press [--file book.docx] [--rounds 3]
//	go run ./infra/bench/press --quality [--language de] book.docx ...
//
// With --quality it sets the manuscripts at 11 on 14 points, 4.1 inches wide, and counts divided words, wide
// word spaces and faults of pages, by the kind of column that lines stand in.
//
// CPU time is what counts: other tenants of the machine disturb it less than the clock.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"mappe/shared/book/press"
	"mappe/shared/book/spec"
)

func main() {
	file := flag.String("file", "", "manuscript in any form the press reads; samples where none is given")
	rounds := flag.Int("rounds", 3, "rounds; the best of each counts")
	build := flag.String("build", "", "internal: build this manuscript into the directory that follows")
	asked := flag.Bool("quality", false, "say how well the manuscripts that follow are set, instead of how fast")
	language := flag.String("language", "", "with --quality: the language of a manuscript that does not say it (de, de-1901, en, en-GB)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if *asked {
		err = quality(ctx, os.Stdout, flag.Args(), *language)
	} else {
		err = run(ctx, *file, *build, flag.Arg(0), *rounds)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, file, build, dir string, rounds int) error {
	if build != "" {
		return buildOwn(ctx, build, dir)
	}
	tmp, err := os.MkdirTemp("", "mappe-press-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	books, err := manuscripts(tmp, file)
	if err != nil {
		return err
	}
	fmt.Printf("%s, one processor of %d, best of %d\n", runtime.Version(), runtime.NumCPU(), rounds)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "book\tengine\twall\tCPU\tmemory\tpages\tCPU beside ours\t")
	for _, b := range books {
		if err := compare(ctx, t, tmp, b, rounds); err != nil {
			return err
		}
	}
	return t.Flush()
}

// took is what a process cost.
type took struct {
	wall, cpu time.Duration
	memory    int64 // bytes at most
}

// engine is a way to set a book: commands run one after the other.
type engine struct {
	name     string
	commands [][]string
	pdf      string
}

func compare(ctx context.Context, t *tabwriter.Writer, tmp, file string, rounds int) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	m, err := press.Open(filepath.Base(file), b, specification())
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir := filepath.Join(tmp, "build "+filepath.Base(file))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	engines := []engine{{"Mappe, PDF and EPUB", [][]string{{self, "--build", file, dir}}, filepath.Join(dir, "book.pdf")}}
	more, missing, err := peers(dir, m.Book, m.Language)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		fmt.Fprintf(t, "%s\tnot installed: %s\t\t\t\t\t\t\n", filepath.Base(file), strings.Join(missing, ", "))
	}
	var ours took
	for i, e := range append(engines, more...) {
		best, err := measure(ctx, dir, e, rounds)
		if err != nil {
			fmt.Fprintf(t, "%s\t%s\t%v\t\t\t\t\t\n", filepath.Base(file), e.name, err)
			continue
		}
		ratio := ""
		if i == 0 {
			ours = best
		} else if ours.cpu > 0 {
			ratio = fmt.Sprintf("%.1f", float64(best.cpu)/float64(ours.cpu))
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d MB\t%s\t%s\t\n", filepath.Base(file), e.name, best.wall.Round(time.Millisecond),
			best.cpu.Round(time.Millisecond), best.memory>>20, pages(e.pdf), ratio)
	}
	return nil
}

// measure runs an engine some times and keeps the cheapest.
func measure(ctx context.Context, dir string, e engine, rounds int) (best took, err error) {
	for range rounds {
		var sum took
		for _, c := range e.commands {
			cmd := exec.CommandContext(ctx, c[0], c[1:]...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
			start := time.Now()
			out, err := cmd.CombinedOutput()
			if err != nil {
				return took{}, fmt.Errorf("%w: %.200s", err, out)
			}
			sum.wall += time.Since(start)
			sum.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			sum.memory = max(sum.memory, memoryOf(cmd.ProcessState))
		}
		if best.cpu == 0 || sum.cpu < best.cpu {
			best = sum
		}
	}
	return best, nil
}

// specification is that of a book nobody has specified, in the language of its manuscript.
func specification() spec.Spec {
	s := spec.Default()
	s.Language = ""
	return s
}

// buildOwn is the child: manuscript to files.
func buildOwn(ctx context.Context, file, dir string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	s := specification()
	m, err := press.Open(filepath.Base(file), b, s)
	if err != nil {
		return err
	}
	s.Language = m.Language
	out, err := press.Build(ctx, m, s,
		press.Job{Edition: press.Final, Format: press.Both, Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "book.pdf"), out.PDF, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "book.epub"), out.EPUB, 0o644)
}

package press

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/shared/book/finding"
	"mappe/shared/book/spec"
)

func TestTmpCorpus(t *testing.T) {
	dir := os.Getenv("CORPUS")
	if dir == "" {
		return
	}
	var files []string
	filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(p, os.Getenv("ONLY")) {
			files = append(files, p)
		}
		return nil
	})
	sort.Strings(files)
	out, _ := os.Create(os.Getenv("OUT"))
	w := bufio.NewWriter(out)
	defer out.Close()
	defer w.Flush()
	var mu sync.Mutex
	var wg sync.WaitGroup
	work := make(chan string)
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for p := range work {
				b, _ := os.ReadFile(p)
				began := time.Now()
				res := "ready"
				s := spec.Default()
				s.Language = ""
				rel, _ := filepath.Rel(dir, p)
				m, err := Open(filepath.Base(p), b, s)
				var f *Fault
				lost := ""
				if errors.As(err, &f) {
					res = "refused " + f.Detail + " | " + f.Plain
				} else if err == nil {
					for _, x := range m.Found {
						if x.Type == finding.WordsLost {
							lost = " LOST " + x.Detail + " " + x.Excerpt
						}
					}
					ctx, stop := context.WithTimeout(context.Background(), 4*time.Minute)
					_, err = Build(ctx, m, s, Job{Kind: Proof, Format: Both, Created: time.Unix(1.7e9, 0)})
					stop()
					if errors.As(err, &f) {
						res = "failed " + f.Detail + " | " + f.Plain
					}
				}
				d := time.Since(began)
				mu.Lock()
				fmt.Fprintf(w, "%s\t%s%s\t%d ms\n", rel, strings.ReplaceAll(res, "\n", " "), lost, d.Milliseconds())
				w.Flush()
				mu.Unlock()
			}
		}()
	}
	for _, f := range files {
		work <- f
	}
	close(work)
	wg.Wait()
}

package main

import (
	"os"
	"path/filepath"

	"mappe/localdev/demo/sample"
)

// manuscripts are the files to build: the one given, or made-up Word files of about 10, 110 and 400 pages,
// with notes, verse, tables and figures.
func manuscripts(dir, file string) ([]string, error) {
	if file != "" {
		return []string{file}, nil
	}
	var out []string
	for _, x := range []struct {
		name string
		opt  sample.Options
	}{
		{"10 pages.docx", sample.Options{Language: "en", Words: 900, Seed: 1, Title: "A Short Survey", Author: "A. Huber", Rich: true}},
		{"110 pages.docx", sample.Options{Language: "en", Words: 26_000, Seed: 2, Title: "The Survey of the Valley", Author: "A. Huber",
			Rich: true}},
		{"110 Seiten.docx", sample.Options{Language: "de", Words: 23_000, Seed: 3, Title: "Die Vermessung des Tales", Author: "A. Huber",
			Rich: true}},
		{"400 pages.docx", sample.Options{Language: "en", Words: 105_000, Seed: 4, Title: "All Valleys", Author: "A. Huber", Rich: true}},
	} {
		m := sample.Make(x.opt)
		path := filepath.Join(dir, x.name)
		if err := os.WriteFile(path, m.DOCX(), 0o644); err != nil {
			return nil, err
		}
		out = append(out, path)
	}
	return out, nil
}

package main

import (
	"crypto/sha256"
	_ "embed" // typst.mjs
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"mappe/shared/book/font"
	"mappe/shared/book/manuscript"
)

// typstRunner is run with Node.js beside the packages of package.json.
//
//go:embed typst.mjs
var typstRunner []byte

// packages is where npm install puts them, seen from the folder of the module.
const packages = "infra/bench/press/node_modules"

// peers writes the same book for the other engines and says how to run those that are installed, and which are
// not.
func peers(dir string, b manuscript.Book, language string) (out []engine, missing []string, err error) {
	for style, name := range map[font.Style]string{font.Regular: "regular.otf", font.Italic: "italic.otf", font.Bold: "bold.otf"} {
		data, err := font.File(font.Libertine, style)
		if err != nil {
			return nil, nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return nil, nil, err
		}
	}
	pictures, err := writePictures(dir, b.Images)
	if err != nil {
		return nil, nil, err
	}
	write := func(name string, d dialect) error {
		w := writer{d: d, book: &b, pictures: pictures}
		return os.WriteFile(filepath.Join(dir, name), []byte(w.whole(language)), 0o644)
	}
	if _, err := exec.LookPath("lualatex"); err == nil {
		pass := []string{"lualatex", "-interaction=batchmode", "tex.tex"}
		out = append(out, engine{"LuaLaTeX, 2 passes", [][]string{pass, pass}, filepath.Join(dir, "tex.pdf")})
		if err := write("tex.tex", tex); err != nil {
			return nil, nil, err
		}
	} else {
		missing = append(missing, "LuaLaTeX")
	}
	if _, err := exec.LookPath("weasyprint"); err == nil {
		out = append(out, engine{"WeasyPrint", [][]string{{"weasyprint", "weasy.html", "weasy.pdf"}}, filepath.Join(dir, "weasy.pdf")})
		if err := write("weasy.html", page); err != nil {
			return nil, nil, err
		}
	} else {
		missing = append(missing, "WeasyPrint")
	}
	modules, err := filepath.Abs(packages)
	if err != nil {
		return nil, nil, err
	}
	_, noNode := exec.LookPath("node")
	if _, err := os.Stat(filepath.Join(modules, "@myriaddreamin/typst-ts-node-compiler")); err == nil && noNode == nil {
		link := filepath.Join(dir, "node_modules")
		if err := os.Symlink(modules, link); err != nil && !os.IsExist(err) {
			return nil, nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, "typst.mjs"), typstRunner, 0o644); err != nil {
			return nil, nil, err
		}
		out = append(out, engine{"Typst", [][]string{{"node", "--preserve-symlinks", "typst.mjs", "typst.typ", "typst.pdf"}},
			filepath.Join(dir, "typst.pdf")})
		if err := write("typst.typ", typst); err != nil {
			return nil, nil, err
		}
	} else {
		missing = append(missing, "Typst (npm install --prefix infra/bench/press)")
	}
	return out, missing, nil
}

// writePictures writes the pictures of a book, those with the same bytes once, and gives their files.
func writePictures(dir string, images []manuscript.Image) ([]string, error) {
	var names []string
	for _, img := range images {
		end := strings.TrimPrefix(img.MediaType, "image/")
		name := fmt.Sprintf("%x.%s", sha256.Sum256(img.Bytes), strings.Replace(end, "jpeg", "jpg", 1))
		names = append(names, name)
		if err := os.WriteFile(filepath.Join(dir, name), img.Bytes, 0o644); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// pages asks pdfinfo for the number of pages.
func pages(pdf string) string {
	out, err := exec.Command("pdfinfo", pdf).Output()
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(out)) {
		if n, ok := strings.CutPrefix(line, "Pages:"); ok {
			return strings.TrimSpace(n)
		}
	}
	return ""
}

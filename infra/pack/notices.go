package pack

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// embedded is the data of others in this repository that programs embed; Texts are below its root. Of a file
// of patterns the comment at its beginning is the notice.
var embedded = []Part{
	{Name: "Linux Libertine", Licence: "OFL-1.1", Texts: []string{"shared/book/font/libertine/OFL.txt"}, Embedded: true,
		Data: "shared/book/font/libertine/LinLibertine_R.otf", Source: "http://www.linuxlibertine.org"},
	{Name: "Hyphenation patterns: German, 1996", Licence: "MIT", Texts: []string{"shared/book/hyphen/patterns/de-1996.txt"},
		Embedded: true, Data: "shared/book/hyphen/patterns/de-1996.txt", Source: patterns},
	{Name: "Hyphenation patterns: German, 1901", Licence: "MIT", Texts: []string{"shared/book/hyphen/patterns/de-1901.txt"},
		Embedded: true, Data: "shared/book/hyphen/patterns/de-1901.txt", Source: patterns},
	{Name: "Hyphenation patterns: English, British", Licence: "MIT", Texts: []string{"shared/book/hyphen/patterns/en-gb.txt"},
		Embedded: true, Data: "shared/book/hyphen/patterns/en-gb.txt", Source: patterns},
	{Name: "Hyphenation patterns: English, American", Licence: "FSFAP", Texts: []string{"shared/book/hyphen/patterns/en-us.txt"},
		Embedded: true, Data: "shared/book/hyphen/patterns/en-us.txt", Source: patterns},
	{Name: "IANA time zone database", Embedded: true, // in the public domain
		Data: "shared/recurrence/zones/zones.bin", Source: "https://www.iana.org/time-zones"},
}

// patterns is where the hyphenation patterns of TeX are kept.
const patterns = "https://www.hyphenation.org"

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|copyright|unlicense|ofl)`)

// licenceFiles are the files of a module's folder with its terms, the licence itself first.
func licenceFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && licenceName.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no licence text", dir)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	for i, n := range names {
		names[i] = filepath.Join(dir, n)
	}
	return names, nil
}

// rank puts a licence before a notice and a grant of patents.
func rank(name string) int {
	if strings.HasPrefix(strings.ToLower(name), "licen") {
		return 0
	}
	return 1
}

// identify gives the SPDX identifier of a licence text, "" for one it does not know.
func identify(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	has := func(s string) bool { return strings.Contains(text, s) }
	switch {
	case has("Apache-2.0 Software License") && has("MIT Software License"):
		return "Apache-2.0 OR MIT"
	case has("Apache License") && has("Version 2.0"):
		return "Apache-2.0"
	case has("SIL OPEN FONT LICENSE Version 1.1"):
		return "OFL-1.1"
	case has("Permission is hereby granted, free of charge, to any person obtaining a copy"):
		return "MIT"
	case has("Redistribution and use in source and binary forms") && (has("endorse or promote products")):
		return "BSD-3-Clause"
	case has("Redistribution and use in source and binary forms"):
		return "BSD-2-Clause"
	case has("Mozilla Public License Version 2.0"), has("Mozilla Public License, version 2.0"):
		return "MPL-2.0"
	case has("Permission to use, copy, modify, and/or distribute this software"),
		has("Permission to use, copy, modify, and distribute this software"):
		return "ISC"
	}
	return ""
}

// Notices writes the licence texts of the parts, equal ones once.
func Notices(w io.Writer, parts []Part) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "Mappe's programs contain the works of others that are listed here, each under its terms.\n")
	type text struct {
		of   []string
		body []byte
	}
	var texts []*text
	for _, p := range parts {
		name := strings.TrimSpace(p.Name + " " + p.Version)
		for _, file := range p.Texts {
			raw, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if p.Embedded && filepath.Ext(file) == ".txt" && bytes.HasPrefix(raw, []byte("%")) {
				raw = comment(raw)
			}
			raw = bytes.TrimSpace(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n")))
			i := slices.IndexFunc(texts, func(t *text) bool { return bytes.Equal(t.body, raw) })
			if i < 0 {
				i = len(texts)
				texts = append(texts, &text{body: raw})
			}
			texts[i].of = append(texts[i].of, fmt.Sprintf("%s (%s)", name, filepath.Base(file)))
		}
	}
	for _, t := range texts {
		fmt.Fprintf(&out, "\n%s\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(t.of, "\n"), strings.Repeat("-", 80), t.body)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// comment is the comment at the beginning of a file of patterns.
func comment(raw []byte) []byte {
	var out []byte
	for line := range bytes.Lines(raw) {
		if !bytes.HasPrefix(line, []byte("%")) {
			break
		}
		out = append(out, bytes.TrimLeft(line, "% ")...)
	}
	return out
}

//go:build ignore

// Writes zones.bin from a compiled zone directory and its source: what `make tzdata` runs.
//
//	go run generate.go TZDATA.ZI ZONE.TAB DIRECTORY > zones.bin
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

func main() {
	source, err := os.ReadFile(os.Args[1])
	check(err)
	tab, err := os.ReadFile(os.Args[2])
	check(err)
	current := map[string]bool{"UTC": true}
	for _, line := range strings.Split(string(tab), "\n") {
		if cells := strings.Split(line, "\t"); len(cells) >= 3 && cells[0][0] != '#' {
			current[cells[2]] = true
		}
	}
	links, names := map[string]string{}, []string{}
	for _, line := range strings.Split(string(source), "\n") {
		switch cells := strings.Fields(line); {
		case len(cells) == 3 && cells[0] == "L":
			links[cells[2]] = cells[1]
			names = append(names, cells[2])
		case len(cells) > 2 && cells[0] == "Z":
			names = append(names, cells[1])
		}
	}
	sort.Strings(names)
	var index, data bytes.Buffer
	seen := map[string]int{}
	for _, name := range names {
		if name == "Factory" {
			continue
		}
		b, err := os.ReadFile(filepath.Join(os.Args[3], name))
		check(err)
		at, ok := seen[string(b)]
		if !ok {
			at = data.Len()
			seen[string(b)] = at
			data.Write(b)
		}
		canonical := name
		for links[canonical] != "" && !current[canonical] {
			canonical = links[canonical]
		}
		fmt.Fprintf(&index, "%s %d %d %s\n", name, at, len(b), canonical)
	}
	release, _, _ := strings.Cut(string(source), "\n")
	fmt.Printf("%s\n%s\n%s", release, index.String(), data.String())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

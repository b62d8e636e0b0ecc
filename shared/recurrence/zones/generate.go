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

// presentNames are the present names of old ones where the source's links do not say them. The first are
// links to the zone that keeps the same time in another country (the comments "#=" of the file backward name
// the place itself); the others are names of UNIX System V, which Debian keeps as zones of their own and the
// IANA's release 2024b turned into these links.
var presentNames = map[string]string{
	"Africa/Asmera":         "Africa/Asmara",
	"Africa/Timbuktu":       "Africa/Bamako",
	"America/Coral_Harbour": "America/Atikokan",
	"America/Virgin":        "America/St_Thomas",
	"Antarctica/South_Pole": "Antarctica/McMurdo",
	"Atlantic/Jan_Mayen":    "Arctic/Longyearbyen",
	"Iceland":               "Atlantic/Reykjavik",
	"Pacific/Ponape":        "Pacific/Pohnpei",
	"Pacific/Truk":          "Pacific/Chuuk",
	"Pacific/Yap":           "Pacific/Chuuk",

	"CET":     "Europe/Brussels",
	"CST6CDT": "America/Chicago",
	"EET":     "Europe/Athens",
	"EST":     "America/Panama",
	"EST5EDT": "America/New_York",
	"HST":     "Pacific/Honolulu",
	"MET":     "Europe/Brussels",
	"MST":     "America/Phoenix",
	"MST7MDT": "America/Denver",
	"PST8PDT": "America/Los_Angeles",
	"WET":     "Europe/Lisbon",

	// Short names of UTC.
	"UCT": "UTC", "Universal": "UTC", "Zulu": "UTC", "Greenwich": "GMT", "GMT0": "GMT", "GMT+0": "GMT", "GMT-0": "GMT",
}

func main() {
	source, err := os.ReadFile(os.Args[1])
	check(err)
	tab, err := os.ReadFile(os.Args[2])
	check(err)
	current := map[string]bool{"UTC": true, "GMT": true}
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
	for old, present := range presentNames {
		links[old] = present
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
		for !current[canonical] && !strings.HasPrefix(canonical, "Etc/") {
			if canonical = links[canonical]; canonical == "" {
				check(fmt.Errorf("%s is no place of zone.tab and no link to one", name))
			}
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

//go:build ignore

// Writes zones.bin from a compiled zone directory and its source: what `make tzdata` runs.
//
//	go run generate.go TZDATA.ZI ZONE.TAB DIRECTORY > zones.bin
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
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
	current := map[string]bool{"UTC": true, "GMT": true, "Factory": true}
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
		file, err := os.ReadFile(filepath.Join(os.Args[3], name))
		check(err)
		b, err := encode(file)
		if err != nil {
			check(fmt.Errorf("%s: %w", name, err))
		}
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

// encode writes a compiled zone (RFC 9636, version 2 or later) in the form that zones.go draws.
func encode(file []byte) ([]byte, error) {
	counts := func(b []byte) (c [6]int) { // isut, isstd, leap, time, type, char
		for i := range c {
			c[i] = int(binary.BigEndian.Uint32(b[20+4*i:]))
		}
		return c
	}
	if len(file) < 44 || string(file[:4]) != "TZif" || file[4] < '2' {
		return nil, errors.New("no TZif file of version 2 or later")
	}
	c := counts(file)
	b := file[44+c[3]*5+c[4]*6+c[5]+c[2]*8+c[1]+c[0]:] // behind the data of version 1
	c, b = counts(b), b[44:]
	if c[2] != 0 {
		return nil, errors.New("leap seconds are not expected")
	}
	times, kinds, types := b[:8*c[3]], b[8*c[3]:9*c[3]], b[9*c[3]:9*c[3]+6*c[4]]
	footer := b[9*c[3]+6*c[4]+c[5]+c[1]+c[0]:]
	out := binary.AppendUvarint(nil, uint64(c[4]))
	for i := range c[4] {
		out = append(binary.AppendVarint(out, int64(int32(binary.BigEndian.Uint32(types[6*i:])))), types[6*i+4])
	}
	out = binary.AppendUvarint(append(out, 0), uint64(c[3])) // type 0 holds before the first change
	last := int64(0)
	for i := range c[3] {
		at := int64(binary.BigEndian.Uint64(times[8*i:]))
		out = append(binary.AppendVarint(out, at-last), kinds[i])
		last = at
	}
	return append(out, bytes.Trim(footer, "\n")...), nil
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

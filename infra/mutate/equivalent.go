package main

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// equivalent gives the reason why a mutant makes no difference, by key.
type equivalent map[string]string

// readEquivalent reads lines of a mutant's key, a tab and the reason; lines that begin with # are remarks.
func readEquivalent(file string) (equivalent, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	known := equivalent{}
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		if lines.Text() == "" || strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		i := strings.LastIndexByte(lines.Text(), '\t')
		if strings.Count(lines.Text(), "\t") != 4 || strings.TrimSpace(lines.Text()[i:]) == "" {
			return nil, fmt.Errorf("%s:%d: want package, function, expression, change and reason with tabs between them", file, n)
		}
		known[lines.Text()[:i]] = lines.Text()[i+1:]
	}
	return known, lines.Err()
}

// unused are the keys of packages that were searched and have no such mutant.
func (e equivalent) unused(all []mutant) []string {
	searched, keys := map[string]bool{}, map[string]bool{}
	for _, m := range all {
		pkg, _, _ := strings.Cut(m.key(), "\t")
		searched[pkg], keys[m.key()] = true, true
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(e)) {
		if pkg, _, _ := strings.Cut(key, "\t"); searched[pkg] && !keys[key] {
			out = append(out, key)
		}
	}
	return out
}

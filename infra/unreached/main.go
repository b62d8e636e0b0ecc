// Command unreached fails where a function is reached by no program: it runs golang.org/x/tools/cmd/deadcode over all programs of
// each module that it is given and compares with allowed.tsv, which names what only tests need. A line there that is not needed, or
// no more, is a failure too: the list only ever gets shorter.
//
//	go run ./infra/unreached -tool .cache/deadcode-v0.52.0/deadcode . localdev/node
//
// What a program reaches through tags or systems other than this machine's is not seen.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

//go:embed allowed.tsv
var list string

func main() {
	tool := flag.String("tool", "deadcode", "the program deadcode")
	flag.Parse()
	if err := run(*tool, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "unreached:", err)
		os.Exit(1)
	}
}

// run looks through modules, by their folders.
func run(tool string, modules []string) error {
	known, err := parse(list)
	if err != nil {
		return fmt.Errorf("allowed.tsv: %w", err)
	}
	var found []unreached
	for _, folder := range modules {
		c := exec.Command(tool, "-json", "./...")
		c.Dir, c.Stderr = folder, os.Stderr
		out, err := c.Output()
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		of, err := read(out)
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		found = append(found, of...)
	}
	if faults := known.judge(found); len(faults) > 0 {
		return fmt.Errorf("%d faults:\n%s", len(faults), strings.Join(faults, "\n"))
	}
	return nil
}

// unreached is a function that no program reaches.
type unreached struct {
	pkg, name string // of a method with its type before it
	at        string
}

// read takes the functions out of the answer of deadcode.
func read(body []byte) (all []unreached, err error) {
	var packages []struct {
		Path  string
		Funcs []struct {
			Name     string
			Position struct {
				File string
				Line int
			}
		}
	}
	if err := json.NewDecoder(bytes.NewReader(body)).Decode(&packages); err != nil {
		return nil, fmt.Errorf("the answer of deadcode cannot be read: %w", err)
	}
	for _, p := range packages {
		for _, f := range p.Funcs {
			all = append(all, unreached{strings.TrimPrefix(p.Path, "mappe/"), f.Name, fmt.Sprintf("%s:%d", f.Position.File,
				f.Position.Line)})
		}
	}
	return all, nil
}

// allowed are the reasons by package and function, with a tab between them; "*" stands for all of a package.
type allowed map[string]string

// parse reads the list: package, function or *, reason.
func parse(text string) (allowed, error) {
	a := allowed{}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 3 || slices.Contains(cells, "") {
			return nil, fmt.Errorf("%q: want package, function or *, and the reason, with tabs between them", line)
		}
		key := cells[0] + "\t" + cells[1]
		if a[key] != "" {
			return nil, fmt.Errorf("%s stands there twice", key)
		}
		a[key] = cells[2]
	}
	return a, nil
}

// judge compares what was found with the list.
func (a allowed) judge(found []unreached) (faults []string) {
	left := maps.Clone(a)
	for _, f := range found {
		whole, one := f.pkg+"\t*", f.pkg+"\t"+f.name
		switch {
		case a[one] != "":
			delete(left, one)
		case a[whole] != "":
			delete(left, whole)
		default:
			faults = append(faults, f.at+": no program reaches "+f.pkg+" "+f.name+": remove it, move it to the tests that need it, or name "+
				"it in infra/unreached/allowed.tsv with the reason")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		faults = append(faults, "allowed.tsv names "+strings.ReplaceAll(key, "\t", " ")+", which programs reach, or which is gone: take the line out")
	}
	return faults
}

package pack

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

// Advisory is a known vulnerability of a module that is linked.
type Advisory struct {
	ID, Module, Version, Fixed, Summary string // Fixed is "" where no version is
}

// osv is what is read of an advisory in the OSV schema, as the Go vulnerability database has them.
type osv struct {
	ID, Summary, Withdrawn string
	Affected               []struct {
		Package struct{ Name, Ecosystem string }
		Ranges  []struct {
			Type   string
			Events []struct{ Introduced, Fixed string }
		}
	}
}

// Advisories are those of a copy of the Go vulnerability database (its folder ID) that concern the modules of a program, or the standard
// library and the toolchain that it was built with. They go by modules and versions, not by what the program calls: bootstraps have
// no symbols.
func Advisories(db fs.FS, info *debug.BuildInfo) ([]Advisory, error) {
	files, err := fs.Glob(db, "ID/*.json")
	if err != nil {
		return nil, err
	}
	linkedIn := map[string]string{}
	for _, p := range linked(info) {
		linkedIn[p.Name] = p.Version
	}
	linkedIn["stdlib"] = "v" + strings.TrimPrefix(strings.Fields(info.GoVersion)[0], "go")
	linkedIn["toolchain"] = linkedIn["stdlib"]
	var out []Advisory
	read := 0
	for _, file := range files {
		raw, err := fs.ReadFile(db, file)
		if err != nil {
			return nil, err
		}
		var v osv
		if err := json.Unmarshal(raw, &v); err != nil || v.ID != strings.TrimSuffix(path.Base(file), ".json") {
			return nil, fmt.Errorf("%s is no advisory: %w", file, cmp.Or(err, fmt.Errorf("its id is %q", v.ID)))
		}
		read++
		if v.Withdrawn == "" {
			out = append(out, v.concerns(linkedIn)...)
		}
	}
	if read == 0 {
		return nil, fmt.Errorf("there is no advisory below ID/")
	}
	slices.SortFunc(out, func(a, b Advisory) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Module, b.Module)) })
	return out, nil
}

func (v *osv) concerns(linkedIn map[string]string) (out []Advisory) {
	for _, a := range v.Affected {
		version, ok := linkedIn[a.Package.Name]
		if !ok || a.Package.Ecosystem != "Go" {
			continue
		}
		for _, r := range a.Ranges {
			in, fixed := false, ""
			for _, e := range r.Events { // in rising order; introduced 0 is from the beginning
				switch {
				case e.Introduced != "" && (e.Introduced == "0" || compare(version, e.Introduced) >= 0):
					in, fixed = true, ""
				case e.Fixed != "" && compare(version, e.Fixed) >= 0:
					in = false
				case e.Fixed != "" && in && fixed == "":
					fixed = "v" + e.Fixed
				}
			}
			if in {
				out = append(out, Advisory{v.ID, a.Package.Name, version, fixed, v.Summary})
				break
			}
		}
	}
	return out
}

// compare orders two versions as semantic versioning does; a v before them counts for nothing.
func compare(a, b string) int {
	aCore, aPre, _ := strings.Cut(plainVersion(a), "-")
	bCore, bPre, _ := strings.Cut(plainVersion(b), "-")
	if n := slices.Compare(numbers(aCore), numbers(bCore)); n != 0 {
		return n
	}
	if aPre == "" || bPre == "" { // a release stands after what went before it
		return cmp.Compare(min(len(bPre), 1), min(len(aPre), 1))
	}
	return slices.CompareFunc(strings.Split(aPre, "."), strings.Split(bPre, "."), identifier)
}

// plainVersion leaves out the v and what the build says; go1.26rc1 is written as 1.26-rc1 by the database.
func plainVersion(v string) string {
	v, _, _ = strings.Cut(strings.TrimPrefix(v, "v"), "+")
	if i := strings.IndexAny(v, "rb"); i > 0 && !strings.Contains(v, "-") {
		v = v[:i] + "-" + v[i:]
	}
	return v
}

func numbers(core string) []int {
	out := make([]int, 3)
	for i, part := range strings.SplitN(core, ".", 3) {
		out[i], _ = strconv.Atoi(part) // what is no number is 0
	}
	return out
}

// identifier orders parts of a pre-release: numbers by their value, and before words.
func identifier(a, b string) int {
	x, aErr := strconv.ParseUint(a, 10, 64)
	y, bErr := strconv.ParseUint(b, 10, 64)
	switch {
	case aErr == nil && bErr == nil:
		return cmp.Compare(x, y)
	case aErr == nil:
		return -1
	case bErr == nil:
		return 1
	}
	return cmp.Compare(a, b)
}

package pack

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

// Inventory is what the archives are made of: the modules that are linked into each program, as the programs
// say themselves, and the data of others that is embedded in them.
type Inventory struct {
	root     string
	bare     bool // no data of this repository is embedded
	archives []archive
	modules  map[string]Part // by package URL
}

type archive struct {
	name, sum string
	parts     []string // package URLs
}

// Part is a work of others.
type Part struct {
	Name, Version string
	URL           string   // package URL; "" for data
	Sum           string   // of go.sum
	Licence       string   // SPDX identifier
	Texts         []string // files with the licence and notices, absolute
	Embedded      bool     // data in this repository
	Data          string   // a file of it, below the root
	Source        string   // where data comes from
}

// NewInventory is an empty one for the repository at root.
func NewInventory(root string) *Inventory {
	return &Inventory{root: root, modules: map[string]Part{}}
}

// NewProgramInventory is an empty one for a program whose module lies in a folder of its own and embeds no data of the repository.
func NewProgramInventory(folder string) *Inventory {
	return &Inventory{root: folder, bare: true, modules: map[string]Part{}}
}

// Add takes the build information of a program and the SHA-256 of its archive.
func (v *Inventory) Add(name, sum string, info *debug.BuildInfo) {
	a := archive{name: name, sum: sum}
	std := Part{Name: "std", Version: strings.TrimPrefix(info.GoVersion, "go"), URL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion,
		"go")}
	for _, p := range append([]Part{std}, linked(info)...) {
		v.modules[p.URL] = p
		a.parts = append(a.parts, p.URL)
	}
	slices.Sort(a.parts)
	v.archives = append(v.archives, a)
}

func linked(info *debug.BuildInfo) []Part {
	var out []Part
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		out = append(out, Part{Name: m.Path, Version: m.Version, URL: "pkg:golang/" + m.Path + "@" + m.Version, Sum: m.Sum})
	}
	return out
}

// Parts are all works of others, with their licences, in the order of their names. A module without a licence
// text is an error: what is shipped is shipped with its terms.
func (v *Inventory) Parts() ([]Part, error) {
	dirs, err := v.folders()
	if err != nil {
		return nil, err
	}
	var out []Part
	if !v.bare {
		out = slices.Clone(embedded)
	}
	for i, p := range out {
		for j, text := range p.Texts {
			out[i].Texts = slices.Clone(out[i].Texts)
			out[i].Texts[j] = filepath.Join(v.root, filepath.FromSlash(text))
		}
	}
	for _, p := range v.modules {
		if p.Texts, err = licenceFiles(dirs[p.Name]); err != nil {
			return nil, fmt.Errorf("%s %s: %w", p.Name, p.Version, err)
		}
		raw, err := os.ReadFile(p.Texts[0])
		if err != nil {
			return nil, err
		}
		p.Licence = identify(string(raw))
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Part) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version)) })
	return out, nil
}

// folders are where the modules' sources lie: the cache of modules, and the standard library.
func (v *Inventory) folders() (map[string]string, error) {
	args := []string{"list", "-m", "-f", "{{.Path}}\t{{.Dir}}"}
	for _, p := range v.modules {
		if p.Name != "std" {
			args = append(args, p.Name)
		}
	}
	dirs := map[string]string{}
	for _, c := range [][]string{args, {"env", "GOROOT"}} {
		if len(c) == 4 {
			continue // no module at all: go list would answer with this one
		}
		cmd := exec.Command("go", c...)
		cmd.Dir, cmd.Stderr = v.root, os.Stderr
		raw, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go %s: %w", c[0], err)
		}
		for line := range strings.Lines(string(raw)) {
			path, dir, ok := strings.Cut(strings.TrimSpace(line), "\t")
			if !ok {
				path, dir = "std", path
			}
			dirs[path] = dir
		}
	}
	return dirs, nil
}

// Bom is the inventory as CycloneDX 1.6. It has no serial number and no time: the same archives have the
// same list.
func (v *Inventory) Bom(w io.Writer, parts []Part) error {
	type object = map[string]any
	var components, dependencies []object
	names := []string{}
	slices.SortFunc(v.archives, func(a, b archive) int { return cmp.Compare(a.name, b.name) })
	for _, a := range v.archives {
		names = append(names, a.name)
		components = append(components, object{"type": "application", "bom-ref": a.name, "name": a.name,
			"hashes": []object{{"alg": "SHA-256", "content": a.sum}}})
		dependencies = append(dependencies, object{"ref": a.name, "dependsOn": a.parts})
	}
	for _, p := range parts {
		c := object{"type": "library", "bom-ref": cmp.Or(p.URL, p.Name), "name": p.Name}
		if p.Embedded {
			c["type"] = "data"
		}
		for key, value := range map[string]string{"version": p.Version, "purl": p.URL} {
			if value != "" {
				c[key] = value
			}
		}
		if p.Licence != "" {
			c["licenses"] = []object{{"license": object{"id": p.Licence}}}
		}
		if p.Sum != "" {
			c["properties"] = []object{{"name": "go.sum", "value": p.Sum}}
		}
		if p.Source != "" {
			c["externalReferences"] = []object{{"type": "website", "url": p.Source}}
		}
		components = append(components, c)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(object{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": object{"component": object{"type": "application", "bom-ref": "mappe", "name": "mappe",
			"licenses": []object{{"license": object{"id": "Apache-2.0"}}}}},
		"components":   components,
		"dependencies": append([]object{{"ref": "mappe", "dependsOn": names}}, dependencies...),
	})
}

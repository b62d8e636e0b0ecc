package pack

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Embeds are the names of the data of others that a bootstrap holds, as its bytes show: what is embedded lies in a program as it is.
func Embeds(root string, bootstrap []byte) ([]string, error) {
	var out []string
	for _, p := range embedded {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p.Data)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		if bytes.Contains(bootstrap, data) {
			out = append(out, p.Name)
		}
	}
	return out, nil
}

// Only is the inventory of one archive: of all parts, those that are linked into its bootstrap, and the data that it holds.
func (v *Inventory) Only(name string, parts []Part, embeds []string) (*Inventory, []Part) {
	i := slices.IndexFunc(v.archives, func(a archive) bool { return a.name == name })
	a := v.archives[i]
	a.parts = slices.Clone(a.parts)
	var own []Part
	for _, p := range parts {
		switch {
		case p.Embedded && slices.Contains(embeds, p.Name):
			a.parts = append(a.parts, p.Name)
		case p.Embedded || !slices.Contains(a.parts, p.URL):
			continue
		}
		own = append(own, p)
	}
	slices.Sort(a.parts)
	return &Inventory{root: v.root, bare: v.bare, archives: []archive{a}, modules: v.modules}, own
}

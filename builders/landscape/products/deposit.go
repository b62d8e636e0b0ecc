package products

import (
	"fmt"
	"strings"

	"mappe/artefacts/archive"
	builders "mappe/builders/archive"
	"mappe/shared/cloud/landprocess"
)

// Deposit is a set of files as it is put into the research repository: the item, which names all others, first.
func (s *Source) Deposit(p *landprocess.Products, set landprocess.Set) builders.Products {
	out := builders.Products{Code: s.Row.Code, Name: s.Row.Name, Set: string(set), Date: s.Row.Snapshot.Date,
		License: strings.ToLower(set.SPDX()),
		Title:   fmt.Sprintf("KG %s %s: landscape analysis of %s", s.Row.Code, s.Row.Name, s.Row.Snapshot.Date)}
	what := "Segments, trees, parcels with heights, buildings and changes as GeoPackages, a summary as JSON, rasters as cloud " +
		"optimised GeoTIFFs."
	if set == landprocess.Infrastructure {
		out.Title = fmt.Sprintf("KG %s %s: infrastructure of %s", s.Row.Code, s.Row.Name, s.Row.Snapshot.Date)
		what = "What carries traffic or energy, as a GeoPackage. It follows from the community map, whose licence it has."
	}
	out.Description = what + " " + s.credit(set)
	for _, f := range p.Files {
		if f.Set != set {
			continue
		}
		file := archive.File{Name: f.File, Key: f.Key, Bytes: f.Bytes, SHA256: f.SHA256}
		if f.Name == itemName(set) {
			out.Files = append([]archive.File{file}, out.Files...)
			continue
		}
		out.Files = append(out.Files, file)
	}
	return out
}

package kgdiff

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/shared/austria"
)

// Attribute is an attribute with its values, "" for none.
type Attribute struct{ Name, Before, After string }

// attributes are what is compared of a parcel beside its shape: what the source says of it, and what stands on it.
// What is computed from the shape (area, compactness) changes with it.
//
// known says whether a snapshot has the attribute at all: what it has of no parcel is unknown, and not compared.
var attributes = []struct {
	name  string
	known func(*kgfile.KG) bool
	same  func(a, b *kgfile.Parcel) bool
	text  func(*kgfile.Parcel) string
}{
	{"ez", always, func(a, b *kgfile.Parcel) bool { return a.EZ == b.EZ }, func(p *kgfile.Parcel) string { return number(int(p.EZ)) }},
	{"status", always, func(a, b *kgfile.Parcel) bool { return a.Status == b.Status }, func(p *kgfile.Parcel) string {
		return p.Status.String()
	}},
	{"landuse_codes", withUses, sameUses, func(p *kgfile.Parcel) string { return string(rowschema.AppendLandUseCodes(nil, p)) }},
	{"dominant_landuse", withUses, func(a, b *kgfile.Parcel) bool { return a.DominantLandUse == b.DominantLandUse },
		func(p *kgfile.Parcel) string { return number(int(p.DominantLandUse)) }},
	{"building_count", func(k *kgfile.KG) bool { return k.BuildingCount > 0 }, func(a, b *kgfile.Parcel) bool {
		return a.BuildingCount == b.BuildingCount
	}, func(p *kgfile.Parcel) string { return strconv.Itoa(p.BuildingCount) }},
	{"footprint_count", func(k *kgfile.KG) bool { return k.FootprintCount > 0 }, func(a, b *kgfile.Parcel) bool {
		return a.FootprintCount == b.FootprintCount
	}, func(p *kgfile.Parcel) string { return strconv.Itoa(p.FootprintCount) }},
}

func always(*kgfile.KG) bool { return true }

func withUses(k *kgfile.KG) bool { return k.LandUseCount > 0 || k.FootprintCount > 0 }

// compared says which attributes both snapshots have.
func compared(a, b kgfile.KG) []bool {
	out := make([]bool, len(attributes))
	for i := range attributes {
		out[i] = attributes[i].known(&a) && attributes[i].known(&b)
	}
	return out
}

// AttributeNames are the attributes that are compared.
func AttributeNames() []string {
	names := make([]string, len(attributes))
	for i := range attributes {
		names[i] = attributes[i].name
	}
	return names
}

// number is a positive number as text, "" for 0, which means none.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// sameUses says whether two parcels have the same land-use codes, whatever their areas and counts.
func sameUses(a, b *kgfile.Parcel) bool {
	if slices.Equal(a.SymbolCounts, b.SymbolCounts) && slices.EqualFunc(a.UseAreas, b.UseAreas,
		func(x, y kgfile.CodeArea) bool { return x.Code == y.Code }) {
		return true
	}
	return string(rowschema.AppendLandUseCodes(nil, a)) == string(rowschema.AppendLandUseCodes(nil, b))
}

// compareAttributes lists the attributes that differ, of those that are compared.
func compareAttributes(a, b *kgfile.Parcel, compared []bool) (list []Attribute) {
	for i := range attributes {
		if at := &attributes[i]; compared[i] && !at.same(a, b) {
			list = append(list, Attribute{at.name, at.text(a), at.text(b)})
		}
	}
	return list
}

// Compare orders parcel numbers as people do: those with a dot first, then by main number and sub-number.
func Compare(a, b austria.GNR) int {
	if da, db := strings.HasPrefix(string(a), "."), strings.HasPrefix(string(b), "."); da != db {
		if da {
			return -1
		}
		return 1
	}
	am, as := parts(a)
	bm, bs := parts(b)
	return cmp.Or(cmp.Compare(am, bm), cmp.Compare(as, bs), cmp.Compare(a, b))
}

// parts are the main number and the sub-number, -1 without one.
func parts(g austria.GNR) (main, sub int) {
	m, s, slash := strings.Cut(strings.TrimPrefix(string(g), "."), "/")
	main, _ = strconv.Atoi(m) // at most 16 digits
	if sub = -1; slash {
		sub, _ = strconv.Atoi(s)
	}
	return main, sub
}

package overlays

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// SiteType says which directive a Natura 2000 site belongs to.
type SiteType byte

// The types of sites.
const (
	Birds    SiteType = 'A'
	Habitats SiteType = 'B'
	Both     SiteType = 'C'
)

// ParseSiteType reads A, B or C in either case.
func ParseSiteType(s string) (SiteType, error) {
	if len(s) == 1 {
		if t := SiteType(s[0] &^ 0x20); t >= Birds && t <= Both {
			return t, nil
		}
	}
	return 0, fmt.Errorf("%.20q is no type of site: expected A, B or C", s)
}

func (t SiteType) String() string { return string(rune(t)) }

// Label is the type in words.
func (t SiteType) Label() string {
	switch t {
	case Birds:
		return "Special Protection Area (Birds Directive)"
	case Habitats:
		return "Site of Community Importance (Habitats Directive)"
	case Both:
		return "Birds and Habitats Directive"
	}
	return ""
}

// Fits says whether a site of this type is one that was asked for: a site of both directives is one of each.
func (t SiteType) Fits(asked SiteType) bool { return t == asked || t == Both }

// With is the type of a site that is drawn under both types.
func (t SiteType) With(o SiteType) SiteType {
	if t == 0 || t == o {
		return o
	}
	return Both
}

// Habitat is a tag of a site, inferred from its name.
type Habitat string

var habitats = []Habitat{"moor", "floodplain", "river", "lake", "wetland", "forest", "alpine", "meadow", "pasture", "valley", "hill",
	"steppe", "orchard", "park", "cave"}

// AllHabitats lists the tags in the order of their bits.
func AllHabitats() []Habitat { return slices.Clone(habitats) }

// ParseHabitat reads a tag.
func ParseHabitat(s string) (Habitat, error) {
	if i := slices.Index(habitats, Habitat(strings.ToLower(s))); i >= 0 {
		return habitats[i], nil
	}
	return "", fmt.Errorf("%.40q is no habitat tag", s)
}

// HabitatSet is a set of tags.
type HabitatSet uint16

// Add puts a tag in.
func (s *HabitatSet) Add(h Habitat) {
	if i := slices.Index(habitats, h); i >= 0 {
		*s |= 1 << i
	}
}

// Has says whether a tag is in the set.
func (s HabitatSet) Has(h Habitat) bool {
	i := slices.Index(habitats, h)
	return i >= 0 && s>>i&1 == 1
}

// List gives the tags in their order.
func (s HabitatSet) List() []Habitat { return members(habitats, uint32(s)) }

// Context is what a law that names parcels is about.
type Context string

var contexts = []Context{"national_park", "nature_protection", "landscape_protection", "nature_park", "water_protection",
	"species_protection",
	"admin_boundary", "zoning", "monument_protection", "viticulture", "hunting", "forestry", "other"}

// AllContexts lists the contexts in the order of their bits.
func AllContexts() []Context { return slices.Clone(contexts) }

// ParseContext reads a context.
func ParseContext(s string) (Context, error) {
	if i := slices.Index(contexts, Context(strings.ToLower(s))); i >= 0 {
		return contexts[i], nil
	}
	return "", fmt.Errorf("%.40q is no context of a law", s)
}

// ContextSet is a set of contexts.
type ContextSet uint16

// Add puts a context in.
func (s *ContextSet) Add(c Context) {
	if i := slices.Index(contexts, c); i >= 0 {
		*s |= 1 << i
	}
}

// Has says whether a context is in the set.
func (s ContextSet) Has(c Context) bool {
	i := slices.Index(contexts, c)
	return i >= 0 && s>>i&1 == 1
}

// List gives the contexts in their order.
func (s ContextSet) List() []Context { return members(contexts, uint32(s)) }

func members[T any](all []T, set uint32) []T {
	out := make([]T, 0, bits.OnesCount32(set))
	for i, v := range all {
		if set>>i&1 == 1 {
			out = append(out, v)
		}
	}
	return out
}

// ListType says how a law names a parcel.
type ListType uint8

// The ways in which a law names parcels.
const (
	Listed       ListType = iota // the parcel is what the law is about
	BoundaryWalk                 // the parcel lies along a boundary that the law describes
)

// AllListTypes lists them.
func AllListTypes() []ListType { return []ListType{Listed, BoundaryWalk} }

func (t ListType) String() string { return [...]string{"listed", "boundary_walk"}[t&1] }

// ParseListType reads listed or boundary_walk.
func ParseListType(s string) (ListType, error) {
	for _, t := range AllListTypes() {
		if strings.EqualFold(s, t.String()) {
			return t, nil
		}
	}
	return 0, fmt.Errorf("%.40q is no type of list: expected listed or boundary_walk", s)
}

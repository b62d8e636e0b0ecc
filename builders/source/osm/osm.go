// Package osm reads OpenStreetMap extracts: .osm.pbf, .osm and .osm.gz. It owns the two file forms and what of them is
// believed; which features matter is the caller's (builders/proximity). Elements come in the order of the file, by
// callbacks, and nothing is kept: an extract of Austria has 100 million nodes.
//
//	err := osm.Read(r, osm.PBF, osm.Visitor{Way: func(w *osm.Way) error { ... }})
//
// The blocks of a PBF file are decoded here and not by paulmach/osm v0.9.0, which is the oracle of the tests: its decoder
// runs in goroutines of its own and panics there on a negative block size and on nodes that are not dense, which ends
// the program. Blocks are bounded as the format's documentation says; other bytes than those of the format are an
// error.
package osm

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"mappe/shared/geo/geom"
)

// Form is a form of extract.
type Form uint8

// The forms.
const (
	PBF Form = iota
	XML
	GzippedXML
)

// FormOf is the form that a file's name says; false where it is no extract.
func FormOf(name string) (Form, bool) {
	switch name = strings.ToLower(path.Base(name)); {
	case strings.HasSuffix(name, ".osm.pbf"):
		return PBF, true
	case strings.HasSuffix(name, ".osm.gz"):
		return GzippedXML, true
	case strings.HasSuffix(name, ".osm"):
		return XML, true
	}
	return 0, false
}

// Tag is a key with its value.
type Tag struct{ Key, Value string }

// Tags are those of an element.
type Tags []Tag

// Get is the value of a key, "" where the element has none.
func (t Tags) Get(key string) string {
	for _, tag := range t {
		if tag.Key == key {
			return tag.Value
		}
	}
	return ""
}

// Node is a place.
type Node struct {
	ID   int64
	At   geom.Point
	Tags Tags
}

// Way is a line through nodes.
type Way struct {
	ID    int64
	Nodes []int64
	Tags  Tags
}

// MemberType is what a member of a relation is.
type MemberType uint8

// The kinds of members.
const (
	NodeMember MemberType = iota
	WayMember
	RelationMember
)

// Member is a part of a relation.
type Member struct {
	Type MemberType
	ID   int64
	Role string
}

// Relation is a group of elements.
type Relation struct {
	ID      int64
	Members []Member
	Tags    Tags
}

// Visitor is told the elements; kinds without a function are passed over, which costs little. What it is given is valid
// during the call only. Date is told the day of the extract, YYYY-MM-DD, where the file says it.
type Visitor struct {
	Node     func(*Node) error
	Way      func(*Way) error
	Relation func(*Relation) error
	Date     func(string)
}

// The limits of an element. The OpenStreetMap server allows 2,000 nodes a way and 32,000 members a relation.
const (
	maxNodes   = 100_000
	maxMembers = 200_000
	maxTags    = 10_000
)

var (
	errTooMany  = errors.New("more than an element may have")
	errPosition = errors.New("a node lies nowhere on earth")
)

// Read visits the elements of an extract.
func Read(r io.Reader, form Form, v Visitor) error {
	var err error
	switch form {
	case PBF:
		err = readPBF(r, &v)
	case XML:
		err = readXML(r, &v)
	case GzippedXML:
		err = readGzip(r, &v)
	}
	if err != nil {
		return fmt.Errorf("osm: %w", err)
	}
	return nil
}

// positionOf is a place on the grid of 1e-7 degrees.
func positionOf(lon, lat int64) (geom.Point, error) {
	if lon < -180*geom.Scale || lon > 180*geom.Scale || lat < -90*geom.Scale || lat > 90*geom.Scale {
		return geom.Point{}, errPosition
	}
	return geom.Point{X: int32(lon), Y: int32(lat)}, nil
}

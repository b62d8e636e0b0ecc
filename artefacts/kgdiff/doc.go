// Package kgdiff says what changed between two snapshots of a KG: which parcels came, went and changed, by how much,
// and which were split or merged. It owns the rules; files are opened by others (artefacts/library), answers are
// drawn by functions/cadastre/versions.
//
// Parcels are matched by their number. A parcel of both snapshots is changed where its shape covers another area, or
// where an attribute differs. The area of the symmetric difference is area before + area after - 2 × common area, in
// EPSG:3035, exact up to the rounding of floats (geom.Cover). Shapes that differ in vertices alone, by less than
// SameSqm, are redrawn and not changed: a neighbour's new corner adds a vertex to a border.
//
// An old and a new parcel are linked where their common area is at least LinkShare of the smaller of the two, for
// parcels that came, went or changed. From the links:
//
//	split       an old parcel of which at least two new ones are parts: half of each lies in the old one
//	merge       a new parcel of which at least two old ones are parts
//	renumbered  a parcel that went and one that came, each SameShare or more of the other
//
// The number of a parcel that is split often stays with one of the parts: that part is changed and split.
package kgdiff

import (
	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
)

// The thresholds of the rules.
const (
	SameSqm   = 0.005 // m²; less is 0.00 as areas are written
	LinkShare = 0.1
	PartShare = 0.5
	SameShare = 0.95
)

// Change is what became of a parcel number.
type Change uint8

// The changes.
const (
	Added Change = iota
	Removed
	Changed
)

var changeNames = [...]string{"added", "removed", "changed"}

func (c Change) String() string { return changeNames[c] }

// AllChanges lists the changes.
func AllChanges() []Change { return []Change{Added, Removed, Changed} }

// Event is what happened to the ground of a parcel; several may hold.
type Event uint8

// The events, as bits.
const (
	Split Event = 1 << iota
	Merge
	Renumbered
)

// AllEvents lists the events.
func AllEvents() []Event { return []Event{Split, Merge, Renumbered} }

func (e Event) String() string {
	return map[Event]string{Split: "split", Merge: "merge", Renumbered: "renumbered"}[e]
}

// Link is a parcel of the other snapshot that shares ground with one.
type Link struct {
	GNR       austria.GNR
	CommonSqm float64
	OfThis    float64 // share of this parcel that is common, 0 to 1
	OfOther   float64 // share of the other one
}

// Row is a parcel number that came, went or changed.
type Row struct {
	GNR    austria.GNR
	Change Change
	Events Event
	// Before and After are the parcel in the snapshots; nil where it is not.
	Before, After *kgfile.Parcel
	// Reshaped says that a changed parcel covers another area than before.
	Reshaped bool
	// SymmetricSqm is the area that one of the two shapes covers and the other does not; of a parcel that came or went
	// its area.
	SymmetricSqm float64
	Attributes   []Attribute // of a changed parcel: those that differ
	From         []Link      // of a parcel with After: old parcels on its ground, the largest common area first
	To           []Link      // of a parcel with Before: new parcels on its ground, likewise
}

// Diff is what changed between two snapshots. Rows are in the order of their numbers (Compare).
type Diff struct {
	Rows                                           []Row
	Added, Removed, Changed, Reshaped, Attributed  int
	Splits, Merges, Renumbered, Redrawn, Unchanged int
	SymmetricSqm                                   float64 // sum over the changed parcels
}

// Package classifier is the file of the model that says what a segment is: a random forest (shared/landscape/forest), the
// features it asks for, what it was trained from, how well it did on what it had not seen, and how its votes become
// probabilities. builders/landscape writes it, functions read it through artefacts/library. What the features mean
// shared/landscape/segment knows.
//
// # Layout, version 1
//
// A file in parts (artefacts/sectionfile) of the family "clsf". Its head is a Header as JSON. Its sections are columns
// (artefacts/internal/column), each with its checksum:
//
//	edges      a row for each feature: ints number of edges · list of all edges · ints IEEE 754 bits of them
//	tree-0000  a row for each node, left child before right: frame feature (127 is a leaf, 128 is added where rows without the
//	           value go left) · frame last bin of the left side of each split · ints weight of each leaf ·
//	           frame shares of the classes of each leaf, 255 together
//	tree-0001  ... as many as the header says
//
// Right children are not stored: the order of the nodes gives them.
//
// A served generation (artefacts/manifest) names the model of its raw source as the artefact "landscape-classifier", and the newest
// that was trained from labelled segments as "landscape-classifier-trained", which goes before the other; NewestOf is their order.
package classifier

import "mappe/artefacts/sectionfile"

// The kinds of the artefacts, as manifest.Artefacts names them.
const (
	Artefact        = "landscape-classifier"         // of the raw source: a build makes it anew
	TrainedArtefact = "landscape-classifier-trained" // published by itself: builds keep it
)

// NewestOf are the kinds in the order in which a model is looked for.
func NewestOf() []string { return []string{TrainedArtefact, Artefact} }

// Family is that of the file.
var Family = sectionfile.Family{'c', 'l', 's', 'f'}

// The limits of a file.
const (
	Version   = 1
	MaxBytes  = 96 << 20 // of a file
	MaxMemory = 1 << 28  // of a forest
	maxNodes  = 1 << 23  // of all trees
)

package manifest

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"mappe/artefacts/keys"
)

// Artefacts name objects by kind: overlay-natura, search-names, prices-land, cell-dict. A generation may have
// any kinds; a reader looks for those that it knows. A kind is what keys.IsKind says, its object is one whose
// name its content decides.
type Artefacts map[string]Object

// maxArtefacts bounds the kinds of one document, so that the pointer stays some kilobytes.
const maxArtefacts = 256

// Kinds lists the kinds in rising order.
func (a Artefacts) Kinds() []string { return slices.Sorted(maps.Keys(a)) }

// All lists the objects in the order of their kinds.
func (a Artefacts) All() []Object {
	var all []Object
	for _, kind := range a.Kinds() {
		all = append(all, a[kind])
	}
	return all
}

// With is a with the objects of b in place of its own of the same kinds; neither is changed. nil where both
// are empty, so that a document without artefacts has the same bytes however it was made.
func (a Artefacts) With(b Artefacts) Artefacts {
	if len(a)+len(b) == 0 {
		return nil
	}
	out := Artefacts{}
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

// check proves that the names are names, and each key that of its object's content.
func (a Artefacts) check() error {
	if len(a) > maxArtefacts {
		return fmt.Errorf("%d kinds of artefacts, at most %d are read", len(a), maxArtefacts)
	}
	for _, kind := range a.Kinds() {
		if !keys.IsKind(kind) {
			return fmt.Errorf("kind %.60q of artefacts: expected lower-case words with dashes between them", kind)
		}
		if err := a[kind].Check(); err != nil {
			return fmt.Errorf("artefact %s: %w", kind, err)
		}
	}
	return nil
}

// Check proves that an object's key is that of its content and that it has a size.
func (o Object) Check() error {
	k, err := keys.Parse(o.Key)
	if err != nil {
		return err
	}
	sum, err := hex.DecodeString(o.SHA256)
	if err != nil || len(sum) != 32 || keys.ContentSum(k) != o.SHA256[:16] {
		return fmt.Errorf("%s: SHA-256 %.80q is not that of the key", o.Key, o.SHA256)
	}
	if o.Bytes < 0 {
		return fmt.Errorf("%s: %d bytes", o.Key, o.Bytes)
	}
	return nil
}

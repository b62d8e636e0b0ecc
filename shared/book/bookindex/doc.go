// Package bookindex is the index at the back of a book: its entries as the author edits them, the draft
// made from a manuscript, what an edited index has to keep to, the order of terms and the way page numbers
// are written. Locators are anchors of paragraphs, so that an index outlives another upload of the
// manuscript; package layout knows on which pages they came to stand.
package bookindex

import (
	"crypto/sha256"
	"encoding/hex"
)

// Entry is a term, or a subject below a term, and where it is treated. It is spoken as JSON by the service.
type Entry struct {
	ID       string    `json:"id"`
	Term     string    `json:"term"`
	Sub      string    `json:"sub"`      // a subject of the term; "" for the term itself
	See      []string  `json:"see"`      // terms to look at instead; such an entry has no locators
	SeeAlso  []string  `json:"see_also"` // terms to look at as well
	Locators []Locator `json:"locators"`
	Keep     bool      `json:"keep"` // false: a proposal the author does not want; it is not set
}

// Locator is a place, or a range of places where EndAnchor is not empty.
type Locator struct {
	Anchor    string `json:"anchor"`
	EndAnchor string `json:"end_anchor,omitempty"`
}

// The bounds of an index.
const (
	MaxEntries  = 20_000
	MaxText     = 200 // characters of a term or a subject
	MaxTargets  = 20
	MaxLocators = 2_000
)

// entryID is the same for the same term and subject, so that drafts of two uploads can be compared.
func entryID(term, sub string) string { return "e" + digest(10, term, sub) }

// digest is the first n hex digits of a hash over texts.
func digest(n int, texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		h.Write([]byte(t))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))[:n]
}

// newEntry makes an entry whose lists are empty, not nil: JSON shows [].
func newEntry(term, sub string) Entry {
	return Entry{ID: entryID(term, sub), Term: term, Sub: sub, See: []string{}, SeeAlso: []string{}, Locators: []Locator{}, Keep: true}
}

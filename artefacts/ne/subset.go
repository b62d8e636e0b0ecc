package ne

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// Piece is a run of bytes of a container.
type Piece struct{ Offset, Length int64 }

// Subset is the container of some layers of this one: its front, and the bytes of this one that follow it. Layers that
// the container has not are passed over. Its generation is that of its own sections.
func (h *Header) Subset(layers []Layer) (front []byte, rest []Piece, err error) {
	head := *h
	head.Sections = nil
	sums := sha256.New()
	at := int64(0)
	for _, s := range h.Sections {
		if !slices.Contains(layers, s.Layer) {
			continue
		}
		piece := Piece{h.start + s.Offset, s.Length}
		if n := len(rest); n > 0 && rest[n-1].Offset+rest[n-1].Length == piece.Offset {
			rest[n-1].Length += piece.Length
		} else {
			rest = append(rest, piece)
		}
		s.Offset = at
		at += s.Length
		fmt.Fprintln(sums, s.Layer, s.SHA256)
		head.Sections = append(head.Sections, s)
	}
	if head.Sections == nil {
		head.Sections = []Section{}
	}
	head.Generation = hex.EncodeToString(sums.Sum(nil)[:8])
	front, err = head.front()
	return front, rest, err
}

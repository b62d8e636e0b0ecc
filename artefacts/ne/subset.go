package ne

import "slices"

// Piece is a run of bytes of a container.
type Piece struct{ Offset, Length int64 }

// Subset is the container of some layers of this one: its front, and the bytes of this one that follow it. Layers that
// the container has not are passed over. Its generation is its own.
func (h *Header) Subset(layers []Layer) (front []byte, rest []Piece, err error) {
	head := *h
	head.Sections = nil
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
		head.Sections = append(head.Sections, s)
	}
	if head.Sections == nil {
		head.Sections = []Section{}
	}
	front, err = head.front()
	return front, rest, err
}

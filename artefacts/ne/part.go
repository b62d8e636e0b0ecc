package ne

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"iter"

	"mappe/shared/austria"
	"mappe/shared/geo/hexgrid"
)

// Sum is the SHA-256 of an object.
type Sum [sha256.Size]byte

// Part is what the changes of one KG add to the sums of areas.
type Part struct {
	KG     PlacedKG
	Of     Sum // of the object of the changes
	sums   KGSums
	ground []Ground // of the cells that no other KG has, by rising cell
}

func (p *Part) empty() bool { return len(p.sums.Shared) == 0 && p.sums.Own.empty() }

// RestSection is the name of the section with the Rest of a KG.
func RestSection(c austria.KGCode) string { return "y" + string(c) }

// restBytes is the length of a row of Rest.
const restBytes = 8 + 8 + 8

// Rest is what beside the KGSums makes the part again: the SHA-256 of the changes, then by rising cell of resolution 9 its index
// and the changed ground of what no other KG has of it, confirmed and candidate, in 255ths of a cm², 64 bits each, little-endian.
func (p *Part) Rest() []byte {
	b := make([]byte, 0, len(p.Of)+len(p.ground)*restBytes)
	b = append(b, p.Of[:]...)
	for i := range p.ground {
		g := &p.ground[i]
		b = binary.LittleEndian.AppendUint64(b, uint64(g.Cell))
		b = binary.LittleEndian.AppendUint64(b, uint64(g.confirmed))
		b = binary.LittleEndian.AppendUint64(b, uint64(g.candidate))
	}
	return b
}

// maxRestGround bounds the ground of a row: the area of a cell of resolution 9 is below a km², and counts once for each status.
const maxRestGround = 255 * areaUnit * 1_000_000

// ParsePart makes the part of a KG of its KGSums and its Rest.
func ParsePart(kg PlacedKG, sums, rest []byte) (*Part, error) {
	k, _, err := ParseKGSums(sums)
	if err != nil {
		return nil, err
	}
	p := &Part{KG: kg, sums: *k}
	n := len(rest) - len(p.Of)
	if n < 0 || n%restBytes != 0 || n/restBytes > maxGround {
		return nil, fmt.Errorf("rest of a KG's sums: %d bytes: want %d and a multiple of %d, at most %d rows", len(rest), len(p.Of),
			restBytes, maxGround)
	}
	p.Of = Sum(rest[:len(p.Of)])
	for b := rest[len(p.Of):]; len(b) > 0; b = b[restBytes:] {
		g := Ground{Cell: CellOf(b), confirmed: int64(binary.LittleEndian.Uint64(b[8:])),
			candidate: int64(binary.LittleEndian.Uint64(b[16:]))}
		if !g.Cell.IsValid() || g.Cell.Resolution() != ChunkRes || len(p.ground) > 0 && g.Cell <= p.ground[len(p.ground)-1].Cell {
			return nil, fmt.Errorf("rest of a KG's sums: row %d: %x is no cell of resolution %d, or stands behind a larger one",
				len(p.ground), uint64(g.Cell), ChunkRes)
		}
		if min(g.confirmed, g.candidate) < 0 || max(g.confirmed, g.candidate) > maxRestGround {
			return nil, fmt.Errorf("rest of a KG's sums: row %d: %d and %d 255ths of a cm² of a cell", len(p.ground), g.confirmed,
				g.candidate)
		}
		g.round()
		p.ground = append(p.ground, g)
	}
	return p, nil
}

// Chunks are the cells of resolution 9 in which the KG has changes, some more than once.
func (p *Part) Chunks() iter.Seq[hexgrid.Cell] {
	return func(yield func(hexgrid.Cell) bool) {
		for i := range p.ground {
			if !yield(p.ground[i].Cell) {
				return
			}
		}
		for above := range p.SharedChunks() {
			if !yield(above) {
				return
			}
		}
	}
}

// SharedChunks are those of them in which another KG has a change of the same cell.
func (p *Part) SharedChunks() iter.Seq[hexgrid.Cell] {
	return func(yield func(hexgrid.Cell) bool) {
		for i := range p.sums.Shared {
			if above, err := p.sums.Shared[i].Cell.Parent(ChunkRes); err == nil && !yield(above) {
				return
			}
		}
	}
}

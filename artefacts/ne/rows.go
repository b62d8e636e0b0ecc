package ne

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"mappe/shared/austria"
	"mappe/shared/geo/hexgrid"
)

// Lengths of rows in bytes.
const (
	LUBytes = 30
	KBytes  = 29
)

// Flags of an LU row.
const (
	DeclaredUnknown = 1 << 0
	Normalised      = 1 << 1
)

// None values of a row.
const (
	None8  = 0xFF
	None16 = 0xFFFF
)

// Uses name the shares of LURow.Use, in their order: the classes of land use.
var Uses = func() (names [9]string) {
	for i, c := range austria.AllLandUseClasses() {
		names[i] = c.String()
	}
	return names
}()

// LURow is a row of the layer lu; the package comment says what each field is.
type LURow struct {
	Cell                   hexgrid.Cell
	KGShare, Land, Cov     uint8
	Flags                  uint8
	Use                    [9]uint8
	StrCover               uint8
	StrN                   uint16
	GK, NUnits             uint8
	EdgeMHa                uint16
	OrientCoh, OrientAxis2 uint8
}

// Append writes the row.
func (r *LURow) Append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(r.Cell))
	b = append(b, r.KGShare, r.Land, r.Cov, r.Flags)
	b = append(append(b, r.Use[:]...), r.StrCover)
	b = binary.LittleEndian.AppendUint16(b, r.StrN)
	b = append(b, r.GK, r.NUnits)
	b = binary.LittleEndian.AppendUint16(b, r.EdgeMHa)
	return append(b, r.OrientCoh, r.OrientAxis2)
}

// ParseLU reads a row of LUBytes.
func ParseLU(b []byte) LURow {
	r := LURow{Cell: CellOf(b), KGShare: b[8], Land: b[9], Cov: b[10], Flags: b[11], Use: [9]uint8(b[12:21]), StrCover: b[21],
		StrN: binary.LittleEndian.Uint16(b[22:]), GK: b[24], NUnits: b[25], EdgeMHa: binary.LittleEndian.Uint16(b[26:]), OrientCoh: b[28],
		OrientAxis2: b[29]}
	return r
}

// KRow is a row of the layer bev; the package comment says what each field is.
type KRow struct {
	Cell          hexgrid.Cell
	NUnits        uint16
	P10, P50, P90 uint32
	RegN          uint16
	UnitsPerReg10 uint8
	StrN, StrP50  uint16
}

// Append writes the row.
func (r *KRow) Append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(r.Cell))
	b = binary.LittleEndian.AppendUint16(b, r.NUnits)
	for _, v := range []uint32{r.P10, r.P50, r.P90} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	b = binary.LittleEndian.AppendUint16(b, r.RegN)
	b = append(b, r.UnitsPerReg10)
	b = binary.LittleEndian.AppendUint16(b, r.StrN)
	return binary.LittleEndian.AppendUint16(b, r.StrP50)
}

// ParseK reads a row of KBytes.
func ParseK(b []byte) KRow {
	u16, u32 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32
	return KRow{Cell: CellOf(b), NUnits: u16(b[8:]), P10: u32(b[10:]), P50: u32(b[14:]), P90: u32(b[18:]), RegN: u16(b[22:]),
		UnitsPerReg10: b[24], StrN: u16(b[25:]), StrP50: u16(b[27:])}
}

// CellOf is the cell of a row of any layer: its first 8 bytes.
func CellOf(row []byte) hexgrid.Cell { return hexgrid.Cell(binary.LittleEndian.Uint64(row)) }

// CheckRows says whether bytes are rows of a length by rising cell of a resolution, each valid and below the chunk.
func CheckRows(b []byte, recordBytes, res int, chunk hexgrid.Cell) error {
	if recordBytes < 8 || len(b)%recordBytes != 0 {
		return fmt.Errorf("%d bytes are no rows of %d", len(b), recordBytes)
	}
	var last hexgrid.Cell
	for at := 0; at < len(b); at += recordBytes {
		c := CellOf(b[at:])
		if c <= last {
			return fmt.Errorf("row %d: cell %s does not stand behind %s", at/recordBytes, c, last)
		}
		if parent, err := c.Parent(ChunkRes); err != nil || c.Resolution() != res || !c.IsValid() || parent != chunk {
			return fmt.Errorf("row %d: %s is no cell of resolution %d in %s", at/recordBytes, c, res, chunk)
		}
		last = c
	}
	return nil
}

// bucketSteps are the classes of an octave.
const bucketSteps = 8

// buckets are the lower bounds of the classes: element k is 2^(k/8).
var buckets = func() (b [32*bucketSteps + 1]float64) {
	for k := range b {
		b[k] = math.Exp2(float64(k) / bucketSteps)
	}
	return b
}()

// Midpoint is the middle of the class of an area in m², which the public tier shows in its place.
func Midpoint(sqm float64) uint32 {
	k, found := slices.BinarySearch(buckets[:], max(sqm, 1))
	if !found {
		k--
	}
	return uint32(math.Floor(math.Exp2((float64(min(k, len(buckets)-2))+0.5)/bucketSteps) + 0.5))
}

// Share is part of whole in 255ths, rounded half up; 0 of nothing.
func Share(part, whole int64) uint8 {
	if whole <= 0 || part <= 0 {
		return 0
	}
	return uint8(min((510*part+whole)/(2*whole), 255))
}

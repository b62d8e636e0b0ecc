package austria

import (
	"strconv"
	"strings"
)

// GNR is a parcel number (Grundstücksnummer) as text: digits, an optional leading dot for building
// plots (Bauflächen), an optional slash with a sub-number.
type GNR string

// EZ is a land-register folio number (Einlagezahl), unique within a KG; 0 means none known.
type EZ uint32

// Status says how a parcel's boundary is held.
type Status byte

// The two parcel states of the survey office, and the unset value.
const (
	StatusUnknown Status = 0
	StatusE       Status = 'E' // not in the boundary cadastre
	StatusG       Status = 'G' // in the boundary cadastre (Grenzkataster)
)

// ParseStatus reads "E" or "G" in either case.
func ParseStatus(s string) (Status, error) {
	switch s {
	case "E", "e":
		return StatusE, nil
	case "G", "g":
		return StatusG, nil
	}
	return StatusUnknown, &Error{"status", s, "E or G"}
}

func (s Status) String() string {
	switch s {
	case StatusUnknown:
		return ""
	case StatusE: // without an allocation: rows ask for it
		return "E"
	case StatusG:
		return "G"
	}
	return string(rune(s))
}

const gnrRule = "a parcel number such as 20, .17, 123/4 or .3/2"

// ParseGNR reads a parcel number: [.]digits[/digits], at most 16 bytes.
func ParseGNR(s string) (GNR, error) {
	main, sub, slash := strings.Cut(strings.TrimPrefix(s, "."), "/")
	if len(s) > 16 || !digits(main) || (slash && !digits(sub)) {
		return "", &Error{"parcel number", s, gnrRule}
	}
	return GNR(s), nil
}

// ParcelID names one parcel: KG and parcel number.
type ParcelID struct {
	KG  KGCode
	GNR GNR
}

// ParseParcelID reads <kg_code>-<gnr>; the KG code may be unpadded.
func ParseParcelID(s string) (ParcelID, error) {
	kg, gnr, ok := strings.Cut(s, "-")
	if ok {
		k, err1 := ParseKGCode(kg)
		g, err2 := ParseGNR(gnr)
		if err1 == nil && err2 == nil {
			return ParcelID{k, g}, nil
		}
	}
	return ParcelID{}, &Error{"parcel id", s, "<kg_code>-<gnr>, for example 01004-123/4 (in a URL the slash is %2F, once)"}
}

// AppendTo appends the id's text.
func (p ParcelID) AppendTo(b []byte) []byte { return append(append(append(b, p.KG...), '-'), p.GNR...) }

func (p ParcelID) String() string { return string(p.AppendTo(make([]byte, 0, 32))) }

// FootprintID names one building footprint: KG and its number in the snapshot.
type FootprintID struct {
	KG KGCode
	N  uint32
}

// ParseFootprintID reads <kg_code>_fp_<n>; the KG code may be unpadded.
func ParseFootprintID(s string) (FootprintID, error) {
	kg, n, ok := strings.Cut(s, "_fp_")
	if ok {
		k, err1 := ParseKGCode(kg)
		v, err2 := strconv.ParseUint(n, 10, 32)
		if err1 == nil && err2 == nil && digits(n) {
			return FootprintID{k, uint32(v)}, nil
		}
	}
	return FootprintID{}, &Error{"footprint id", s, "<kg_code>_fp_<n>, for example 01004_fp_17"}
}

// AppendTo appends the id's text.
func (f FootprintID) AppendTo(b []byte) []byte {
	return strconv.AppendUint(append(append(b, f.KG...), "_fp_"...), uint64(f.N), 10)
}

func (f FootprintID) String() string { return string(f.AppendTo(make([]byte, 0, 32))) }

// BuildingID names one address point of the address register.
type BuildingID struct {
	ADRCD uint64 // address code
	SUBCD uint32 // building at that address, 0 for the address itself
}

// ParseBuildingID reads <ADRCD>-<SUBCD>.
func ParseBuildingID(s string) (BuildingID, error) {
	a, b, ok := strings.Cut(s, "-")
	if ok && digits(a) && digits(b) {
		x, err1 := strconv.ParseUint(a, 10, 64)
		y, err2 := strconv.ParseUint(b, 10, 32)
		if err1 == nil && err2 == nil {
			return BuildingID{x, uint32(y)}, nil
		}
	}
	return BuildingID{}, &Error{"building id", s, "<ADRCD>-<SUBCD>, for example 5000090-001"}
}

// AppendTo appends the id's text.
func (b BuildingID) AppendTo(to []byte) []byte {
	to = append(strconv.AppendUint(to, b.ADRCD, 10), '-')
	for least := uint32(100); least > 1 && b.SUBCD < least; least /= 10 {
		to = append(to, '0')
	}
	return strconv.AppendUint(to, uint64(b.SUBCD), 10)
}

func (b BuildingID) String() string { return string(b.AppendTo(make([]byte, 0, 32))) }

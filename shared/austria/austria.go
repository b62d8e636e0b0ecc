// Package austria holds the identifiers of the Austrian land administration as types: parse once at
// the border, pass typed values below it. It owns codes, their padding and their spelling; it knows
// no register contents (artefacts/register does) and does no I/O.
//
//	KGCode        5 digits, Katastralgemeinde        "01004"
//	GemeindeCode  5 digits, another numbering system "90001"
//	DistrictCode  first 3 digits of a GemeindeCode   "900"
//	StateCode     first digit of a GemeindeCode      '9'
//	PLZ           4 digits, never a join key
//	GNR           parcel number text: "20", ".17", "123/4", ".3/2"
//	ParcelID      <kg_code>-<gnr>                    "01004-123/4"
//	FootprintID   <kg_code>_fp_<n>                   "01004_fp_17"
//	BuildingID    <ADRCD>-<SUBCD, 3 digits> of the address register "5000090-001"
package austria

import (
	"fmt"
	"strings"
)

// Error says which kind of identifier could not be read, what was given and what is allowed.
type Error struct {
	Kind     string // "KG code"
	Value    string // as given
	Expected string // "1 to 5 digits"
}

func (e *Error) Error() string {
	v := e.Value
	if len(v) > 64 {
		v = v[:64] + "…"
	}
	return fmt.Sprintf("%s %q is not valid: expected %s", e.Kind, v, e.Expected)
}

// KGCode is the code of a Katastralgemeinde: five digits, zero-padded.
type KGCode string

// GemeindeCode is the code of a municipality: five digits, the first names the state.
type GemeindeCode string

// DistrictCode is the first three digits of a GemeindeCode.
type DistrictCode string

// StateCode is one digit, "1" to "9".
type StateCode string

// PLZ is a four-digit postal code.
type PLZ string

// ParseKGCode accepts padded and unpadded spellings ("1004" gives "01004").
func ParseKGCode(s string) (KGCode, error) {
	c, ok := padCode(s)
	if !ok {
		return "", &Error{"KG code", s, "1 to 5 digits, for example 01004"}
	}
	return KGCode(c), nil
}

// ParseGemeindeCode accepts padded and unpadded spellings.
func ParseGemeindeCode(s string) (GemeindeCode, error) {
	c, ok := padCode(s)
	if !ok || c[0] == '0' {
		return "", &Error{"municipality code", s, "5 digits, the first 1 to 9, for example 31507"}
	}
	return GemeindeCode(c), nil
}

// District is the district of a municipality.
func (g GemeindeCode) District() DistrictCode {
	if len(g) < 3 {
		return ""
	}
	return DistrictCode(g[:3])
}

// State is the state of a municipality.
func (g GemeindeCode) State() StateCode {
	if len(g) < 1 {
		return ""
	}
	return StateCode(g[:1])
}

// ParseDistrictCode reads three digits.
func ParseDistrictCode(s string) (DistrictCode, error) {
	if len(s) != 3 || !digits(s) || s[0] == '0' {
		return "", &Error{"district code", s, "3 digits, for example 315"}
	}
	return DistrictCode(s), nil
}

// ParsePLZ reads four digits.
func ParsePLZ(s string) (PLZ, error) {
	if len(s) != 4 || !digits(s) || s[0] == '0' {
		return "", &Error{"postal code", s, "4 digits, for example 6080"}
	}
	return PLZ(s), nil
}

var stateNames = [...]string{"", "Burgenland", "Kärnten", "Niederösterreich", "Oberösterreich", "Salzburg", "Steiermark", "Tirol",
	"Vorarlberg", "Wien"}

// AllStates lists the nine states in code order.
func AllStates() []StateCode {
	return []StateCode{"1", "2", "3", "4", "5", "6", "7", "8", "9"}
}

// Name is the state's German name, "" for a code that is not one of the nine.
func (s StateCode) Name() string {
	if len(s) != 1 || s[0] < '1' || s[0] > '9' {
		return ""
	}
	return stateNames[s[0]-'0']
}

func padCode(s string) (string, bool) {
	if len(s) < 1 || len(s) > 5 || !digits(s) {
		return "", false
	}
	return strings.Repeat("0", 5-len(s)) + s, true
}

func digits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

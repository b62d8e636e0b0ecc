package crs

import (
	"fmt"
	"strconv"
	"strings"
)

// Systems that foreign data comes in beside those of AllSystems, which are also written.
const (
	UTM32    System = 25832 // ETRS89 / UTM zone 32N
	UTM33    System = 25833
	UTM32WGS System = 32632 // WGS 84 / UTM zone 32N
	UTM33WGS System = 32633
)

// etrsDegrees is ETRS89 in degrees, which is taken as WGS84.
const etrsDegrees = "4258"

// AllSources lists the systems that positions are read in.
func AllSources() []System { return append(AllSystems(), UTM32, UTM33, UTM32WGS, UTM33WGS) }

// sourcesExpected names them for messages.
const sourcesExpected = "EPSG:4326, 4258, 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258, 31259, 25832, 25833, 32632, 32633 or CRS84"

// ParseSource reads a system of foreign data, in the spellings of Parse.
func ParseSource(s string) (System, error) {
	if k, err := Parse(s); err == nil {
		return k, nil
	}
	code := strings.ToUpper(s)
	for _, p := range spellings {
		if rest, ok := strings.CutPrefix(code, p); ok {
			code = rest
			break
		}
	}
	if code == etrsDegrees {
		return WGS84, nil
	}
	for _, k := range AllSources() {
		if code == strconv.Itoa(int(k)) {
			return k, nil
		}
	}
	return 0, fmt.Errorf("coordinate reference system %q is not known: expected %s", shown(s), sourcesExpected)
}

// shown is a foreign name, shortened.
func shown(s string) string {
	if len(s) > 64 {
		return strings.ToValidUTF8(s[:64], "") + "…"
	}
	return s
}

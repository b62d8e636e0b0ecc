// Package zones owns the time-zone data the recurrence engine resolves wall times with: one release of the
// IANA database, embedded, so that an answer never depends on the machine it is computed on. It gives a
// zone's offset intervals; what a wall time in a gap means is decided by the caller.
//
// zones.bin, written by `make tzdata` from Debian's tzdata package:
//
//	part     content
//	line 1   the first line of tzdata.zi as it stands there: "# version 2026f"
//	index    one line a zone, sorted: NAME OFFSET LENGTH CANONICAL, offset and length in bytes within data
//	         (CANONICAL is NAME itself for the places of zone.tab, UTC, GMT and Etc/*; every other name is an
//	         alias, kept by the IANA for old data only, and has its present name there)
//	empty    one empty line
//	data     TZif files (RFC 9636, zic -b slim), equal ones stored once
package zones

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed zones.bin
var blob string

// entry is one line of the index.
type entry struct {
	data      string
	canonical string
}

type database struct {
	release, digest string
	entries         map[string]entry
	names           []string
	zones           sync.Map // name -> *Zone; at most one a name of the index
}

var open = sync.OnceValue(func() *database {
	head, data, ok := strings.Cut(blob, "\n\n")
	if !ok {
		panic("zones: zones.bin has no index")
	}
	release, index, _ := strings.Cut(head, "\n")
	sum := sha256.Sum256([]byte(blob))
	d := &database{
		release: strings.TrimPrefix(release, "# version "),
		digest:  hex.EncodeToString(sum[:]),
		entries: map[string]entry{},
	}
	for line := range strings.SplitSeq(index, "\n") {
		cells := strings.Split(line, " ")
		at, err1 := strconv.Atoi(cells[1])
		size, err2 := strconv.Atoi(cells[2])
		if err := errors.Join(err1, err2); err != nil {
			panic("zones: zones.bin: " + err.Error())
		}
		d.entries[cells[0]] = entry{data[at : at+size], cells[3]}
		d.names = append(d.names, cells[0])
	}
	return d
})

// Release is the IANA release the data names itself: "2026f".
func Release() string { return open().release }

// Digest is the SHA-256 of the embedded data, in hex.
func Digest() string { return open().digest }

// Names are all names of the data, aliases too, sorted.
func Names() []string { return append([]string(nil), open().names...) }

// Load gives the zone of exactly this name, or false. The zone of an alias has another name as Canonical.
func Load(name string) (*Zone, bool) {
	d := open()
	e, ok := d.entries[name]
	if !ok {
		return nil, false
	}
	if z, ok := d.zones.Load(name); ok {
		return z.(*Zone), true
	}
	location, err := time.LoadLocationFromTZData(name, []byte(e.data))
	if err != nil {
		panic("zones: zones.bin: " + name + ": " + err.Error())
	}
	z, _ := d.zones.LoadOrStore(name, &Zone{Name: name, Canonical: e.canonical, location: location})
	return z.(*Zone), true
}

// Location is the zone as package time knows it; it is made of the embedded data.
func (z *Zone) Location() *time.Location { return z.location }

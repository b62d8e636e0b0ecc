// Package zones owns the time-zone data the recurrence engine resolves wall times with: one release of the
// IANA database, embedded, so that an answer never depends on the machine it is computed on. It gives a
// zone's offset intervals; what a wall time in a gap means is decided by the caller.
//
// zones.bin, written by `make tzdata` from Debian's tzdata package (zic -b fat):
//
//	part     content
//	line 1   the first line of tzdata.zi as it stands there: "# version 2026f"
//	index    one line a zone, sorted: NAME OFFSET LENGTH CANONICAL, offset and length in bytes within data
//	         (CANONICAL is NAME itself for the places of zone.tab, UTC, GMT, Etc/* and Factory; every other
//	         name is an alias, kept by the IANA for old data only, and has its present name there)
//	empty    one empty line
//	data     the zones, equal ones stored once
//
// A zone, varint and uvarint as in encoding/binary:
//
//	uvarint  number of types; then for each: varint seconds east of UTC, byte 1 where it is summer time
//	byte     type before the first change
//	uvarint  number of changes; then for each: varint seconds since the one before it (the first: since
//	         1970), byte type from then on
//	rest     the rule after the last change, as a POSIX TZ string (RFC 9636, footer)
//
// The changes reach to 2037 where a zone has a rule, and further where its data does (Gaza to 2086): the rule
// alone is not enough, for it does not hold at once after the last change before it that has no rule's form.
package zones

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"sync"
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

// Load gives the zone of exactly this name, or false. The zone of an alias has another name as Canonical;
// its own data is used, which before 1997 is not always that of the present name.
func Load(name string) (*Zone, bool) {
	d := open()
	e, ok := d.entries[name]
	if !ok {
		return nil, false
	}
	if z, ok := d.zones.Load(name); ok {
		return z.(*Zone), true
	}
	changes, last, err := decode(e.data)
	if err != nil {
		panic("zones: zones.bin: " + name + ": " + err.Error())
	}
	z, _ := d.zones.LoadOrStore(name, &Zone{Name: name, Canonical: e.canonical, changes: changes, last: last})
	return z.(*Zone), true
}

// Package headcache is the artefact that holds the beginnings of others: what a reader needs of each before it can ask
// for a section, put together so that a function that has just started reads it once instead of once for each.
//
// The file is an artefact in parts (artefacts/sectionfile) of the family "fron". Each section is named by the key of an
// object and holds
//
//	offset  bytes  type  what
//	0       8      u64   length of the object
//	8              plain its first bytes: head and directory of an artefact in parts, a small object whole
//
// It repeats what lies in the store anyway: a reader that does not find an object here reads the object.
package headcache

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"mappe/artefacts/ne"
	"mappe/artefacts/overlays"
	"mappe/artefacts/proximity"
	"mappe/artefacts/sectionfile"
	"mappe/artefacts/toponyms"
)

// Artefact is the name of the artefact among those of a generation (manifest.Artefacts).
const Artefact = "fronts"

// Family is that of the file.
var Family = sectionfile.Family{'f', 'r', 'o', 'n'}

const (
	// MaxFile bounds a file in bytes.
	MaxFile = 4 << 20
	// MaxFront bounds what is taken up of one object: a directory that is longer is read by itself by those who need it.
	MaxFront = 256 << 10
)

// Kinds are the artefacts whose fronts are held: those that the answer about a place reads.
func Kinds() []string {
	return []string{overlays.GridArtefact, proximity.NearestArtefact, toponyms.Artefact, ne.DictArtefact}
}

// Front is the beginning of an object.
type Front struct {
	Size  int64 // of the whole object
	Bytes []byte
}

// Length is how many bytes of an object of a size belong into its front; beginning are its first bytes, at least
// sectionfile.HeadBytes. 0 where they are too many.
func Length(key string, beginning []byte, size int64) (int64, error) {
	n := size
	if strings.HasSuffix(key, ".parts") {
		var err error
		if n, err = sectionfile.FrontLength(beginning); err != nil {
			return 0, fmt.Errorf("%s: %w", key, err)
		}
	}
	if n > MaxFront {
		return 0, nil
	}
	return n, nil
}

// Encode makes a file of fronts by the keys of their objects.
func Encode(of map[string]Front) ([]byte, error) {
	var sections []sectionfile.Section
	for key, f := range of {
		sections = append(sections, sectionfile.Section{Name: key, Body: append(binary.LittleEndian.AppendUint64(nil, uint64(f.Size)),
			f.Bytes...)})
	}
	slices.SortFunc(sections, func(a, b sectionfile.Section) int { return strings.Compare(a.Name, b.Name) })
	return sectionfile.Encode(Family, nil, sections)
}

// Decode reads a file.
func Decode(b []byte) (map[string]Front, error) {
	if len(b) > MaxFile {
		return nil, fmt.Errorf("fronts: %d bytes, at most %d", len(b), MaxFile)
	}
	d, err := sectionfile.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("fronts: %w", err)
	}
	if d.Family() != Family || d.Size() != int64(len(b)) {
		return nil, fmt.Errorf("fronts: %d bytes of the family %s, its head says %d", len(b), d.Family(), d.Size())
	}
	out := make(map[string]Front, d.Len())
	for i := range d.Len() {
		if d.Raw(i) > MaxFront+8 {
			return nil, fmt.Errorf("fronts: %s: %d bytes, at most %d", d.Name(i), d.Raw(i), MaxFront+8)
		}
		offset, length := d.Range(i)
		body, err := d.Decode(i, b[offset:offset+length])
		if err != nil {
			return nil, fmt.Errorf("fronts: %w", err)
		}
		if len(body) < 8 {
			return nil, fmt.Errorf("fronts: %s: %d bytes, expected at least 8", d.Name(i), len(body))
		}
		size := binary.LittleEndian.Uint64(body)
		if size > sectionfile.MaxFile || int64(size) < int64(len(body)-8) {
			return nil, fmt.Errorf("fronts: %s: the first %d bytes of %d", d.Name(i), len(body)-8, size)
		}
		out[d.Name(i)] = Front{Size: int64(size), Bytes: slices.Clone(body[8:])}
	}
	return out, nil
}

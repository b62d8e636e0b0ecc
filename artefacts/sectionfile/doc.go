// Package sectionfile is the file of an artefact of the whole country that is too large to be held (.parts): a
// directory in front and sections behind it, each read alone by its range of bytes. It owns the byte layout,
// the encoder and the decoder on bytes and io.ReaderAt. What the sections hold their family knows
// (rows: artefacts/internal/column); artefacts/library reads them over a store.
//
// # Layout, version 1
//
// All integers are little-endian, offsets count from the start of the file.
//
//	offset  bytes  type  what
//	0       8      text  magic "MAPPEPRT"
//	8       2      u16   version of the file, 1
//	10      2      u16   oldest reader version that understands it, 1
//	12      4      text  family of the artefact, chosen by its package: lower-case letters and digits
//	16      8      u64   length of the file, at most 2^40
//	24      4      u32   n, number of sections, at most 2^20
//	28      4      u32   d, length of the directory, at most 2^26
//	32      4      u32   bytes the columns of the directory decode to
//	36      4      u32   CRC-32C of the directory
//	40      4      u32   zero
//	44      4      u32   CRC-32C of bytes 0 to 43
//	48      d            directory
//	48+d                 the sections in the order of the directory, without a gap, to the end of the file
//
// The directory is columns of n rows as artefacts/internal/column draws them, then zero padding:
//
//	text name, rising, 1 to 64 bytes · ints stored length · ints decoded length, at most 2^26 ·
//	ints CRC-32C of the stored bytes · count and plain frame of the family's own head, at most 2^20 bytes
//
// A section whose stored and decoded lengths are equal stands as it is. Any other is a zstd frame, followed
// by a skippable frame where it is so small that its decoded length would be more than 2^20 bytes and 2^10 for
// each stored one: readers refuse to make more of a file than that.
package sectionfile

import "fmt"

// The limits every file keeps.
const (
	// HeadBytes is the length of what stands before the directory.
	HeadBytes = 48

	MaxFile      = 1 << 40 // bytes
	MaxSections  = 1 << 20
	MaxDirectory = 1 << 26 // bytes stored
	MaxSection   = 1 << 26 // bytes decoded
	MaxHead      = 1 << 20 // bytes of the family's own head
	MaxName      = 64      // bytes

	rawBase    = 1 << 20
	rawPerByte = 1 << 10
)

const (
	version = 1
	oldest  = 1
)

var magic = [8]byte{'M', 'A', 'P', 'P', 'E', 'P', 'R', 'T'}

// Family says of what family an artefact is: four lower-case letters and digits.
type Family [4]byte

func (f Family) String() string { return string(f[:]) }

// check refuses what is no family.
func (f Family) check() error {
	for _, c := range f {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return fmt.Errorf("family %q: expected four lower-case letters and digits", f[:])
		}
	}
	return nil
}

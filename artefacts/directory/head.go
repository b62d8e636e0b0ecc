package directory

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"

	"mappe/artefacts/internal/column"
	"mappe/shared/austria"
)

// maxKGs bounds the KGs of a directory.
const maxKGs = 1 << 16

// Head says which KGs the directory covers. It is never changed.
type Head struct {
	KGs       []austria.KGCode // rising
	Addresses int
	Inputs    Sum // of what it was made from, as its builder says
	words     Sum
}

// Sum is a SHA-256.
type Sum [sha256.Size]byte

func digest(b []byte) Sum { return sha256.Sum256(b) }

// Covers says whether the KG was read when the directory was made.
func (h *Head) Covers(code austria.KGCode) bool {
	_, ok := slices.BinarySearch(h.KGs, code)
	return ok
}

func encodeHead(h *Head) ([]byte, error) {
	codes := make([]uint32, len(h.KGs))
	for i, c := range h.KGs {
		n, err := strconv.ParseUint(string(c), 10, 32)
		if err != nil || i > 0 && uint32(n) <= codes[i-1] {
			return nil, fmt.Errorf("directory: KG %q: expected rising codes of digits", c)
		}
		codes[i] = uint32(n)
	}
	return sealed("head", len(codes), func(w *column.Writer) {
		w.Count(version)
		w.Plain(h.Inputs[:])
		w.Plain(h.words[:])
		w.Uvarint(uint64(h.Addresses))
		w.Ints(differences(nil, codes))
	})
}

// ParseHead reads the head of the file.
func ParseHead(b []byte) (*Head, error) {
	h := &Head{}
	err := unseal("head", b, maxKGs, func(r *column.Reader, rows int) {
		if v := r.Count(1 << 16); v != version && r.Err == nil {
			r.Fail("version %d: this program reads version %d", v, version)
		}
		copy(h.Inputs[:], r.Plain(len(h.Inputs)))
		copy(h.words[:], r.Plain(len(h.words)))
		h.Addresses = r.Count(1 << 28)
		steps := column.Ints[uint32](r, rows)
		if r.Err != nil {
			return
		}
		at := uint64(0)
		for i, d := range steps {
			if at += uint64(d); i > 0 && d == 0 || at > 99_999 {
				r.Fail("code %d of the KGs does not rise within five digits", i)
				return
			}
			h.KGs = append(h.KGs, padded(at))
		}
	})
	if err != nil {
		return nil, err
	}
	return h, nil
}

// padded is a code of five digits; a head of 7,850 is read with each request that searches the country.
func padded(n uint64) austria.KGCode {
	var b [5]byte
	for i := range b {
		b[len(b)-1-i] = '0' + byte(n%10)
		n /= 10
	}
	return austria.KGCode(b[:])
}

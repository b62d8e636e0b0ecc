package ne

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Verify unpacks every chunk of a whole container and compares rows, digests, the sums of the sections and the generation
// of the header. dict gives a dictionary by its id. The errors wrap ErrContainer, or are dict's.
func Verify(b []byte, dict func(id string) ([]byte, error)) (*Header, error) {
	h, err := ParseFront(b, int64(len(b)))
	if err != nil {
		return nil, err
	}
	var raw []byte
	if h.Dict != "" {
		if raw, err = dict(h.Dict); err != nil {
			return nil, err
		}
		if got := DictID(raw); got != h.Dict {
			return nil, fmt.Errorf("%w: the dictionary %s is %s", ErrContainer, h.Dict, got)
		}
	}
	u, err := NewUnpacker(raw)
	if err != nil {
		return nil, err
	}
	defer u.Close()
	for i := range h.Sections {
		s := &h.Sections[i]
		sum, at := sha256.New(), h.Start()+s.Offset
		for k, c := range s.Chunks {
			rows, err := s.Unpack(k, b[at:at+c.Bytes], u)
			if err != nil {
				return nil, err
			}
			sum.Write(rows)
			at += c.Bytes
		}
		got := hex.EncodeToString(sum.Sum(nil))
		if got != s.SHA256 {
			return nil, fmt.Errorf("%w: layer %s has the sum %s, its header says %s", ErrContainer, s.Layer, got, s.SHA256)
		}
	}
	return h, nil
}

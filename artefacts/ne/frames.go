package ne

import (
	"fmt"
	"sort"

	"mappe/shared/geo/hexgrid"
)

// Frames are the frames of all sections of a container by number, in the order in which they lie: what a reader of
// ranges asks for. They are never changed, and safe for concurrent use.
type Frames struct {
	*Header
	size  int64
	first []int   // number of the first frame of each section, and that behind the last section
	ends  []int64 // of the frames, from the start of the file
}

// ParseFrames reads the front of a container of size bytes.
func ParseFrames(front []byte, size int64) (*Frames, error) {
	h, err := ParseFront(front, size)
	if err != nil {
		return nil, err
	}
	f := &Frames{Header: h, size: size}
	at := h.start
	for i := range h.Sections {
		f.first = append(f.first, len(f.ends))
		for _, c := range h.Sections[i].Chunks {
			at += c.Bytes
			f.ends = append(f.ends, at)
		}
	}
	f.first = append(f.first, len(f.ends))
	return f, nil
}

// Len is the number of frames.
func (f *Frames) Len() int { return len(f.ends) }

// Size is the length of the container.
func (f *Frames) Size() int64 { return f.size }

// Range is where a frame is stored: offset and length in the file.
func (f *Frames) Range(i int) (offset, length int64) {
	offset = f.start
	if i > 0 {
		offset = f.ends[i-1]
	}
	return offset, f.ends[i] - offset
}

// At is the section of a frame, and the frame's number in it.
func (f *Frames) At(i int) (*Section, int) {
	s := sort.SearchInts(f.first, i+1) - 1
	return &f.Sections[s], i - f.first[s]
}

// Name is the layer and the cell of a frame.
func (f *Frames) Name(i int) string {
	s, n := f.At(i)
	return string(s.Layer) + " " + s.Chunks[n].Cell.String()
}

// Decode gives a frame as it is stored: it is passed on as well as unpacked.
func (f *Frames) Decode(i int, stored []byte) ([]byte, error) {
	if _, length := f.Range(i); int64(len(stored)) != length {
		return nil, fmt.Errorf("%w: frame %s: %d bytes, expected %d", ErrContainer, f.Name(i), len(stored), length)
	}
	return stored, nil
}

// Frame is the number of the frame of a layer's rows below a cell of resolution 9; false if there are no such rows.
func (f *Frames) Frame(l Layer, chunk hexgrid.Cell) (int, bool) {
	for i := range f.Sections {
		if f.Sections[i].Layer == l {
			n, ok := f.Sections[i].Find(chunk)
			return f.first[i] + n, ok
		}
	}
	return 0, false
}

// Memory is about what the front takes in memory, in bytes.
func (f *Frames) Memory() int64 { return 512 + int64(len(f.ends))*72 }

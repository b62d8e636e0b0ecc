package exif

import (
	"bytes"
	"encoding/binary"
)

// maxEntries bounds the entries of EXIF's first directory that are looked at.
const maxEntries = 512

// orientation is what the segments before the picture itself state, 1 to 8; 0 where they state nothing.
func orientation(b []byte) int {
	for _, s := range segments(b) {
		if s.marker == 0xe1 && bytes.HasPrefix(s.body, []byte("Exif\x00\x00")) {
			if v := directory(s.body[6:]); v != 0 {
				return v
			}
		}
	}
	return 0
}

// directory looks for it in a TIFF header and its first directory.
func directory(b []byte) int {
	if len(b) < 8 {
		return 0
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(b[:4]) {
	case "II*\x00":
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 0
	}
	from := uint64(order.Uint32(b[4:]))
	if from < 8 || from+2 > uint64(len(b)) {
		return 0
	}
	entries := b[from+2:]
	for i := range min(int(order.Uint16(b[from:])), maxEntries, len(entries)/12) {
		e := entries[12*i:]
		const orientation, short = 0x0112, 3
		if order.Uint16(e) != orientation {
			continue
		}
		if v := int(order.Uint16(e[8:])); order.Uint16(e[2:]) == short && order.Uint32(e[4:]) == 1 && v >= 1 && v <= 8 {
			return v
		}
		return 0
	}
	return 0
}

// segment is a marker of a JPEG and what stands in it.
type segment struct {
	marker byte
	body   []byte
}

// maxSegments bounds the segments before the first scan; photographs have about twenty.
const maxSegments = 4096

// segments are those up to the first scan, with its header; nil where the bytes are no JPEG.
func segments(b []byte) []segment {
	if len(b) < 4 || b[0] != 0xff || b[1] != 0xd8 {
		return nil
	}
	var out []segment
	for at := 2; at+4 <= len(b) && b[at] == 0xff && len(out) < maxSegments; {
		marker := b[at+1]
		if marker == 0xff {
			at++ // filling
			continue
		}
		n := int(binary.BigEndian.Uint16(b[at+2:]))
		if n < 2 || n > len(b)-at-2 {
			return nil
		}
		out = append(out, segment{marker, b[at+4 : at+2+n]})
		if marker == 0xda {
			return out
		}
		at += 2 + n
	}
	return nil
}

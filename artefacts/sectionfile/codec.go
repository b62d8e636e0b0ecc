package sectionfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/zstd"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// The encoder and the decoder are built on first use; EncodeAll and DecodeAll are safe for concurrent use.
var (
	encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderCRC(false),
			zstd.WithSingleSegment(true))
	})
	decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
		// DecodeAll writes at most cap(dst), so a frame never grows beyond what the directory declares.
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(MaxSection))
	})
)

// pack gives the stored form of a section: the bytes as they are where compression saves nothing.
func pack(body []byte) ([]byte, error) {
	e, err := encoder()
	if err != nil {
		return nil, err
	}
	z := e.EncodeAll(body, make([]byte, 0, len(body)/2+64))
	if short := shortBy(len(body), len(z)); short > 0 {
		z = appendSkippable(z, short)
	}
	if len(z) >= len(body) {
		return body, nil
	}
	return z, nil
}

// shortBy is how many bytes more have to be stored for a section of raw decoded bytes.
func shortBy(raw, stored int) int {
	return (raw-rawBase+rawPerByte-1)/rawPerByte - stored
}

const (
	skippable     = 0x184D2A50 // RFC 8878, 3.1.2
	skippableHead = 8
)

// appendSkippable appends a frame of at least n bytes that decoders pass over.
func appendSkippable(z []byte, n int) []byte {
	n = max(n-skippableHead, 0)
	z = binary.LittleEndian.AppendUint32(z, skippable)
	z = binary.LittleEndian.AppendUint32(z, uint32(n))
	return append(z, make([]byte, n)...)
}

var errLength = errors.New("the frame has another length")

// unpack is the inverse of pack. The result shares the bytes of stored where they stand as they are.
func unpack(stored []byte, raw int) ([]byte, error) {
	if len(stored) == raw {
		return stored, nil
	}
	d, err := decoder()
	if err != nil {
		return nil, err
	}
	body, err := d.DecodeAll(stored, make([]byte, 0, raw))
	if err == nil && len(body) != raw {
		err = errLength
	}
	if err != nil {
		return nil, fmt.Errorf("zstd of %d bytes for %d: %w", len(stored), raw, err)
	}
	return body, nil
}

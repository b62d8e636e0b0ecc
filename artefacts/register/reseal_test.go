package register

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// reseal puts the checksums right, so that mutations reach the decoders behind them.
func reseal(b []byte) []byte {
	b = bytes.Clone(b)
	tab := crc32.MakeTable(crc32.Castagnoli)
	n := min(int(binary.LittleEndian.Uint16(b[12:])), (len(b)-24)/24)
	for i := range n {
		e := b[24+24*i:]
		off, l := uint64(binary.LittleEndian.Uint32(e[4:])), uint64(binary.LittleEndian.Uint32(e[8:]))
		if off+l <= uint64(len(b)) {
			binary.LittleEndian.PutUint32(e[20:], crc32.Checksum(b[off:off+l], tab))
		}
	}
	binary.LittleEndian.PutUint32(b[20:], crc32.Update(crc32.Checksum(b[:20], tab), tab, b[24:24+24*n]))
	return b
}

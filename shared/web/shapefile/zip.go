package shapefile

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"time"

	"github.com/klauspost/compress/flate"
)

// packer writes a zip archive of members of at most 2 GB, deflated, as a stream. The library's packer has a second deflate in it, which the
// function that writes exports would start with.
//
//	member     "PK" 3 4 · version 20 · flags 8 (sizes follow the data) and 0x800 (UTF-8) · method 8 · time, date · sizes 0 · name length ·
//	           0 · name
//	           data · "PK" 7 8 · CRC-32 · packed size · size
//	directory  "PK" 1 2 · version 20, 20 · flags · method · time, date · CRC-32 · sizes · name length · 0, 0, 0 · 0 · 0 · offset · name
//	end        "PK" 5 6 · 0, 0 · members, members · size and offset of the directory · 0
type packer struct {
	out       io.Writer
	at        int64
	day       time.Time
	entries   []entry
	deflate   *flate.Writer
	sum, size uint32
	from      int64 // where the data of the open member begin
}

// entry is a member in the directory.
type entry struct {
	name              string
	sum, packed, size uint32
	at                uint32
}

const zipFlags = 0x808

func (p *packer) write(b []byte) error {
	n, err := p.out.Write(b)
	p.at += int64(n)
	if err == nil && p.at > math.MaxUint32 {
		err = fmt.Errorf("the archive has more than %d bytes", uint32(math.MaxUint32))
	}
	return err
}

// member begins the next member; what is written to the packer is its content.
func (p *packer) member(name string) error {
	if err := p.close(); err != nil {
		return err
	}
	p.entries = append(p.entries, entry{name: name, at: uint32(p.at)})
	b := append([]byte("PK\x03\x04"), 20, 0)
	b = p.stamp(b)
	b = append(b, make([]byte, 12)...)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(name)))
	b = binary.LittleEndian.AppendUint16(b, 0)
	if err := p.write(append(b, name...)); err != nil {
		return err
	}
	p.sum, p.size, p.from = 0, 0, p.at
	counted := writerFunc(func(b []byte) (int, error) { return len(b), p.write(b) })
	if p.deflate == nil {
		var err error
		if p.deflate, err = flate.NewWriter(counted, flate.DefaultCompression); err != nil {
			return err
		}
	}
	p.deflate.Reset(counted)
	return nil
}

// writerFunc is a function that writes.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// stamp writes flags, method, time and date.
func (p *packer) stamp(b []byte) []byte {
	b = binary.LittleEndian.AppendUint16(b, zipFlags)
	b = binary.LittleEndian.AppendUint16(b, 8)
	t := p.day
	b = binary.LittleEndian.AppendUint16(b, uint16(t.Hour()<<11|t.Minute()<<5|t.Second()/2))
	return binary.LittleEndian.AppendUint16(b, uint16((t.Year()-1980)<<9|int(t.Month())<<5|t.Day()))
}

// Write adds to the open member.
func (p *packer) Write(b []byte) (int, error) {
	if int64(p.size)+int64(len(b)) > math.MaxUint32 {
		return 0, fmt.Errorf("a member has more than %d bytes", uint32(math.MaxUint32))
	}
	p.sum, p.size = crc32.Update(p.sum, crc32.IEEETable, b), p.size+uint32(len(b))
	return p.deflate.Write(b)
}

// close ends the open member.
func (p *packer) close() error {
	if len(p.entries) == 0 {
		return nil
	}
	if err := p.deflate.Close(); err != nil {
		return err
	}
	e := &p.entries[len(p.entries)-1]
	e.sum, e.packed, e.size = p.sum, uint32(p.at-p.from), p.size
	return p.write(e.sums([]byte("PK\x07\x08")))
}

func (e *entry) sums(b []byte) []byte {
	for _, v := range []uint32{e.sum, e.packed, e.size} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

// finish ends the archive.
func (p *packer) finish() error {
	if err := p.close(); err != nil {
		return err
	}
	from := p.at
	for i := range p.entries {
		e := &p.entries[i]
		b := append([]byte("PK\x01\x02"), 20, 0, 20, 0)
		b = e.sums(p.stamp(b))
		b = binary.LittleEndian.AppendUint16(b, uint16(len(e.name)))
		b = append(b, make([]byte, 12)...)
		b = binary.LittleEndian.AppendUint32(b, e.at)
		if err := p.write(append(b, e.name...)); err != nil {
			return err
		}
	}
	b := append([]byte("PK\x05\x06"), 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(p.entries)))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(p.entries)))
	b = binary.LittleEndian.AppendUint32(b, uint32(p.at-from))
	b = binary.LittleEndian.AppendUint32(b, uint32(from))
	return p.write(append(b, 0, 0))
}

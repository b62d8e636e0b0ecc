package kgfile

import (
	"encoding/binary"
	"testing"
)

// FormatVersion is the version that is written.
var FormatVersion = int(format.Version)

// SectionSizes gives the stored bytes of each section.
func SectionSizes(t testing.TB, data []byte) map[string]int {
	t.Helper()
	secs, err := format.Disassemble(data)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{"table": int(binary.LittleEndian.Uint32(data[24+4:]))}
	for _, s := range secs {
		out[s.Name] = len(s.Body)
	}
	return out
}

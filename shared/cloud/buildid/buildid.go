// Package buildid tells one build of a program from another, for validators that must change with the
// software. It reads the build ID that the Go linker wrote: the same sources and tools give the same one.
package buildid

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
)

// headBytes of a program hold its notes: the linker puts them behind the program headers.
const headBytes = 32 << 10

// mark stands before the ID in an ELF note: type 4, name "Go".
var mark = []byte("\x04\x00\x00\x00Go\x00\x00")

// maxID bounds an ID in bytes; Go writes 83.
const maxID = 256

// Own is the build ID of the running program; "" where it has none that can be read (not an ELF file).
func Own() string {
	f, err := os.Open("/proc/self/exe")
	if err != nil {
		return ""
	}
	defer f.Close() // read only
	head := make([]byte, headBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return ""
	}
	return of(head[:n])
}

// of finds the note: length of the name, length of the ID, type, name, ID.
func of(head []byte) string {
	at := bytes.Index(head, mark)
	if at < 4 {
		return ""
	}
	size := uint64(binary.LittleEndian.Uint32(head[at-4:]))
	id := head[at+len(mark):]
	if size > maxID || size > uint64(len(id)) {
		return ""
	}
	return string(id[:size])
}

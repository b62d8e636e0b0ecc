package drawn

import "bytes"

// What reading a body takes: the room of its positions and of their union. A small body is nothing beside what a process
// holds anyway.
const (
	smallBody  = 16 << 10
	perByte    = 32
	ofArchives = 8 * MaxBytes // what shapefiles and GeoPackages unpack to
)

// MemoryOf is what reading a body takes, in bytes, about: 0 for a small one.
func MemoryOf(body []byte) (need int64) {
	if len(body) > smallBody {
		need = perByte * int64(len(body))
	}
	if Packed(body) || bytes.HasPrefix(body, []byte("--")) { // a form may hold an archive
		need += ofArchives
	}
	return need
}

package tiles

import (
	"bufio"
	"io"
	"sort"

	"mappe/artefacts/pmt"
)

// Scratch takes the joined tiles one behind the other and gives them back: a temporary file.
type Scratch interface {
	io.Writer
	io.ReaderAt
}

// Merged is the archive that Merge made: a head in memory, and tile contents that lie in the merged
// archives and in the scratch file. It is read by several goroutines at once where those can be.
type Merged struct {
	head    []byte
	extents []extent
	size    int64 // of the contents
	written int64 // of scratch

	joined  io.ReaderAt
	scratch *bufio.Writer
	next    source // where the next content that is written comes from
}

// source is a place contents can be read from; a nil archive is the scratch file.
type source struct {
	archive *pmt.Archive
	at      int64
}

// extent says where a stretch of the contents lies. It ends where the next begins.
type extent struct {
	start int64 // in the contents
	from  source
}

// take says that the next content written is the entry's of an archive, or with nil a joined one.
func (m *Merged) take(a *pmt.Archive, e pmt.Entry) { m.next = source{a, int64(e.Offset)} }

// Write notes where a content lies, and keeps it where it lies nowhere. The archive's builder writes each
// content once and whole.
func (m *Merged) Write(b []byte) (int, error) {
	from := m.next
	if from.archive == nil {
		from.at = m.written
		if n, err := m.scratch.Write(b); err != nil {
			return n, err
		}
		m.written += int64(len(b))
	}
	m.add(from, int64(len(b)))
	return len(b), nil
}

// add says where the next bytes of the contents lie.
func (m *Merged) add(from source, n int64) {
	if k := len(m.extents); k == 0 || m.extents[k-1].from.archive != from.archive ||
		m.extents[k-1].from.at+m.size-m.extents[k-1].start != from.at {
		m.extents = append(m.extents, extent{m.size, from})
	}
	m.size += n
}

// Size is the length of the archive.
func (m *Merged) Size() int64 { return int64(len(m.head)) + m.size }

// Joined is how many bytes went to the scratch file.
func (m *Merged) Joined() int64 { return m.written }

// ReadAt implements io.ReaderAt.
func (m *Merged) ReadAt(b []byte, at int64) (n int, err error) {
	if at < int64(len(m.head)) {
		n = copy(b, m.head[at:])
	}
	at += int64(n) - int64(len(m.head))
	for i := m.find(at); n < len(b) && at < m.size; i++ {
		end := m.size
		if i+1 < len(m.extents) {
			end = m.extents[i+1].start
		}
		e := m.extents[i]
		part := b[n:min(int64(len(b)), int64(n)+end-at)]
		got, err := m.read(part, e.from, at-e.start)
		n, at = n+got, at+int64(got)
		if got < len(part) {
			return n, err
		}
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// find gives the extent that holds a place of the contents.
func (m *Merged) find(at int64) int {
	return sort.Search(len(m.extents), func(i int) bool { return m.extents[i].start > at }) - 1
}

func (m *Merged) read(b []byte, from source, skip int64) (int, error) {
	if from.archive == nil {
		return m.joined.ReadAt(b, from.at+skip)
	}
	return from.archive.ReadContents(b, from.at+skip)
}

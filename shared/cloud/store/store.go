// Package store is the object store port: artefacts are written once, read by range, and one small
// pointer is swapped. It owns the interface, its contract suite (storetest) and the implementations
// mem, dir and s3 in packages of their own; storeurl chooses by URL. It knows nothing of what the
// objects mean.
package store

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"
)

// The outcomes a caller decides on; everything else is an I/O error wrapped with the key.
var (
	// ErrNotFound: no object has the key.
	ErrNotFound = errors.New("no such object")
	// ErrNotModified: IfNoneMatch of a Get matches the object's ETag; there is no body.
	ErrNotModified = errors.New("not modified")
	// ErrPrecondition: IfMatch or Immutable of a Put does not hold; nothing was written.
	ErrPrecondition = errors.New("precondition failed")
	// ErrRange: the range starts at or behind the end of the object.
	ErrRange = errors.New("range not satisfiable")
	// ErrTooLarge: the object is larger than the limit of a ReadAll.
	ErrTooLarge = errors.New("object too large")
	// ErrKey: the key breaks the grammar that CheckKey writes down.
	ErrKey = errors.New("key not allowed")
)

// Store holds objects under slash-separated keys. All methods are safe for concurrent use and honour
// the context. Reads see the newest completed write (strong consistency); a Put is atomic: readers see
// the old object or the new one, whole, also when the writer is killed. Implementations retry what is
// safe to repeat; callers do not retry.
type Store interface {
	// Get opens an object, or the part of it that Range names. The caller closes Body.
	Get(ctx context.Context, key string, opt GetOptions) (*Object, error)
	// Head says what Get would, without a body.
	Head(ctx context.Context, key string) (Info, error)
	// Put writes an object whole. With Immutable it succeeds when the key is new or holds the same
	// bytes and gives ErrPrecondition when it holds others. With IfMatch it replaces exactly the
	// version with that ETag (IfMatch "-" means: only when no object has the key).
	Put(ctx context.Context, key string, body []byte, opt PutOptions) (Info, error)
	// PutFrom is Put of the first size bytes of r, for objects too large for memory: it holds a bounded
	// part of them whatever size is. r is read more than once and from several goroutines, and must give
	// the same bytes every time; fewer than size are an error. A writer that fails or is killed leaves
	// nothing that a reader or a List sees.
	PutFrom(ctx context.Context, key string, r io.ReaderAt, size int64, opt PutOptions) (Info, error)
	// List yields the objects whose key starts with prefix in rising key order. Key, Size and Modified
	// are filled; ETag and Headers are what Head is for.
	List(ctx context.Context, prefix string) iter.Seq2[Info, error]
	// Delete removes an object; a missing one is no error.
	Delete(ctx context.Context, key string) error
}

// Copier is a Store that copies an object without reading it. Copy is a Put of the bytes under from: its conditions and
// errors are those of Put, and ErrNotFound where from does not exist.
type Copier interface {
	Copy(ctx context.Context, from, to string, opt PutOptions) (Info, error)
}

// Local is a Store whose objects are files of this machine: Stat costs less than a Head, and an object that is read in
// many small pieces costs no more than a copy of it would.
type Local interface {
	Store
	Stat(ctx context.Context, key string) (Info, error)
}

// Summing is a Store that writes an object whose key follows from its bytes and reads them once for both. PutSummed is PutFrom
// under the key and with the options that as gives for the SHA-256 of the bytes.
type Summing interface {
	PutSummed(ctx context.Context, r io.ReaderAt, size int64, as func(sum []byte) (string, PutOptions)) (Info, error)
}

// Stat says what Head says but for ETag and Headers, which may be empty. Its errors are those of Head.
func Stat(ctx context.Context, s Store, key string) (Info, error) {
	if l, ok := s.(Local); ok {
		return l.Stat(ctx, key)
	}
	return s.Head(ctx, key)
}

// Absent as IfMatch of a Put: write only when no object has the key.
const Absent = "-"

// Range is a part of an object: Length bytes from Offset; Length 0 means to the end. A negative Offset
// counts from the end (-8 is the last eight bytes) and stops at the start of a shorter object. A part
// that reaches behind the end is cut there.
type Range struct{ Offset, Length int64 }

// GetOptions narrow a Get.
type GetOptions struct {
	Range       *Range
	IfNoneMatch string // ETag as Info gives it: ErrNotModified when it is still current
	// Plain says that the caller wants the bytes alone: ETag and Headers may be empty. A store that has to read an object for
	// its ETag does not, then. It has no effect beside IfNoneMatch.
	Plain bool
}

// PutOptions describe the object and the condition it is written under.
type PutOptions struct {
	Headers   Headers
	Immutable bool
	IfMatch   string
}

// Headers are kept with the object and served by the CDN as they are. A Put without any stores what
// Derived says for the key.
type Headers struct {
	ContentType, ContentEncoding, CacheControl string
}

// Info describes an object.
type Info struct {
	Key      string
	Size     int64  // of the whole object
	ETag     string // strong and quoted: other bytes, another ETag; a hash of the content only where ETagOf says so
	Modified time.Time
	Headers  Headers
}

// Object is an open read.
type Object struct {
	Info
	Body   io.ReadCloser
	Offset int64 // where Body starts in the object
	Length int64 // bytes in Body
}

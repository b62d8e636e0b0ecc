package reply

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"mappe/shared/web/fault"
)

// Content is a file: a body whose bytes and length are known and do not depend on how it is asked for. It
// answers single byte ranges (RFC 9110 14), so that large ones can be read in parts and fetched further.
type Content struct {
	ContentType string
	// Encoding is the content coding in which the bytes are stored ("gzip"); "" for none. It is sent as it is.
	Encoding string
	Size     int64
	// Open gives length bytes from an offset, both within Size; length is at least 1. It is called once, before
	// the first byte goes out: its error can still be answered.
	Open     func(ctx context.Context, offset, length int64) (io.ReadCloser, error)
	Filename string // an attachment when set
	Header   http.Header
	// Done is called when the answer is over, however it ended; nil where nobody waits for that.
	Done func()
}

func (*Content) answer() {}

// Range is the part of a file that a request asks for.
type Range struct{ Offset, Length int64 }

// ErrRange says that a range begins behind the end of the file.
var ErrRange = errors.New("the range begins behind the end")

// ParseRange reads a Range header for a file of size bytes. ok is false where the whole file is meant: no
// header, several ranges, another unit than bytes, or what cannot be read (RFC 9110 14.2 lets a server pass
// over them).
func ParseRange(header string, size int64) (r Range, ok bool, err error) {
	spec, isBytes := strings.CutPrefix(header, "bytes=")
	from, to, dash := strings.Cut(spec, "-")
	if !isBytes || !dash || from+to == "" || strings.Trim(from+to, "0123456789") != "" {
		return Range{}, false, nil
	}
	if from == "" {
		n, err := strconv.ParseInt(to, 10, 64)
		if err != nil {
			n = size // more than there can be
		}
		if n == 0 || size == 0 {
			return Range{}, false, ErrRange
		}
		n = min(n, size)
		return Range{size - n, n}, true, nil
	}
	lo, err := strconv.ParseInt(from, 10, 64)
	if err != nil || lo >= size {
		return Range{}, false, ErrRange
	}
	hi := size - 1
	if n, err := strconv.ParseInt(to, 10, 64); err == nil {
		if n < lo {
			return Range{}, false, nil
		}
		hi = min(hi, n)
	}
	return Range{lo, hi - lo + 1}, true, nil
}

// asked is the part of the file that the request wants, of the version that it knows.
func (a *Ask) asked(size int64) (part Range, partial bool, err error) {
	part = Range{0, size}
	if a.Range == "" || a.Head || a.IfRange != "" && a.IfRange != a.ETag {
		return part, false, nil
	}
	r, ok, err := ParseRange(a.Range, size)
	if ok {
		part = r
	}
	return part, ok, err
}

func writeContent(w http.ResponseWriter, a *Ask, t *Content) error {
	if t.Done != nil {
		defer t.Done()
	}
	part, partial, err := a.asked(t.Size)
	if err != nil {
		f := fault.Of(fault.UnsatisfiableRange, "Range", a.Range, fmt.Sprintf("a range that begins before byte %d", t.Size))
		f.Size = t.Size
		return f
	}
	var body io.ReadCloser = http.NoBody
	if !a.Head && part.Length > 0 {
		if body, err = t.Open(a.context(), part.Offset, part.Length); err != nil {
			return err
		}
	}
	defer body.Close()
	h := w.Header()
	a.headers(h, t.Header)
	h.Set("Content-Type", t.ContentType)
	h["X-Content-Type-Options"] = nosniff
	h.Set("Accept-Ranges", "bytes")
	h.Set("Content-Length", strconv.FormatInt(part.Length, 10))
	if t.Encoding != "" {
		h.Set("Content-Encoding", t.Encoding)
	}
	if t.Filename != "" {
		h.Set("Content-Disposition", disposition(t.Filename))
	}
	status := http.StatusOK
	if partial {
		status = http.StatusPartialContent
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", part.Offset, part.Offset+part.Length-1, t.Size))
	}
	w.WriteHeader(status)
	n, err := io.CopyN(w, body, part.Length)
	if err != nil && !a.Head {
		panic(Broken{err, n})
	}
	return nil
}

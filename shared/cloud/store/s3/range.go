package s3

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mappe/shared/cloud/store"
)

// rangeHeader writes a Range as HTTP does. A suffix with a length asks for the suffix; the caller cuts it.
func rangeHeader(r *store.Range) *string {
	if r == nil {
		return nil
	}
	h := fmt.Sprintf("bytes=%d-", r.Offset)
	if r.Offset < 0 {
		h = fmt.Sprintf("bytes=%d", r.Offset)
	} else if r.Length > 0 && r.Length <= math.MaxInt64-r.Offset {
		h += strconv.FormatInt(r.Offset+r.Length-1, 10)
	}
	return &h
}

// contentRange reads "bytes 5-9/20": the size of the whole and where the part starts.
func contentRange(h string) (size, offset int64, err error) {
	bad := fmt.Errorf("Content-Range %q: want bytes first-last/size", h)
	part, total, ok := strings.Cut(strings.TrimPrefix(h, "bytes "), "/")
	if !ok {
		return 0, 0, bad
	}
	first, _, _ := strings.Cut(part, "-")
	if offset, err = strconv.ParseInt(first, 10, 64); err != nil {
		return 0, 0, bad
	}
	if size, err = strconv.ParseInt(total, 10, 64); err != nil {
		return 0, 0, bad
	}
	return size, offset, nil
}

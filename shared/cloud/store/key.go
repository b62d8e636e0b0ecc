package store

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds of a key: S3 allows 1,024 bytes for prefix and key together, file systems 255 for a segment.
const (
	maxKeyBytes     = 900
	maxSegmentBytes = 255
)

// CheckKey says whether every store takes the key: 1 to 900 bytes of UTF-8 without control bytes or
// backslash, in slash-separated segments of 1 to 255 bytes none of which starts with a dot. So a key is
// relative, names a file rather than a folder, never climbs, and leaves dot folders to the stores.
func CheckKey(key string) error {
	if key == "" || len(key) > maxKeyBytes {
		return badKey(key, "1 to 900 bytes")
	}
	if !utf8.ValidString(key) {
		return badKey(key, "UTF-8")
	}
	for i := range len(key) {
		if c := key[i]; c < 0x20 || c == 0x7F || c == '\\' {
			return badKey(key, "no control byte and no backslash")
		}
	}
	for segment := range strings.SplitSeq(key, "/") {
		if segment == "" || len(segment) > maxSegmentBytes || segment[0] == '.' {
			return badKey(key, "segments of 1 to 255 bytes that do not start with a dot")
		}
	}
	return nil
}

// CheckPrefix says whether a List may ask for the prefix: empty, or the beginning of an allowed key.
func CheckPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	return CheckKey(prefix + "x")
}

func badKey(key, want string) error {
	if len(key) > 120 {
		key = key[:120]
	}
	return fmt.Errorf("%w: %q: want %s", ErrKey, key, want)
}

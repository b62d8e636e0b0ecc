package store

import "fmt"

// CheckCondition decides a Put for a store that knows what stands under the key: nil, or ErrPrecondition.
// The caller has already let through an Immutable write of the bytes that stand there.
func CheckCondition(key string, opt PutOptions, exists bool, etag string) error {
	switch {
	case opt.Immutable && exists:
		return fmt.Errorf("store: %s: %w: the key is immutable and holds other bytes", key, ErrPrecondition)
	case opt.IfMatch == Absent && exists:
		return fmt.Errorf("store: %s: %w: the key is taken", key, ErrPrecondition)
	case opt.IfMatch != "" && opt.IfMatch != Absent && !exists:
		return fmt.Errorf("store: %s: %w: no object to replace", key, ErrPrecondition)
	case opt.IfMatch != "" && opt.IfMatch != Absent && opt.IfMatch != etag:
		return fmt.Errorf("store: %s: %w: ETag is %s, not %s", key, ErrPrecondition, etag, opt.IfMatch)
	}
	return nil
}

package ledger

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
	"unicode/utf8"

	"mappe/shared/cloud/pause"
)

// Check says whether a key can be stored: both parts valid UTF-8 of 1 to MaxPart bytes without control
// characters.
func (k Key) Check() error {
	for name, part := range map[string]string{"partition": k.Partition, "sort": k.Sort} {
		if part == "" || len(part) > MaxPart || !utf8.ValidString(part) {
			return fmt.Errorf("%w: %s is %d bytes, allowed are 1 to %d of UTF-8", ErrKey, name, len(part), MaxPart)
		}
		for _, c := range part {
			if c < 0x20 || c == 0x7f {
				return fmt.Errorf("%w: %s holds a control character", ErrKey, name)
			}
		}
	}
	return nil
}

// backOff waits a random while that grows with the tries, so that writers of one record do not meet again.
func backOff(ctx context.Context, try int) error {
	most := min(time.Millisecond<<min(try, 6), 50*time.Millisecond)
	return pause.For(ctx, time.Duration(rand.Int64N(int64(most))+1))
}

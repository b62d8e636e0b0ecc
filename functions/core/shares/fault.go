package shares

import (
	"errors"
	"time"

	"mappe/shared/web/fault"
)

// FaultOf is what a client is told of why a share cannot be given.
func FaultOf(err error, name string) error {
	if errors.Is(err, ErrNotFound) {
		return fault.Missed("share", name)
	}
	return fault.Retry(fault.Unavailable, 5*time.Second, "the shares cannot be read at the moment: try again").Because(err)
}

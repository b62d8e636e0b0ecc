package spatial

import (
	"context"

	"mappe/artefacts/library"
	"mappe/shared/austria"
)

// loadWidth bounds the KG objects read at once by one request.
const loadWidth = 8

// ahead has the KG files of a list read a few places before they are asked for, so that a search over
// many KGs waits for the store once and not for each. The library joins the two reads of a file.
type ahead struct {
	v     *view
	codes []austria.KGCode // in the order they will be asked for
	next  int
}

// at says that number i is asked for now.
func (a *ahead) at(ctx context.Context, i int) {
	for ; a.next < len(a.codes) && a.next < i+loadWidth; a.next++ {
		if code := a.codes[a.next]; a.next > i {
			go library.Guarded(func() error { // an error comes again when the file is asked for
				_, err := a.v.KG(ctx, code)
				return err
			})
		}
	}
}

//go:build !unix

package disk

import "errors"

// Of is known on Unix only.
func Of(string) (Space, error) { return Space{}, errors.ErrUnsupported }

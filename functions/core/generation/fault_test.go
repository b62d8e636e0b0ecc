package generation_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/shared/web/fault"
)

// What cannot be read is a 503: with a time to ask again where the store is silent, with the reason where an object is lost or
// damaged. Faults, errors of the program and those of a request that ended stay what they are.
func TestFault(t *testing.T) {
	left, cancel := context.WithCancel(t.Context())
	cancel()
	own, program := fault.New(fault.NotFound, "there is none").Because(library.ErrGone), errors.New("a mistake")
	for name, c := range map[string]struct {
		ctx    context.Context
		err    error
		status int // 0: the error stays
		after  time.Duration
		reason any
	}{
		"silent store":    {t.Context(), fmt.Errorf("a key: %w", library.ErrStore), 503, 5 * time.Second, nil},
		"lost":            {t.Context(), fmt.Errorf("a key: %w", library.ErrGone), 503, 0, "lost"},
		"damaged":         {t.Context(), fmt.Errorf("a key: %w", library.ErrDamaged), 503, 0, "damaged"},
		"a fault":         {t.Context(), own, 0, 0, nil},
		"a mistake":       {t.Context(), program, 0, 0, nil},
		"cold":            {t.Context(), library.ErrCold, 0, 0, nil},
		"a client left":   {left, library.ErrDamaged, 0, 0, nil},
		"nothing is told": {t.Context(), nil, 0, 0, nil},
	} {
		got := generation.Fault(c.ctx, c.err)
		if c.status == 0 {
			if got != c.err {
				t.Errorf("%s: %v became %v", name, c.err, got)
			}
			continue
		}
		f := fault.From(got)
		if f.Status() != c.status || f.RetryAfter != c.after || f.Members["reason"] != c.reason || !errors.Is(got, errors.Unwrap(c.err)) {
			t.Errorf("%s: %d, again after %v, %v: %v", name, f.Status(), f.RetryAfter, f.Members, got)
		}
	}
}

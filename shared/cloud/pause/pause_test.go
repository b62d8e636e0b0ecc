package pause

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := For(t.Context(), time.Minute); err != nil || time.Since(began) != time.Minute {
			t.Errorf("waited %s, %v; want a minute", time.Since(began), err)
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began = time.Now()
		if err := For(short, time.Minute); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("waited %s, %v; want the end of the context after a second", time.Since(began), err)
		}
	})
}

package serve

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"mappe/localdev/state"
)

func TestOneServerADirectory(t *testing.T) {
	data, quiet := t.TempDir(), slog.New(slog.DiscardHandler)
	first, err := startPayments(t.Context(), data, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := startPayments(t.Context(), data, quiet); !errors.Is(err, state.ErrHeld) || !strings.Contains(err.Error(), data) {
		t.Errorf("a second server: want %v with the directory, got %v", state.ErrHeld, err)
	}
	other, err := startPayments(t.Context(), t.TempDir(), quiet)
	if err != nil {
		t.Errorf("another directory: %v", err)
	}
	other.close()
	first.close()
	again, err := startPayments(t.Context(), data, quiet)
	if err != nil {
		t.Errorf("after the first has ended: %v", err)
	}
	again.close()
}

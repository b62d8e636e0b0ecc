package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/ledgertest"
	"mappe/shared/cloud/ledger/sqlite"
)

func TestContract(t *testing.T) {
	ledgertest.Run(t, func(t *testing.T, now func() time.Time) ledger.Ledger {
		return open(t, filepath.Join(t.TempDir(), "ledger.db"), sqlite.Options{Now: now})
	})
}

func open(t testing.TB, path string, o sqlite.Options) *sqlite.Ledger {
	t.Helper()
	l, err := sqlite.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// Package sqlitetest opens ledgers for tests.
package sqlitetest

import (
	"context"
	"path/filepath"
	"testing"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
)

// Open is an empty ledger in a file, which ends with the test.
func Open(t testing.TB, o sqlite.Options) ledger.Ledger {
	t.Helper()
	l, err := sqlite.Open(context.WithoutCancel(t.Context()), filepath.Join(t.TempDir(), "ledger.db"), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

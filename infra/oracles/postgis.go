package oracles

import (
	"errors"
	"testing"

	"mappe/infra/bench/postgres"
)

// PostGIS is a server of the test's own; the test is skipped, saying so, where PostgreSQL or PostGIS is not installed.
func PostGIS(t testing.TB) *postgres.Cluster {
	t.Helper()
	pg, err := postgres.Start(t.Context(), postgres.Options{PostGIS: true, Settings: []string{"jit=off"}})
	if errors.Is(err, postgres.ErrAbsent) {
		t.Skip("skipped: PostGIS (Debian package postgresql-postgis) is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pg.Close(); err != nil {
			t.Error(err)
		}
	})
	return pg
}

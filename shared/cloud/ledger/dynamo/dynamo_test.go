package dynamo_test

import (
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/infra/oracles/dynalite"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/dynamo"
	"mappe/shared/cloud/ledger/ledgertest"
)

var tables atomic.Int64

// fresh gives a ledger over a table of its own.
func fresh(t *testing.T, endpoint string, now func() time.Time) *dynamo.Ledger {
	t.Helper()
	l, err := dynamo.Open("ledger-"+strconv.FormatInt(tables.Add(1), 10), dynamo.Options{Endpoint: endpoint, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestContract(t *testing.T) {
	endpoint := dynalite.Start(t)
	ledgertest.Run(t, func(t *testing.T, now func() time.Time) ledger.Ledger { return fresh(t, endpoint, now) })
}

func TestOpenRefuses(t *testing.T) {
	for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
		"AWS_ENDPOINT_URL_DYNAMODB",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"} {
		t.Setenv(name, "")
	}
	for _, c := range []struct {
		table, want string
		o           dynamo.Options
	}{
		{"ledger", "AWS_REGION", dynamo.Options{}},
		{"ledger", "AWS_ACCESS_KEY_ID", dynamo.Options{Region: "eu-central-1"}},
		{"ledger", "AWS_ACCESS_KEY_ID", dynamo.Options{Region: "eu-central-1", Endpoint: "https://dynamodb.example"}},
		{"ledger", "http://host:port", dynamo.Options{Endpoint: "127.0.0.1:8000"}},
		{"a", `table "a"`, dynamo.Options{Endpoint: "http://127.0.0.1:1"}},
		{"a/b/c", "letters", dynamo.Options{Endpoint: "http://127.0.0.1:1"}},
	} {
		if _, err := dynamo.Open(c.table, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: want an error with %q, got %v", c.table, c.o, c.want, err)
		}
	}
	if _, err := dynamo.Open("ledger", dynamo.Options{Endpoint: "http://localhost:1"}); err != nil {
		t.Errorf("a server on this machine needs no credentials: got %v", err)
	}
}

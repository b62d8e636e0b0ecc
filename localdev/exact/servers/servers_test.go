package servers

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/infra/oracles"
	"mappe/infra/oracles/dynalite"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
)

func TestFindSaysWhatIsMissing(t *testing.T) {
	if _, err := Find(t.TempDir()); err == nil || !strings.Contains(err.Error(), "make tools packages") {
		t.Errorf("want an error that says what installs the servers, got %v", err)
	}
}

// TestAServerThatEndsSaysWhy: what a server printed before it ended is in the error, and nothing is left.
func TestAServerThatEndsSaysWhy(t *testing.T) {
	program := filepath.Join(t.TempDir(), "server")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho no room >&2\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "s3")
	if _, _, err := Start(t.Context(), Programs{Gateway: program}, dir); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("want what the server said, got %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("want the directory gone, got %v", err)
	}
}

// find gives the programs or skips the test.
func find(t *testing.T) Programs {
	t.Helper()
	dynalite.Installed(t)
	p, err := Find(oracles.Root(t))
	if err != nil {
		t.Skip("skipped: no S3 server for the functions: make tools installs versitygw")
	}
	return p
}

// TestBothServe: objects and records are kept while the servers run; then they and the directory are gone.
func TestBothServe(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s3")
	s, stop, err := Start(t.Context(), find(t), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "bucket"), 0o755); err != nil { // is a bucket of the server
		t.Fatal(err)
	}
	at := "?region=eu-central-1&endpoint="
	files, err := storeurl.Open("s3://bucket/folder" + at + url.QueryEscape(s.S3))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := files.Put(t.Context(), "key", []byte("value"), store.PutOptions{}); err != nil {
		t.Error(err)
	}
	records, err := ledgerurl.Open(t.Context(), "dynamodb://table"+at+url.QueryEscape(s.DynamoDB))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := records.Get(t.Context(), ledger.Key{Partition: "p", Sort: "s"}); err == nil ||
		!strings.Contains(err.Error(), "ResourceNotFound") {
		t.Errorf("want the server to say that it has no such table, got %v", err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := files.Head(ctx, "key"); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("want no server, got %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("want the directory gone, got %v", err)
	}
}

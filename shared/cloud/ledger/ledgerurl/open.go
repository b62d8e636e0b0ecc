// Package ledgerurl opens a ledger by its address. Programs that always use one kind of ledger import
// that one instead and stay smaller.
package ledgerurl

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/dynamo"
	"mappe/shared/cloud/ledger/sqlite"
)

// Ledger is an open ledger; Close it.
type Ledger interface {
	ledger.Ledger
	Close() error
}

// want ends every error of Open.
const want = "want sqlite:///absolute/path.db, sqlite:relative/path.db or dynamodb://table?region=eu-central-1"

// Open takes sqlite:///absolute/path.db, sqlite:relative/path.db or dynamodb://table. A DynamoDB address
// may name region= and endpoint= (another server); what it does not name is taken from the environment.
// Paths are plain text up to the end: no character of them is escaped.
func Open(ctx context.Context, address string) (Ledger, error) {
	scheme, rest, found := strings.Cut(address, ":")
	switch {
	case address == "":
		return nil, fmt.Errorf("ledger: the address is empty: %s", want)
	case !found:
		return nil, fmt.Errorf("ledger: %q has no scheme: %s", address, want)
	case scheme == "sqlite":
		path, err := file(address, rest)
		if err != nil {
			return nil, err
		}
		return sqlite.Open(ctx, path, sqlite.Options{})
	case scheme == "dynamodb":
		return table(address)
	}
	return nil, fmt.Errorf("ledger: %q: scheme %q is unknown: %s", address, scheme, want)
}

// file is the path behind the scheme.
func file(address, rest string) (string, error) {
	path := rest
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		if !strings.HasPrefix(after, "/") {
			return "", fmt.Errorf("ledger: %q names a host: %s", address, want)
		}
		path = after
		if len(path) > 3 && path[2] == ':' { // sqlite:///C:/path.db
			path = path[1:]
		}
	}
	if path == "" || strings.HasSuffix(path, "/") {
		return "", fmt.Errorf("ledger: %q names no file: %s", address, want)
	}
	if strings.Contains(path, "?") {
		return "", fmt.Errorf("ledger: %q: a file takes no options: %s", address, want)
	}
	return filepath.FromSlash(path), nil
}

// withoutClose is a ledger that holds nothing open.
type withoutClose struct{ ledger.Ledger }

func (withoutClose) Close() error { return nil }

func table(address string) (Ledger, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("ledger: %q: %w", address, err)
	}
	if u.Host == "" || u.User != nil || u.Fragment != "" || strings.Trim(u.Path, "/") != "" {
		return nil, fmt.Errorf("ledger: %q names no table: %s", address, want)
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, fmt.Errorf("ledger: %q: %w", address, err)
	}
	for name, values := range query {
		if name != "region" && name != "endpoint" || len(values) != 1 || values[0] == "" {
			return nil, fmt.Errorf("ledger: %q: option %s: want region=... or endpoint=... once", address, name)
		}
	}
	l, err := dynamo.Open(u.Host, dynamo.Options{Region: query.Get("region"), Endpoint: query.Get("endpoint")})
	if err != nil {
		return nil, err
	}
	return withoutClose{l}, nil
}

// Package storeurl opens a store by its address. Programs that always use one kind of store import that
// one instead and stay smaller.
package storeurl

import (
	"fmt"
	"net/url"
	"strings"

	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/s3"
	"mappe/shared/cloud/store/signed"
)

// Open takes a directory's path or file URL (dir:///path, file:///path), s3://bucket/prefix, or mem: for
// an empty store in memory. dir:///path?signed=http://host/base&secret=TEXT is a directory with addresses
// (package signed).
func Open(address string) (store.Store, error) {
	scheme, _, found := strings.Cut(address, ":")
	if !found || len(scheme) < 2 { // one letter is a Windows drive
		if address == "" {
			return nil, fmt.Errorf("store: the address is empty: want a directory, dir:///path or s3://bucket/prefix")
		}
		return dir.Open(address)
	}
	switch scheme {
	case "mem":
		return mem.New(), nil
	case "s3":
		return s3.Open(address)
	case "dir", "file":
		u, err := url.Parse(address)
		if err != nil || u.Host != "" || u.Path == "" || u.RawQuery != "" && !u.Query().Has("signed") {
			return nil, fmt.Errorf("store: %q: want %s:///absolute/path", address, scheme)
		}
		s, err := dir.Open(u.Path)
		if err != nil || u.RawQuery == "" {
			return s, err
		}
		return signed.New(s, u.Query().Get("signed"), []byte(u.Query().Get("secret")), nil)
	}
	return nil, fmt.Errorf("store: %q: scheme %q is unknown: want a directory, dir:///path or s3://bucket/prefix", address, scheme)
}

package storeurl_test

import (
	"path/filepath"
	"strings"
	"testing"

	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/cloud/store/storeurl"
)

func TestOpenByAddress(t *testing.T) {
	root := t.TempDir()
	for _, address := range []string{root, "dir://" + filepath.ToSlash(root), "file://" + filepath.ToSlash(root)} {
		s, err := storeurl.Open(address)
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := s.(*dir.Store); !ok || d.Root() != root {
			t.Errorf("%s: want the directory, got %v", address, s)
		}
	}
	s, err := storeurl.Open("mem:")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(t.Context(), "k", nil, store.PutOptions{}); err != nil {
		t.Error(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	for name, value := range map[string]string{"AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret"} {
		t.Setenv(name, value) // so that only the address is wrong
	}
	for address, want := range map[string]string{
		"":                                 "empty",
		"dir://host/path":                  "dir:///absolute/path",
		"gs://bucket":                      `scheme "gs" is unknown`,
		"dir:":                             "dir:///absolute/path",
		"s3://bucket/a/../":                "do not start with a dot",
		"s3:///prefix":                     "no bucket",
		"s3://bucket?zone=a":               "option zone",
		"s3://bucket?region=":              "option region",
		"s3://bucket?endpoint=localhost:1": "http://host:port",
	} {
		if _, err := storeurl.Open(address); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: want an error with %q, got %v", address, want, err)
		}
	}
}

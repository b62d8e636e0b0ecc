package ledgerurl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/infra/oracles/dynalite"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/dynamo"
	"mappe/shared/cloud/ledger/ledgerurl"
)

func use(t *testing.T, address string) {
	t.Helper()
	l, err := ledgerurl.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	k := ledger.Key{Partition: "p", Sort: "s"}
	if _, err := l.Put(t.Context(), ledger.Record{Key: k, Value: []byte("x")}, ledger.Absent); err != nil {
		t.Errorf("%s: %v", address, err)
	}
	if r, err := l.Get(t.Context(), k); err != nil || string(r.Value) != "x" {
		t.Errorf("%s: want the record, got %+v, %v", address, r, err)
	}
}

func TestOpenAFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for address, file := range map[string]string{
		"sqlite://" + filepath.ToSlash(dir) + "/absolute.db": "absolute.db",
		"sqlite:relative.db":                                  "relative.db",
		"sqlite:below/here.db":                                "below/here.db",
		"sqlite:" + filepath.ToSlash(dir) + "/one colon.db":   "one colon.db",
		"sqlite://" + filepath.ToSlash(dir) + "/with %41#.db": "with %41#.db",
	} {
		use(t, address)
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestOpenATable(t *testing.T) {
	endpoint := dynalite.Start(t)
	made, err := dynamo.Open("by-address", dynamo.Options{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	if err := made.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	use(t, "dynamodb://by-address?region=eu-central-1&endpoint="+endpoint)
}

func TestOpenRefuses(t *testing.T) {
	for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL_DYNAMODB"} {
		t.Setenv(name, "")
	}
	for address, want := range map[string]string{
		"":                              "empty",
		"ledger.db":                     "no scheme",
		"redis://host":                  `scheme "redis" is unknown`,
		"sqlite:":                       "names no file",
		"sqlite:///":                    "names no file",
		"sqlite:folder/":                "names no file",
		"sqlite://host/ledger.db":       "names a host",
		"sqlite:ledger.db?mode=ro":      "no options",
		"dynamodb:ledger":               "names no table",
		"dynamodb://":                   "names no table",
		"dynamodb://table/more":         "names no table",
		"dynamodb://user@table":         "names no table",
		"dynamodb://ledger":             "AWS_REGION",
		"dynamodb://ledger?zone=a":      "option zone",
		"dynamodb://ledger?region=":     "option region",
		"dynamodb://ledger?endpoint=8%": "invalid",
		"dynamodb://ledger?region=eu-central-1&endpoint=localhost": "http://host:port",
	} {
		if l, err := ledgerurl.Open(t.Context(), address); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: want an error with %q, got %v, %v", address, want, l, err)
		}
	}
}

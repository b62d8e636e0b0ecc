package s3_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/s3"
	"mappe/shared/cloud/store/storetest"
)

// TestPresigned: addresses read and write objects without credentials, and nothing else than they say.
func TestPresigned(t *testing.T) {
	endpoint := startGateway(t)
	t.Setenv("AWS_ENDPOINT_URL_S3", endpoint)
	n := 0
	storetest.RunPresigner(t, func(t *testing.T) storetest.Presigning {
		n++
		s := openTest(t, fmt.Sprintf("s3://presigned-%d/some/prefix", n))
		waitFor(t, func() error { return s.CreateBucket(t.Context()) })
		return s
	})
}

// TestTheAddressNamesTheServer: a server on this machine is found by the address alone, without environment.
func TestTheAddressNamesTheServer(t *testing.T) {
	for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL_S3",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"} {
		t.Setenv(name, "")
	}
	var asked, signed string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, signed = r.URL.Path, r.Header.Get("Authorization")
		w.WriteHeader(http.StatusNotFound)
	}))
	defer server.Close()
	s, err := s3.Open("s3://bucket/folder?region=eu-central-1&endpoint=" + url.QueryEscape(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Head(t.Context(), "key"); !errors.Is(err, store.ErrNotFound) || asked != "/bucket/folder/key" ||
		!strings.Contains(signed, "Credential=local/") || !strings.Contains(signed, "/eu-central-1/s3/") {
		t.Errorf("want /bucket/folder/key asked, signed for the region with local keys, got %q, %q, %v", asked, signed, err)
	}
	if _, err := s3.Open("s3://bucket?endpoint=https://s3.example"); err == nil || !strings.Contains(err.Error(), "AWS_REGION") {
		t.Errorf("a server elsewhere: want its region asked for, got %v", err)
	}
}

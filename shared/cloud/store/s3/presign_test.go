package s3_test

import (
	"fmt"
	"testing"

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

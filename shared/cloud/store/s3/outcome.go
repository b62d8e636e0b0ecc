package s3

import (
	"errors"
	"fmt"
	"net/http"

	smithyhttp "github.com/aws/smithy-go/transport/http"

	"mappe/shared/cloud/store"
)

// outcome turns the SDK's error into the store's, by the answer's status. A missing bucket is no missing
// object: it keeps the SDK's message.
func outcome(key string, err error) error {
	if err == nil {
		return nil
	}
	var response *smithyhttp.ResponseError
	if !errors.As(err, &response) {
		return fmt.Errorf("store: %s: %w", key, err)
	}
	var kind error
	switch response.HTTPStatusCode() {
	case http.StatusNotFound:
		if kind = store.ErrNotFound; errorCode(err) == "NoSuchBucket" {
			kind = nil
		}
	case http.StatusNotModified:
		kind = store.ErrNotModified
	case http.StatusPreconditionFailed:
		kind = store.ErrPrecondition
	case http.StatusRequestedRangeNotSatisfiable:
		kind = store.ErrRange
	case http.StatusConflict:
		kind = errConflict
	}
	if kind == nil {
		return fmt.Errorf("store: %s: %w", key, err)
	}
	return fmt.Errorf("store: %s: %w", key, kind)
}

func errorCode(err error) string {
	var coded interface{ ErrorCode() string }
	if errors.As(err, &coded) {
		return coded.ErrorCode()
	}
	return ""
}

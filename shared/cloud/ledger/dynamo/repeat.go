package dynamo

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"mappe/shared/cloud/pause"
)

// Requests are sent at most tries times, each given answerWithin, with pauses that double from firstPause
// (a random part of them, so that the writers of one table spread).
const (
	tries        = 8
	answerWithin = 5 * time.Second
	firstPause   = 25 * time.Millisecond
	longestPause = 2 * time.Second
)

// repeat sends a request until it is answered. doubtful says that an attempt before the last one may have
// been carried out.
func repeat(ctx context.Context, send func(context.Context) error) (doubtful bool, err error) {
	for try := 0; ; try++ {
		attempt, cancel := context.WithTimeout(ctx, answerWithin)
		err = send(attempt)
		cancel()
		if ctx.Err() != nil && err != nil {
			return doubtful, ctx.Err()
		}
		k := kindOf(err)
		if k == final || try == tries-1 {
			return doubtful, err
		}
		doubtful = doubtful || k == unknown
		if err := pause.For(ctx, rand.N(min(firstPause<<try, longestPause))+time.Millisecond); err != nil {
			return doubtful, err
		}
	}
}

// kind is what an outcome says about the request.
type kind int

const (
	final    kind = iota // answered, well or ill: the same request would be answered the same
	rejected             // not carried out for want of capacity
	unknown              // no answer, or one that leaves open whether it was carried out
)

var throttled = map[string]bool{
	"ProvisionedThroughputExceededException": true, "ThrottlingException": true, "RequestLimitExceeded": true,
	"Throttling": true, "TransactionConflictException": true, "TransactionInProgressException": true,
	"ReplicatedWriteConflictException": true,
}

func kindOf(err error) kind {
	if err == nil {
		return final
	}
	var said smithy.APIError
	if errors.As(err, &said) && throttled[said.ErrorCode()] {
		return rejected
	}
	var response *smithyhttp.ResponseError
	if errors.As(err, &response) {
		if status := response.HTTPStatusCode(); status >= 400 && status < http.StatusInternalServerError {
			return final
		}
	}
	return unknown
}

// Package invoke starts a Lambda function and does not wait for it: one signed request to the Lambda API
// (Invoke with the invocation type Event). It spares the programs the SDK's client of Lambda. It owns no
// retry: Lambda keeps the event, and what was not told is found by a schedule (shared/cloud/jobs).
package invoke

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"mappe/shared/cloud/awsenv"
)

// Client invokes one function.
type Client struct {
	lambda *awsenv.Service
	path   string
}

// maxPayload is what Lambda takes of an asynchronous event.
const maxPayload = 256 << 10

// New is the client of a function, by its name, with region and credentials of the environment (package
// awsenv). AWS_ENDPOINT_URL_LAMBDA names another server.
func New(function string) (*Client, error) {
	if function == "" || strings.ContainsAny(function, "/?# ") {
		return nil, fmt.Errorf("invoke: %q is no name of a function", function)
	}
	lambda, err := awsenv.NewService("lambda", "LAMBDA")
	if err != nil {
		return nil, err
	}
	return &Client{lambda, "/2015-03-31/functions/" + url.PathEscape(function) + "/invocations"}, nil
}

// Event hands an event to the function; nil: Lambda has it and will run it.
func (c *Client) Event(ctx context.Context, payload []byte) error {
	if len(payload) > maxPayload {
		return fmt.Errorf("invoke: payload of %d bytes, allowed are %d", len(payload), maxPayload)
	}
	a, err := c.lambda.Post(ctx, c.path, map[string]string{"Content-Type": "application/json", "X-Amz-Invocation-Type": "Event"}, payload)
	if err != nil {
		return fmt.Errorf("invoke: %w", err)
	}
	defer a.Body.Close()
	if a.StatusCode != http.StatusAccepted {
		text, _ := io.ReadAll(io.LimitReader(a.Body, 1<<10)) // what there is of it helps
		return fmt.Errorf("invoke: %s%s: %s: %.200s", c.lambda.Base, c.path, a.Status, text)
	}
	return nil
}

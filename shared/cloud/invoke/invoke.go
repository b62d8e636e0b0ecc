// Package invoke starts a Lambda function and does not wait for it: one signed request to the Lambda API
// (Invoke with the invocation type Event). It spares the programs the SDK's client of Lambda. It owns no
// retry: Lambda keeps the event, and what was not told is found by a schedule (shared/cloud/jobs).
package invoke

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"mappe/shared/cloud/awsenv"
)

// Client invokes one function.
type Client struct {
	address string
	region  string
	keys    aws.CredentialsProvider
	http    *http.Client
}

// maxPayload is what Lambda takes of an asynchronous event.
const maxPayload = 256 << 10

// New is the client of a function, by its name, with region and credentials of the environment (package
// awsenv). AWS_ENDPOINT_URL_LAMBDA names another server.
func New(function string) (*Client, error) {
	if function == "" || strings.ContainsAny(function, "/?# ") {
		return nil, fmt.Errorf("invoke: %q is no name of a function", function)
	}
	region, err := awsenv.Region()
	if err != nil {
		return nil, err
	}
	keys, err := awsenv.Keys()
	if err != nil {
		return nil, err
	}
	base := strings.TrimSuffix(os.Getenv("AWS_ENDPOINT_URL_LAMBDA"), "/")
	if base == "" {
		base = "https://lambda." + region + ".amazonaws.com"
	}
	c := &http.Client{Timeout: 10 * time.Second}
	return &Client{base + "/2015-03-31/functions/" + url.PathEscape(function) + "/invocations", region, keys, c}, nil
}

// Event hands an event to the function; nil: Lambda has it and will run it.
func (c *Client) Event(ctx context.Context, payload []byte) error {
	if len(payload) > maxPayload {
		return fmt.Errorf("invoke: payload of %d bytes, allowed are %d", len(payload), maxPayload)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(payload))
	if err != nil {
		return fmt.Errorf("invoke: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Amz-Invocation-Type", "Event")
	keys, err := c.keys.Retrieve(ctx)
	if err != nil {
		return fmt.Errorf("invoke: credentials: %w", err)
	}
	sum := sha256.Sum256(payload)
	if err := v4.NewSigner().SignHTTP(ctx, keys, r, hex.EncodeToString(sum[:]), "lambda", c.region, time.Now()); err != nil {
		return fmt.Errorf("invoke: %w", err)
	}
	a, err := c.http.Do(r)
	if err != nil {
		return fmt.Errorf("invoke: %w", err)
	}
	defer a.Body.Close()
	if a.StatusCode != http.StatusAccepted {
		text, _ := io.ReadAll(io.LimitReader(a.Body, 1<<10)) // what there is of it helps
		return fmt.Errorf("invoke: %s: %s: %.200s", c.address, a.Status, text)
	}
	return nil
}

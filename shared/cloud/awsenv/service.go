package awsenv

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// Service is an AWS service that is asked by single signed requests. It spares a program the SDK's client
// of a service of which it needs one operation. It does not retry.
type Service struct {
	Base   string // https://lambda.eu-central-1.amazonaws.com
	name   string // as requests are signed for it
	region string
	keys   aws.CredentialsProvider
	http   *http.Client
}

// requestTimeout bounds a request with its answer.
const requestTimeout = 10 * time.Second

// NewService is a service by its signing name, with region and credentials of the environment.
// AWS_ENDPOINT_URL_{variable} names another server.
func NewService(name, variable string) (*Service, error) {
	region, err := Region()
	if err != nil {
		return nil, err
	}
	keys, err := Keys()
	if err != nil {
		return nil, err
	}
	base := strings.TrimSuffix(os.Getenv("AWS_ENDPOINT_URL_"+variable), "/")
	if base == "" {
		base = "https://" + name + "." + region + ".amazonaws.com"
	}
	return &Service{Base: base, name: name, region: region, keys: keys, http: &http.Client{Timeout: requestTimeout}}, nil
}

// Post sends a body to a path with headers; the caller closes the answer's body.
func (s *Service) Post(ctx context.Context, path string, headers map[string]string, body []byte) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	keys, err := s.keys.Retrieve(ctx)
	if err != nil {
		return nil, fmt.Errorf("credentials: %w", err)
	}
	sum := sha256.Sum256(body)
	if err := v4.NewSigner().SignHTTP(ctx, keys, r, hex.EncodeToString(sum[:]), s.name, s.region, time.Now()); err != nil {
		return nil, err
	}
	return s.http.Do(r)
}

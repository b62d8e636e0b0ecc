package s3

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"mappe/shared/cloud/awsenv"
)

// Open names the bucket by URL, s3://bucket/prefix?region=eu-central-1&endpoint=http://host:port. What the address does
// not name is taken from the environment (package awsenv; AWS_ENDPOINT_URL_S3); a server on this machine needs no credentials.
func Open(raw string) (*Store, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "s3" || u.Fragment != "" || u.User != nil {
		return nil, fmt.Errorf("store: %q: want s3://bucket or s3://bucket/prefix", raw)
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, fmt.Errorf("store: %q: %w", raw, err)
	}
	for name, values := range query {
		if name != "region" && name != "endpoint" || len(values) != 1 || values[0] == "" {
			return nil, fmt.Errorf("store: %q: option %s: want region=... or endpoint=... once", raw, name)
		}
	}
	client, err := client(query.Get("region"), cmp.Or(query.Get("endpoint"), os.Getenv("AWS_ENDPOINT_URL_S3")))
	if err != nil {
		return nil, fmt.Errorf("store: S3: %w", err)
	}
	return New(client, u.Host, u.Path)
}

func client(region, endpoint string) (*awss3.Client, error) {
	o := awss3.Options{
		Region:                     region,
		ResponseChecksumValidation: aws.ResponseChecksumValidationWhenRequired,
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenSupported,
		RetryMaxAttempts:           5,
	}
	here := false
	if endpoint != "" {
		u, err := url.Parse(endpoint)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, fmt.Errorf("endpoint %q: want http://host:port or https://host", endpoint)
		}
		here = awsenv.Here(u)
		o.BaseEndpoint, o.UsePathStyle = &endpoint, true
	}
	var err error
	if o.Region == "" {
		if o.Region, err = awsenv.Region(); err != nil && !here {
			return nil, err
		}
	}
	if o.Credentials, err = awsenv.Keys(); here {
		o.Region = cmp.Or(o.Region, "us-east-1")
		if err != nil {
			o.Credentials, err = awsenv.LocalKeys(), nil
		}
	}
	if err != nil {
		return nil, err
	}
	return awss3.New(o), nil
}

// CreateBucket makes the store's bucket on a server of one's own; one that is there is left alone.
func (s *Store) CreateBucket(ctx context.Context) error {
	_, err := s.client.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: &s.bucket})
	if code := errorCode(err); code == "BucketAlreadyOwnedByYou" || code == "BucketAlreadyExists" {
		return nil
	}
	return outcome("bucket "+s.bucket, err)
}

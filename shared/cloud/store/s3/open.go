package s3

import (
	"context"
	"fmt"
	"net/url"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"mappe/shared/cloud/awsenv"
)

// Open names the bucket by URL, s3://bucket/prefix, and takes region and credentials from the environment
// (package awsenv), and another endpoint from AWS_ENDPOINT_URL_S3.
func Open(raw string) (*Store, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "s3" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, fmt.Errorf("store: %q: want s3://bucket or s3://bucket/prefix", raw)
	}
	client, err := clientFromEnvironment()
	if err != nil {
		return nil, err
	}
	return New(client, u.Host, u.Path)
}

func clientFromEnvironment() (*awss3.Client, error) {
	region, err := awsenv.Region()
	if err != nil {
		return nil, fmt.Errorf("store: S3: %w", err)
	}
	keys, err := awsenv.Keys()
	if err != nil {
		return nil, fmt.Errorf("store: S3: %w", err)
	}
	o := awss3.Options{
		Region:                     region,
		Credentials:                keys,
		ResponseChecksumValidation: aws.ResponseChecksumValidationWhenRequired,
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenSupported,
		RetryMaxAttempts:           5,
	}
	if endpoint := os.Getenv("AWS_ENDPOINT_URL_S3"); endpoint != "" {
		o.BaseEndpoint = &endpoint
		o.UsePathStyle = true
	}
	return awss3.New(o), nil
}

// CreateBucket makes the store's bucket; it is for tests against a server of one's own.
func (s *Store) CreateBucket(ctx context.Context) error {
	_, err := s.client.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: &s.bucket})
	return outcome("bucket "+s.bucket, err)
}

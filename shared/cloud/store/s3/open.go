package s3

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/credentials/endpointcreds"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
)

// Open names the bucket by URL, s3://bucket/prefix, and takes region, endpoint and credentials from the
// environment as AWS runtimes set it: AWS_REGION, AWS_ENDPOINT_URL_S3, the key variables (Lambda) or the
// container credential URI (Fargate). Profiles on disk are not read: export them first
// (aws configure export-credentials --format env).
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
	region := os.Getenv("AWS_REGION")
	if region == "" {
		region = os.Getenv("AWS_DEFAULT_REGION")
	}
	if region == "" {
		return nil, errors.New("store: S3 needs AWS_REGION, for example eu-central-1")
	}
	keys, err := keysFromEnvironment()
	if err != nil {
		return nil, err
	}
	o := awss3.Options{
		Region:                     region,
		Credentials:                aws.NewCredentialsCache(keys),
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

func keysFromEnvironment() (aws.CredentialsProvider, error) {
	id, secret := os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY")
	if id != "" && secret != "" {
		return credentials.NewStaticCredentialsProvider(id, secret, os.Getenv("AWS_SESSION_TOKEN")), nil
	}
	uri := os.Getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI")
	if relative := os.Getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"); relative != "" {
		uri = "http://169.254.170.2" + relative
	}
	if uri == "" {
		return nil, errors.New("store: S3 needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment")
	}
	return endpointcreds.New(uri, func(o *endpointcreds.Options) {
		o.AuthorizationTokenProvider = endpointcreds.TokenProviderFunc(containerToken)
	}), nil
}

func containerToken() (string, error) {
	if file := os.Getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"); file != "" {
		raw, err := os.ReadFile(file)
		return strings.TrimSpace(string(raw)), err
	}
	return os.Getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN"), nil
}

// CreateBucket makes the store's bucket; it is for tests against a server of one's own.
func (s *Store) CreateBucket(ctx context.Context) error {
	_, err := s.client.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: &s.bucket})
	return outcome("bucket "+s.bucket, err)
}

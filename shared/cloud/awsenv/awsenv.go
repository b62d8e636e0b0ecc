// Package awsenv takes region and credentials from the environment as AWS runtimes set it: AWS_REGION,
// and the key variables (Lambda) or the container credential URI (Fargate). Profiles on disk are not
// read: export them first (aws configure export-credentials --format env). It spares the programs the
// SDK's config package and what that links. The store's and the ledger's clients are made with it; services
// of which one operation is needed are asked by signed requests (Service).
package awsenv

import (
	"errors"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/credentials/endpointcreds"
)

// Region is AWS_REGION, or AWS_DEFAULT_REGION.
func Region() (string, error) {
	for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION"} {
		if region := os.Getenv(name); region != "" {
			return region, nil
		}
	}
	return "", errors.New("AWS_REGION is missing in the environment, for example eu-central-1")
}

// Keys gives the credentials, kept until they expire.
func Keys() (aws.CredentialsProvider, error) {
	id, secret := os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY")
	if id != "" && secret != "" {
		return aws.NewCredentialsCache(credentials.NewStaticCredentialsProvider(id, secret, os.Getenv("AWS_SESSION_TOKEN"))), nil
	}
	uri := os.Getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI")
	if relative := os.Getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"); relative != "" {
		uri = "http://169.254.170.2" + relative
	}
	if uri == "" {
		return nil, errors.New("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are missing in the environment")
	}
	return aws.NewCredentialsCache(endpointcreds.New(uri, func(o *endpointcreds.Options) {
		o.AuthorizationTokenProvider = endpointcreds.TokenProviderFunc(containerToken)
	})), nil
}

// local is the key, and the secret, of servers on this machine where the environment has none.
const local = "local"

// OrLocal gives the environment's key and secret, or what servers on this machine take.
func OrLocal() (key, secret string) {
	key, secret = os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY")
	if key == "" || secret == "" {
		return local, local
	}
	return key, secret
}

// LocalKeys are the credentials of a server on this machine, where the environment has none.
func LocalKeys() aws.CredentialsProvider {
	return credentials.NewStaticCredentialsProvider(local, local, "")
}

// Here says whether an endpoint is on this machine.
func Here(endpoint *url.URL) bool {
	ip := net.ParseIP(endpoint.Hostname())
	return endpoint.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

func containerToken() (string, error) {
	if file := os.Getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"); file != "" {
		raw, err := os.ReadFile(file)
		return strings.TrimSpace(string(raw)), err
	}
	return os.Getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN"), nil
}

// Package secret reads values of AWS Secrets Manager while a program runs: one signed request for each
// (GetSecretValue). It spares the programs the SDK's client of that service. It keeps nothing: who asks
// decides how long a value is good for (shared/cloud/funcurl). AWS_ENDPOINT_URL_SECRETS_MANAGER names
// another server.
package secret

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"mappe/shared/cloud/awsenv"
)

// Stage is the label of a version. A new value is Current at once, and the one before it Previous.
type Stage string

const (
	Current  Stage = "AWSCURRENT"
	Previous Stage = "AWSPREVIOUS"
)

// ErrNotFound: no such secret, or no version of it has the stage.
var ErrNotFound = errors.New("no such secret or version")

// maxAnswer bounds what is read: a secret has at most 64 KiB, as JSON at most six times that.
const maxAnswer = 512 << 10

// Client reads secrets.
type Client struct{ service *awsenv.Service }

// New is the client with region and credentials of the environment (package awsenv).
func New() (*Client, error) {
	s, err := awsenv.NewService("secretsmanager", "SECRETS_MANAGER")
	if err != nil {
		return nil, err
	}
	return &Client{s}, nil
}

// Get is the text of a secret, by its name or ARN, at a stage.
func (c *Client) Get(ctx context.Context, id string, stage Stage) (string, error) {
	body, err := json.Marshal(map[string]string{"SecretId": id, "VersionStage": string(stage)})
	if err != nil {
		return "", err
	}
	a, err := c.service.Post(ctx, "/", map[string]string{"Content-Type": "application/x-amz-json-1.1",
		"X-Amz-Target": "secretsmanager.GetSecretValue"}, body)
	if err != nil {
		return "", fmt.Errorf("secret %s: %w", id, err)
	}
	defer a.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(a.Body, maxAnswer))
	if err != nil {
		return "", fmt.Errorf("secret %s: %w", id, err)
	}
	var answer struct {
		SecretString *string
		Type         string `json:"__type"`
	}
	err = json.Unmarshal(raw, &answer)
	switch {
	case a.StatusCode != http.StatusOK && strings.HasSuffix(answer.Type, "ResourceNotFoundException"):
		return "", fmt.Errorf("secret %s: %w with the stage %s", id, ErrNotFound, stage)
	case a.StatusCode != http.StatusOK:
		return "", fmt.Errorf("secret %s: %s: %.100s", id, a.Status, answer.Type) // the text of an answer may quote the request
	case err != nil || answer.SecretString == nil:
		return "", fmt.Errorf("secret %s: the answer has no SecretString: expected a secret that is a text", id)
	}
	return *answer.SecretString, nil
}

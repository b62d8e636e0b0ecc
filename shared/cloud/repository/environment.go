package repository

import (
	"context"
	"fmt"
	"sync"
	"time"

	"mappe/shared/cloud/secret"
)

// The environment. Address is the repository's; empty: there is none. Token is the token of the account, TokenSecret the
// secret (Secrets Manager) that holds it, Creator who is named as the author of records.
const (
	Address     = "MAPPE_REPOSITORY"
	Token       = "MAPPE_REPOSITORY_TOKEN"
	TokenSecret = "MAPPE_REPOSITORY_SECRET"
	Creator     = "MAPPE_REPOSITORY_CREATOR"
)

// tokenFor is how long a token that was read is used.
const tokenFor = 5 * time.Minute

// FromEnvironment is the client that the environment describes; nil where it names no repository.
func FromEnvironment(getenv func(string) string) (*Client, error) {
	if getenv(Address) == "" {
		return nil, nil
	}
	o := Options{Base: getenv(Address)}
	switch token, id := getenv(Token), getenv(TokenSecret); {
	case token != "":
		o.Token = func(context.Context) (string, error) { return token, nil }
	case id != "":
		client, err := secret.New()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", TokenSecret, err)
		}
		o.Token = kept(func(ctx context.Context) (string, error) { return client.Get(ctx, id, secret.Current) })
	}
	c, err := New(o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Address, err)
	}
	return c, nil
}

// kept reads a token now and then.
func kept(read func(context.Context) (string, error)) func(context.Context) (string, error) {
	var mu sync.Mutex
	var held string
	var since time.Time
	return func(ctx context.Context) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if held != "" && time.Since(since) < tokenFor {
			return held, nil
		}
		text, err := read(ctx)
		if err != nil {
			return "", err
		}
		held, since = text, time.Now()
		return held, nil
	}
}

package repository

import (
	"context"
	"fmt"
	"sync"
	"time"

	"mappe/shared/cloud/secret"
)

// The environment. EnvAddress is the repository's; empty without one. EnvToken is the token of the account, EnvSecret
// the secret (Secrets Manager) that holds it, EnvCreator who is named as the author of records.
const (
	EnvAddress = "MAPPE_REPOSITORY"
	EnvToken   = "MAPPE_REPOSITORY_TOKEN"
	EnvSecret  = "MAPPE_REPOSITORY_SECRET"
	EnvCreator = "MAPPE_REPOSITORY_CREATOR"
)

// tokenFor is how long a token that was read is used.
const tokenFor = 5 * time.Minute

// FromEnvironment is the client that the environment describes; nil where it names no repository.
func FromEnvironment(getenv func(string) string) (*Client, error) {
	if getenv(EnvAddress) == "" {
		return nil, nil
	}
	o := Options{Base: getenv(EnvAddress)}
	switch token, id := getenv(EnvToken), getenv(EnvSecret); {
	case token != "":
		o.Token = func(context.Context) (string, error) { return token, nil }
	case id != "":
		client, err := secret.New()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", EnvSecret, err)
		}
		o.Token = kept(func(ctx context.Context) (string, error) { return client.Get(ctx, id, secret.Current) })
	}
	c, err := New(o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", EnvAddress, err)
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

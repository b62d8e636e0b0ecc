package funcurl

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"mappe/shared/cloud/secret"
)

// The environment of a function. OriginSecrets names the secrets (Secrets Manager), by commas, whose values
// the CDN may send. OriginOpen=yes serves without a secret and is for a single function run by hand; no
// template sets it.
const (
	OriginSecrets = "MAPPE_ORIGIN_SECRETS"
	OriginOpen    = "MAPPE_ORIGIN_OPEN"
)

// OriginHeader carries the secret. The handler does not see it.
const OriginHeader = "X-Origin-Verify"

// Secrets are the values that the CDN may send; the zero value admits nobody. They are safe for concurrent use.
type Secrets struct {
	open   bool
	values *secret.Values
}

// SecretsFromEnvironment gives the secrets that the environment names, or an error that names the variable.
func SecretsFromEnvironment(getenv func(string) string) (*Secrets, error) {
	names := getenv(OriginSecrets)
	if open := getenv(OriginOpen); open != "" {
		if open != "yes" || names != "" {
			return nil, fmt.Errorf("%s=%q: want yes, and %s unset", OriginOpen, open, OriginSecrets)
		}
		return &Secrets{open: true}, nil
	}
	if names == "" {
		return nil, fmt.Errorf("%s is not set: want the ARNs of the secrets that the CDN sends, by commas, or %s=yes to serve anybody",
			OriginSecrets, OriginOpen)
	}
	ids, err := secret.IDs(OriginSecrets, names)
	if err != nil {
		return nil, err
	}
	client, err := secret.New()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", OriginSecrets, err)
	}
	return SecretsFrom(secret.Versions(client, ids)), nil
}

// SecretsFrom reads values when they are needed.
func SecretsFrom(source secret.Source) *Secrets {
	return &Secrets{values: secret.ValuesFrom(source)}
}

// NewSecrets accepts the values, each of at least 16 bytes, for ever.
func NewSecrets(values ...string) (*Secrets, error) {
	v, err := secret.NewValues(values...)
	if err != nil {
		return nil, err
	}
	return &Secrets{values: v}, nil
}

// logTo has values that cannot be read logged.
func (s *Secrets) logTo(log *slog.Logger) {
	if s.values != nil {
		s.values.Failed = func(ctx context.Context, err error) {
			log.ErrorContext(ctx, "origin secrets", "reason", "origin_secret", "error", err)
		}
	}
}

// admit takes the secret out of the headers and compares it with every accepted value in constant time.
func (s *Secrets) admit(ctx context.Context, h http.Header) secret.Verdict {
	value := h.Get(OriginHeader)
	h.Del(OriginHeader)
	switch {
	case s.open:
		return secret.Admitted
	case s.values == nil:
		return secret.Refused
	}
	return s.values.Admit(ctx, value)
}

// warm reads the values before the first request asks for them.
func (s *Secrets) warm(ctx context.Context) {
	if s.values != nil {
		s.values.Warm(ctx)
	}
}

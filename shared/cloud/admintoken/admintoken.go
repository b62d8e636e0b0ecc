// Package admintoken knows who operates the system: whoever bears the operator's token. It guards what changes
// data or spends money for everybody: processing, review of feedback, maintenance. In the cloud the token is a
// secret that is read while the functions run, and of two secrets, or of one and its version before, either is
// accepted, so that it can be changed without a pause. How a token is sent and refused is shared/web/endpoint's
// (Bearer); what it opens the families know.
//
// It stands apart from the store of tokens (shared/cloud/bearer), which keeps those of customers, observers and the work
// feed in the ledger: the operator's token guards the repair of what stands there, so it has to open when the ledger is
// empty or does not answer, who may write records of the ledger must not be able to make an operator, and whoever deploys
// the system changes the secret, not a command over the ledger.
package admintoken

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"mappe/shared/cloud/secret"
)

// The environment. Secrets names the secrets (Secrets Manager) by commas, for functions; Token is the token
// itself, for the local server.
const (
	Secrets = "MAPPE_OPERATOR_SECRETS"
	Token   = "MAPPE_OPERATOR"
)

// ErrUnread: the tokens that are accepted could not be read so far. Repeating may help.
var ErrUnread = errors.New("the operator's token cannot be compared just now")

// Tokens are the accepted tokens.
type Tokens struct{ values *secret.Values }

// FromEnvironment gives the tokens of the secrets that the environment names; nil where it names none: there
// is no operator then. Failures of reading are logged.
func FromEnvironment(getenv func(string) string, log *slog.Logger) (*Tokens, error) {
	names := getenv(Secrets)
	if names == "" {
		return nil, nil
	}
	ids, err := secret.IDs(Secrets, names)
	if err != nil {
		return nil, err
	}
	client, err := secret.New()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Secrets, err)
	}
	t := From(secret.Versions(client, ids))
	t.values.Failed = func(ctx context.Context, err error) {
		log.ErrorContext(ctx, "operator's secrets", "reason", "operator_secret", "error", err)
	}
	return t, nil
}

// From reads tokens when they are needed.
func From(source secret.Source) *Tokens { return &Tokens{secret.ValuesFrom(source)} }

// New accepts the tokens, each of at least 16 bytes, for ever.
func New(tokens ...string) (*Tokens, error) {
	v, err := secret.NewValues(tokens...)
	if err != nil {
		return nil, fmt.Errorf("operator's token: %w", err)
	}
	return &Tokens{v}, nil
}

// Check says whether a text is an accepted token. How much of a wrong one is right cannot be told from the time
// it takes. ErrUnread.
func (t *Tokens) Check(ctx context.Context, text string) (bool, error) {
	switch t.values.Admit(ctx, text) {
	case secret.Admitted:
		return true, nil
	case secret.Undecided:
		return false, ErrUnread
	}
	return false, nil
}

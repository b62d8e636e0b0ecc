package funcurl

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

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

// minSecret keeps an empty or a default value from being a secret.
const minSecret = 16

// How long values are kept, and what an unknown one costs. The CDN begins to send a new value minutes after
// it was stored, so one that is not known is looked for at once. Strangers send unknown values too: they make
// a process read unknownBurst times, then once in unknownEvery.
const (
	keepValues   = 5 * time.Minute
	unknownBurst = 3
	unknownEvery = 20 * time.Second
	retryRead    = time.Second // after a failure
	readTimeout  = 5 * time.Second
)

// Source reads the values that are accepted now. With an error it may give those it could read.
type Source func(context.Context) ([]string, error)

// Secrets are the accepted values; the zero value admits nobody. They are safe for concurrent use.
type Secrets struct {
	open   bool
	source Source // nil: what is accepted does not change
	log    *slog.Logger
	now    func() time.Time
	known  atomic.Pointer[accepted]

	reading sync.Mutex // held by the one that reads
	failed  time.Time  // of the last failure
	unknown float64    // reads that unknown values may still cause
	counted time.Time  // when unknown was right
}

// accepted are hashes of values, and when their reading began.
type accepted struct {
	sums [][sha256.Size]byte
	read time.Time
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
		return nil, fmt.Errorf("%s is not set: want the ARNs of the secrets that the CDN sends, by commas, or %s=yes to serve anybody", OriginSecrets, OriginOpen)
	}
	ids := strings.Split(names, ",")
	for _, id := range ids {
		if strings.TrimSpace(id) != id || id == "" {
			return nil, fmt.Errorf("%s=%q: want ARNs by commas, without blanks", OriginSecrets, names)
		}
	}
	client, err := secret.New()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", OriginSecrets, err)
	}
	return SecretsFrom(versions(client, ids)), nil
}

// SecretsFrom reads values when they are needed.
func SecretsFrom(source Source) *Secrets {
	return &Secrets{source: source, log: slog.New(slog.DiscardHandler), now: time.Now, unknown: unknownBurst}
}

// NewSecrets accepts the values, each of at least 16 bytes, for ever.
func NewSecrets(values ...string) (*Secrets, error) {
	sums, err := hashed(values)
	if err != nil {
		return nil, err
	}
	s := &Secrets{}
	s.known.Store(&accepted{sums: sums})
	return s, nil
}

func hashed(values []string) ([][sha256.Size]byte, error) {
	var sums [][sha256.Size]byte
	for _, v := range values {
		if len(v) < minSecret {
			return nil, fmt.Errorf("origin secret of %d bytes: want at least %d", len(v), minSecret)
		}
		sums = append(sums, sha256.Sum256([]byte(v)))
	}
	return sums, nil
}

// versions reads of each secret the current value and the one before it: whichever of the secrets is given a
// new value, what the CDN has sent until then stays accepted.
func versions(client *secret.Client, ids []string) Source {
	return func(ctx context.Context) ([]string, error) {
		stages := []secret.Stage{secret.Current, secret.Previous}
		values, errs := make([]string, len(ids)*len(stages)), make([]error, len(ids)*len(stages))
		var group sync.WaitGroup
		for i := range values {
			group.Go(func() { values[i], errs[i] = client.Get(ctx, ids[i/len(stages)], stages[i%len(stages)]) })
		}
		group.Wait()
		var got []string
		for i, v := range values {
			if stages[i%len(stages)] == secret.Previous && errors.Is(errs[i], secret.ErrNotFound) {
				errs[i] = nil // it was never changed
			} else if errs[i] == nil {
				got = append(got, v)
			}
		}
		return got, errors.Join(errs...)
	}
}

// verdict is what becomes of a request.
type verdict int

const (
	refused   verdict = iota // it did not come through the CDN
	admitted                 //
	undecided                // no values could be read so far
)

// admit takes the secret out of the headers and compares it with every accepted value in constant time.
func (s *Secrets) admit(ctx context.Context, h http.Header) verdict {
	value := h.Get(OriginHeader)
	h.Del(OriginHeader)
	if s.open {
		return admitted
	}
	given := sha256.Sum256([]byte(value))
	known := s.known.Load()
	if s.source != nil && (known == nil || s.now().Sub(known.read) > keepValues) {
		known = s.read(ctx, func(k *accepted) bool { return k != nil && s.now().Sub(k.read) <= keepValues })
	}
	if known.holds(given) {
		return admitted
	}
	if s.source == nil || len(value) < minSecret {
		return refused
	}
	arrived := s.now()
	known = s.read(ctx, func(k *accepted) bool {
		return k.holds(given) || k != nil && k.read.After(arrived) || !s.spend()
	})
	switch {
	case known.holds(given):
		return admitted
	case known == nil:
		return undecided
	}
	return refused
}

func (k *accepted) holds(given [sha256.Size]byte) bool {
	match := 0
	for i := range k.all() {
		match |= subtle.ConstantTimeCompare(given[:], k.sums[i][:])
	}
	return match == 1
}

func (k *accepted) all() [][sha256.Size]byte {
	if k == nil {
		return nil
	}
	return k.sums
}

// warm reads the values before the first request asks for them.
func (s *Secrets) warm(ctx context.Context) {
	if s.source != nil {
		s.read(ctx, func(k *accepted) bool { return k != nil })
	}
}

// read gives the values, read anew unless enough says that what is known will do. One reads at a time; the
// others wait for it. Where reading fails, what was known stays accepted.
func (s *Secrets) read(ctx context.Context, enough func(*accepted) bool) *accepted {
	s.reading.Lock()
	defer s.reading.Unlock()
	known := s.known.Load()
	now := s.now()
	if now.Sub(s.failed) < retryRead || enough(known) {
		return known
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
	defer cancel()
	values, err := s.source(ctx)
	sums, short := hashed(values)
	if err = errors.Join(err, short); err != nil {
		s.failed = s.now()
		s.log.ErrorContext(ctx, "origin secrets", "reason", "origin_secret", "error", err)
	}
	if err != nil && (known != nil || len(sums) == 0) {
		return known
	}
	fresh := &accepted{sums: sums, read: now}
	s.known.Store(fresh)
	return fresh
}

// spend takes one of the reads that unknown values may cause.
func (s *Secrets) spend() bool {
	now := s.now()
	if s.counted.IsZero() {
		s.counted = now
	}
	s.unknown = min(unknownBurst, s.unknown+now.Sub(s.counted).Seconds()/unknownEvery.Seconds())
	s.counted = now
	if s.unknown < 1 {
		return false
	}
	s.unknown--
	return true
}

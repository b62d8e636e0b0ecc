package secret

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// minSecret keeps an empty or a default value from being a secret.
const minSecret = 16

// How long values are kept, and what an unknown one costs. A new value may be sent as soon as it is stored, so
// one that is not known is looked for at once. Strangers send unknown values too: they make
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

// Values are what is accepted as a secret. The zero value accepts nothing. They are safe for concurrent use.
type Values struct {
	// Failed is told when values could not be read; nil: nobody. It is set before the first use.
	Failed func(context.Context, error)

	source Source // nil: what is accepted does not change
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

// IDs reads a list of secrets from an environment variable: names or ARNs by commas, without blanks.
func IDs(variable, text string) ([]string, error) {
	ids := strings.Split(text, ",")
	for _, id := range ids {
		if strings.TrimSpace(id) != id || id == "" {
			return nil, fmt.Errorf("%s=%q: want ARNs by commas, without blanks", variable, text)
		}
	}
	return ids, nil
}

// ValuesFrom reads values when they are needed.
func ValuesFrom(source Source) *Values {
	return &Values{source: source, now: time.Now, unknown: unknownBurst}
}

// NewValues accepts the values, each of at least 16 bytes, for ever.
func NewValues(values ...string) (*Values, error) {
	sums, err := hashed(values)
	if err != nil {
		return nil, err
	}
	v := &Values{}
	v.known.Store(&accepted{sums: sums})
	return v, nil
}

func hashed(values []string) ([][sha256.Size]byte, error) {
	var sums [][sha256.Size]byte
	for _, v := range values {
		if len(v) < minSecret {
			return nil, fmt.Errorf("secret of %d bytes: want at least %d", len(v), minSecret)
		}
		sums = append(sums, sha256.Sum256([]byte(v)))
	}
	return sums, nil
}

// Versions reads of each secret the current value and the one before it: whichever of the secrets is given a
// new value, what was sent until then stays accepted.
func Versions(client *Client, ids []string) Source {
	return func(ctx context.Context) ([]string, error) {
		stages := []Stage{Current, Previous}
		values, errs := make([]string, len(ids)*len(stages)), make([]error, len(ids)*len(stages))
		var group sync.WaitGroup
		for i := range values {
			group.Go(func() { values[i], errs[i] = client.Get(ctx, ids[i/len(stages)], stages[i%len(stages)]) })
		}
		group.Wait()
		var got []string
		for i, v := range values {
			if stages[i%len(stages)] == Previous && errors.Is(errs[i], ErrNotFound) {
				errs[i] = nil // it was never changed
			} else if errs[i] == nil {
				got = append(got, v)
			}
		}
		return got, errors.Join(errs...)
	}
}

// Verdict is what becomes of a value.
type Verdict int

const (
	Refused   Verdict = iota // it is not one of the accepted
	Admitted                 //
	Undecided                // no values could be read so far
)

// Admit compares a value with every accepted one in constant time.
func (s *Values) Admit(ctx context.Context, value string) Verdict {
	given := sha256.Sum256([]byte(value))
	known := s.known.Load()
	if s.source != nil && (known == nil || s.now().Sub(known.read) > keepValues) {
		known = s.read(ctx, func(k *accepted) bool { return k != nil && s.now().Sub(k.read) <= keepValues })
	}
	if known.holds(given) {
		return Admitted
	}
	if s.source == nil || len(value) < minSecret {
		return Refused
	}
	arrived := s.now()
	known = s.read(ctx, func(k *accepted) bool {
		return k.holds(given) || k != nil && k.read.After(arrived) || !s.spend()
	})
	switch {
	case known.holds(given):
		return Admitted
	case known == nil:
		return Undecided
	}
	return Refused
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

// Warm reads the values before the first request asks for them.
func (s *Values) Warm(ctx context.Context) {
	if s.source != nil {
		s.read(ctx, func(k *accepted) bool { return k != nil })
	}
}

// read gives the values, read anew unless enough says that what is known will do. One reads at a time; the
// others wait for it. Where reading fails, what was known stays accepted.
func (s *Values) read(ctx context.Context, enough func(*accepted) bool) *accepted {
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
		if s.Failed != nil {
			s.Failed(ctx, err)
		}
	}
	if err != nil && (known != nil || len(sums) == 0) {
		return known
	}
	fresh := &accepted{sums: sums, read: now}
	s.known.Store(fresh)
	return fresh
}

// spend takes one of the reads that unknown values may cause.
func (s *Values) spend() bool {
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

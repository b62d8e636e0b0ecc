package shares

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"slices"
	"time"

	"mappe/shared/cloud/spool"
	"mappe/shared/cloud/store"
)

// Front is how an object begins: the name and the end of its share.
func Front(name string, expires time.Time) ([]byte, error) {
	front := struct {
		Name      string  `json:"name"`
		ExpiresAt *string `json:"expires_at"`
	}{Name: name}
	if !expires.IsZero() {
		at := expires.UTC().Truncate(time.Second).Format(time.RFC3339)
		front.ExpiresAt = &at
	}
	b, err := json.Marshal(front)
	if err != nil {
		return nil, fmt.Errorf("share %s: %w", name, err)
	}
	return append(b[:len(b)-1], ','), nil
}

// kindAt is where the object has its kind: one without a front begins with it.
func (h *Share) kindAt() int64 { return max(h.FrontAt, 1) }

// Stored is a part of a store's object that is read as a stream.
type Stored struct {
	s      *Shares
	of     Share
	key    string
	offset int64
	size   int64
}

// Size is how many bytes it has.
func (o *Stored) Size() int64 { return o.size }

// Open gives length bytes from an offset of it, both within Size. ErrNotFound where the object is gone.
func (o *Stored) Open(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
	object, err := o.s.Files.Get(ctx, o.key, store.GetOptions{Range: &store.Range{Offset: o.offset + offset, Length: length}, Plain: true})
	if err != nil {
		return nil, o.told(err)
	}
	return object.Body, nil
}

// Read reads it whole.
func (o *Stored) Read(ctx context.Context) ([]byte, error) {
	body, _, err := store.ReadAll(ctx, o.s.Files, o.key, MaxBytes,
		store.GetOptions{Range: &store.Range{Offset: o.offset, Length: o.size}, Plain: true})
	if err != nil {
		return nil, o.told(err)
	}
	return body, nil
}

func (o *Stored) told(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("%w: the object of %s is gone", ErrNotFound, o.of.Name)
	}
	return fmt.Errorf("share %s: %w", o.of.Name, err)
}

// spooled reads it into a file where it is not small. The caller closes it.
func (o *Stored) spooled(ctx context.Context) (*spool.Spool, error) {
	body, err := o.Open(ctx, 0, o.size)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	all := spool.New(0)
	n, err := io.Copy(all, body)
	if err == nil && n != o.size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, errors.Join(o.told(err), all.Close())
	}
	return all, nil
}

// Object is the object of a share from its kind to its end: behind Front it is JSON.
func (s *Shares) Object(ctx context.Context, h Share) (*Stored, error) {
	size := h.Bytes
	if h.Raw != "" {
		info, err := store.Stat(ctx, s.Files, h.File)
		if err != nil {
			return nil, (&Stored{s: s, of: h}).told(err)
		}
		size = info.Size
	}
	return &Stored{s, h, h.File, h.kindAt(), size - h.kindAt()}, nil
}

// Place is the area that a result is about, as GeoJSON; null where it is about none.
func (s *Shares) Place(ctx context.Context, h Share) (json.RawMessage, error) {
	front := &Stored{s, h, h.File, h.kindAt(), h.ResultAt - h.kindAt()}
	b, err := front.Read(ctx)
	if err != nil {
		return nil, err
	}
	var about struct {
		Geometry json.RawMessage `json:"geometry"`
	}
	if err := json.Unmarshal(slices.Concat([]byte("{"), b, []byte("null}")), &about); err != nil {
		return nil, fmt.Errorf("share %s: %w", h.Name, err)
	}
	return about.Geometry, nil
}

// Result is the result, byte for byte as it would have been answered at once.
func (s *Shares) Result(ctx context.Context, h Share) (*Stored, error) {
	if h.Raw == "" {
		return &Stored{s, h, h.File, h.ResultAt, h.ResultBytes}, nil
	}
	info, err := store.Stat(ctx, s.Files, h.Raw)
	if err != nil {
		return nil, (&Stored{s: s, of: h}).told(err)
	}
	return &Stored{s, h, h.Raw, 0, info.Size}, nil
}

// life is how long an address is good at which an object is fetched.
const life = 15 * time.Minute

// ResultAddress is where a large result is fetched from the store; "" where it is not large, or the store has no addresses.
func (s *Shares) ResultAddress(ctx context.Context, h Share, bytes int64) (string, error) {
	name := ""
	if _, about, err := mime.ParseMediaType(h.Headers["Content-Disposition"]); err == nil {
		name = about["filename"]
	}
	if h.Raw == "" {
		return "", nil // of a record that was written when no result was large
	}
	return s.address(ctx, h.Raw, name, bytes)
}

// Address is where a large object is fetched from the store; "" where it is not large, or the store has no addresses.
func (s *Shares) Address(ctx context.Context, h Share, bytes int64) (string, error) {
	if h.FrontAt == 0 {
		return "", nil
	}
	return s.address(ctx, h.File, "", bytes)
}

func (s *Shares) address(ctx context.Context, key, filename string, bytes int64) (string, error) {
	signer, ok := s.Files.(store.Presigner)
	if !ok || !s.Large(bytes) {
		return "", nil
	}
	at, err := signer.PresignGet(ctx, key, filename, life)
	if err != nil {
		return "", fmt.Errorf("share: address of %s: %w", key, err)
	}
	return at, nil
}

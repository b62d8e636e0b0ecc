package s3

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"mappe/shared/cloud/pause"
	"mappe/shared/cloud/store"
)

// Metadata names: the content's SHA-256 in hex, and what tells one Put call from another.
const (
	metaSHA256 = "sha256"
	metaNonce  = "put"
)

// conflictRetries: S3 answers 409 while another conditional write of the key is under way.
const conflictRetries = 8

// lookFirst: a larger immutable object is looked for before it is sent. A rebuild mostly finds it there,
// and a server that refuses in the middle of a long body breaks the connection instead of answering.
const lookFirst = 256 << 10

func taken(key string) error {
	return fmt.Errorf("store: %s: %w: the key is immutable and holds other bytes", key, store.ErrPrecondition)
}

var errConflict = errors.New("another conditional write is under way")

// Put implements store.Store.
func (s *Store) Put(ctx context.Context, key string, body []byte, opt store.PutOptions) (store.Info, error) {
	if err := check(ctx, key); err != nil {
		return store.Info{}, err
	}
	if int64(len(body)) > maxPut {
		return store.Info{}, fmt.Errorf("store: %s: %d bytes, S3 takes at most %d in one request", key, len(body), int64(maxPut))
	}
	in := s.putInput(key, body, opt)
	w := written{int64(len(body)), in.Metadata[metaSHA256], in.Metadata[metaNonce], func() (bool, error) { return s.holds(ctx, key, body) }}
	if opt.Immutable && len(body) > lookFirst {
		if info, stored, err := s.head(ctx, key); err == nil {
			return s.judge(info, stored, opt, w, taken(key))
		} else if !errors.Is(err, store.ErrNotFound) {
			return store.Info{}, err
		}
	}
	for attempt := 0; ; attempt++ {
		in.Body = bytes.NewReader(body)
		out, err := s.client.PutObject(ctx, in)
		if err == nil {
			return store.Info{
				Key: key, Size: int64(len(body)), ETag: aws.ToString(out.ETag), Modified: time.Now().UTC().Truncate(time.Second),
				Headers: headers(in.ContentType, in.ContentEncoding, in.CacheControl),
			}, nil
		}
		err = outcome(key, err)
		switch {
		case errors.Is(err, store.ErrPrecondition):
			return s.refused(ctx, key, opt, w, err)
		case errors.Is(err, store.ErrNotFound) && in.IfMatch != nil:
			return store.Info{}, fmt.Errorf("store: %s: %w: no object to replace", key, store.ErrPrecondition)
		case !errors.Is(err, errConflict) || attempt == conflictRetries:
			return store.Info{}, err
		}
		if err := pause.For(ctx, 20*time.Millisecond<<attempt); err != nil {
			return store.Info{}, err
		}
	}
}

func (s *Store) putInput(key string, body []byte, opt store.PutOptions) *awss3.PutObjectInput {
	sum := sha256.Sum256(body)
	h := opt.Headers.OrDerived(key)
	in := &awss3.PutObjectInput{
		Bucket: &s.bucket, Key: s.key(key),
		ContentLength:   aws.Int64(int64(len(body))),
		ChecksumSHA256:  aws.String(base64.StdEncoding.EncodeToString(sum[:])),
		ContentType:     orNil(h.ContentType),
		ContentEncoding: orNil(h.ContentEncoding),
		CacheControl:    orNil(h.CacheControl),
		Metadata:        map[string]string{metaSHA256: hex.EncodeToString(sum[:]), metaNonce: rand.Text()},
	}
	in.IfNoneMatch, in.IfMatch = conditions(opt)
	return in
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// conditions are S3's own words for those of a Put.
func conditions(opt store.PutOptions) (ifNoneMatch, ifMatch *string) {
	switch {
	case opt.Immutable || opt.IfMatch == store.Absent:
		return aws.String("*"), nil
	case opt.IfMatch != "":
		return nil, &opt.IfMatch
	}
	return nil, nil
}

// written is what a Put wanted to store; same compares the bytes where no checksum is noted.
type written struct {
	size       int64
	sum, nonce string
	same       func() (bool, error)
}

// refused decides what a 412 means: our own earlier request was stored although its answer was lost, or
// the immutable key holds these very bytes; both are success. Otherwise cause stands.
func (s *Store) refused(ctx context.Context, key string, opt store.PutOptions, w written, cause error) (store.Info, error) {
	info, stored, err := s.head(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return store.Info{}, cause
	}
	if err != nil {
		return store.Info{}, errors.Join(cause, err)
	}
	return s.judge(info, stored, opt, w, cause)
}

// judge says whether the object that is there is the one to be written.
func (s *Store) judge(info store.Info, stored map[string]string, opt store.PutOptions, w written, cause error) (_ store.Info, err error) {
	if stored[metaNonce] == w.nonce {
		return info, nil
	}
	if !opt.Immutable || info.Size != w.size {
		return store.Info{}, cause
	}
	same := stored[metaSHA256] == w.sum
	if stored[metaSHA256] == "" { // written by another program: only the bytes can tell
		if same, err = w.same(); err != nil {
			return store.Info{}, errors.Join(cause, err)
		}
	}
	if !same {
		return store.Info{}, cause
	}
	return info, nil
}

// holds compares the object with body.
func (s *Store) holds(ctx context.Context, key string, body []byte) (bool, error) {
	object, err := s.Get(ctx, key, store.GetOptions{})
	if err != nil {
		return false, err
	}
	defer object.Body.Close()
	buf := make([]byte, 256<<10)
	for len(body) > 0 {
		n, err := object.Body.Read(buf)
		if n > len(body) || !bytes.Equal(buf[:n], body[:n]) {
			return false, nil
		}
		body = body[n:]
		if err == io.EOF {
			break
		}
		if err != nil {
			return false, fmt.Errorf("store: read %s: %w", key, err)
		}
	}
	return len(body) == 0, nil
}

package s3

import (
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
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"golang.org/x/sync/errgroup"

	"mappe/shared/cloud/pause"
	"mappe/shared/cloud/store"
)

// Bounds of an upload in parts. S3 takes 10,000 parts of 5 MiB to 5 GiB.
const (
	partSize   = 16 << 20 // smallest; a smaller object goes in one request
	maxParts   = 10_000
	maxObject  = 5 << 40
	partsWide  = 3 // sent at once; each is read from the caller's reader while it is sent
	abortAfter = 30 * time.Second
)

// partOf is the size of the parts of an object: no more than maxParts of them, in whole MiB.
func partOf(size int64) int64 {
	const mib = 1 << 20
	return max(partSize, ((size+maxParts-1)/maxParts+mib-1)/mib*mib)
}

// sums are the SHA-256 of an object and of each of its parts.
type sums struct {
	whole [sha256.Size]byte
	parts [][sha256.Size]byte
}

// sumParts reads the object once, in small pieces.
func sumParts(ctx context.Context, key string, r io.ReaderAt, size, part int64) (sums, error) {
	var out sums
	whole := sha256.New()
	buf := make([]byte, 1<<20)
	for at := int64(0); at < size; at += part {
		one := sha256.New()
		for from, end := at, min(at+part, size); from < end; {
			if err := ctx.Err(); err != nil {
				return out, err
			}
			b := buf[:min(int64(len(buf)), end-from)]
			n, err := r.ReadAt(b, from)
			if n < len(b) {
				return out, store.Short(key, from+int64(n), size, err)
			}
			whole.Write(b)
			one.Write(b)
			from += int64(n)
		}
		out.parts = append(out.parts, [sha256.Size]byte(one.Sum(nil)))
	}
	out.whole = [sha256.Size]byte(whole.Sum(nil))
	return out, nil
}

// PutFrom implements store.Store. The condition is decided when the parts are put together, so of two
// writers one wins; what the other has sent is thrown away (the bucket's lifecycle clears what a killed
// writer sent). An upload that another write of the key disturbed is sent again, as S3 asks.
func (s *Store) PutFrom(ctx context.Context, key string, r io.ReaderAt, size int64, opt store.PutOptions) (store.Info, error) {
	if err := check(ctx, key); err != nil {
		return store.Info{}, err
	}
	if size > maxObject {
		return store.Info{}, fmt.Errorf("store: %s: %d bytes, S3 takes at most %d", key, size, int64(maxObject))
	}
	if size <= partSize {
		body, err := store.ReadFrom(key, r, size)
		if err != nil {
			return store.Info{}, err
		}
		return s.Put(ctx, key, body, opt)
	}
	sum, err := sumParts(ctx, key, r, size, partOf(size))
	if err != nil {
		return store.Info{}, err
	}
	same := func() (bool, error) { return s.holdsSum(ctx, key, sum.whole) }
	w := written{size: size, sum: hex.EncodeToString(sum.whole[:]), nonce: rand.Text(), same: same}
	if opt.Immutable {
		if info, stored, err := s.head(ctx, key); err == nil {
			return s.judge(info, stored, opt, w, taken(key))
		} else if !errors.Is(err, store.ErrNotFound) {
			return store.Info{}, err
		}
	}
	for attempt := 0; ; attempt++ {
		info, err := s.upload(ctx, multipart{key: key, body: r, size: size, sum: sum}, opt, w)
		switch {
		case err == nil:
			return info, nil
		case errors.Is(err, store.ErrPrecondition):
			return s.refused(ctx, key, opt, w, err)
		case errors.Is(err, store.ErrNotFound) && opt.IfMatch != "" && opt.IfMatch != store.Absent:
			return s.refused(ctx, key, opt, w, fmt.Errorf("store: %s: %w: no object to replace", key, store.ErrPrecondition))
		case errors.Is(err, store.ErrNotFound): // the upload is gone: our lost answer, or somebody's abort
			return s.refused(ctx, key, opt, w, fmt.Errorf("store: %s: the upload was taken away before it was complete", key))
		case !errors.Is(err, errConflict) || attempt == conflictRetries:
			return store.Info{}, err
		}
		if err := pause.For(ctx, 20*time.Millisecond<<attempt); err != nil {
			return store.Info{}, err
		}
	}
}

// multipart is an object that is sent in parts.
type multipart struct {
	key  string
	body io.ReaderAt
	size int64
	sum  sums
	id   *string // of the upload, once S3 has begun it
}

// upload sends the parts and puts them together, or leaves nothing.
func (s *Store) upload(ctx context.Context, m multipart, opt store.PutOptions, w written) (info store.Info, err error) {
	h := opt.Headers.OrDerived(m.key)
	made, err := s.client.CreateMultipartUpload(ctx, &awss3.CreateMultipartUploadInput{
		Bucket: &s.bucket, Key: s.key(m.key), ChecksumAlgorithm: types.ChecksumAlgorithmSha256,
		ContentType: orNil(h.ContentType), ContentEncoding: orNil(h.ContentEncoding), CacheControl: orNil(h.CacheControl),
		Metadata: map[string]string{metaSHA256: w.sum, metaNonce: w.nonce},
	})
	if err != nil {
		return info, outcome(m.key, err)
	}
	m.id = made.UploadId
	defer func() {
		if err != nil {
			err = errors.Join(err, s.abort(ctx, m.key, m.id))
		}
	}()
	parts, err := s.sendParts(ctx, m)
	if err != nil {
		return info, err
	}
	in := &awss3.CompleteMultipartUploadInput{
		Bucket: &s.bucket, Key: s.key(m.key), UploadId: m.id, MultipartUpload: &types.CompletedMultipartUpload{Parts: parts},
	}
	in.IfNoneMatch, in.IfMatch = conditions(opt)
	out, err := s.client.CompleteMultipartUpload(ctx, in)
	if err != nil {
		return info, outcome(m.key, err)
	}
	return store.Info{Key: m.key, Size: m.size, ETag: aws.ToString(out.ETag), Modified: time.Now().UTC().Truncate(time.Second), Headers: h},
		nil
}

// sendParts sends the parts of an upload that has begun.
func (s *Store) sendParts(ctx context.Context, m multipart) ([]types.CompletedPart, error) {
	parts, length := make([]types.CompletedPart, len(m.sum.parts)), partOf(m.size)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(partsWide)
	for i := range parts {
		at := int64(i) * length
		n := min(length, m.size-at)
		check := aws.String(base64.StdEncoding.EncodeToString(m.sum.parts[i][:]))
		g.Go(func() error {
			out, err := s.client.UploadPart(ctx, &awss3.UploadPartInput{
				Bucket: &s.bucket, Key: s.key(m.key), UploadId: m.id, PartNumber: aws.Int32(int32(i + 1)),
				Body: io.NewSectionReader(m.body, at, n), ContentLength: &n, ChecksumSHA256: check,
			})
			if err != nil {
				return outcome(m.key, err)
			}
			parts[i] = types.CompletedPart{PartNumber: aws.Int32(int32(i + 1)), ETag: out.ETag, ChecksumSHA256: check}
			return nil
		})
	}
	return parts, g.Wait()
}

// abort throws the parts away, also when the caller's context has ended.
func (s *Store) abort(ctx context.Context, key string, id *string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortAfter)
	defer cancel()
	_, err := s.client.AbortMultipartUpload(ctx, &awss3.AbortMultipartUploadInput{Bucket: &s.bucket, Key: s.key(key), UploadId: id})
	if err = outcome(key, err); err == nil || errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return fmt.Errorf("its parts are left to the bucket's lifecycle: %w", err)
}

// holdsSum compares the object's bytes with a SHA-256.
func (s *Store) holdsSum(ctx context.Context, key string, want [sha256.Size]byte) (bool, error) {
	object, err := s.Get(ctx, key, store.GetOptions{})
	if err != nil {
		return false, err
	}
	defer object.Body.Close()
	h := sha256.New()
	if _, err := io.Copy(h, object.Body); err != nil {
		return false, fmt.Errorf("store: read %s: %w", key, err)
	}
	return [sha256.Size]byte(h.Sum(nil)) == want, nil
}

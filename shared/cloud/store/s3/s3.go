// Package s3 is the store in an S3 bucket; the AWS SDK for S3 is used here and nowhere else. It speaks
// to AWS, or to the server that AWS_ENDPOINT_URL_S3 names (then with the bucket in the path).
//
// Conditions are S3's own: If-None-Match and If-Match on PutObject, so exactly one of many writers wins.
// Every write carries its SHA-256 as checksum, which S3 verifies, and as metadata, by which an Immutable
// write is recognised as the same bytes; a nonce in the metadata tells a repeated request of ours that
// had been stored after all from another writer's. Put writes in one request, at most 5 GB; PutFrom sends
// parts of 16 MiB and more, three at a time.
package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"mappe/shared/cloud/store"
)

// maxPut is what one PutObject takes.
const maxPut = 5 << 30

// Store is a bucket, or the part of it below a prefix.
type Store struct {
	client *awss3.Client
	bucket string
	prefix string // "" or ends with a slash
}

var _ store.Store = (*Store)(nil)

// New is the store in the bucket; prefix is a folder in it or empty.
func New(client *awss3.Client, bucket, prefix string) (*Store, error) {
	if bucket == "" {
		return nil, errors.New("store: no bucket: want s3://bucket or s3://bucket/prefix")
	}
	if prefix = strings.Trim(prefix, "/"); prefix != "" {
		if err := store.CheckKey(prefix); err != nil {
			return nil, err
		}
		prefix += "/"
	}
	return &Store{client, bucket, prefix}, nil
}

// Get implements store.Store.
func (s *Store) Get(ctx context.Context, key string, opt store.GetOptions) (*store.Object, error) {
	if err := check(ctx, key); err != nil {
		return nil, err
	}
	in := &awss3.GetObjectInput{Bucket: &s.bucket, Key: s.key(key), Range: rangeHeader(opt.Range)}
	if opt.IfNoneMatch != "" {
		in.IfNoneMatch = &opt.IfNoneMatch
	}
	if r := opt.Range; r != nil && r.Length < 0 {
		return nil, fmt.Errorf("store: %s: %w: length %d", key, store.ErrRange, r.Length)
	}
	out, err := s.client.GetObject(ctx, in)
	if err != nil {
		return nil, outcome(key, err)
	}
	info := store.Info{
		Key: key, Size: aws.ToInt64(out.ContentLength), ETag: aws.ToString(out.ETag), Modified: aws.ToTime(out.LastModified).UTC(),
		Headers: headers(out.ContentType, out.ContentEncoding, out.CacheControl),
	}
	object := &store.Object{Info: info, Body: out.Body, Length: info.Size}
	if opt.Range == nil {
		return object, nil
	}
	if object.Size, object.Offset, err = contentRange(aws.ToString(out.ContentRange)); err != nil {
		out.Body.Close()
		return nil, fmt.Errorf("store: %s: %w", key, err)
	}
	if opt.Range.Offset < 0 && opt.Range.Length > 0 && object.Length > opt.Range.Length {
		object.Length = opt.Range.Length
		object.Body = limited{io.LimitReader(out.Body, object.Length), out.Body}
	}
	return object, nil
}

type limited struct {
	io.Reader
	io.Closer
}

// Head implements store.Store.
func (s *Store) Head(ctx context.Context, key string) (store.Info, error) {
	info, _, err := s.head(ctx, key)
	return info, err
}

func (s *Store) head(ctx context.Context, key string) (store.Info, map[string]string, error) {
	if err := check(ctx, key); err != nil {
		return store.Info{}, nil, err
	}
	out, err := s.client.HeadObject(ctx, &awss3.HeadObjectInput{Bucket: &s.bucket, Key: s.key(key)})
	if err != nil {
		return store.Info{}, nil, outcome(key, err)
	}
	return store.Info{
		Key: key, Size: aws.ToInt64(out.ContentLength), ETag: aws.ToString(out.ETag), Modified: aws.ToTime(out.LastModified).UTC(),
		Headers: headers(out.ContentType, out.ContentEncoding, out.CacheControl),
	}, out.Metadata, nil
}

// List implements store.Store.
func (s *Store) List(ctx context.Context, prefix string) iter.Seq2[store.Info, error] {
	return func(yield func(store.Info, error) bool) {
		if err := store.CheckPrefix(prefix); err != nil {
			yield(store.Info{}, err)
			return
		}
		full := s.prefix + prefix
		pages := awss3.NewListObjectsV2Paginator(s.client, &awss3.ListObjectsV2Input{Bucket: &s.bucket, Prefix: &full})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(store.Info{}, outcome("list "+strconv.Quote(prefix), err))
				return
			}
			for _, o := range page.Contents {
				key := strings.TrimPrefix(aws.ToString(o.Key), s.prefix)
				if store.CheckKey(key) != nil {
					continue // folder markers and what others put there
				}
				info := store.Info{Key: key, Size: aws.ToInt64(o.Size), Modified: aws.ToTime(o.LastModified).UTC()}
				if !yield(info, nil) {
					return
				}
			}
		}
	}
}

// Delete implements store.Store.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	_, err := s.client.DeleteObject(ctx, &awss3.DeleteObjectInput{Bucket: &s.bucket, Key: s.key(key)})
	if err = outcome(key, err); errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

func (s *Store) key(key string) *string { return aws.String(s.prefix + key) }

func headers(contentType, encoding, cache *string) store.Headers {
	return store.Headers{ContentType: aws.ToString(contentType), ContentEncoding: aws.ToString(encoding), CacheControl: aws.ToString(cache)}
}

func check(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return store.CheckKey(key)
}

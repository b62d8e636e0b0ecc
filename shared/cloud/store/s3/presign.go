package s3

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"time"

	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"mappe/shared/cloud/store"
)

var _ store.Presigner = (*Store)(nil)

// PresignGet implements store.Presigner.
func (s *Store) PresignGet(ctx context.Context, key, filename string, life time.Duration) (string, error) {
	if err := check(ctx, key); err != nil {
		return "", err
	}
	in := &awss3.GetObjectInput{Bucket: &s.bucket, Key: s.key(key)}
	if filename != "" {
		disposition := mime.FormatMediaType("attachment", map[string]string{"filename": filename})
		in.ResponseContentDisposition = &disposition
	}
	out, err := awss3.NewPresignClient(s.client).PresignGetObject(ctx, in, awss3.WithPresignExpires(life))
	if err != nil {
		return "", fmt.Errorf("store: presign %s: %w", key, err)
	}
	return out.URL, nil
}

// PresignPut implements store.Presigner: the length is signed, so no other is taken, and so is the condition.
func (s *Store) PresignPut(ctx context.Context, key string, size int64, life time.Duration) (string, http.Header, error) {
	if err := check(ctx, key); err != nil {
		return "", nil, err
	}
	absent := "*"
	in := &awss3.PutObjectInput{Bucket: &s.bucket, Key: s.key(key), ContentLength: &size, IfNoneMatch: &absent}
	out, err := awss3.NewPresignClient(s.client).PresignPutObject(ctx, in, awss3.WithPresignExpires(life))
	if err != nil {
		return "", nil, fmt.Errorf("store: presign %s: %w", key, err)
	}
	h := out.SignedHeader.Clone()
	h.Del("Host")
	return out.URL, h, nil
}

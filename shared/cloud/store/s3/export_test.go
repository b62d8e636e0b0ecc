package s3

import (
	"context"
	"io"

	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
)

// PartOf is partOf.
var PartOf = partOf

// MaxParts and MaxObject are what S3 takes.
const (
	MaxParts  = maxParts
	MaxObject = maxObject
)

// HalfUpload sends all parts and stops before they are put together, as a killed writer does.
func (s *Store) HalfUpload(ctx context.Context, key string, r io.ReaderAt, size int64) error {
	sum, err := sumParts(ctx, key, r, size, partOf(size))
	if err != nil {
		return err
	}
	made, err := s.client.CreateMultipartUpload(ctx, &awss3.CreateMultipartUploadInput{Bucket: &s.bucket, Key: s.key(key),
		ChecksumAlgorithm: "SHA256"})
	if err != nil {
		return err
	}
	_, err = s.sendParts(ctx, multipart{key: key, body: r, size: size, sum: sum, id: made.UploadId})
	return err
}

// Uploads counts the uploads that were begun and neither put together nor thrown away.
func (s *Store) Uploads(ctx context.Context) (int, error) {
	out, err := s.client.ListMultipartUploads(ctx, &awss3.ListMultipartUploadsInput{Bucket: &s.bucket})
	if err != nil {
		return 0, err
	}
	return len(out.Uploads), nil
}

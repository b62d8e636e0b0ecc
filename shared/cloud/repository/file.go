package repository

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

func passMissing(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// Source is a file to upload: opened anew for each attempt, read once from its start.
type Source struct {
	Name  string
	Bytes int64
	Open  func(ctx context.Context) (io.ReadCloser, error)
}

// The upload of a file may take uploadLeast, beside what a limit is waited for, and a second for every bytesSecond bytes.
const (
	uploadLeast = time.Minute
	bytesSecond = 1 << 20
)

// Upload streams a file into a draft, in place of one of the same name, and gives its MD5, which the repository has
// confirmed. ErrChecksum says that it received something else, attempt for attempt.
func (c *Client) Upload(ctx context.Context, d Deposit, s Source) (md5sum string, err error) {
	bucket, err := c.own(d.Links.Bucket)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, uploadLeast+maxPause+time.Duration(s.Bytes/bytesSecond)*time.Second)
	defer cancel()
	for attempt := 1; ; attempt++ {
		sum, err := c.upload(ctx, bucket, s)
		if !errors.Is(err, ErrChecksum) || attempt == maxAttempts {
			return sum, err
		}
	}
}

// counted is a reader that hashes what is read of it. The transport may still read when an answer has come.
type counted struct {
	io.ReadCloser
	mu   sync.Mutex
	sum  hash.Hash
	read int64
}

func (r *counted) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sum.Write(p[:n])
	r.read += int64(n)
	return n, err
}

// sent is what was read so far.
func (r *counted) sent() (bytes int64, md5sum string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.read, hex.EncodeToString(r.sum.Sum(nil))
}

func (c *Client) upload(ctx context.Context, bucket string, s Source) (string, error) {
	var sent *counted
	r := request{
		method: http.MethodPut, url: bucket + "/" + url.PathEscape(s.Name), size: s.Bytes, want: http.StatusCreated,
		stream: func() (io.ReadCloser, error) {
			body, err := s.Open(ctx)
			if err != nil {
				return nil, err
			}
			sent = &counted{ReadCloser: body, sum: md5.New()}
			return sent, nil
		},
	}
	a, err := c.do(ctx, r)
	if err != nil {
		return "", err
	}
	defer a.Body.Close()
	var got struct {
		Name     string `json:"key"`
		Checksum string `json:"checksum"`
		Bytes    int64  `json:"size"`
	}
	if err := decode(r, a, &got); err != nil {
		return "", err
	}
	n, sum := sent.sent()
	if n != s.Bytes || got.Bytes != s.Bytes || got.Name != s.Name || got.Checksum != "md5:"+sum {
		return "", fmt.Errorf("%w: %s: %d bytes with MD5 %s were sent, %d with %.80q arrived as %.80q", ErrChecksum, s.Name, n, sum,
			got.Bytes, got.Checksum, got.Name)
	}
	return sum, nil
}

// Record is a published record.
type Record struct {
	ID      int64        `json:"id"`
	Concept string       `json:"conceptrecid"`
	DOI     string       `json:"doi"`
	Files   []RecordFile `json:"files"`
}

// RecordFile is a file of a record.
type RecordFile struct {
	Name     string `json:"key"`
	Bytes    int64  `json:"size"`
	Checksum string `json:"checksum"` // "md5:..."
	Links    struct {
		Self string `json:"self"` // where it is downloaded
	} `json:"links"`
}

// Record reads a published record.
func (c *Client) Record(ctx context.Context, id int64) (r Record, err error) {
	if err := c.json(ctx, request{method: http.MethodGet, url: c.at("/api/records/" + strconv.FormatInt(id, 10)), want: http.StatusOK},
		&r); err != nil {
		return r, err
	}
	if r.ID != id || len(r.Files) > maxFiles {
		return r, fmt.Errorf("%w: record %d was asked for, %d with %d files came", ErrAnswer, id, r.ID, len(r.Files))
	}
	return r, nil
}

// Reachable says whether the repository answers: one request, without a token and without another attempt.
func (c *Client) Reachable(ctx context.Context) bool {
	guest := &Client{base: c.base, http: c.http, pause: c.pause, now: c.now}
	a, err := guest.send(ctx, request{method: http.MethodGet, url: c.at("/api/records?size=1")})
	if err != nil {
		return false
	}
	a.Body.Close()
	return a.StatusCode < 500
}

// Download writes a file of a record to w, and goes on from where it broke off. It gives the bytes that were written; the
// caller compares them with what it expects.
func (c *Client) Download(ctx context.Context, f RecordFile, w io.Writer) (int64, error) {
	link, err := c.own(f.Links.Self)
	if err != nil {
		return 0, err
	}
	sum := md5.New()
	var done int64
	for attempt := 1; ; attempt++ {
		n, err := c.downloadFrom(ctx, link, done, f.Bytes-done, io.MultiWriter(w, sum))
		done += n
		if err == nil && done == f.Bytes {
			break
		}
		if err == nil {
			err = fmt.Errorf("%w: %s broke off after %d of %d bytes", ErrUnavailable, f.Name, done, f.Bytes)
		}
		if attempt == maxAttempts || !errors.Is(err, ErrUnavailable) || ctx.Err() != nil {
			return done, err
		}
	}
	if got := "md5:" + hex.EncodeToString(sum.Sum(nil)); !strings.EqualFold(got, f.Checksum) {
		return done, fmt.Errorf("%w: %s came with %s, its record says %.80q", ErrChecksum, f.Name, got, f.Checksum)
	}
	return done, nil
}

// errSilent ends a download that brings nothing any more. However long a download takes, it goes on as long as bytes come.
var errSilent = errors.New("no byte came for a minute or more")

// downloadFrom writes at most limit bytes from an offset on.
func (c *Client) downloadFrom(ctx context.Context, link string, offset, limit int64, w io.Writer) (int64, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(c.beginning, func() { cancel(errSilent) })
	defer watch.Stop()
	r := request{method: http.MethodGet, url: link, want: http.StatusOK, header: http.Header{"Accept": {"*/*"}}}
	if offset > 0 {
		r.want = http.StatusPartialContent
		r.header.Set("Range", fmt.Sprintf("bytes=%d-", offset))
	}
	a, err := c.do(ctx, r)
	if err != nil && errors.Is(context.Cause(ctx), errSilent) { // in the pause before another attempt, too
		err = fmt.Errorf("%w: %s: %w", ErrUnavailable, link, errSilent)
	}
	if err != nil {
		return 0, err
	}
	defer a.Body.Close()
	if from := fmt.Sprintf("bytes %d-", offset); offset > 0 && !strings.HasPrefix(a.Header.Get("Content-Range"), from) {
		return 0, fmt.Errorf("%w: %s: bytes from %d were asked for, %.80q came", ErrAnswer, link, offset, a.Header.Get("Content-Range"))
	}
	watch.Reset(c.silence)
	writes := &writer{w: w, came: func() { watch.Reset(c.silence) }}
	n, err := io.Copy(writes, io.LimitReader(a.Body, limit))
	if err != nil && writes.err == nil {
		if errors.Is(context.Cause(ctx), errSilent) {
			err = errSilent
		}
		return n, fmt.Errorf("%w: %s: %w", ErrUnavailable, link, err)
	}
	return n, err
}

// writer tells a failure of writing from one of reading.
type writer struct {
	w    io.Writer
	came func() // called when there was something to write
	err  error
}

func (w *writer) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	w.came()
	w.err = err
	return n, err
}

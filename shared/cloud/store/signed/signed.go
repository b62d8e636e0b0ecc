// Package signed gives a store without addresses of its own, such as a directory, what a bucket has: addresses
// that carry the right to read or to write one object for a while. A Store makes them (store.Presigner) and
// answers them (http.Handler); the two may be two processes that know one secret. It stands for the
// bucket where the functions run on one machine.
//
//	{base}/{key}?do=get|put&expires=UNIX&size=N&name=FILE&signature=HEX
//
// The signature is the HMAC-SHA256 of all that stands before it, behind the key. A put is taken once, of
// exactly size bytes, with If-None-Match: *.
package signed

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"mappe/shared/cloud/store"
)

// Store is a store with addresses below a base, which has to lead to its ServeHTTP.
type Store struct {
	store.Store
	base   string
	prefix string // path of base
	secret []byte
	now    func() time.Time
}

var _ store.Presigner = (*Store)(nil)

// New gives s addresses below base ("http://127.0.0.1:9000/files"); now nil is time.Now.
func New(s store.Store, base string, secret []byte, now func() time.Time) (*Store, error) {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" {
		return nil, fmt.Errorf("store: base %q of signed addresses: want http://host/path", base)
	}
	if len(secret) < 16 {
		return nil, fmt.Errorf("store: the secret of signed addresses has %d bytes, want at least 16", len(secret))
	}
	if now == nil {
		now = time.Now
	}
	base = strings.TrimSuffix(base, "/")
	return &Store{s, base, strings.TrimSuffix(u.Path, "/") + "/", secret, now}, nil
}

// right is what an address allows.
type right struct {
	do, key, name string
	size          int64
	expires       int64 // Unix seconds
}

// query is the right without its key, in one fixed order.
func (r right) query() string {
	return "do=" + r.do + "&expires=" + strconv.FormatInt(r.expires, 10) + "&size=" + strconv.FormatInt(r.size, 10) + "&name=" +
		url.QueryEscape(r.name)
}

func (s *Store) signature(r right) string {
	mac := hmac.New(sha256.New, s.secret)
	fmt.Fprintf(mac, "%d:%s?%s", len(r.key), r.key, r.query())
	return hex.EncodeToString(mac.Sum(nil))
}

func (s *Store) address(r right) string {
	return s.base + "/" + (&url.URL{Path: r.key}).EscapedPath() + "?" + r.query() + "&signature=" + s.signature(r)
}

// PresignGet implements store.Presigner.
func (s *Store) PresignGet(_ context.Context, key, filename string, life time.Duration) (string, error) {
	if err := store.CheckKey(key); err != nil {
		return "", err
	}
	return s.address(right{do: "get", key: key, name: filename, expires: s.now().Add(life).Unix()}), nil
}

// PresignPut implements store.Presigner.
func (s *Store) PresignPut(_ context.Context, key string, size int64, life time.Duration) (string, http.Header, error) {
	if err := store.CheckKey(key); err != nil {
		return "", nil, err
	}
	if size < 0 {
		return "", nil, fmt.Errorf("store: presign %s: %d bytes", key, size)
	}
	h := http.Header{"If-None-Match": {"*"}, "Content-Length": {strconv.FormatInt(size, 10)}}
	return s.address(right{do: "put", key: key, size: size, expires: s.now().Add(life).Unix()}), h, nil
}

// read is the right that a request's address gives; false where it gives none (any more).
func (s *Store) read(u *url.URL) (right, bool) {
	key, ok := strings.CutPrefix(u.Path, s.prefix)
	q := u.Query()
	size, bad := strconv.ParseInt(q.Get("size"), 10, 64)
	expires, worse := strconv.ParseInt(q.Get("expires"), 10, 64)
	r := right{do: q.Get("do"), key: key, name: q.Get("name"), size: size, expires: expires}
	if !ok || bad != nil || worse != nil || store.CheckKey(key) != nil {
		return r, false
	}
	if !hmac.Equal([]byte(s.signature(r)), []byte(q.Get("signature"))) {
		return r, false
	}
	return r, s.now().Unix() < expires
}

package pay

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"mappe/shared/cloud/ledger"
)

// answer is what the handler gave, held back until it is paid.
type answer struct {
	Status int         `json:"status"`
	Header http.Header `json:"header"`
	body   []byte
}

// held is the ResponseWriter that holds an answer back. It is bounded.
type held struct {
	header http.Header
	status int
	body   bytes.Buffer
	most   int64
	over   bool
}

var errAnswerTooLarge = errors.New("the answer is larger than an answer that is sold may be")

func (b *held) Header() http.Header { return b.header }

func (b *held) WriteHeader(status int) {
	if b.status == 0 && status >= 200 {
		b.status = status
	}
}

func (b *held) Write(p []byte) (int, error) {
	b.WriteHeader(http.StatusOK)
	if int64(b.body.Len()+len(p)) > b.most {
		b.over = true
		return 0, errAnswerTooLarge
	}
	return b.body.Write(p)
}

// serve runs the handler on the request with its body in hand. The handler is asked for gzip, so that
// what is kept is small; deliver unpacks it for a client that takes none. Payment headers end here.
func (g *Gate) serve(ctx context.Context, next http.Handler, r *http.Request, body []byte) (*answer, error) {
	in := r.Clone(ctx)
	in.Body, in.ContentLength, in.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	in.Header.Del(headerPayment)
	in.Header.Del(headerPaymentV1)
	in.Header.Set("Accept-Encoding", "gzip")
	b := &held{header: http.Header{}, most: g.c.Bounds.Answer}
	next.ServeHTTP(b, in)
	b.WriteHeader(http.StatusOK)
	if b.over {
		return nil, errAnswerTooLarge
	}
	return &answer{b.status, b.header, b.body.Bytes()}, nil
}

// kept are the headers that belong to the bytes of an answer and not to the moment it was made.
var kept = []string{"Content-Type", "Content-Encoding", "Content-Language", "Content-Disposition", "Link", "Vary",
	"X-Content-Type-Options", "X-Data-Attribution"}

// sum identifies the bytes of an answer.
func (a *answer) sum() string {
	sum := sha256.Sum256(a.body)
	return hex.EncodeToString(sum[:])
}

// worthPacking is where packing an answer saves more in the ledger than it costs.
const worthPacking = 16 << 10

// pack compresses the bytes where the handler did not.
func (a *answer) pack() {
	if len(a.body) < worthPacking || a.Header.Get("Content-Encoding") != "" {
		return
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil { // BestSpeed is a level
		panic(err)
	}
	z.Write(a.body) // into memory
	z.Close()
	a.body = b.Bytes()
	a.Header.Set("Content-Encoding", "gzip")
}

// keep stores an answer beside its claim. One larger than a record is not kept: it is made again, with
// the same bytes, because what is sold here depends on nothing but the request.
func (s claims) keep(ctx context.Context, c *claim, a *answer) error {
	stored := answer{Status: a.Status, Header: http.Header{}}
	for _, name := range kept {
		if v := a.Header.Values(name); len(v) > 0 {
			stored.Header[name] = v
		}
	}
	head, err := json.Marshal(stored)
	if err != nil {
		return err
	}
	value := append(append(head, '\n'), a.body...)
	if len(value) > ledger.MaxValue {
		return nil
	}
	_, err = s.l.Put(ctx, ledger.Record{Key: answerKey(c.key), Value: value, Expires: time.Unix(c.ValidBefore, 0).Add(s.bounds.Keep)},
		ledger.Any)
	if errors.Is(err, ledger.ErrTooLarge) {
		return nil
	}
	return err
}

// kept reads the stored answer of a claim; nil where no answer is stored, or one of other bytes.
func (s claims) kept(ctx context.Context, c *claim) (*answer, error) {
	r, err := s.l.Get(ctx, answerKey(c.key))
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	head, body, ok := bytes.Cut(r.Value, []byte{'\n'})
	a := &answer{body: body}
	if err := json.Unmarshal(head, a); !ok || err != nil {
		return nil, fmt.Errorf("kept answer %s cannot be read", c.key.Sort)
	}
	if a.sum() != c.Answer {
		return nil, nil // of another claim on the same nonce, which was released
	}
	return a, nil
}

// deliver sends a paid answer with its receipt.
func (g *Gate) deliver(w http.ResponseWriter, r *http.Request, version int, a *answer, receipt Settlement) {
	h := w.Header()
	for name, values := range a.Header {
		h[name] = values
	}
	private(h)
	name := headerResponse
	if version == 1 {
		name, receipt.Network = headerResponseV1, g.network.V1
	}
	setHeader(w, name, headerOf(receipt))
	body := a.body
	if h.Get("Content-Encoding") == "gzip" && !takesGzip(r.Header) {
		plain, err := unpack(body, g.c.Bounds.Answer)
		if err != nil {
			g.c.Log.Error("a paid answer cannot be unpacked", "error", err)
			g.fail(w, r, unavailable("the answer is paid but cannot be unpacked; send the same payment again with Accept-Encoding: gzip"))
			return
		}
		body = plain
		h.Del("Content-Encoding")
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(a.Status)
	w.Write(body) // a client that went away sends the same payment again
}

// pass sends an answer that nobody pays for.
func (g *Gate) pass(w http.ResponseWriter, r *http.Request, a *answer) {
	h := w.Header()
	for name, values := range a.Header {
		h[name] = values
	}
	body := a.body
	if h.Get("Content-Encoding") == "gzip" && !takesGzip(r.Header) {
		if plain, err := unpack(body, g.c.Bounds.Answer); err == nil {
			body = plain
			h.Del("Content-Encoding")
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(a.Status)
	w.Write(body)
}

// private keeps an answer that was paid for out of shared caches.
func private(h http.Header) {
	switch cc := h.Get("Cache-Control"); {
	case cc == "":
		h.Set("Cache-Control", "private, no-store")
	case !strings.Contains(cc, "private"):
		h.Set("Cache-Control", "private, "+strings.TrimPrefix(strings.ReplaceAll(cc, "public", ""), ", "))
	}
}

// unpack is bounded like the answer it unpacks; JSON packs twenty to one and more.
func unpack(packed []byte, most int64) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(io.LimitReader(z, 32*most+1))
	if err == nil && int64(len(plain)) > 32*most {
		err = errAnswerTooLarge
	}
	return plain, err
}

func takesGzip(h http.Header) bool {
	for _, part := range strings.Split(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if name = strings.TrimSpace(name); name != "gzip" && name != "*" {
			continue
		}
		q, given := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q=")
		if v, err := strconv.ParseFloat(q, 64); given && err == nil && v == 0 {
			continue
		}
		return true
	}
	return false
}

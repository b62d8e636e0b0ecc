package endpoint

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
)

// BodyOf is the declared body of a request and the typed way to its value.
type BodyOf[T any] struct{ b *bodySpec }

// AnyBody is a *BodyOf of any type.
type AnyBody interface{ bodySpec() *bodySpec }

func (p *BodyOf[T]) bodySpec() *bodySpec { return p.b }

// Of is the parsed body.
func (p *BodyOf[T]) Of(r *Request) T {
	v, _ := r.body.(T)
	return v
}

// Optional is the body where it may also be absent; Of then gives the zero value.
func (p *BodyOf[T]) Optional() *BodyOf[T] {
	c := *p.b
	c.optional = true
	return &BodyOf[T]{&c}
}

// OnlyJSON refuses a body whose Content-Type names something else; one without Content-Type is read.
func (p *BodyOf[T]) OnlyJSON() *BodyOf[T] {
	c := *p.b
	c.onlyJSON = true
	return &BodyOf[T]{&c}
}

// isJSON says whether a Content-Type names JSON: application/json, or any type of its suffix.
func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && (media == "application/json" || media == "text/json" || strings.HasSuffix(media, "+json"))
}

type bodySpec struct {
	doc      string
	maxBytes int64
	shape    any // a Go value whose type is the shape, for OpenAPI
	optional bool
	onlyJSON bool
	carried  *carried // where it holds parameters; nil: nowhere
	media    string   // media type of a body that the handler reads itself; "" is JSON
	read     func(data []byte) (any, error)
	readIn   func(ctx context.Context, data []byte) (any, error) // stands for read where it is set
}

// Unread is a body that is not JSON and that the handler reads itself, from Request.HTTP.Body: files of a
// form, for example. Of it is nothing; reading past maxBytes gives an *http.MaxBytesError, and TooLarge says
// so. Shape is a Go value whose type shows the parts in OpenAPI; nil is a text of bytes.
func Unread(media, doc string, maxBytes int64, shape any) *BodyOf[struct{}] {
	return &BodyOf[struct{}]{&bodySpec{doc: doc, maxBytes: maxBytes, shape: shape, media: media}}
}

// TooLarge is the fault of a body beyond its bound.
func TooLarge(maxBytes int64) *fault.Fault {
	return fault.New(fault.TooLarge, "the body is larger than the %d bytes this endpoint takes", maxBytes)
}

// bound holds a body to its size: a declared length above it is refused unread, a longer body ends there.
func (b *bodySpec) bound(w http.ResponseWriter, r *http.Request) error {
	if r.ContentLength > b.maxBytes {
		w.Header().Set("Connection", "close")
		drain(w, r)
		return TooLarge(b.maxBytes)
	}
	if enc := r.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return fault.BadValue("Content-Encoding", enc, "an uncompressed body")
	}
	r.Body = http.MaxBytesReader(w, r.Body, b.maxBytes)
	return nil
}

// checker is implemented by body types that set defaults and check what types cannot say.
type checker interface{ Check() error }

// Body is a JSON object read into T. Unknown members are refused. When *T has a method Check() error,
// it is called: it may set defaults and returns a fault for what is not allowed.
func Body[T any](doc string, maxBytes int64) *BodyOf[T] {
	var zero T
	return &BodyOf[T]{&bodySpec{doc: doc, maxBytes: maxBytes, shape: zero, read: func(data []byte) (any, error) {
		var v T
		if err := jsonin.Decode(data, &v); err != nil {
			return nil, err
		}
		if c, ok := any(&v).(checker); ok {
			if err := c.Check(); err != nil {
				return nil, err
			}
		}
		return v, nil
	}}}
}

// ParsedBody is a body that a function reads, such as GeoJSON. Shape is a Go value whose type is the
// shape shown in OpenAPI; nil shows any object.
func ParsedBody[T any](doc string, maxBytes int64, shape any, parse func([]byte) (T, error)) *BodyOf[T] {
	return &BodyOf[T]{&bodySpec{doc: doc, maxBytes: maxBytes, shape: shape, read: func(data []byte) (any, error) {
		v, err := parse(data)
		if err != nil {
			var f *fault.Fault
			var in *jsonin.Error
			switch {
			case errors.As(err, &f):
			case errors.As(err, &in) && in.Member != "":
				err = in.Fault(in.Member)
			default:
				err = fault.New(fault.BadBody, "the body cannot be read: %v", err)
			}
			return v, err
		}
		return v, nil
	}}}
}

// readBody reads the whole body within its bound.
func (r *Request) readBody(w http.ResponseWriter, b *bodySpec) error {
	if given := r.HTTP.Header.Get("Content-Type"); b.onlyJSON && given != "" && !isJSON(given) {
		return fault.Of(fault.UnsupportedType, "Content-Type", given, "application/json")
	}
	whole := r.HTTP.Body
	if err := b.bound(w, r.HTTP); err != nil {
		return err
	}
	data, err := readAll(r.HTTP.Body, r.HTTP.ContentLength)
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			r.HTTP.Body = whole
			drain(w, r.HTTP)
			return TooLarge(b.maxBytes)
		}
		return fault.New(fault.BadBody, "the body ended early").Because(err)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		if b.optional {
			return r.carry()
		}
		return fault.New(fault.BadBody, "the body is empty: expected %s", b.doc)
	}
	if r.common.cursor != nil {
		sum := sha256.Sum256(data)
		r.bodySum = string(sum[:8])
	}
	if b.readIn != nil {
		r.body, err = b.readIn(r.HTTP.Context(), data)
	} else {
		r.body, err = b.read(data)
	}
	if err == nil {
		return r.carry()
	}
	if c := r.carried(); c != nil && r.body != nil { // a name that is misspelt may be why
		if strangers := r.strangers(c, c.held(r.body)); len(strangers) > 0 {
			return joined(strangers)
		}
	}
	return err
}

// firstRead is the room made for a body before its first byte: what a client only declares takes no more.
const firstRead = 256 << 10

// readAll is io.ReadAll with room for a declared length.
func readAll(r io.Reader, declared int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(max(declared, 0), firstRead)) + bytes.MinRead)
	_, err := b.ReadFrom(r)
	return b.Bytes(), err
}

package endpoint

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
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
	media    string // media type of a body that the handler reads itself; "" is JSON
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
		if err := decodeStrict(data, &v); err != nil {
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
			return nil, err
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
			return nil
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

// ReadJSON reads a JSON body into *v as Body does, for a ParsedBody that takes other forms beside it.
func ReadJSON(data []byte, v any) error { return decodeStrict(data, v) }

// decodeStrict reads exactly one JSON value and explains what is wrong with it in the words of the
// published form.
func decodeStrict(data []byte, v any) error {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case err == nil:
		if _, err := d.Token(); err != io.EOF {
			return fault.New(fault.BadBody, "the body holds more than one JSON value: something follows byte %d", d.InputOffset())
		}
		return nil
	case errors.As(err, &typ):
		field := typ.Field
		if field == "" {
			field = "body"
		}
		return fault.BadValue(field, "JSON "+typ.Value, describe(typ.Type))
	case errors.As(err, &syntax):
		return fault.New(fault.BadBody, "the body is not JSON: %v at byte %d", syntax, syntax.Offset)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fault.New(fault.BadBody, "the body is not JSON: it ends early")
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return fault.UnknownName(strings.Trim(name, `"`), "", members(reflect.TypeOf(v), nil, 0))
	}
	var f *fault.Fault
	if errors.As(err, &f) {
		return f
	}
	return fault.New(fault.BadBody, "the body cannot be read: %s", strings.TrimPrefix(err.Error(), "json: "))
}

func describe(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return describe(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number, not negative"
	case reflect.String:
		return "a text"
	case reflect.Slice, reflect.Array:
		return "an array of " + strings.TrimPrefix(strings.TrimPrefix(describe(t.Elem()), "an "), "a ") + " values"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return fmt.Sprintf("a value of type %s", t.Kind())
}

// members lists the JSON names a type knows, outer ones first.
func members(t reflect.Type, names []string, depth int) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || depth > 4 {
		return names
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && name != "-" && name != "" {
			names = append(names, name)
		}
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() {
			names = members(f.Type, names, depth+1)
		}
	}
	return names
}

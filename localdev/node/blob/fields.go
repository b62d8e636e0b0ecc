package blob

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ipfs/go-cid"

	"mappe/localdev/node/ident"
)

// fields are those of a map that is being read; the first error stays. Absent fields are the zero value.
type fields struct {
	m    map[string]any
	seen []string
	err  error
}

// take gives a field and whether it is there and not null.
func (f *fields) take(key string) (any, bool) {
	f.seen = append(f.seen, key)
	v, ok := f.m[key]
	return v, ok && v != nil && f.err == nil
}

func (f *fields) wrong(key, want string, got any) {
	if f.err == nil {
		f.err = fmt.Errorf("%s: expected %s, got %.40T", key, want, got)
	}
}

// need says that fields must be there.
func (f *fields) need(keys ...string) {
	for _, k := range keys {
		if f.m[k] == nil && f.err == nil {
			f.err = fmt.Errorf("%s is missing", k)
		}
	}
}

// end gives the first error, or one for a field that nobody took.
func (f *fields) end() error {
	if f.err != nil {
		return f.err
	}
	for k := range f.m {
		if !slices.Contains(f.seen, k) {
			return fmt.Errorf("field %.40q is not known", k)
		}
	}
	return nil
}

func (f *fields) text(key string) string {
	v, ok := f.take(key)
	s, is := v.(string)
	if ok && !is {
		f.wrong(key, "text", v)
	}
	return s
}

// label is a text of at most a number of bytes.
func (f *fields) label(key string, most int) string {
	s := f.text(key)
	if len(s) > most && f.err == nil {
		f.err = fmt.Errorf("%s has %d bytes: at most %d are allowed", key, len(s), most)
	}
	return s
}

func (f *fields) bytes(key string) []byte {
	v, ok := f.take(key)
	b, is := v.([]byte)
	if ok && !is {
		f.wrong(key, "bytes", v)
	}
	return b
}

func (f *fields) flag(key string) bool {
	v, ok := f.take(key)
	b, is := v.(bool)
	if ok && !is {
		f.wrong(key, "true or false", v)
	}
	return b
}

func (f *fields) number(key string, low, high int64) int64 {
	v, ok := f.take(key)
	n, is := v.(int64)
	if ok && (!is || n < low || n > high) {
		f.wrong(key, fmt.Sprintf("a whole number from %d to %d", low, high), v)
		return 0
	}
	return n
}

func (f *fields) account(key string) ident.Account {
	raw := f.bytes(key)
	if raw == nil || f.err != nil {
		return ""
	}
	a, err := ident.AccountFromBytes(raw)
	if err != nil {
		f.err = fmt.Errorf("%s: %w", key, err)
	}
	return a
}

func (f *fields) path(key string) ident.Path {
	text := f.text(key)
	p, err := ident.ParsePath(text)
	if err != nil && f.err == nil {
		f.err = err
	}
	return p
}

func (f *fields) link(key string) cid.Cid {
	v, ok := f.take(key)
	if !ok {
		return cid.Undef
	}
	c, is := v.(cid.Cid)
	if !is {
		f.wrong(key, "a link", v)
		return cid.Undef
	}
	f.names(key, c)
	return c
}

// names holds a link to the CIDs that the network has.
func (f *fields) names(key string, c cid.Cid) {
	if err := CheckCID(c); err != nil && f.err == nil {
		f.err = fmt.Errorf("%s: %w", key, err)
	}
}

func (f *fields) links(key string, most int) []cid.Cid {
	var out []cid.Cid
	for _, v := range f.list(key) {
		c, is := v.(cid.Cid)
		if !is {
			f.wrong(key, "a list of links", v)
			return nil
		}
		f.names(key, c)
		out = append(out, c)
	}
	if len(out) > most && f.err == nil {
		f.err = fmt.Errorf("%s has %d links: at most %d are allowed", key, len(out), most)
	}
	return out
}

func (f *fields) list(key string) []any {
	v, ok := f.take(key)
	l, is := v.([]any)
	if ok && !is {
		f.wrong(key, "a list", v)
	}
	return l
}

func (f *fields) texts(key string) []string {
	var out []string
	for _, v := range f.list(key) {
		s, is := v.(string)
		if !is {
			f.wrong(key, "a list of texts", v)
			return nil
		}
		out = append(out, s)
	}
	return out
}

// within reads a map that is a field; read is not called where it is absent.
func (f *fields) within(key string, read func(*fields)) {
	v, ok := f.take(key)
	if !ok {
		return
	}
	m, is := v.(map[string]any)
	if !is {
		f.wrong(key, "a map", v)
		return
	}
	g := &fields{m: m}
	read(g)
	if err := g.end(); err != nil && f.err == nil {
		f.err = fmt.Errorf("%s: %w", key, err)
	}
}

// visibility reads the field of that name.
func (f *fields) visibility() bool {
	switch v := f.text("visibility"); v {
	case "":
	case "Private":
		return true
	default:
		if f.err == nil {
			f.err = fmt.Errorf("visibility %.20q: expected Private or none", v)
		}
	}
	return false
}

// role reads WRITER or AGENT.
func (f *fields) role() Role {
	r := Role(strings.Clone(f.text("role")))
	if r != Writer && r != Agent && f.err == nil {
		f.err = errors.New("role: expected WRITER or AGENT")
	}
	return r
}

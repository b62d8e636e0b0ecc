package export

import (
	"context"
	"io"
	"net/http"
	"strings"

	"mappe/artefacts/keys"
	"mappe/functions/core/generation"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// tag is the identity of a stored answer: the same object has the same tag, whatever was published meanwhile. It is
// "" for an answer that has to be written.
func (p *plan) tag() string {
	if p.stored == nil {
		return ""
	}
	return p.stored.SHA256[:min(24, len(p.stored.SHA256))]
}

// content is the stored form as it is.
func (p *plan) content(contentType, encoding, filename string) *reply.Content {
	o := *p.stored
	return &reply.Content{
		ContentType: contentType, Encoding: encoding, Size: o.Bytes, Filename: filename, Header: http.Header{},
		Open: func(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
			body, err := p.view.OpenRange(ctx, o, offset, length)
			return body, generation.Fault(ctx, err)
		},
	}
}

// depends is what the ETag of a written answer derives from: the KGs that were named, and that it was written. A
// partial answer has none.
func (p *plan) depends() string {
	if p.job || !p.gaps.Ready() {
		return ""
	}
	return "written " + p.view.Depends(p.named)
}

// filename is the name of an attachment: of a single KG that of its snapshot.
func (p *plan) filename(ending string) string {
	if len(p.named) == 1 && p.stored != nil {
		if k, err := keys.Parse(p.stored.Key); err == nil {
			if s, ok := k.(keys.Snapshot); ok {
				return s.Name() + ending
			}
		}
	}
	if len(p.named) == 1 {
		return strings.Trim(string(p.named[0])+"-"+p.stichtag, "-") + ending
	}
	return "cadastre-export" + ending
}

// validated gives an endpoint its ETag: of the stored object, or of the KGs it is written from.
func validated(e endpoint.Endpoint, wanted func(r *endpoint.Request) want) endpoint.Endpoint {
	e.ETag = func(ctx context.Context, r *endpoint.Request) (string, error) {
		p, err := prepared(ctx, r, wanted(r))
		if err != nil {
			return "", err
		}
		return p.tag(), nil
	}
	e.Depends = func(ctx context.Context, r *endpoint.Request) (string, error) {
		p, err := prepared(ctx, r, wanted(r))
		if err != nil {
			return "", err
		}
		return p.depends(), nil
	}
	return e
}

package funcurl

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// request builds what a net/http server would have read. The path keeps its escapes (%2F) in RawPath, as
// Function URLs deliver it.
func request(ctx context.Context, event *events.LambdaFunctionURLRequest, id string) (*http.Request, error) {
	target := event.RawPath
	if event.RawQueryString != "" {
		target += "?" + event.RawQueryString
	}
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return nil, fmt.Errorf("path or query: %w", err)
	}
	body := event.Body
	if event.IsBase64Encoded {
		raw, err := base64.StdEncoding.DecodeString(body)
		if err != nil {
			return nil, fmt.Errorf("body: %w", err)
		}
		body = string(raw)
	}
	r := &http.Request{
		Method: event.RequestContext.HTTP.Method, URL: u, RequestURI: target,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: headers(event), Host: event.RequestContext.DomainName,
		Body: http.NoBody, ContentLength: int64(len(body)),
		RemoteAddr: event.RequestContext.HTTP.SourceIP + ":0",
		TLS:        &tls.ConnectionState{HandshakeComplete: true}, // Function URLs speak nothing else
	}
	if body != "" {
		r.Body = io.NopCloser(strings.NewReader(body))
	}
	r.Header.Set("X-Request-Id", id)
	return r.WithContext(ctx), nil
}

func headers(event *events.LambdaFunctionURLRequest) http.Header {
	h := make(http.Header, len(event.Headers)+1)
	for name, value := range event.Headers {
		if name = textproto.CanonicalMIMEHeaderKey(name); name != "Host" {
			h[name] = []string{value}
		}
	}
	if len(event.Cookies) > 0 && h["Cookie"] == nil {
		h["Cookie"] = []string{strings.Join(event.Cookies, "; ")}
	}
	return h
}

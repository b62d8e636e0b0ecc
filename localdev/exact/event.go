package exact

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"

	"mappe/shared/cloud/funcurl"
	"mappe/shared/cloud/stack"
)

// event is an invocation's payload and id.
type event struct {
	id      string
	payload []byte
}

// newEvent writes the request as a Function URL behind CloudFront delivers it.
func newEvent(r *http.Request, b stack.Behaviour) (event, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxEvent))
	if err != nil {
		return event{}, err
	}
	id := requestID()
	domain := stack.FunctionDomain(b.Function)
	_, query, _ := strings.Cut(r.RequestURI, "?")
	address, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		address = r.RemoteAddr
	}
	now := time.Now().UTC()
	e := events.LambdaFunctionURLRequest{
		Version: "2.0", RawPath: b.Prefix + rawPath(r), RawQueryString: query,
		Headers: eventHeaders(r, b, domain, address),
		RequestContext: events.LambdaFunctionURLRequestContext{
			AccountID: "anonymous", RequestID: id, APIID: strings.ToLower(b.Function), DomainName: domain,
			DomainPrefix: strings.ToLower(b.Function),
			Time:         now.Format("02/Jan/2006:15:04:05 -0700"), TimeEpoch: now.UnixMilli(),
			HTTP: events.LambdaFunctionURLRequestContextHTTPDescription{
				Method: r.Method, Path: b.Prefix + r.URL.Path, Protocol: "HTTP/1.1", SourceIP: address, UserAgent: r.UserAgent(),
			},
		},
	}
	for name, values := range r.URL.Query() {
		if e.QueryStringParameters == nil {
			e.QueryStringParameters = map[string]string{}
		}
		e.QueryStringParameters[name] = strings.Join(values, ",")
	}
	for _, c := range r.Header["Cookie"] {
		e.Cookies = append(e.Cookies, strings.Split(c, "; ")...)
	}
	if len(body) > 0 {
		e.IsBase64Encoded = !isText(r.Header.Get("Content-Type")) || !utf8.Valid(body)
		e.Body = string(body)
		if e.IsBase64Encoded {
			e.Body = base64.StdEncoding.EncodeToString(body)
		}
	}
	payload, err := json.Marshal(e)
	if err != nil {
		return event{}, err
	}
	if len(payload) > maxEvent {
		return event{}, &http.MaxBytesError{Limit: maxEvent}
	}
	return event{id, payload}, nil
}

// eventHeaders are in lower case, repeated ones joined; the origin's own headers replace the viewer's.
func eventHeaders(r *http.Request, b stack.Behaviour, domain, address string) map[string]string {
	h := map[string]string{}
	for name, values := range r.Header {
		h[strings.ToLower(name)] = strings.Join(values, ",")
	}
	viewer := address
	if forwarded := h["x-forwarded-for"]; forwarded != "" {
		address = forwarded + ", " + address
	}
	if b.Viewer {
		h[strings.ToLower(funcurl.ViewerHeader)] = viewer
	}
	h["host"] = domain
	h["x-forwarded-for"] = address
	h["x-forwarded-proto"] = "https"
	h["x-forwarded-port"] = "443"
	h["via"] = "1.1 local (CloudFront)"
	for name, value := range b.Headers {
		h[strings.ToLower(name)] = value
	}
	return h
}

// isText are the types that a Function URL delivers as they are; it sends everything else in base64.
func isText(contentType string) bool {
	t, _, _ := strings.Cut(contentType, ";")
	switch t = strings.TrimSpace(strings.ToLower(t)); t {
	case "application/json", "application/javascript", "application/xml":
		return true
	}
	return strings.HasPrefix(t, "text/")
}

// requestID has the form of Lambda's: a random UUID.
func requestID() string {
	const digits = "0123456789abcdef"
	var raw [16]byte
	rand.Read(raw[:])
	raw[6], raw[8] = raw[6]&0x0F|0x40, raw[8]&0x3F|0x80
	out := make([]byte, 0, 36)
	for i, b := range raw {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			out = append(out, '-')
		}
		out = append(out, digits[b>>4], digits[b&15])
	}
	return string(out)
}

package funcurl

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"
)

const edgeSecret = "current-secret-of-the-edge"

func event(t testing.TB, name string) *events.LambdaFunctionURLRequest {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var e events.LambdaFunctionURLRequest
	if err := json.Unmarshal(raw, &e); err != nil {
		t.Fatal(err)
	}
	return &e
}

// answer is what a client would have: body up to where the stream ended, and why it ended.
type answer struct {
	*events.LambdaFunctionURLStreamingResponse
	body string
	err  error
}

func ask(t testing.TB, h http.Handler, e *events.LambdaFunctionURLRequest) answer {
	t.Helper()
	secrets, err := NewSecrets(edgeSecret, "previous-secret-of-the-edge")
	if err != nil {
		t.Fatal(err)
	}
	invoke := Wrap(Config{Handler: h, Secrets: secrets, Log: slog.New(slog.DiscardHandler)})
	ctx := lambdacontext.NewContext(t.Context(), &lambdacontext.LambdaContext{AwsRequestID: "the-request"})
	response, err := invoke(ctx, e)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	return answer{response, string(body), err}
}

func TestTheRequestIsTheClients(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /cadastre/api/v1/land_prices/parcel/{id}", func(w http.ResponseWriter, r *http.Request) {
		for name, c := range map[string]struct{ want, got string }{
			"id with an encoded slash": {"01234-12/3 a", r.PathValue("id")},
			"URI": {"/cadastre/api/v1/land_prices/parcel/01234-12%2F3%20a?year=2026&fields=a%2Cb&fields=c&empty=",
				r.RequestURI},
			"repeated parameter": {"a,b|c", strings.Join(r.URL.Query()["fields"], "|")},
			"header":             {"application/geo+json, application/json;q=0.5", r.Header.Get("Accept")},
			"cookies":            {"session=abc; theme=dark", strings.Join(r.Header["Cookie"], " AND ")},
			"host":               {"abcdefghijklmnopqrstuvwxyz012345.lambda-url.eu-central-1.on.aws", r.Host},
			"request id":         {"the-request", r.Header.Get("X-Request-Id")},
			"secret":             {"", r.Header.Get(OriginHeader)},
			"address":            {"198.51.100.200:0", r.RemoteAddr},
			"connection":         {"TLS", map[bool]string{true: "TLS", false: "plain"}[r.TLS != nil]},
		} {
			if c.got != c.want {
				t.Errorf("%s: want %q, got %q", name, c.want, c.got)
			}
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Add("Vary", "Accept")
		w.Header().Add("Vary", "Accept-Encoding")
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "1"})
		http.SetCookie(w, &http.Cookie{Name: "b", Value: "2"})
		w.WriteHeader(http.StatusTeapot)
		io.WriteString(w, "{}")
	})
	a := ask(t, mux, event(t, "get.json"))
	if a.StatusCode != http.StatusTeapot || a.body != "{}" || a.err != nil {
		t.Fatalf("want 418 {}, got %d %s %v", a.StatusCode, a.body, a.err)
	}
	if got, want := a.Headers["Vary"], "Accept, Accept-Encoding"; got != want {
		t.Errorf("Vary: want %q, got %q", want, got)
	}
	if got, want := strings.Join(a.Cookies, "|"), "a=1|b=2"; got != want {
		t.Errorf("cookies: want %s, got %s", want, got)
	}
	if a.Headers["X-Request-Id"] != "the-request" || a.Headers["Set-Cookie"] != "" {
		t.Errorf("want a request id and no Set-Cookie among the headers, got %v", a.Headers)
	}
}

func TestABinaryBodyIsDecoded(t *testing.T) {
	a := ask(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || int64(len(body)) != r.ContentLength {
			t.Errorf("want ContentLength %d, got %d bytes, %v", r.ContentLength, len(body), err)
		}
		if c, err := r.Cookie("theme"); err != nil || c.Value != "dark" {
			t.Errorf("want the cookies of the event, got %v, %v", c, err)
		}
		w.Write(body)
	}), event(t, "post.json"))
	if want := `{"points":[[13.043,47.801]],"radius":5,"u":"ä"}`; a.body != want {
		t.Errorf("want %s, got %s", want, a.body)
	}
	broken := event(t, "post.json")
	broken.Body = "%%%"
	if a := ask(t, http.NotFoundHandler(), broken); a.StatusCode != http.StatusBadRequest || !strings.Contains(a.body, `"status":400`) {
		t.Errorf("want 400 in the errors' form, got %d %s", a.StatusCode, a.body)
	}
}

func TestAnswersWithoutABody(t *testing.T) {
	for _, c := range []struct {
		name, method string
		handler      http.HandlerFunc
		status       int
		body         string
	}{
		{"nothing written", "GET", func(w http.ResponseWriter, r *http.Request) {}, 200, ""},
		{"status only", "GET", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(404); w.WriteHeader(200) }, 404, ""},
		{"not modified", "GET", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(304); io.WriteString(w, "x") }, 304, ""},
		{"HEAD", "HEAD", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "body") }, 200, ""},
		{"early hints", "GET", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(103); io.WriteString(w, "x") }, 200, "x"},
		{"flushed", "GET", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "a")
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
			io.WriteString(w, "b")
		}, 200, "ab"},
	} {
		e := event(t, "get.json")
		e.RequestContext.HTTP.Method = c.method
		if a := ask(t, c.handler, e); a.StatusCode != c.status || a.body != c.body || a.err != nil {
			t.Errorf("%s: want %d %q, got %d %q %v", c.name, c.status, c.body, a.StatusCode, a.body, a.err)
		}
	}
}

func TestAPanicBeforeTheFirstByteIs500(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"at once":      func(http.ResponseWriter, *http.Request) { panic("secret detail") },
		"after status": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(201); panic("secret detail") },
		"in the first bytes": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"x"`)
			io.WriteString(w, `{"data":[`)
			panic("secret detail")
		},
	} {
		a := ask(t, h, event(t, "get.json"))
		var body struct {
			Error     string
			Status    int
			RequestID string `json:"request_id"`
		}
		if err := json.Unmarshal([]byte(a.body), &body); err != nil || a.err != nil {
			t.Errorf("%s: want one JSON error, got %q, %v, %v", name, a.body, err, a.err)
		}
		if a.StatusCode != 500 || body.Status != 500 || body.RequestID != "the-request" || a.Headers["Content-Type"] != "application/json" {
			t.Errorf("%s: want 500 with the request id, got %d %+v", name, a.StatusCode, body)
		}
		if strings.Contains(a.body, "secret") || a.Headers["Etag"] != "" || a.Headers["X-Request-Id"] != "the-request" {
			t.Errorf("%s: want nothing of the failed answer, got %s %v", name, a.body, a.Headers)
		}
	}
}

func TestAPanicAfterTheFirstByteBreaksTheStream(t *testing.T) {
	rows := strings.Repeat("row ", bufferBytes)
	for name, cause := range map[string]any{"panic": "x", "abort": http.ErrAbortHandler} {
		a := ask(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, rows)
			panic(cause)
		}), event(t, "get.json"))
		if a.err != errBroken {
			t.Errorf("%s: want the stream broken, got %v after %d bytes", name, a.err, len(a.body))
		}
		if a.StatusCode != 200 || !strings.HasPrefix(rows, a.body) {
			t.Errorf("%s: want a beginning of the answer, got %d", name, a.StatusCode)
		}
	}
}

func TestTheAnswerStreams(t *testing.T) {
	release := make(chan struct{})
	secrets, _ := NewSecrets(edgeSecret)
	invoke := Wrap(Config{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "first")
		w.(http.Flusher).Flush()
		<-release
		io.WriteString(w, "second")
	}), Secrets: secrets, Log: slog.New(slog.DiscardHandler)})
	response, err := invoke(context.Background(), event(t, "get.json"))
	if err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 5)
	if _, err := io.ReadFull(response.Body, first); err != nil || string(first) != "first" {
		t.Fatalf("want the first bytes before the handler ends, got %q, %v", first, err)
	}
	close(release)
	rest, err := io.ReadAll(response.Body)
	if err != nil || string(rest) != "second" {
		t.Errorf("want the rest, got %q, %v", rest, err)
	}
}

func TestTheStreamAsTheRuntimeReadsIt(t *testing.T) {
	a := event(t, "get.json")
	secrets, _ := NewSecrets(edgeSecret)
	invoke := Wrap(Config{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html>") }),
		Secrets: secrets, Log: slog.New(slog.DiscardHandler)})
	response, err := invoke(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(iotest.OneByteReader(response))
	if err != nil {
		t.Fatal(err)
	}
	prelude, body, ok := bytes.Cut(raw, make([]byte, 8))
	if want := `{"statusCode":200,"headers":{"Content-Type":"text/html; charset=utf-8","X-Request-Id":"11111111-2222-3333-4444-555555555555"}}`; !ok || string(prelude) != want {
		t.Errorf("prelude: want %s, got %s", want, prelude)
	}
	if string(body) != "<html>" || response.ContentType() != "application/vnd.awslambda.http-integration-response" {
		t.Errorf("body: got %s as %s", body, response.ContentType())
	}
}

func TestAHandlerWhoseReaderLeavesIsStopped(t *testing.T) {
	done := make(chan error, 1)
	secrets, _ := NewSecrets(edgeSecret)
	invoke := Wrap(Config{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for {
			if _, err := w.Write(make([]byte, bufferBytes)); err != nil {
				done <- err
				return
			}
		}
	}), Secrets: secrets, Log: slog.New(slog.DiscardHandler)})
	response, err := invoke(context.Background(), event(t, "get.json"))
	if err != nil {
		t.Fatal(err)
	}
	response.Close()
	if err := <-done; err != io.ErrClosedPipe {
		t.Errorf("want a write error, got %v", err)
	}
}

func FuzzRequest(f *testing.F) {
	f.Add("/a%2Fb", "x=1", "e30=", true)
	f.Add("//host/a", "%", "", false)
	f.Add("", "", "", false)
	f.Add("/%zz", "", "", false)
	f.Add("http://other/a?b", "c", "d", false)
	f.Fuzz(func(t *testing.T, path, query, body string, base64 bool) {
		e := &events.LambdaFunctionURLRequest{RawPath: path, RawQueryString: query, Body: body, IsBase64Encoded: base64}
		r, err := request(context.Background(), e, "id")
		if err != nil {
			return
		}
		got, err := io.ReadAll(r.Body)
		if err != nil || int64(len(got)) != r.ContentLength {
			t.Errorf("body of %d bytes: got %d, %v", r.ContentLength, len(got), err)
		}
	})
}

func BenchmarkInvoke(b *testing.B) {
	secrets, _ := NewSecrets(edgeSecret)
	body := []byte(strings.Repeat("x", 2000))
	invoke := Wrap(Config{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(body) }), Secrets: secrets,
		Log: slog.New(slog.DiscardHandler)})
	e := event(b, "get.json")
	b.ReportAllocs()
	for b.Loop() {
		response, err := invoke(b.Context(), e)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, response); err != nil {
			b.Fatal(err)
		}
	}
}

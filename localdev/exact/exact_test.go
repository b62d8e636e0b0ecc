package exact

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// syncBuffer collects the functions' output.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// cloud is the test template running behind a real server.
type cloud struct {
	*httptest.Server
	edge *Edge
	logs *syncBuffer
	data string
}

func start(t testing.TB) *cloud {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	c := &cloud{logs: &syncBuffer{}, data: t.TempDir()}
	objects := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "object ", r.URL.Path) })
	edge, err := Start(ctx, Config{
		Template: filepath.Join("testdata", "template.yaml"), DataDir: c.data, WorkDir: t.TempDir(), Objects: objects, Logs: c.logs,
	})
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	c.edge, c.Server = edge, httptest.NewServer(edge)
	t.Cleanup(func() {
		c.Close()
		cancel()
		edge.Wait()
		if t.Failed() {
			t.Log(c.logs.String())
		}
	})
	return c
}

func (c *cloud) do(t testing.TB, method, path string, body io.Reader, headers ...string) (*http.Response, string, error) {
	t.Helper()
	r, err := http.NewRequest(method, c.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	response, err := c.Client().Do(r)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	return response, string(raw), err
}

func (c *cloud) want(t *testing.T, method, path string, body io.Reader, status int, contains string, headers ...string) {
	t.Helper()
	response, text, err := c.do(t, method, path, body, headers...)
	if err != nil {
		t.Errorf("%s %.60s: %v", method, path, err)
		return
	}
	if response.StatusCode != status || !strings.Contains(text, contains) {
		t.Errorf("%s %.60s: want %d with %q, got %d %.300s", method, path, status, contains, response.StatusCode, text)
	}
}

func (c *cloud) stats(t *testing.T, function string) Stats {
	t.Helper()
	for _, s := range c.edge.Stats() {
		if s.Function == function {
			return s
		}
	}
	t.Fatalf("no function %s", function)
	return Stats{}
}

func TestTheTemplateRuns(t *testing.T) {
	c := start(t)
	t.Run("the request arrives as the client wrote it", c.echoes)
	t.Run("what the edge refuses", c.refuses)
	t.Run("answers stream and break", c.streams)
	t.Run("functions that fail", c.failures)
	t.Run("the secret of the edge is changed", c.rotates)
	t.Run("a reader who stalls", c.stalls)
	t.Run("time-outs and concurrency", c.limits)
	t.Run("what is known of the functions", func(t *testing.T) {
		s := c.stats(t, "EchoFunction")
		if s.MemoryMB != 512 || s.Invocations < 5 || s.SlowestInit <= 0 {
			t.Errorf("got %+v", s)
		}
		if !strings.Contains(c.logs.String(), `EchoFunction | {"timestamp"`) {
			t.Errorf("want the function's lines under its name, got %.300s", c.logs.String())
		}
	})
}

func (c *cloud) echoes(t *testing.T) {
	response, text, err := c.do(t, "POST", "/f/echo/01234-12%2F3?b=%2F&a=1&a=2", strings.NewReader("plain body"),
		"Content-Type", "text/plain", "Cookie", "x=1; y=2", "X-Origin-Verify", "forged", "X-Viewer-Address", "198.51.100.1",
		"X-Forwarded-For", "203.0.113.9")
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Method, URI, ID, Host, Verify, Custom, Begins, Forwarded, Remote string
		Bytes                                                            int
		Cookie                                                           []string
		Env                                                              map[string]string
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for name, c := range map[string]struct{ got, want string }{
		"method":    {got.Method, "POST"},
		"URI":       {got.URI, "/f/echo/01234-12%2F3?b=%2F&a=1&a=2"},
		"id":        {got.ID, "01234-12/3"},
		"host":      {got.Host, "echofunction.lambda-url.local.on.aws"},
		"secret":    {got.Verify, ""},
		"header":    {got.Custom, "from the edge"},
		"body":      {got.Begins, "plain body"},
		"cookies":   {strings.Join(got.Cookie, "|"), "x=1; y=2"},
		"forwarded": {got.Forwarded, "203.0.113.9, 127.0.0.1"},
		"client":    {got.Remote, "127.0.0.1:0"}, // as the edge knows it, not as the client says
		"store":     {got.Env["MAPPE_STORE"], c.data},
		"runs":      {got.Env["MAPPE_RUNS"], c.data + "/.exact/runs"},
		"memory":    {got.Env["AWS_LAMBDA_FUNCTION_MEMORY_SIZE"], "512"},
		"stage":     {got.Env["STAGE"], "test-${literal}"},
	} {
		if c.got != c.want {
			t.Errorf("%s: want %q, got %q", name, c.want, c.got)
		}
	}
	if response.StatusCode != http.StatusTeapot || strings.Join(response.Header["Set-Cookie"], "|") != "a=1|b=2" ||
		response.Header.Get("X-Request-Id") == "" {
		t.Errorf("got %d %v", response.StatusCode, response.Header)
	}
	binary := bytes.Repeat([]byte{0xFF, 0, 1}, 1000)
	c.want(t, "POST", "/f/echo/x", bytes.NewReader(binary), 418, `"bytes":3000`, "Content-Type", "application/octet-stream")
	c.want(t, "GET", "/other/key?x=1", nil, 200, "object /site/other/key")
}

func (c *cloud) refuses(t *testing.T) {
	c.want(t, "GET", "/f/echo/"+strings.Repeat("x", 8192), nil, 414, "8192")
	c.want(t, "GET", "/f/echo/x", nil, 431, "20480", "X-Long", strings.Repeat("x", 20480))
	c.want(t, "POST", "/f/echo/x", bytes.NewReader(make([]byte, 6<<20+1)), 413, "6 MB", "Content-Type", "text/plain")
	c.want(t, "POST", "/f/echo/x", bytes.NewReader(make([]byte, 5<<20)), 413, "4.5 MB", "Content-Type", "application/octet-stream")
	c.want(t, "POST", "/f/echo/x", strings.NewReader(strings.Repeat("x", 5<<20)), 418, `"bytes":5242880`, "Content-Type", "text/plain")
	c.want(t, "POST", "/f/sleep", nil, 403, "does not allow POST")
	c.want(t, "DELETE", "/key", nil, 403, "allowed are GET, HEAD")
	c.want(t, "GET", "/closed/f/echo/x", nil, 403, "public address")
}

func (c *cloud) streams(t *testing.T) {
	// Small enough for the function's time-out of 2 s on a machine that has much else to do.
	_, text, err := c.do(t, "GET", "/f/rows?n=5000", nil)
	if err != nil || len(text) != 5000<<10 {
		t.Errorf("want 5,000 kB, got %d bytes, %v", len(text), err)
	}
	c.want(t, "GET", "/f/panic", nil, 500, `"status":500`)
	response, text, err := c.do(t, "GET", "/f/rows?n=5000&fail=4000", nil)
	if err == nil || response.StatusCode != 200 || len(text) >= 4000<<10+1 {
		t.Errorf("a panic after the first byte: want a broken answer, got %d bytes, %v", len(text), err)
	}
	defer func(most int64) { maxAnswer = most }(maxAnswer)
	maxAnswer = 1 << 20
	if _, text, err := c.do(t, "GET", "/f/rows?n=2000", nil); err == nil || len(text) > 1<<20 {
		t.Errorf("an answer over the limit: want it cut, got %d bytes, %v", len(text), err)
	}
	response, text, err = c.do(t, "HEAD", "/f/rows?n=3", nil)
	if err != nil || text != "" || response.StatusCode != 200 {
		t.Errorf("HEAD: want 200 without a body, got %q, %v", text, err)
	}
}

func (c *cloud) failures(t *testing.T) {
	c.want(t, "GET", "/f/exit", nil, 502, "Internal Server Error")
	c.want(t, "GET", "/f/echo/after", nil, 418, `"id":"after"`)
	c.want(t, "GET", "/broken/x", nil, 502, "Internal Server Error")
	if !strings.Contains(c.logs.String(), "BrokenFunction | no init today") {
		t.Errorf("want the reason in the log, got %.300s", c.logs.String())
	}
}

// rotates changes the secret as template.yaml documents it, several times, and once the wrong way round (the
// one that is sent is given a new value), while requests run: none of them is refused. A value that is stored
// no more is.
func (c *cloud) rotates(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	var asked, refused atomic.Int64
	for range 2 {
		group.Go(func() {
			for ctx.Err() == nil {
				response, text, err := c.do(t, "GET", "/f/echo/x", nil)
				if asked.Add(1); err != nil || response.StatusCode != http.StatusTeapot {
					refused.Add(1)
					t.Errorf("want an answer, got %v %.200s, %v", response, text, err)
				}
			}
		})
	}
	passed := func(n int64) {
		for from := asked.Load(); asked.Load() < from+n && refused.Load() == 0; {
			time.Sleep(time.Millisecond)
		}
	}
	passed(20)
	for i, step := range []struct{ secret, active string }{{"OtherSecret", "B"}, {"Secret", "A"}, {"Secret", "A"}} {
		c.edge.PutSecret(step.secret, fmt.Sprintf("the value of rotation %d", i))
		passed(10)
		if err := c.edge.Deploy(map[string]string{"Active": step.active}); err != nil {
			t.Error(err)
		}
		passed(20)
	}
	cancel()
	group.Wait()
	t.Logf("%d requests, %d refused", asked.Load(), refused.Load())
	if err := c.edge.Deploy(map[string]string{"Copies": "7"}); err == nil || !strings.Contains(err.Error(), "functions") {
		t.Errorf("a deployment of functions: got %v", err)
	}
}

// stalls takes the beginning of a long answer and nothing more: the copy of the function is free again long
// before its time-out of 2 s.
func (c *cloud) stalls(t *testing.T) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	before, began := c.stats(t, "EchoFunction"), time.Now()
	fmt.Fprint(conn, "GET /f/rows?n=100000 HTTP/1.1\r\nHost: x\r\n\r\n")
	if _, err := io.ReadFull(conn, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	for deadline := began.Add(30 * time.Second); !strings.Contains(c.logs.String(),
		"the process ends: its answer is not taken"); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the function waits for a reader who reads nothing: %.2000s", c.logs.String())
		}
	}
	if after := c.stats(t, "EchoFunction"); after.TimedOut != before.TimedOut {
		t.Errorf("the function was ended by its time-out, not by the bound for its reader")
	}
	t.Logf("free again after %v", time.Since(began))
	c.want(t, "GET", "/f/echo/after", nil, 418, `"id":"after"`)
}

func (c *cloud) limits(t *testing.T) {
	before := c.stats(t, "EchoFunction")
	c.want(t, "GET", "/f/sleep?ms=60000", nil, 504, "did not begin to answer")
	var group sync.WaitGroup
	statuses := make([]int, 6)
	pids := make([]string, 6)
	for i := range statuses { // one process still sleeps: of three copies two are free
		group.Go(func() {
			response, text, err := c.do(t, "GET", "/f/sleep?ms=700", nil)
			if err == nil {
				statuses[i], pids[i] = response.StatusCode, text
			}
		})
	}
	group.Wait()
	count := map[int]int{}
	seen := map[string]bool{}
	for i, s := range statuses {
		count[s]++
		if s == 200 && seen[pids[i]] {
			t.Errorf("process %s had two invocations at a time", pids[i])
		}
		seen[pids[i]] = true
	}
	if count[200] != 2 || count[429] != 4 {
		t.Errorf("want 2 answers and 4 throttled, got %v", count)
	}
	for deadline := time.Now().Add(time.Minute); c.stats(t, "EchoFunction").TimedOut == before.TimedOut; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the sleeping function was not ended by its time-out of 2 s")
		}
	}
	c.want(t, "GET", "/f/echo/after", nil, 418, `"id":"after"`)
}

func TestProcessesEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	edge, err := Start(ctx, Config{Template: filepath.Join("testdata", "template.yaml"), DataDir: t.TempDir(), WorkDir: t.TempDir(),
		Logs: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(edge)
	defer server.Close()
	response, err := http.Get(server.URL + "/f/echo/x")
	if err != nil || response.StatusCode != http.StatusTeapot {
		t.Fatalf("got %v, %v", response, err)
	}
	response.Body.Close()
	cancel()
	done := make(chan struct{})
	go func() { edge.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Error("the processes outlive the context")
	}
}

func BenchmarkWarm(b *testing.B) {
	c := start(b)
	c.do(b, "GET", "/f/echo/x", nil)
	for b.Loop() {
		if _, _, err := c.do(b, "GET", "/f/echo/x", nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(c.edge.Stats()[0].SlowestInit.Microseconds())/1000, "ms-to-first-answer")
}

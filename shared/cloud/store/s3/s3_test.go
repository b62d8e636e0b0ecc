package s3_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/infra/oracles"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/s3"
	"mappe/shared/cloud/store/storetest"
)

// gatewayPackage is the independent S3 server the contract is held against: S3's wire protocol over
// plain files.
const gatewayPackage = "github.com/versity/versitygw/cmd/versitygw@v1.8.0"

// TestContract needs the server: .ci/run installs it into .cache/bin of the module, MAPPE_S3_TEST=1 or
// CI=true installs it here (minutes the first time).
func TestContract(t *testing.T) {
	endpoint := startGateway(t)
	t.Setenv("AWS_ENDPOINT_URL_S3", endpoint)
	var n atomic.Int64
	storetest.RunInParts(t, 16<<20, func(t *testing.T) store.Store {
		s := openTest(t, fmt.Sprintf("s3://contract-%d/some/prefix", n.Add(1)))
		waitFor(t, func() error { return s.CreateBucket(t.Context()) })
		return s
	})
	t.Run("objects of other programs", func(t *testing.T) { foreignObjects(t) })
	t.Run("uploads under way", func(t *testing.T) { uploads(t) })
}

func openTest(t *testing.T, address string) *s3.Store {
	t.Helper()
	for name, value := range map[string]string{"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "test",
		"AWS_SECRET_ACCESS_KEY": "testsecret"} {
		if os.Getenv(name) != value {
			t.Setenv(name, value)
		}
	}
	s, err := s3.Open(address)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// foreignObjects: a bucket may hold what is no key, and two stores in one bucket do not see each other.
func foreignObjects(t *testing.T) {
	whole := openTest(t, "s3://foreign")
	waitFor(t, func() error { return whole.CreateBucket(t.Context()) })
	part := openTest(t, "s3://foreign/part/")
	for key, s := range map[string]store.Store{"part/inside": whole, "outside": whole, "own": part} {
		if _, err := s.Put(t.Context(), key, []byte(key), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for info, err := range part.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, info.Key)
	}
	if want := "inside own"; strings.Join(got, " ") != want {
		t.Errorf("want %s, got %v", want, got)
	}
	missing := openTest(t, "s3://no-such-bucket")
	if _, err := missing.Get(t.Context(), "k", store.GetOptions{}); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("a missing bucket is no missing object: got %v", err)
	}
}

// lossy answers a PUT as a broken network would: the request is carried out, the answer is lost.
func TestAPutThatWasStoredButNotAnsweredSucceeds(t *testing.T) {
	for _, opt := range []store.PutOptions{{Immutable: true}, {IfMatch: store.Absent}, {IfMatch: `"old"`}} {
		bucket := &fakeBucket{failFirst: 503, storeFirst: true}
		server := httptest.NewServer(bucket)
		defer server.Close()
		t.Setenv("AWS_ENDPOINT_URL_S3", server.URL)
		s := openTest(t, "s3://bucket")
		info, err := s.Put(t.Context(), "current.json", []byte("new"), opt)
		if err != nil || info.ETag != `"new"` {
			t.Errorf("%+v: want success under the stored ETag, got %+v, %v", opt, info, err)
		}
		if bucket.puts != 2 {
			t.Errorf("%+v: want one repetition, got %d requests", opt, bucket.puts)
		}
	}
}

func TestAConflictIsRetried(t *testing.T) {
	bucket := &fakeBucket{failFirst: http.StatusConflict}
	server := httptest.NewServer(bucket)
	defer server.Close()
	t.Setenv("AWS_ENDPOINT_URL_S3", server.URL)
	s := openTest(t, "s3://bucket")
	if _, err := s.Put(t.Context(), "k", []byte("new"), store.PutOptions{IfMatch: `"old"`}); err != nil || bucket.puts != 2 {
		t.Errorf("want success in two requests, got %v in %d", err, bucket.puts)
	}
}

// A rebuild writes mostly what is there: of a large immutable object it asks once and sends nothing.
func TestALargeObjectThatIsThereIsAskedForOnce(t *testing.T) {
	body := bytes.Repeat([]byte("x"), 1<<20)
	sum := sha256.Sum256(body)
	var requests []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests = append(requests, r.Method)
		w.Header().Set("X-Amz-Meta-Sha256", hex.EncodeToString(sum[:]))
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Header().Set("ETag", `"there"`)
	}))
	defer server.Close()
	t.Setenv("AWS_ENDPOINT_URL_S3", server.URL)
	s := openTest(t, "s3://bucket")
	if info, err := s.Put(t.Context(), "kg/x.kgs", body, store.PutOptions{Immutable: true}); err != nil || info.ETag != `"there"` {
		t.Errorf("equal bytes: want success, got %+v, %v", info, err)
	}
	body[0] = 'y'
	if _, err := s.Put(t.Context(), "kg/x.kgs", body, store.PutOptions{Immutable: true}); !errors.Is(err, store.ErrPrecondition) {
		t.Errorf("other bytes: want a refusal, got %v", err)
	}
	if got := strings.Join(requests, " "); got != "HEAD HEAD" {
		t.Errorf("want one HEAD each, got %s", got)
	}
}

// fakeBucket holds one object, under ETag "old" until the first successful PUT. Its first PUT fails.
type fakeBucket struct {
	failFirst  int
	storeFirst bool
	puts       int
	meta       http.Header
}

func (b *fakeBucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead {
		for name, values := range b.meta {
			w.Header()[name] = values
		}
		w.Header().Set("ETag", `"new"`)
		w.Header().Set("Content-Length", "3")
		return
	}
	b.puts++
	io.Copy(io.Discard, r.Body)
	switch {
	case b.meta != nil:
		w.WriteHeader(http.StatusPreconditionFailed)
		return
	case b.puts > 1 || b.storeFirst:
		b.meta = http.Header{}
		for name, values := range r.Header {
			if strings.HasPrefix(name, "X-Amz-Meta-") {
				b.meta[name] = values
			}
		}
	}
	if b.puts == 1 {
		w.WriteHeader(b.failFirst)
		return
	}
	w.Header().Set("ETag", `"new"`)
}

func TestOpenSaysWhatIsMissing(t *testing.T) {
	for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_CONTAINER_CREDENTIALS_FULL_URI",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"} {
		t.Setenv(name, "")
	}
	expect := func(address, want string) {
		t.Helper()
		if _, err := s3.Open(address); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want an error naming %s, got %v", address, want, err)
		}
	}
	expect("s3://bucket", "AWS_REGION")
	t.Setenv("AWS_REGION", "eu-central-1")
	expect("s3://bucket", "AWS_ACCESS_KEY_ID")
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	expect("s3:///prefix", "s3://bucket")
	expect("s3://bucket?x=1", "s3://bucket")
	expect("s3://bucket/a/../b", "key not allowed")
}

// startGateway runs the server on a free port over a temporary folder and gives its address.
func startGateway(t *testing.T) string {
	t.Helper()
	binary := gatewayBinary(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	var log bytes.Buffer
	cmd := exec.Command(binary, "--quiet", "--port", address, "--access", "test", "--secret", "testsecret", "posix", t.TempDir())
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Log("server:", log.String())
		}
	})
	waitFor(t, func() error {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			conn.Close()
		}
		return err
	})
	return "http://" + address
}

// gatewayBinary is the installed server; it is installed where the environment asks for the test.
func gatewayBinary(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(oracles.Root(t), ".cache", "bin")
	binary := filepath.Join(bin, "versitygw")
	if _, err := os.Stat(binary); err == nil {
		return binary
	}
	if os.Getenv("MAPPE_S3_TEST") != "1" && os.Getenv("CI") != "true" {
		t.Skip("skipped: the S3 contract needs an S3 server; MAPPE_S3_TEST=1 installs versitygw and runs it")
	}
	bin, err := filepath.Abs(bin)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "install", gatewayPackage)
	cmd.Env = append(os.Environ(), "GOBIN="+bin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("install %s: %v\n%s", gatewayPackage, err, out)
	}
	return binary
}

func waitFor(t *testing.T, try func() error) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		err := try()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

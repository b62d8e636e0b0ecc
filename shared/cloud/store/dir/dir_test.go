package dir_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/cloud/store/storetest"
)

func open(t testing.TB, root string) *dir.Store {
	t.Helper()
	s, err := dir.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return open(t, filepath.Join(t.TempDir(), "new")) })
}

func TestObjectsArePlainFiles(t *testing.T) {
	root := t.TempDir()
	s := open(t, root)
	body := []byte(`{"generation":"1"}`)
	if _, err := s.Put(t.Context(), "manifests/1.json", body, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, "manifests", "1.json"))
	if err != nil || !bytes.Equal(got, body) {
		t.Errorf("want the file to hold %s, got %s, %v", body, got, err)
	}
	if n := count(t, filepath.Join(root, ".store", "headers")); n != 0 {
		t.Errorf("headers that follow from the name: want no file for them, got %d", n)
	}
	if n := count(t, filepath.Join(root, ".store", "tmp")); n != 0 {
		t.Errorf("want no temporary file left, got %d", n)
	}
}

func count(t *testing.T, folder string) int {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return len(entries)
}

func TestFilesPutThereByHandAreObjects(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "kg", "a.geojson.gz")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	s := open(t, root)
	old := time.Now().Add(-time.Hour)
	for _, body := range []string{"one", "two"} {
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
		old = old.Add(time.Minute)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second Head answers from the remembered hash
			info, err := s.Head(t.Context(), "kg/a.geojson.gz")
			if err != nil || info.ETag != store.ETagOf([]byte(body)) || info.Headers.ContentEncoding != "gzip" {
				t.Errorf("after writing %q: want its hash and gzip, got %+v, %v", body, info, err)
			}
		}
	}
}

func TestWritersInOtherProcessesRaceToo(t *testing.T) {
	root := t.TempDir()
	if want := os.Getenv("MAPPE_TEST_SWAP"); want != "" {
		swap(t, os.Getenv("MAPPE_TEST_ROOT"), want)
		return
	}
	if _, err := open(t, root).Put(t.Context(), "current.json", []byte("0"), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	const processes, swaps = 4, 25
	var running []*exec.Cmd
	for i := range processes {
		cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), "MAPPE_TEST_SWAP="+fmt.Sprint(i+1), "MAPPE_TEST_ROOT="+root)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Errorf("process: %v", err)
		}
	}
	raw, err := os.ReadFile(filepath.Join(root, "current.json"))
	if got, want := strings.Count(string(raw), ","), processes*swaps; err != nil || got != want {
		t.Errorf("want all %d swaps in the object, none lost, got %d, %v", want, got, err)
	}
}

// swap appends to the object 25 times, each time to the version it has read.
func swap(t *testing.T, root, name string) {
	s := open(t, root)
	for done := 0; done < 25; {
		raw, info, err := store.ReadAll(t.Context(), s, "current.json", 1<<20, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Put(t.Context(), "current.json", append(raw, ","+name...), store.PutOptions{IfMatch: info.ETag})
		if err == nil {
			done++
		} else if !errors.Is(err, store.ErrPrecondition) {
			t.Fatal(err)
		}
	}
}

func TestReadersSeeWholeVersionsWithTheirHeaders(t *testing.T) {
	s := open(t, t.TempDir())
	put := func(n int) error {
		body := bytes.Repeat([]byte{byte('a' + n%20)}, 1+n%5000)
		h := store.Headers{ContentType: fmt.Sprintf("text/x-%c", body[0])}
		_, err := s.Put(t.Context(), "k", body, store.PutOptions{Headers: h})
		return err
	}
	if err := put(0); err != nil {
		t.Fatal(err)
	}
	written := make(chan error, 1)
	go func() {
		for n := range 300 {
			if err := put(n); err != nil {
				written <- err
				return
			}
		}
		close(written)
	}()
	for {
		select {
		case err := <-written:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
		}
		object, err := s.Get(t.Context(), "k", store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(object.Body)
		object.Body.Close()
		if err != nil || int64(len(body)) != object.Size || store.ETagOf(body) != object.ETag {
			t.Fatalf("want a whole version with its ETag, got %d of %d bytes, %v", len(body), object.Size, err)
		}
		if want := fmt.Sprintf("text/x-%c", body[0]); object.Headers.ContentType != want {
			t.Fatalf("want the version's own headers %s, got %s", want, object.Headers.ContentType)
		}
	}
}

func TestALeftTemporaryFileIsCleared(t *testing.T) {
	root := t.TempDir()
	tmp := filepath.Join(root, ".store", "tmp")
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{"put-old", "put-young"} {
		if err := os.WriteFile(filepath.Join(tmp, name), []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(filepath.Join(tmp, "put-old"), old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, root).Put(t.Context(), "k", nil, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	if n := count(t, tmp); n != 1 {
		t.Errorf("want the young file only, got %d files", n)
	}
}

func TestOpenRefusesAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := dir.Open(path); err == nil || !strings.Contains(err.Error(), "want a directory") {
		t.Errorf("want a refusal, got %v", err)
	}
}

func BenchmarkHead(b *testing.B) {
	s := open(b, b.TempDir())
	if _, err := s.Put(b.Context(), "k", make([]byte, 2<<20), store.PutOptions{}); err != nil {
		b.Fatal(err)
	}
	time.Sleep(150 * time.Millisecond) // until the hash may be remembered
	for b.Loop() {
		if _, err := s.Head(b.Context(), "k"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGet100kB(b *testing.B) {
	s := open(b, b.TempDir())
	body := make([]byte, 100<<10)
	if _, err := s.Put(b.Context(), "k", body, store.PutOptions{}); err != nil {
		b.Fatal(err)
	}
	time.Sleep(150 * time.Millisecond)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, _, err := store.ReadAll(b.Context(), s, "k", 1<<20, store.GetOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPut100kB(b *testing.B) {
	s := open(b, b.TempDir())
	body := make([]byte, 100<<10)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := s.Put(b.Context(), "k", body, store.PutOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

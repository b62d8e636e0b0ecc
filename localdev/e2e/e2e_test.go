package e2e

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"mappe/functions/families"
	"mappe/infra/oracles"
	"mappe/localdev/demo"
	"mappe/localdev/exact/servers"
)

// binaries is the folder of what the tests build for all of them.
var binaries string

func TestMain(m *testing.M) {
	var err error
	if binaries, err = os.MkdirTemp("", "mappe-e2e-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(binaries) // what is left lies among temporary files
	os.Exit(code)
}

// command is the real command, with the pages in it. It is linked once, without what a debugger reads, which takes half of the linking.
var command = sync.OnceValues(func() (string, error) {
	if err := bundle(); err != nil {
		return "", err
	}
	bin := filepath.Join(binaries, "localdev")
	c := exec.Command("go", "build", "-ldflags", "-s -w", "-o", bin, "./localdev")
	c.Dir = filepath.Join("..", "..")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return bin, nil
})

// program is the path of the real command.
func program(t *testing.T) string {
	t.Helper()
	bin, err := command()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// root is the checkout.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func run(t *testing.T, bin string, args ...string) {
	t.Helper()
	c := exec.Command(bin, args...)
	c.Dir = root(t)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("localdev %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// up starts the server in the checkout, on a free port, and waits for its address; it is ended with the test.
func up(t *testing.T, bin string, args ...string) string {
	t.Helper()
	base, _ := upIn(t, root(t), bin, args...)
	return base
}

// upIn is up in another directory; said is what the server printed up to its address.
func upIn(t *testing.T, dir, bin string, args ...string) (base, said string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, bin, append(args, "--addr", "127.0.0.1:0")...)
	c.Dir = dir
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 10 * time.Second
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = c.Wait() // ended by the signal
	})
	address := make(chan string, 1)
	var printed strings.Builder // read when the address is there
	go func() {
		defer close(address)
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			fmt.Fprintln(&printed, lines.Text())
			if a, ok := strings.CutPrefix(strings.TrimSpace(lines.Text()), "all services"); ok {
				address <- strings.TrimSuffix(strings.TrimSpace(a), "/")
				break
			}
		}
		_, _ = io.Copy(io.Discard, out) // ends with the process
	}()
	select {
	case a, ok := <-address:
		if !ok {
			t.Fatal("the server ended without an address")
		}
		return a, printed.String()
	case <-time.After(4 * time.Minute):
		t.Fatal("the server printed no address")
	}
	return "", ""
}

// TestANewcomersWay is the README's way: make the country, build it, serve it, ask it, in one process
// and as the real bootstraps, then open the map in a browser.
func TestANewcomersWay(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short leaves out the whole-system test")
	}
	bin, dir := program(t), t.TempDir()
	source, data := filepath.Join(dir, "source"), filepath.Join(dir, "data")
	run(t, bin, "demo", "--out", source)
	for _, date := range demo.Dates[:len(demo.Dates)-1] { // as start does: what changed since is shown on the map
		was := filepath.Join(dir, "source-"+date)
		if err := demo.At(source, date, was); err != nil {
			t.Fatal(err)
		}
		run(t, bin, "build", "--source", was, "--data", data)
	}
	run(t, bin, "build", "--source", source, "--data", data)
	// As start does when it serves; the examples ask for it, and the map draws what was found.
	run(t, bin, "landscape", "process", "--products", "--data", data, "09902")
	run(t, bin, "landscape", "tiles", "--data", data)
	run(t, bin, "verify", "--data", data)

	var script []Exchange
	var inProcess []Answer
	t.Run("in one process", func(t *testing.T) { // one server serves a directory at a time: it ends here
		base := up(t, bin, "up", "--data", data)
		work(t, bin, base, data)
		books(t, bin, base, "--data", data)
		var err error
		if script, err = Script(base); err != nil {
			t.Fatal(err)
		}
		inProcess = answers(t, "in one process", base, script)
		exportJob(t, base, "99101,99102")
		run(t, bin, "smoke", base)
		t.Run("artefacts", func(t *testing.T) { artefacts(t, base) })
		t.Run("examples", func(t *testing.T) { examples(t, base) })
		t.Run("recipes", func(t *testing.T) { recipes(t, bin, base) })
		t.Run("samples", func(t *testing.T) { samples(t, base) })
		t.Run("browser", func(t *testing.T) { browser(t, base) })
		t.Run("firefox", func(t *testing.T) { firefox(t, base) })
	})
	if len(inProcess) == 0 {
		t.FailNow() // nothing to compare with
	}

	asFunctions(t, bin, data, script, inProcess)
}

// asFunctions asks the real bootstraps what one process was asked, over an S3 server and a DynamoDB server where they are installed,
// and compares the answers; then while something goes wrong.
func asFunctions(t *testing.T, bin, data string, script []Exchange, inProcess []Answer) {
	t.Helper()
	flags, ledger := []string{"up", "--data", data, "--exact"}, []string{"--data", data}
	_, missing := servers.Find(root(t))
	if missing == nil {
		flags = append(flags, "--servers")
	}
	exact, said := upIn(t, root(t), bin, flags...)
	if missing == nil {
		ledger = []string{"--ledger", between(said, "--ledger '", "'")}
	}
	books(t, bin, exact, ledger...)
	t.Run("models, as functions", func(t *testing.T) { models(t, exact) })
	exportJob(t, exact, "99101,99103")
	run(t, bin, "smoke", exact)
	landscapeTask(t, exact)
	fromFunctions := answers(t, "as functions", exact, script)
	for i, e := range script {
		if !e.Compare {
			continue
		}
		a, b := inProcess[i], fromFunctions[i]
		if a.Status != b.Status || a.Type != b.Type || Stable(a.Body) != Stable(b.Body) {
			t.Errorf("%s: the two modes differ:\n%d %s %.400s\n%d %s %.400s", e.Name, a.Status, a.Type, a.Body, b.Status, b.Type, b.Body)
		}
	}
	t.Run("faults", func(t *testing.T) { faults(t, data, script, inProcess) })
}

// between is what stands in a text between two others; "" where one of them is missing.
func between(text, from, to string) string {
	_, after, found := strings.Cut(text, from)
	inside, _, ends := strings.Cut(after, to)
	if !found || !ends {
		return ""
	}
	return inside
}

func answers(t *testing.T, mode, base string, script []Exchange) []Answer {
	t.Helper()
	client := &http.Client{Timeout: time.Minute}
	out := make([]Answer, len(script))
	for i, e := range script {
		a, err := Do(client, base, e)
		if err != nil {
			t.Fatalf("%s, %s: %v", mode, e.Name, err)
		}
		if e.Status != 0 && a.Status != e.Status {
			t.Errorf("%s, %s: want status %d, got %d: %.300s", mode, e.Name, e.Status, a.Status, a.Body)
		}
		if e.Status < 400 && e.Type != "" && a.Type != e.Type {
			t.Errorf("%s, %s: want %s, got %s", mode, e.Name, e.Type, a.Type)
		}
		if !strings.Contains(string(a.Body), e.Holds) {
			t.Errorf("%s, %s: want %q in %.300s", mode, e.Name, e.Holds, a.Body)
		}
		out[i] = a
	}
	return out
}

// landscapeTask has the task of the examples done by a running server.
func landscapeTask(t *testing.T, base string) {
	t.Helper()
	exampleTask(t, func(method, path, body string) (int, []byte) {
		a, err := Do(http.DefaultClient, base, Exchange{Method: method, Path: path, Body: []byte(body)})
		if err != nil {
			t.Fatal(err)
		}
		return a.Status, a.Body
	})
}

// examples sends the request that each endpoint declares as its example: on the demo country it finds
// something, because the docs page and the index offer it to be tried.
func examples(t *testing.T, base string) {
	landscapeTask(t, base)
	for _, m := range families.All(families.Deps{}) {
		for _, e := range m.Endpoints() {
			x := Exchange{Method: e.Method, Path: m.Prefix + e.Example, Body: []byte(e.ExampleBody)}
			if e.Gate != nil {
				continue // it asks for a token or for money first
			}
			if strings.HasPrefix(e.Path, "/llm/") && m.Prefix != "/cadastre" {
				continue // the sibling contract of a service that has nothing of KGs
			}
			if strings.Contains(e.Path, "/export/jobs/") {
				x.Path = m.Prefix + jobExample(t, e.Example, func(path string) []byte {
					a, err := Do(http.DefaultClient, base, Exchange{Method: "GET", Path: m.Prefix + path})
					if err != nil {
						t.Fatal(err)
					}
					return a.Body
				})
			}
			if e.Example == "" {
				t.Errorf("%s %s has no example", e.Method, e.Path)
				continue
			}
			a, err := Do(http.DefaultClient, base, x)
			if err != nil {
				t.Fatal(err)
			}
			if a.Status != 200 || strings.Contains(string(a.Body), `"data":[]`) || strings.Contains(string(a.Body), `"matched":0`) {
				t.Errorf("%s %s: status %d, finds nothing: %.300s", x.Method, x.Path, a.Status, a.Body)
			}
		}
	}
}

// artefacts reads the pointer as a client of the CDN does: with its headers, conditionally, by range.
func artefacts(t *testing.T, base string) {
	ask := func(path, header, value string) *http.Response {
		req, err := http.NewRequest("GET", base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if header != "" {
			req.Header.Set(header, value)
		}
		reply, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = reply.Body.Close() // only the head is looked at
		return reply
	}
	var pointer struct{ Tiles string }
	if err := getJSON(base+"/artefacts/current.json", &pointer); err != nil {
		t.Fatal(err)
	}
	first := ask("/artefacts/current.json", "", "")
	if got := first.Header.Get("Cache-Control"); !strings.Contains(got, "max-age=5") {
		t.Errorf("pointer: Cache-Control %q", got)
	}
	if again := ask("/artefacts/current.json", "If-None-Match", first.Header.Get("ETag")); again.StatusCode != 304 {
		t.Errorf("conditional read: want 304, got %d", again.StatusCode)
	}
	part := ask("/artefacts/"+pointer.Tiles, "Range", "bytes=0-126")
	if part.StatusCode != 206 || part.ContentLength != 127 {
		t.Errorf("range: want 206 with 127 bytes, got %d with %d", part.StatusCode, part.ContentLength)
	}
	if got := part.Header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("tiles: Cache-Control %q", got)
	}
	if health := ask("/healthz", "", ""); health.StatusCode != 200 {
		t.Errorf("healthz: got %d", health.StatusCode)
	}
}

// bundle makes the pages where make has installed their packages. Without these the tests that look at pages say what is missing.
func bundle() error {
	web := filepath.Join("..", "server", "web")
	if _, err := os.Stat(filepath.Join(web, "node_modules", "esbuild")); err != nil {
		return nil
	}
	c := exec.Command("npm", "run", "build")
	c.Dir = web
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("npm run build: %w\n%s", err, out)
	}
	return nil
}

// browser runs the pages' own tests in Chromium against the running server, each file in a process and with a browser of its own:
// pages that others left open take most of a processor.
func browser(t *testing.T, base string) {
	chromium, node := oracles.Chromium(t), oracles.Program(t, "node")
	web := oracles.Folder(t, "localdev/server/web", "playwright-core")
	c := exec.Command(node, "--test", "test/")
	c.Dir = web
	c.Env = append(os.Environ(), "MAPPE_URL="+base, "MAPPE_CHROMIUM="+chromium)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// firefox runs the tests of infra/oracles/firefox in Firefox against the running server. It has a display of its own: without one it
// draws no map.
func firefox(t *testing.T, base string) {
	program, display, node := oracles.Program(t, "firefox-esr"), oracles.Program(t, "Xvfb"), oracles.Program(t, "node")
	folder := oracles.Folder(t, "infra/oracles/firefox", "puppeteer-core")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	x := exec.Command(display, "-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{write}
	if err := x.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = x.Process.Signal(syscall.SIGTERM)
		_ = x.Wait() // ended by the signal
	})
	write.Close()
	number, err := bufio.NewReader(read).ReadString('\n') // of the display that is ready
	if err != nil {
		t.Fatalf("Xvfb gave no display: %v", err)
	}
	c := exec.Command(node, "--test", "test/")
	c.Dir = folder
	c.Env = append(os.Environ(), "MAPPE_URL="+base, "MAPPE_FIREFOX="+program, "DISPLAY=:"+strings.TrimSpace(number),
		"LIBGL_ALWAYS_SOFTWARE=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

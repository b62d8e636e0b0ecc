package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/functions/families"
	"mappe/infra/oracles"
)

// sampled is an operation of the reference with its example as programs write it, and what a client of ours was answered.
type sampled struct {
	ID      string
	Request struct {
		Method, URL, Body string
		Headers           map[string]string
		JSON              bool
	}
	Samples map[string]string // by language
	answer  Answer
}

// outcome is what came of a sample.
type outcome struct {
	Printed, Error string
	Shown          int // letters
	Bytes          *int64
}

// samples runs the samples of the reference as its page writes them, against the demo country at base: each gets what a client of
// ours gets. Where the example itself is not answered (a job that is over, an operator's call) its samples are not run.
func samples(t *testing.T, base string) {
	list := sampledOf(t, base)
	if len(list) < 200 {
		t.Fatalf("only %d operations have samples that can be run", len(list))
	}
	t.Run("curl", func(t *testing.T) { shellSamples(t, list) })
	t.Run("JavaScript", func(t *testing.T) { runSamples(t, list, "JavaScript", oracles.Program(t, "node"), "run.mjs") })
	t.Run("Python", func(t *testing.T) { runSamples(t, list, "Python", needRequests(t), "run.py") })
	t.Run("R", func(t *testing.T) { runSamples(t, someOf(list), "R", oracles.Program(t, "Rscript"), "run.R") })
}

// someOf is every fourth sample, and all in a long run: R takes as long as the other languages together.
func someOf(list []sampled) (some []sampled) {
	if os.Getenv("MAPPE_SOAK") != "" {
		return list
	}
	for i := 0; i < len(list); i += 4 {
		some = append(some, list[i])
	}
	return some
}

// needRequests is a python3 that has requests, the system's own where another stands before it.
func needRequests(t *testing.T) string {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import requests").Run() == nil {
			return python
		}
	}
	t.Skip("skipped: requests of python3 (Debian package python3-requests) is not installed")
	return ""
}

func sampledOf(t *testing.T, base string) (list []sampled) {
	node := oracles.Program(t, "node")
	done := map[string]bool{}
	for _, m := range families.All(families.Deps{}) {
		if done[m.Prefix] {
			continue
		}
		done[m.Prefix] = true
		spec, err := Do(http.DefaultClient, base, Exchange{Method: "GET", Path: m.Prefix + "/openapi.json"})
		if err != nil || spec.Status != http.StatusOK {
			t.Fatalf("%s: %d, %v", m.Prefix, spec.Status, err)
		}
		c := exec.Command(node, filepath.Join("testdata", "samples", "samples.mjs"),
			filepath.Join(root(t), "shared", "web", "endpoint"), base, strings.Trim(m.Prefix, "/"))
		c.Stdin, c.Stderr = bytes.NewReader(spec.Body), os.Stderr
		out, err := c.Output()
		var of []sampled
		if err != nil || json.Unmarshal(out, &of) != nil {
			t.Fatalf("the samples of %s: %v\n%.500s", m.Prefix, err, out)
		}
		for _, s := range of {
			if s.ask(t, base) {
				list = append(list, s)
			}
		}
	}
	return list
}

// ask asks what the samples ask; false where that is not answered.
func (s *sampled) ask(t *testing.T, base string) bool {
	header := http.Header{}
	for name, value := range s.Request.Headers {
		header.Set(name, value)
	}
	for range 2 { // the first may begin a task, whose answers are others while it runs
		var err error
		s.answer, err = Do(http.DefaultClient, base, Exchange{Method: s.Request.Method, Path: strings.TrimPrefix(s.Request.URL, base),
			Header: header, Body: []byte(s.Request.Body)})
		if err != nil {
			t.Fatalf("%s: %v", s.ID, err)
		}
	}
	return s.answer.Status/100 == 2
}

// shellSamples runs those in curl.
func shellSamples(t *testing.T, list []sampled) {
	oracles.Program(t, "curl")
	for _, s := range list {
		out, err := exec.Command("sh", "-e", "-c", s.Samples["curl"]).Output()
		o := outcome{Printed: string(out)}
		if size := int64(len(out)); !s.Request.JSON {
			o.Bytes = &size
		}
		if err != nil {
			o.Error = err.Error()
		}
		s.check(t, "curl", o)
	}
}

// runSamples runs those of a language in one process.
func runSamples(t *testing.T, list []sampled, language, program, driver string) {
	driver, err := filepath.Abs(filepath.Join("testdata", "samples", driver))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, s := range list {
		texts = append(texts, s.Samples[language])
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, driver)
	c.Dir, c.Stdin, c.Stderr = t.TempDir(), bytes.NewReader(in), os.Stderr
	out, err := c.Output()
	var outcomes []outcome
	if err != nil || json.Unmarshal(out, &outcomes) != nil || len(outcomes) != len(list) {
		t.Fatalf("%s: %v, %d outcomes of %d samples\n%.500s", language, err, len(outcomes), len(list), out)
	}
	for i, s := range list {
		s.check(t, language, outcomes[i])
	}
}

// check compares what came of a sample with what our client got.
func (s *sampled) check(t *testing.T, language string, o outcome) {
	t.Helper()
	size := int64(len(s.answer.Body))
	switch {
	case o.Error != "":
		t.Errorf("%s in %s: %s\n%s", s.ID, language, o.Error, s.Samples[language])
	case s.Request.JSON == (o.Bytes != nil):
		t.Errorf("%s in %s: JSON is %v, the sample kept %v bytes\n%s", s.ID, language, s.Request.JSON, o.Bytes, s.Samples[language])
	case o.Bytes != nil && (*o.Bytes == 0 || *o.Bytes > 2*size+1000 || 2**o.Bytes+1000 < size): // what is compressed, or made anew, varies
		t.Errorf("%s in %s: a file of %d bytes, expected about %d\n%s", s.ID, language, *o.Bytes, size, s.Samples[language])
	case o.Bytes != nil:
	case language == "R":
		if o.Shown < 20 {
			t.Errorf("%s in R: %d letters are shown\n%s", s.ID, o.Shown, s.Samples[language])
		}
	case strings.Contains(s.Request.URL, "/processing/") && o.Printed != "": // queue and log are others after the samples before it
	case s.Request.Method == "GET" && (o.Printed == "" || len(Stable([]byte(o.Printed))) < len(Stable(s.answer.Body))/2):
		t.Errorf("%s in %s: printed is %.200s, expected %.200s\n%s", s.ID, language, o.Printed, s.answer.Body, s.Samples[language])
	}
}

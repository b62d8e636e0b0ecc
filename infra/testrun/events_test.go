package main

import (
	"strings"
	"testing"
)

const events = `{"Action":"start","Package":"mappe/a"}
{"Action":"run","Package":"mappe/a","Test":"TestGood"}
{"Action":"output","Package":"mappe/a","Test":"TestGood","Output":"=== RUN   TestGood\n"}
{"Action":"output","Package":"mappe/a","Test":"TestGood","Output":"    a_test.go:5: what only -v prints\n"}
{"Action":"pass","Package":"mappe/a","Test":"TestGood"}
{"Action":"output","Package":"mappe/a","Test":"TestOracle/two","Output":"    a_test.go:9: skipped: qpdf (Debian package qpdf) is not installed\n"}
{"Action":"skip","Package":"mappe/a","Test":"TestOracle/two"}
{"Action":"output","Package":"mappe/a","Test":"TestOracle/one","Output":"    a_test.go:9: skipped: qpdf (Debian package qpdf) is not installed\n"}
{"Action":"skip","Package":"mappe/a","Test":"TestOracle/one"}
{"Action":"skip","Package":"mappe/a","Test":"TestSilent"}
{"Action":"output","Package":"mappe/a","Output":"PASS\n"}
{"Action":"output","Package":"mappe/a","Output":"ok  \tmappe/a\t0.1s\n"}
{"Action":"pass","Package":"mappe/a"}
{"Action":"output","Package":"mappe/b","Test":"TestFine","Output":"    b_test.go:1: said by one that passes\n"}
{"Action":"pass","Package":"mappe/b","Test":"TestFine"}
{"Action":"output","Package":"mappe/b","Test":"TestBad","Output":"    b_test.go:7: want 1, got 2\n"}
{"Action":"output","Package":"mappe/b","Test":"TestBad","Output":"--- FAIL: TestBad (0.00s)\n"}
{"Action":"fail","Package":"mappe/b","Test":"TestBad"}
{"Action":"output","Package":"mappe/b","Test":"TestStuck","Output":"panic: test timed out after 1s\n"}
{"Action":"output","Package":"mappe/b","Output":"FAIL\tmappe/b\t0.1s\n"}
{"Action":"fail","Package":"mappe/b"}
{"Action":"build-output","ImportPath":"mappe/c","Output":"c/c.go:3:1: syntax error\n"}
{"Action":"build-fail","ImportPath":"mappe/c"}
{"Action":"output","Package":"mappe/c","Output":"FAIL\tmappe/c [build failed]\n"}
{"Action":"fail","Package":"mappe/c"}
{"Action":"output","Package":"mappe/d","Output":"?   \tmappe/d\t[no test files]\n"}
{"Action":"skip","Package":"mappe/d"}
no event at all
`

const printed = `ok  	mappe/a	0.1s
    b_test.go:7: want 1, got 2
--- FAIL: TestBad (0.00s)
panic: test timed out after 1s
FAIL	mappe/b	0.1s
c/c.go:3:1: syntax error
FAIL	mappe/c [build failed]
?   	mappe/d	[no test files]
no event at all
2 skipped: qpdf (Debian package qpdf) is not installed
    a TestOracle/one
    a TestOracle/two
1 skipped: no reason is given
    a TestSilent
`

func TestReport(t *testing.T) {
	var got strings.Builder
	r := newReport(&got)
	if err := r.read(strings.NewReader(events)); err != nil {
		t.Fatal(err)
	}
	r.summary()
	if got.String() != printed {
		t.Errorf("want\n%s\ngot\n%s", printed, got.String())
	}
	if len(r.output)+len(r.order) != 0 {
		t.Errorf("kept after the end: %d outputs, %d packages", len(r.output), len(r.order))
	}
}

func TestSlowest(t *testing.T) {
	var got strings.Builder
	r := newReport(&got)
	for _, line := range []string{
		`{"Action":"pass","Package":"mappe/a","Test":"TestParts/one","Elapsed":9}`,
		`{"Action":"pass","Package":"mappe/a","Test":"TestParts","Elapsed":9.5}`,
		`{"Action":"pass","Package":"mappe/a","Elapsed":10}`,
		`{"Action":"fail","Package":"mappe/b","Test":"TestBad","Elapsed":3}`,
		`{"Action":"fail","Package":"mappe/b","Elapsed":3.5}`,
		`{"Action":"pass","Package":"mappe/c","Test":"TestShort","Elapsed":1}`,
		`{"Action":"pass","Package":"mappe/c","Elapsed":1.5}`,
		`{"Action":"pass","Package":"mappe/c","Elapsed":2.5}`, // of another part
	} {
		if err := r.read(strings.NewReader(line)); err != nil {
			t.Fatal(err)
		}
	}
	got.Reset()
	r.slowest(2)
	want := "the slowest packages, in seconds\n    10.0 a\n     4.0 c\nthe slowest tests, in seconds\n     9.5 a TestParts\n     3.0 b TestBad\n"
	if got.String() != want {
		t.Errorf("want\n%s\ngot\n%s", want, got.String())
	}
}

func TestNothingSkipped(t *testing.T) {
	var got strings.Builder
	newReport(&got).summary()
	if want := "no test was skipped\n"; got.String() != want {
		t.Errorf("want %q, got %q", want, got.String())
	}
}

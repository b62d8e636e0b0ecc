package pay_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func BenchmarkUnpaidProbe(b *testing.B) {
	r := newHarness(b, nil, nil)
	h := r.gate.Wrap(http.HandlerFunc(shop))
	b.ReportAllocs()
	for b.Loop() {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/v1/expand", strings.NewReader("{}")))
	}
}

// BenchmarkPaid is a whole purchase with a facilitator over HTTP on this machine and both ledgers on disk;
// the payments are signed before.
func BenchmarkPaid(b *testing.B) {
	r := newHarness(b, nil, nil)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		payment := r.payment("")
		b.StartTimer()
		if a := r.ask(r.gate, request(1), payment); a.status != http.StatusOK {
			b.Fatal(a.status, a.body)
		}
	}
}

func BenchmarkFetchedAgain(b *testing.B) {
	r := newHarness(b, nil, nil)
	payment := r.payment("")
	r.ask(r.gate, request(1), payment)
	b.ReportAllocs()
	for b.Loop() {
		if a := r.ask(r.gate, request(1), payment); a.status != http.StatusOK {
			b.Fatal(a.status, a.body)
		}
	}
}

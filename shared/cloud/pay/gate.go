package pay

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Wrap sells what next answers.
func (g *Gate) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, err := readPayment(r.Header)
		if errors.Is(err, errNoPayment) {
			g.count(r.Context(), ProbeUnpaid)
			g.ask(w, r, "")
			return
		}
		if err != nil {
			g.count(r.Context(), Malformed)
			g.fail(w, r, &refusal{status: http.StatusBadRequest, code: "invalid_payload", text: err.Error()})
			return
		}
		if problem := p.matches(g.network, g.requirements); problem != "" {
			switch known, err := g.accepted(r.Context(), p); {
			case err != nil:
				g.fail(w, r, err)
				return
			case !known:
				g.count(r.Context(), VerifyFailed)
				g.ask(w, r, "no matching payment requirements: "+problem)
				return
			}
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, g.c.Bounds.Body))
		if err != nil {
			var over *http.MaxBytesError
			if errors.As(err, &over) {
				g.fail(w, r, &refusal{status: http.StatusRequestEntityTooLarge, code: "too_large",
					text: fmt.Sprintf("the body is larger than %d bytes; nothing was charged", over.Limit)})
			} else {
				g.fail(w, r, &refusal{status: http.StatusBadRequest, code: "invalid_body",
					text: "the body could not be read to its end; nothing was charged"})
			}
			return
		}
		// What is begun is ended, also for a buyer who hangs up: the answer waits for the same payment.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), g.c.Bounds.Visit)
		defer cancel()
		v := &purchase{g: g, next: next, w: w, r: r, resource: g.resource(r), body: body, request: fingerprint(r, body), own: p, p: p}
		if err := v.run(ctx); err != nil {
			g.fail(w, r, err)
		}
	})
}

// accepted says whether settlement of a payment was asked for before: it keeps its worth when the price
// changes.
func (g *Gate) accepted(ctx context.Context, p *payment) (bool, error) {
	if string(p.to) != strings.ToLower(g.requirements.PayTo) {
		return false, nil
	}
	c, err := g.claims.get(ctx, g.claims.key(p))
	return c != nil && c.Payment == p.hash && c.State != claimed, err
}

// fingerprint identifies what a request asks for.
func fingerprint(r *http.Request, body []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q\n", r.Method, r.URL.EscapedPath(), r.URL.RawQuery)
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

func (g *Gate) count(ctx context.Context, e Event) { g.c.Recorder.Record(ctx, e, 1) }

// refusal is an answer of the gate that is not the handler's.
type refusal struct {
	status  int
	code    string
	text    string
	ask     bool        // a 402 with the offer
	receipt *Settlement // of a failed settlement
	version int         // of the payment the receipt answers
	retry   time.Duration
}

func (e *refusal) Error() string { return e.code + ": " + e.text }

func unavailable(text string) *refusal {
	return &refusal{status: http.StatusServiceUnavailable, code: "unavailable", text: text, retry: time.Second}
}

// fail answers with an error. Anything but a refusal is the machinery's and is only logged.
func (g *Gate) fail(w http.ResponseWriter, r *http.Request, err error) {
	var f *refusal
	if !errors.As(err, &f) {
		g.c.Log.Error("payment machinery", "error", err)
		f = unavailable("payments cannot be recorded now; the same payment may be sent again and is charged once at most")
	}
	if f.retry > 0 {
		w.Header().Set("Retry-After", fmt.Sprint(max(1, int(f.retry.Round(time.Second)/time.Second))))
	}
	if f.receipt != nil {
		name, receipt := headerResponse, *f.receipt
		if f.version == 1 {
			name, receipt.Network = headerResponseV1, g.network.V1
		}
		setHeader(w, name, headerOf(receipt))
	}
	if f.ask {
		g.ask(w, r, f.text)
		return
	}
	writeBody(w, f.status, marshal(Problem{f.text, f.status, f.code}))
}

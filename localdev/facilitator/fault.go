package facilitator

import (
	"net/http"
	"net/http/httptest"
	"time"
)

// Fault is what goes wrong with a call. The zero Fault is nothing.
type Fault struct {
	Delay time.Duration // before anything is done
	After time.Duration // between doing it and answering
	Kind  FaultKind
}

// FaultKind is how the answer fails.
type FaultKind uint8

// The kinds. Those of the first group do nothing; the others do what was asked and garble the answer.
const (
	NoFault     FaultKind = iota
	DropBefore            // the connection is closed, nothing was done
	ErrorBefore           // 500, nothing was done
	DropAfter             // done, then the connection is closed
	ErrorAfter            // done, then 500
	Malformed             // done, then half of the answer
	Unproven              // done, then a refusal that says nothing
)

// AllFaults lists the kinds that are faults.
func AllFaults() []FaultKind {
	return []FaultKind{DropBefore, ErrorBefore, DropAfter, ErrorAfter, Malformed, Unproven}
}

func (f Fault) serve(h http.Handler, w http.ResponseWriter, r *http.Request) {
	time.Sleep(f.Delay)
	switch f.Kind {
	case DropBefore:
		panic(http.ErrAbortHandler)
	case ErrorBefore:
		http.Error(w, "injected", http.StatusInternalServerError)
		return
	}
	done := httptest.NewRecorder()
	h.ServeHTTP(done, r)
	time.Sleep(f.After)
	switch f.Kind {
	case DropAfter:
		panic(http.ErrAbortHandler)
	case ErrorAfter:
		http.Error(w, "injected", http.StatusInternalServerError)
	case Malformed:
		w.Header().Set("Content-Type", "application/json")
		w.Write(done.Body.Bytes()[:done.Body.Len()/2])
	case Unproven:
		answer(w, http.StatusOK, map[string]any{"success": false, "isValid": false, "errorReason": "unexpected_settle_error", "transaction": "", "network": ""})
	default:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(done.Code)
		w.Write(done.Body.Bytes())
	}
}

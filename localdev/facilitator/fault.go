package facilitator

import (
	"net/http"
	"net/http/httptest"
)

// Fault is what goes wrong with a call. The zero Fault is nothing.
type Fault struct{ Kind FaultKind }

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
	Silent                // done, then no answer as long as the caller waits
)

// AllFaults lists the kinds that show at once: all but Silent.
func AllFaults() []FaultKind {
	return []FaultKind{DropBefore, ErrorBefore, DropAfter, ErrorAfter, Malformed, Unproven}
}

func (f Fault) serve(h http.Handler, w http.ResponseWriter, r *http.Request) {
	switch f.Kind {
	case DropBefore:
		panic(http.ErrAbortHandler)
	case ErrorBefore:
		http.Error(w, "injected", http.StatusInternalServerError)
		return
	}
	done := httptest.NewRecorder()
	h.ServeHTTP(done, r)
	switch f.Kind {
	case Silent:
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
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

package facilitator

import (
	"net/http"
	"net/http/httptest"
	"strings"
)

// Fault is what goes wrong with a call. The zero Fault is nothing.
type Fault struct{ Kind FaultKind }

// FaultKind is how the answer fails.
type FaultKind uint8

// The kinds. Those of the first group do nothing; the others do what was asked and garble the answer.
const (
	NoFault      FaultKind = iota
	DropBefore             // the connection is closed, nothing was done
	ErrorBefore            // 500, nothing was done
	DropAfter              // done, then the connection is closed
	ErrorAfter             // done, then 500
	Malformed              // done, then half of the answer
	Unproven               // done, then a refusal that says nothing
	UsedAfter              // done, then a refusal: the nonce is used
	RefusedAfter           // done, then 400 with a refusal
	Silent                 // done, then no answer as long as the caller waits
	MadeUp                 // nothing was done, and it says that it was
)

// AllFaults lists the kinds that show at once and claim no success: all but Silent and MadeUp.
func AllFaults() []FaultKind {
	return []FaultKind{DropBefore, ErrorBefore, DropAfter, ErrorAfter, Malformed, Unproven, UsedAfter, RefusedAfter}
}

func (f Fault) serve(h http.Handler, w http.ResponseWriter, r *http.Request) {
	switch f.Kind {
	case DropBefore:
		panic(http.ErrAbortHandler)
	case ErrorBefore:
		http.Error(w, "injected", http.StatusInternalServerError)
		return
	case MadeUp:
		answer(w, http.StatusOK, map[string]any{"success": true, "isValid": true, "transaction": "0x" + strings.Repeat("fe", 32),
			"network": ""})
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
		refuse(w, http.StatusOK, "unexpected_settle_error")
	case UsedAfter:
		refuse(w, http.StatusOK, "invalid_exact_evm_nonce_already_used")
	case RefusedAfter:
		refuse(w, http.StatusBadRequest, "invalid_payload")
	default:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(done.Code)
		w.Write(done.Body.Bytes())
	}
}

// refuse is a refusal of /settle or /verify.
func refuse(w http.ResponseWriter, status int, reason string) {
	answer(w, status, map[string]any{"success": false, "isValid": false, "errorReason": reason, "invalidReason": reason, "transaction": "",
		"network": ""})
}

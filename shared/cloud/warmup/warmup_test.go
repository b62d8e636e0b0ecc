package warmup

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

func due(t *testing.T, s store.Store, after time.Duration) []austria.KGCode {
	t.Helper()
	got, err := Due(t.Context(), s, time.Unix(100, 0).Add(after)) // mem counts seconds from 1970
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func requestWarmup(t *testing.T, s store.Store, codes ...string) {
	t.Helper()
	for _, c := range codes {
		if _, err := s.Put(t.Context(), Folder+c, nil, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheLifeOfARequest(t *testing.T) {
	s, ctx := mem.New(), t.Context()
	requestWarmup(t, s, "01004", "01005", "1006", "no-code")
	if got := due(t, s, 0); !slices.Equal(got, []austria.KGCode{"01004", "01005"}) {
		t.Fatalf("got %v", got)
	}
	if err := Failed(ctx, s, "01004", errors.New("tiles cannot be read"), false); err != nil {
		t.Fatal(err)
	}
	if err := Failed(ctx, s, "01005", errors.New("no outline"), true); err != nil {
		t.Fatal(err)
	}
	if got := due(t, s, RetryAfter/2); len(got) != 0 {
		t.Errorf("just failed: got %v", got)
	}
	if got := due(t, s, RetryAfter); !slices.Equal(got, []austria.KGCode{"01004"}) {
		t.Errorf("an hour later: got %v", got)
	}
	for range maxTries - 1 {
		if err := Failed(ctx, s, "01004", errors.New(strings.Repeat("ä", maxReason)), false); err != nil {
			t.Fatal(err)
		}
	}
	m, err := ReadMark(ctx, s, "01004")
	if err != nil || m.Tries != maxTries || len(m.Reason) != maxReason {
		t.Errorf("got %d tries, %d bytes, %v", m.Tries, len(m.Reason), err)
	}
	if got := due(t, s, 2*RetryAfter); len(got) != 0 {
		t.Errorf("given up: got %v", got)
	}
	if got := due(t, s, GiveUpFor); len(got) != 2 {
		t.Errorf("a week later: got %v", got)
	}
	for _, code := range []austria.KGCode{"01004", "01005"} {
		if err := Done(ctx, s, code); err != nil {
			t.Fatal(err)
		}
	}
	for info := range s.List(ctx, "requests/") {
		if info.Key != Folder+"1006" && info.Key != Folder+"no-code" {
			t.Errorf("left: %s", info.Key)
		}
	}
}

// In a bubble a request lingers until its warm-up request is written, however busy the machine is.
func TestAQueueWritesARequestOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		writes := &storetest.Faulty{Store: mem.New(), FailAt: 1}
		q := NewQueue(t.Context(), writes, slog.New(slog.DiscardHandler))
		ask := func() {
			h := q.Linger(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
				for range 50 {
					q.Ask("01004")
				}
			}))
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
		}
		ask() // fails, and is asked for again
		ask()
		ask()
		if n := writes.Writes(); n != 2 {
			t.Errorf("want 2 writes, got %d", n)
		}
		if got := due(t, writes, 0); len(got) != 1 {
			t.Errorf("got %v", got)
		}
		// Another process finds the request there and leaves it.
		other := NewQueue(t.Context(), writes, slog.New(slog.NewTextHandler(failing{t}, nil)))
		other.Ask("01004")
		<-other.written()
	})
}

// failing fails the test with each line that is logged.
type failing struct{ t *testing.T }

func (f failing) Write(b []byte) (int, error) {
	f.t.Errorf("logged: %s", b)
	return len(b), nil
}

func TestAFullQueueDropsRequests(t *testing.T) {
	q := &Queue{store: mem.New(), now: time.Now, codes: make(chan austria.KGCode, 2), asked: map[austria.KGCode]time.Time{}}
	for _, code := range []austria.KGCode{"01001", "01002", "01003", "01003"} {
		q.Ask(code)
	}
	if len(q.codes) != 2 || len(q.asked) != 2 {
		t.Errorf("want 2 kept, got %d, %d", len(q.codes), len(q.asked))
	}
}

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mappe/functions/books/records"
	"mappe/functions/core/tasks"
	"mappe/functions/expander"
	"mappe/localdev/exact"
	"mappe/localdev/facilitator"
	"mappe/localdev/facilitator/wallet"
	"mappe/localdev/state"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/pay"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
)

// money is a facilitator and its books.
type money struct {
	books ledger.Ledger
	url   string
}

func newMoney(t *testing.T) money {
	books := sqlitetest.Open(t, sqlite.Options{})
	server := httptest.NewServer(facilitator.New(facilitator.Options{Ledger: books}))
	t.Cleanup(server.Close)
	return money{books, server.URL}
}

// payee is the second account of every development chain, as the local server has it.
const payee = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

func (m money) parameters() map[string]string {
	return map[string]string{"PayTo": payee, "FacilitatorUrl": m.url}
}

// paid counts the transfers of a key.
func (m money) paid(t *testing.T, key *wallet.Key) int {
	t.Helper()
	n := 0
	for _, network := range pay.AllNetworks() {
		if err := facilitator.Transfers(t.Context(), m.books, network.ID, network.USDC, func(line facilitator.Transfer) error {
			if line.From == key.Address() {
				n++
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// harm is what goes wrong while something is ordered: every event comes twice, servers throttle and lose answers.
var harm = exact.Faults{Store: 0.1, Ledger: 0.2, Lost: 0.1, Kill: 0.1, Twice: true}

// order buys calls, a book and an export while everything goes wrong that can. The function it gives waits for all of it, and
// looks that nothing was done twice.
func (f *faulty) order(t *testing.T, m money) (once func(*testing.T)) {
	b := f.newBook(t)
	f.edge.SetFaults(harm)
	defer f.edge.SetFaults(exact.Faults{})
	keys := f.buy(t)
	b.order(t)
	const export = "/cadastre/api/v1/export/gpkg?job=1&kg=99102,99103"
	f.persist(t, "GET", export, "", "", nil)
	task := f.task(t)
	return func(t *testing.T) {
		for key, answered := range keys {
			if n := m.paid(t, key); n > 1 || answered && n != 1 {
				t.Errorf("a call, answered %t: want it paid once, got %d transfers", answered, n)
			}
		}
		b.once(t)
		f.exportedOnce(t, export)
		f.taskDone(t, task)
		if got := f.edge.Injected(); got.Twice == 0 || got.Lost == 0 {
			t.Errorf("no fault was met: %+v", got)
		}
	}
}

// persist asks until the answer is not that of a server in trouble.
func (f *faulty) persist(t *testing.T, method, path, token, contentType string, body []byte) (*http.Response, []byte) {
	t.Helper()
	client := &http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
		r, err := http.NewRequestWithContext(t.Context(), method, f.base+path, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		r.Header.Set("Content-Type", contentType)
		a, err := client.Do(r)
		if err == nil {
			b, err := io.ReadAll(a.Body)
			a.Body.Close()
			if err == nil && a.StatusCode < 500 && a.StatusCode != http.StatusTooManyRequests {
				return a, b
			}
			if a.StatusCode == http.StatusInternalServerError {
				t.Errorf("%s %s: a server in trouble says 503, got 500 %.300s", method, path, b)
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s %s: no answer in two minutes: %v %v", method, path, a, err)
		}
	}
}

// buy buys some calls, each with a key of its own, and sends a payment again whose answer was lost.
func (f *faulty) buy(t *testing.T) map[*wallet.Key]bool {
	t.Helper()
	keys := map[*wallet.Key]bool{}
	body := []byte(`{"rules":[{"rrule":"FREQ=DAILY","tz":"Europe/Vienna","start":"2027-03-27T02:30:00"}]}`)
	for range 6 {
		key, err := wallet.New()
		if err != nil {
			t.Fatal(err)
		}
		client := wallet.Client{Key: key, Most: expander.PriceAtomic, HTTP: &http.Client{Timeout: time.Minute}}
		keys[key] = false
		last, header := "", ""
		for try := 0; try < 30 && !keys[key]; try++ {
			var a *http.Response
			var err error
			if header == "" {
				var paid *wallet.Paid
				if a, paid, err = client.Post(f.base+"/expander/v1/expand", "application/json", body, ""); paid != nil {
					header = paid.Header
				}
			} else {
				a, err = f.payAgain(t, client.HTTP, body, header)
			}
			last = fmt.Sprint(err)
			if err == nil {
				b, _ := io.ReadAll(a.Body) // an answer that is broken off is looked at below
				a.Body.Close()
				last, keys[key] = fmt.Sprintf("%d %.300s", a.StatusCode, b), a.StatusCode == http.StatusOK
			}
		}
		if !keys[key] {
			t.Errorf("a paid call was not answered in 30 tries: %s", last)
		}
	}
	return keys
}

func (f *faulty) payAgain(t *testing.T, client *http.Client, body []byte, header string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(t.Context(), "POST", f.base+"/expander/v1/expand", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("PAYMENT-SIGNATURE", header)
	return client.Do(r)
}

// book is one whose final is paid for with the only build of a pass.
type book struct {
	f       *faulty
	token   string
	project records.Project
	path    string
}

func (f *faulty) newBook(t *testing.T) *book {
	t.Helper()
	r, err := state.OpenBookRecords(t.Context(), f.ledger)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.AddClient(t.Context(), "faults", "Faults"); err != nil {
		t.Fatal(err)
	}
	b := &book{f: f}
	if b.project, err = r.AddProject(t.Context(), "faults", "atlas", "The Atlas"); err != nil {
		t.Fatal(err)
	}
	if _, b.token, err = r.RotateToken(t.Context(), b.project.ID, false); err != nil {
		t.Fatal(err)
	}
	included := 1
	if _, err := r.GrantPass(t.Context(), b.project.ID, records.Grant{Included: &included}); err != nil {
		t.Fatal(err)
	}
	return b
}

// order uploads a manuscript and orders its final.
func (b *book) order(t *testing.T) {
	t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for name, value := range map[string]string{"title": "The Atlas", "author": "Mira Example", "project_id": fmt.Sprint(b.project.ID)} {
		if err := w.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	part, err := w.CreateFormFile("file", "atlas.md")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(part, "# Chapter\n\n%s\n", strings.Repeat("The map lay *open* on the table. ", 60))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	a, raw := b.f.persist(t, "POST", "/books/api/books/upload", b.token, w.FormDataContentType(), form.Bytes())
	var made struct{ ID int64 }
	if err := json.Unmarshal(raw, &made); err != nil || a.StatusCode != 201 {
		t.Fatalf("want 201, got %d %s", a.StatusCode, raw)
	}
	b.path = fmt.Sprintf("/books/api/books/%d", made.ID)
	a, raw = b.f.persist(t, "POST", b.path+"/convert", b.token, "application/json", []byte(`{"kind":"final"}`))
	if a.StatusCode != 200 && a.StatusCode != 409 && a.StatusCode != 402 { // an order whose answer was lost was accepted
		t.Fatalf("the order: got %d %s", a.StatusCode, raw)
	}
}

// once waits for the build and looks that the pass was used once.
func (b *book) once(t *testing.T) {
	t.Helper()
	var got struct {
		Status  string
		Outputs []struct{ Format, Kind string }
	}
	for deadline := time.Now().Add(3 * time.Minute); got.Status != "ready"; time.Sleep(500 * time.Millisecond) {
		b.f.fire(t)
		_, raw := b.f.persist(t, "GET", b.path, b.token, "", nil)
		if err := json.Unmarshal(raw, &got); err != nil || time.Now().After(deadline) {
			t.Fatalf("the book is not built: %v %s", err, raw)
		}
	}
	if len(got.Outputs) != 2 {
		t.Errorf("want a PDF and an EPUB, once each, got %+v", got.Outputs)
	}
	r, err := state.OpenBookRecords(t.Context(), b.f.ledger)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	account, err := r.Account(t.Context(), b.project.ID)
	if err != nil || account.Pass.Used != 1 || account.Running != nil {
		t.Errorf("want one build of the pass used and none under way, got %+v, %v", account, err)
	}
	if a, raw := b.f.persist(t, "POST", b.path+"/convert", b.token, "application/json",
		[]byte(`{"kind":"final"}`)); a.StatusCode != http.StatusPaymentRequired {
		t.Errorf("another final: want 402, got %d %s", a.StatusCode, raw)
	}
}

// fire lets the schedules look for the jobs of workers that died.
func (f *faulty) fire(t *testing.T) {
	t.Helper()
	for _, function := range []string{"BooksWorkerFunction", "ExportWorkerFunction"} {
		if err := f.edge.Fire(t.Context(), function, "LeftBehind"); err != nil {
			t.Error(err)
		}
	}
}

// task asks for the terrain of an area in the background and kills every worker, until one has died with the task.
func (f *faulty) task(t *testing.T) (progress string) {
	t.Helper()
	killing := harm
	killing.KillWork = 1
	f.edge.SetFaults(killing)
	before := f.edge.Injected().Killed
	terrain, progress := taskExample(t)
	// A worker may be done before it is killed: then another task is ordered.
	for n := range 12 {
		last := fmt.Sprintf("%x", n)
		path, of := terrain.Path[:len(terrain.Path)-1]+last, progress[:len(progress)-1]+last
		if a, raw := f.persist(t, terrain.Method, path, "", "application/json", terrain.Body); a.StatusCode != http.StatusAccepted {
			t.Fatalf("a task: want 202, got %d %s", a.StatusCode, raw)
		}
		for deadline := time.Now().Add(8 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			if f.edge.Injected().Killed > before {
				return of
			}
		}
	}
	t.Fatal("no worker of twelve tasks was killed")
	return ""
}

// taskDone waits until another worker has done what the killed one left.
func (f *faulty) taskDone(t *testing.T, progress string) {
	t.Helper()
	var s tasks.State
	for deadline := time.Now().Add(2 * time.Minute); !s.Done; time.Sleep(500 * time.Millisecond) {
		if err := f.edge.Fire(t.Context(), "LandscapeWorkerFunction", "LeftBehind"); err != nil {
			t.Error(err)
		}
		_, raw := f.persist(t, "GET", progress, "", "", nil)
		if err := json.Unmarshal(raw, &s); err != nil || time.Now().After(deadline) {
			t.Fatalf("the task of a killed worker is not done: %v %s", err, raw)
		}
	}
	if s.Status != tasks.Done {
		t.Errorf("want the task of a killed worker done, got %+v", s)
	}
}

// exportedOnce waits for the file of an export and looks that there is no other.
func (f *faulty) exportedOnce(t *testing.T, path string) {
	t.Helper()
	deadline := time.Now().Add(3 * time.Minute)
	a, raw := f.persist(t, "GET", path, "", "", nil)
	for ; a.StatusCode != http.StatusSeeOther; a, raw = f.persist(t, "GET", path, "", "", nil) {
		if a.StatusCode/100 != 2 || time.Now().After(deadline) {
			t.Fatalf("the export is not written: %d %s", a.StatusCode, raw)
		}
		f.fire(t)
		time.Sleep(500 * time.Millisecond)
	}
	files, err := storeurl.Open(f.edge.Artefacts())
	if err != nil {
		t.Fatal(err)
	}
	_, key, _ := strings.Cut(a.Header.Get("Location"), "/artefacts/")
	object, err := files.Get(t.Context(), key, store.GetOptions{})
	if err != nil {
		t.Fatalf("%s: %v", a.Header.Get("Location"), err)
	}
	defer object.Body.Close()
	if begins := make([]byte, 15); func() error { _, err := io.ReadFull(object.Body, begins); return err }() != nil ||
		string(begins) != "SQLite format 3" {
		t.Errorf("%s begins with %q", key, begins)
	}
}

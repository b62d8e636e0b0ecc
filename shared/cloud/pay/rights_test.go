package pay_test

import (
	"path/filepath"
	"testing"

	"mappe/infra/rights"
	"mappe/localdev/facilitator"
	"mappe/shared/cloud/pay"
)

// TestRightsOfThePayments: a call that is paid, replayed and counted, and a settlement whose answer is lost and that is finished later,
// need exactly the rights that the expander and the function beside it have to the ledger.
func TestRightsOfThePayments(t *testing.T) {
	var done rights.Recorder
	h := newHarness(t, func(c *pay.Config) { c.Ledger = done.Ledger(c.Ledger) }, nil)
	paid := h.payment("")
	for range 2 {
		if a := h.post(request(1), paid); a.status != 200 {
			t.Fatalf("paid: %d %s", a.status, a.body)
		}
	}
	h.fail(facilitator.DropAfter, "/settle")
	if a := h.post(request(2), h.payment("")); a.status == 200 {
		t.Fatal("a settlement that nobody heard of was answered")
	}
	h.heal()
	h.clock.Add(3600)
	if _, err := h.gate.Reconcile(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, function := range []string{"ExpanderFunction", "ReconcileFunction"} {
		g, err := rights.Load(filepath.Join("..", "..", "..", "template.yaml"), function)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range rights.Compare(g, done.Done(""), nil) {
			t.Error(d)
		}
	}
}

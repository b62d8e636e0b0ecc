package pay

import "context"

// Event is something worth counting.
type Event string

// The events. Each request counts for one of ProbeUnpaid, Malformed, VerifyFailed, RefusedUnsettled,
// Settled, SettleFailed, Indeterminate, Replayed, InProgress or Mismatched, or for none when the machinery
// around failed.
const (
	ProbeUnpaid      Event = "probes_unpaid"     // no payment header: 402
	Malformed        Event = "malformed"         // a payment header that cannot be read: 400
	Verified         Event = "verified"          // the facilitator found a payment good
	VerifyFailed     Event = "verify_failed"     // ... or not: 402
	RefusedUnsettled Event = "refused_unsettled" // the handler refused; nothing was charged
	Slowed           Event = "slowed"            // the handler refused too often on one payment: 429
	Settled          Event = "settled"           // money moved, counted once a payment
	SettleFailed     Event = "settle_failed"     // the facilitator refused to move it
	Indeterminate    Event = "indeterminate"     // nobody knows yet
	Replayed         Event = "replays"           // a settled payment sent again, answered again
	InProgress       Event = "in_progress"       // another request works on the same payment: 409
	Mismatched       Event = "mismatched"        // a payment or an identifier used for another request: 409
	Unrecorded       Event = "unrecorded"        // the chain has it and the ledger has not: answered, once
	Revenue          Event = "revenue_atomic"    // atomic units settled
)

// AllEvents lists the events in the order above.
func AllEvents() []Event {
	return []Event{ProbeUnpaid, Malformed, Verified, VerifyFailed, RefusedUnsettled, Slowed, Settled, SettleFailed,
		Indeterminate, Replayed, InProgress, Mismatched, Unrecorded, Revenue}
}

// Recorder counts. It must not block for long: it is called while a buyer waits.
type Recorder interface {
	Record(ctx context.Context, e Event, n int64)
}

type nobody struct{}

func (nobody) Record(context.Context, Event, int64) {}

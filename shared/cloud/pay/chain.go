package pay

import (
	"context"
	"time"
)

// Transfer is what an authorization was meant to move.
type Transfer struct {
	Asset, From, To Address
	Value           string
	Nonce           string
	Since           time.Time // it was not settled before
	Transaction     string    // the one that the facilitator named; "" where it named none
}

// Finding is what became of an authorization.
type Finding string

// The findings.
const (
	FoundSettled Finding = "settled" // it moved the money to the payee: the transaction is given
	FoundUnused  Finding = "unused"  // its nonce is free on the newest block the node knows
	FoundSpent   Finding = "spent"   // its nonce was used or cancelled without that transfer
)

// Proof asks what became of an authorization whose settlement stayed unknown. An error means that this
// could not be found out now.
type Proof interface {
	Find(ctx context.Context, t Transfer) (f Finding, transaction string, err error)
}

package records

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"

	"mappe/shared/cloud/ledger"
)

// Account is what of a project changes with every build.
type Account struct {
	Pass    Pass        `json:"pass"`
	Running *Build      `json:"running,omitempty"`
	Proofs  []time.Time `json:"proofs,omitempty"` // acceptance of those within 24 hours of the last, oldest first
	Builds  int64       `json:"builds"`           // accepted so far; numbers the next
	// Spec is the specification's data as the last final transmittal set it; nil is the default.
	Spec json.RawMessage `json:"spec,omitempty"`
}

// Build is an accepted order.
type Build struct {
	ID       string          `json:"id"`
	Number   int64           `json:"number"` // of the project's builds, from 1
	Project  int64           `json:"project"`
	Book     int64           `json:"book"`
	Edition  string          `json:"kind"`            // proof, final
	Format   string          `json:"format"`          // both, pdf, epub
	Index    string          `json:"index,omitempty"` // key of the entries that are set; "" for none
	Callback string          `json:"callback,omitempty"`
	Spec     json.RawMessage `json:"spec"` // data of the specification it is set by
	Accepted time.Time       `json:"accepted"`
	Debited  bool            `json:"debited"`
}

// Proof and Final are the editions of a Build.
const (
	Proof = "proof"
	Final = "final"
)

// The bound of proofs: so many in any 24 hours.
const (
	MaxProofs   = 30
	ProofWindow = 24 * time.Hour
)

// Refused is why an order was not accepted.
type Refused struct {
	Reason    Reason
	Remaining int           // credits
	After     time.Duration // TooManyProofs: when the next is accepted
}

// Reason is a reason of Refused.
type Reason string

// The reasons.
const (
	NoLivePass    Reason = "no live pass"
	Busy          Reason = "a build is running"
	NoAddon       Reason = "no index add-on"
	NoCredit      Reason = "no finals remain"
	TooManyProofs Reason = "too many proofs"
)

func (r *Refused) Error() string { return string(r.Reason) }

func accountKey(project int64) ledger.Key {
	return ledger.Key{Partition: projectPartition(project), Sort: "desk"}
}

// Account reads the account of a project; ErrNotFound.
func (s *Records) Account(ctx context.Context, project int64) (Account, error) {
	return read[Account](ctx, s, accountKey(project))
}

// Accept takes an order: it debits a final, counts a proof and notes the build as the project's running
// one, in one conditional write. spec, where it is not nil, becomes the project's specification with it.
// *Refused where the order cannot be taken; nothing has changed then.
func (s *Records) Accept(ctx context.Context, order Build, spec json.RawMessage) (Build, error) {
	order.ID = rand.Text()
	order.Accepted = s.Now()
	d, err := change(ctx, s, accountKey(order.Project), func(d *Account) (bool, error) {
		if d.Running != nil && d.Running.ID == order.ID {
			return false, nil // an earlier try came through after all
		}
		if err := d.take(&order, spec); err != nil {
			return false, err
		}
		return true, nil
	})
	if err != nil {
		if now, reading := s.Account(context.WithoutCancel(ctx), order.Project); reading == nil && now.Running != nil &&
			now.Running.ID == order.ID {
			return *now.Running, nil // the outcome of the write was unknown; here it is
		}
		return Build{}, err
	}
	return *d.Running, nil
}

// take changes the account by an order.
func (d *Account) take(order *Build, spec json.RawMessage) error {
	now := order.Accepted
	refuse := func(why Reason) error { return &Refused{Reason: why, Remaining: d.Pass.Remaining()} }
	switch {
	case !d.Pass.Live(now):
		return refuse(NoLivePass)
	case d.Running != nil:
		return refuse(Busy)
	case order.Index != "" && !d.Pass.Has(AddonIndex):
		return refuse(NoAddon)
	}
	order.Debited = order.Edition == Final
	if order.Debited {
		if d.Pass.Remaining() == 0 {
			return refuse(NoCredit)
		}
		d.Pass.Used++
	} else {
		first := 0
		for first < len(d.Proofs) && !d.Proofs[first].After(now.Add(-ProofWindow)) {
			first++
		}
		d.Proofs = append([]time.Time(nil), d.Proofs[first:]...)
		if len(d.Proofs) >= MaxProofs {
			return &Refused{TooManyProofs, d.Pass.Remaining(), d.Proofs[len(d.Proofs)-MaxProofs].Add(ProofWindow).Sub(now)}
		}
		d.Proofs = append(d.Proofs, now)
	}
	if spec != nil {
		d.Spec = spec
	}
	if d.Spec != nil {
		order.Spec = d.Spec
	}
	d.Builds++
	order.Number = d.Builds
	running := *order
	d.Running = &running
	return nil
}

// Clear ends the running build: a failed one gives its credit back. It does so once however often it is
// called, because it changes only the account that names the build.
func (s *Records) Clear(ctx context.Context, b Build, failed bool) error {
	_, err := change(ctx, s, accountKey(b.Project), func(d *Account) (bool, error) {
		if d.Running == nil || d.Running.ID != b.ID {
			return false, nil
		}
		if failed && d.Running.Debited {
			if d.Pass.Used == 0 {
				return false, fmt.Errorf("project %d: build %s was debited and no credit is used", b.Project, b.ID)
			}
			d.Pass.Used--
		}
		d.Running = nil
		return true, nil
	})
	return err
}

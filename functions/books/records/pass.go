package records

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Pass is what a customer has bought for a project.
type Pass struct {
	Status   PassStatus `json:"status"`
	Customer string     `json:"customer,omitempty"`
	Included int        `json:"included"` // finals that came with the pass
	Extra    int        `json:"extra"`    // finals that were granted beside
	Used     int        `json:"used"`     // finals debited and not refunded
	Addons   []string   `json:"addons,omitempty"`
	Expires  time.Time  `json:"expires,omitzero"` // zero: never
	Granted  time.Time  `json:"granted,omitzero"`
}

// PassStatus says what a pass is good for.
type PassStatus string

// The states. Only an active pass lets builds be made.
const (
	PassNone      PassStatus = ""
	PassActive    PassStatus = "active"
	PassSuspended PassStatus = "suspended"
)

// AddonIndex lets a back-of-book index be set.
const AddonIndex = "index"

// AllAddons are all add-ons.
func AllAddons() []string { return []string{AddonIndex} }

// Exists says whether a pass was granted.
func (p Pass) Exists() bool { return p.Status != PassNone }

// Live says whether the pass lets books be made now.
func (p Pass) Live(now time.Time) bool {
	return p.Status == PassActive && (p.Expires.IsZero() || now.Before(p.Expires))
}

// Remaining is how many finals can still be ordered.
func (p Pass) Remaining() int { return max(p.Included+p.Extra-p.Used, 0) }

// Has says whether an add-on was bought.
func (p Pass) Has(addon string) bool { return slices.Contains(p.Addons, addon) }

// Grant is what an operator gives. What is nil stays as it is.
type Grant struct {
	Customer *string
	Included *int // sets the finals that come with the pass
	Extra    int  // adds to the others; may be negative, down to what is used
	Addons   []string
	Without  []string // add-ons taken away
	Expires  *time.Time
	Status   *PassStatus
}

// MaxBuilds bounds what one pass may hold.
const MaxBuilds = 10_000

// GrantPass changes the pass of a project, or makes it, active. ErrNotFound.
func (s *Records) GrantPass(ctx context.Context, project int64, g Grant) (Pass, error) {
	d, err := change(ctx, s, accountKey(project), func(d *Account) (bool, error) {
		p := &d.Pass
		if !p.Exists() {
			p.Status, p.Granted = PassActive, s.Now()
		}
		if g.Customer != nil {
			p.Customer = *g.Customer
		}
		if g.Included != nil {
			p.Included = *g.Included
		}
		p.Extra += g.Extra
		if g.Expires != nil {
			p.Expires = g.Expires.UTC()
		}
		if g.Status != nil {
			p.Status = *g.Status
		}
		for _, a := range g.Addons {
			if !slices.Contains(AllAddons(), a) {
				return false, fmt.Errorf("add-on %q: allowed are %v", a, AllAddons())
			}
			if !p.Has(a) {
				p.Addons = append(p.Addons, a)
			}
		}
		p.Addons = slices.DeleteFunc(p.Addons, func(a string) bool { return slices.Contains(g.Without, a) })
		if all := p.Included + p.Extra; p.Included < 0 || p.Extra < 0 || all > MaxBuilds || all < p.Used {
			return false, fmt.Errorf("builds: %d included and %d extra: want 0 to %d together and no fewer than the %d used", p.Included,
				p.Extra, MaxBuilds, p.Used)
		}
		return true, nil
	})
	return d.Pass, err
}

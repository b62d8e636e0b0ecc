// Package landprocess is the contract between those who steer the analysis of all KGs and the worker who does it: which KG is
// next, what waits in the queue, what failed, who works. Functions steer, builders/landscape/process works; neither imports the
// other.
//
// All of that but the failures is one record of the ledger, so that every step is one conditional write: a KG leaves the queue in
// the write that makes it the current one, and leaves that in the write that says what became of it. A worker that dies leaves its
// KG current; when its lease has run out the next one takes it. One worker works at a time, or the many of a Run, each by a claim
// on a KG. Failures are a record each, for all KGs of the country may fail: they are written after the state, so that a death in
// between has a KG tried once more.
//
//	           start                    pause
//	stopped ─────────▶ running ◀──────────────▶ paused
//	   ▲                  │            resume      │
//	   └──────── stop ────┴────────────────────────┘
//
// The order: the KG that is asked for alone (which works while all is stopped, too), failures that are due, the queue, then the
// nearest KG to the last one that is not up to date. A failure that may pass comes again after five other KGs, at most four times;
// one that does not pass, and one that comes too often, is listed and left out until it is queued again.
package landprocess

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"mappe/shared/austria"
)

// Mode is what the processor is told to do.
type Mode string

// The modes.
const (
	Stopped Mode = "stopped"
	Running Mode = "running"
	Paused  Mode = "paused"
)

// The bounds.
const (
	KGTime   = 90 * time.Minute // a KG in all
	Lease    = 2 * time.Minute  // of a silent worker
	later    = 5                // KGs after which a failure comes again
	attempts = 5                // of a KG in all
	MaxQueue = 10_000           // KGs that wait: the country has 7,850
	maxText  = 500              // bytes of an error that is kept
)

// Current is the KG that is worked on.
type Current struct {
	KG      austria.KGCode `json:"kg_code"`
	From    string         `json:"from"` // single, retry, queue, nearest
	Attempt int            `json:"attempt"`
	Started time.Time      `json:"started"`
	Spent   time.Duration  `json:"spent"` // by workers before this one
	Step    string         `json:"step"`
	Done    int            `json:"tiles_done"`
	Of      int            `json:"tiles"`

	Owner string    `json:"owner"`
	Since time.Time `json:"since"` // when this worker took it
	Until time.Time `json:"until"` // end of its lease

	Ending bool `json:"ending,omitempty"` // of a claim: what became of the KG is being noted, or is
}

// Retry is a KG that failed and comes again.
type Retry struct {
	KG      austria.KGCode `json:"kg_code"`
	After   int            `json:"after"` // comes when so many KGs have ended
	Attempt int            `json:"attempt"`
	Error   string         `json:"error"`
	// Not is when it comes at the earliest, of a KG whose data is being brought: zero of others.
	Not time.Time `json:"not_before,omitzero"`
}

// Failure is a KG that is left out.
type Failure struct {
	KG    austria.KGCode `json:"kg_code"`
	Error string         `json:"error"`
	At    time.Time      `json:"at"`
}

// State is the record.
type State struct {
	Mode   Mode              `json:"mode"`
	Region austria.StateCode `json:"region,omitempty"` // that KGs are looked for in; "": all
	Single austria.KGCode    `json:"single,omitempty"`
	Queue  []austria.KGCode  `json:"queue"`
	Now    *Current          `json:"current,omitempty"`
	Last   austria.KGCode    `json:"last,omitempty"`
	Ended  int               `json:"ended"` // KGs so far
	Retry  []Retry           `json:"retry,omitempty"`
	Failed []Failure         `json:"-"`              // each a record of its own: Records reads and writes them beside the state
	Since  time.Time         `json:"since,omitzero"` // of the mode
	Tiles  int               `json:"tiles"`          // so far
	Work   time.Duration     `json:"work"`           // time they took
	Idle   bool              `json:"idle"`           // the worker that looked last found no KG to do
	Run    *Run              `json:"run,omitempty"`  // of the state machine; nil: none
	// Look is when the processor was started last, until a worker has looked whether the files of all results are still there.
	Look time.Time `json:"look,omitzero"`
}

// The errors of steering and working.
var (
	ErrBusy = errors.New("another worker has the KG")
	ErrIdle = errors.New("nothing is to be done")
	ErrLost = errors.New("the lease of the KG is lost")
	ErrHeld = errors.New("the processor is told to pause or to stop")
)

// Start makes the processor work: in a state, or everywhere; begin is done first, "" none. What lost its files meanwhile is found.
func (s *State) Start(region austria.StateCode, begin austria.KGCode, now time.Time) error {
	s.set(Running, now)
	s.Region, s.Idle, s.Look = region, false, now
	if begin != "" {
		_, err := s.Insert([]austria.KGCode{begin}, 0)
		return err
	}
	return nil
}

func (s *State) set(m Mode, now time.Time) {
	if s.Mode != m {
		s.Mode, s.Since = m, now
	}
}

// Pause lets the KG that is worked on rest after the present square; it goes on with Resume.
func (s *State) Pause(now time.Time) bool {
	if s.Mode != Running {
		return false
	}
	s.set(Paused, now)
	return true
}

// Resume goes on after a pause.
func (s *State) Resume(now time.Time) bool {
	if s.Mode != Paused {
		return false
	}
	s.set(Running, now)
	return true
}

// Stop ends the work. The KG that is worked on goes back to the head of the queue when its worker has heard.
func (s *State) Stop(now time.Time) {
	s.set(Stopped, now)
	s.Single = ""
}

// One has a KG done alone, before all others, whatever the mode is.
func (s *State) One(code austria.KGCode) {
	s.forgive(map[austria.KGCode]bool{code: true})
	s.Single, s.Idle = code, false
}

// forgive takes KGs off the lists of failures: they were asked for.
func (s *State) forgive(asked map[austria.KGCode]bool) {
	s.Failed = slices.DeleteFunc(slices.Clone(s.Failed), func(f Failure) bool { return asked[f.KG] })
	s.Retry = slices.DeleteFunc(slices.Clone(s.Retry), func(r Retry) bool { return asked[r.KG] })
}

// Insert puts KGs into the queue at a position from 0, -1 and beyond the end behind all others. Those that wait already move. It
// gives their positions.
func (s *State) Insert(codes []austria.KGCode, position int) (positions []int, err error) {
	var list []austria.KGCode
	seen := map[austria.KGCode]bool{}
	for _, c := range codes {
		if !seen[c] {
			list = append(list, c)
		}
		seen[c] = true
	}
	rest := slices.DeleteFunc(slices.Clone(s.Queue), func(c austria.KGCode) bool { return seen[c] })
	if len(rest)+len(list) > MaxQueue {
		return nil, fmt.Errorf("the queue would have %d KGs, at most %d wait", len(rest)+len(list), MaxQueue)
	}
	if position < 0 || position > len(rest) {
		position = len(rest)
	}
	s.Queue = slices.Insert(rest, position, list...)
	s.forgive(seen)
	for i := range list {
		positions = append(positions, position+i)
	}
	s.Idle = s.Idle && len(list) == 0
	return positions, nil
}

// Replace makes another queue.
func (s *State) Replace(codes []austria.KGCode) error {
	s.Queue = nil
	_, err := s.Insert(codes, -1)
	return err
}

// Remove takes KGs out of the queue, all of them where none is named, and gives how many.
func (s *State) Remove(code austria.KGCode) int {
	before := len(s.Queue)
	if code == "" {
		s.Queue = nil
	} else {
		s.Queue = slices.DeleteFunc(s.Queue, func(c austria.KGCode) bool { return c == code })
	}
	return before - len(s.Queue)
}

// Looked ends the look at the files that a start has asked for, unless another start has asked since.
func (s *State) Looked(asked time.Time) {
	if s.Look.Equal(asked) {
		s.Look = time.Time{}
	}
}

// Nearest gives the KG that is next when nothing is asked for: the one nearest to the last that is not up to date, none of which
// skip says so; false when all are.
type Nearest func(last austria.KGCode, region austria.StateCode, skip func(austria.KGCode) bool) (austria.KGCode, bool)

// Take gives the worker its KG, a new one or one that a worker has left. ErrBusy, ErrIdle.
func (s *State) Take(owner string, now time.Time, nearest Nearest) (*Current, error) {
	if s.lasting(now) {
		return nil, ErrBusy
	}
	if s.Now != nil {
		if now.Before(s.Now.Until) {
			return nil, ErrBusy
		}
		return s.again(owner, now, nearest)
	}
	next := s.next(now, nearest)
	if next == nil {
		s.Idle = true
		return nil, ErrIdle
	}
	s.Idle = false
	next.Started, next.Step = now, "beginning"
	next.hold(owner, now)
	s.Now = next
	return next, nil
}

func (c *Current) hold(owner string, now time.Time) {
	c.Owner, c.Since, c.Until = owner, now, now.Add(Lease)
}

// again takes the KG that a worker has left: it died, or had to pause.
func (s *State) again(owner string, now time.Time, nearest Nearest) (*Current, error) {
	c := s.Now
	if s.Mode != Running && c.From != "single" {
		if s.Mode == Paused && s.Single == "" {
			return nil, ErrIdle
		}
		s.release() // of a paused processor it is the next one after the KG that is asked for alone
		return s.Take(owner, now, nearest)
	}
	if c.Owner != "" { // who lets go in order leaves no owner
		c.Spent += max(c.Until.Sub(c.Since)-Lease, 0)
		if c.Attempt++; c.Attempt > attempts {
			s.fail(c.KG, "its workers died", now)
			return s.Take(owner, now, nearest)
		}
	}
	c.Step, c.Done = "beginning", 0
	c.hold(owner, now)
	return c, nil
}

// next takes the next KG from where it stands.
func (s *State) next(now time.Time, nearest Nearest) *Current {
	if c := s.Single; c != "" {
		s.Single = ""
		s.Queue = slices.DeleteFunc(s.Queue, func(q austria.KGCode) bool { return q == c })
		return &Current{KG: c, From: "single", Attempt: 1}
	}
	if s.Mode != Running {
		return nil
	}
	due := func(all bool) *Current {
		for i, r := range s.Retry {
			if (all || r.After <= s.Ended) && !now.Before(r.Not) {
				s.Retry = slices.Delete(slices.Clone(s.Retry), i, i+1)
				return &Current{KG: r.KG, From: "retry", Attempt: r.Attempt + 1}
			}
		}
		return nil
	}
	if c := due(false); c != nil {
		return c
	}
	if s.resting(now) >= maxResting {
		return nil
	}
	if len(s.Queue) > 0 {
		c := s.Queue[0]
		s.Queue = slices.Clone(s.Queue[1:])
		return &Current{KG: c, From: "queue", Attempt: 1}
	}
	if c, ok := nearest(s.Last, s.Region, s.leftOut()); ok {
		return &Current{KG: c, From: "nearest", Attempt: 1}
	}
	return due(true) // nothing else is left to come before it
}

// leftOut says whether a KG is not looked for: it failed, or comes again.
func (s *State) leftOut() func(austria.KGCode) bool {
	out := make(map[austria.KGCode]bool, len(s.Failed)+len(s.Retry))
	for i := range s.Failed {
		out[s.Failed[i].KG] = true
	}
	for i := range s.Retry {
		out[s.Retry[i].KG] = true
	}
	return func(code austria.KGCode) bool { return out[code] }
}

// mine is the current KG of a worker; ErrLost.
func (s *State) mine(owner string) (*Current, error) {
	if s.Now == nil || s.Now.Owner != owner {
		return nil, ErrLost
	}
	return s.Now, nil
}

// Tell notes how far a worker is and makes its lease longer. ErrLost; ErrHeld: let go.
func (s *State) Tell(owner, step string, done, of int, now time.Time) error {
	c, err := s.mine(owner)
	if err != nil {
		return err
	}
	c.Step, c.Done, c.Of, c.Until = step, done, of, now.Add(Lease)
	if s.Mode != Running && c.From != "single" {
		return ErrHeld
	}
	return nil
}

// Time is how long a KG was worked on, by all workers; clocks are set back at times.
func (c *Current) Time(now time.Time) time.Duration { return c.Spent + max(now.Sub(c.Since), 0) }

// LetGo gives a KG back whose worker was told to pause or to stop, or whose process ends.
func (s *State) LetGo(owner string, now time.Time) error {
	c, err := s.mine(owner)
	if err != nil {
		return err
	}
	c.Spent, c.Owner, c.Until = c.Time(now), "", now
	if s.Mode == Stopped && c.From != "single" {
		s.release()
	}
	return nil
}

// release puts the current KG at the head of the queue.
func (s *State) release() {
	c := s.Now.KG
	s.Now = nil
	s.Queue = slices.Insert(slices.DeleteFunc(slices.Clone(s.Queue), func(q austria.KGCode) bool { return q == c }), 0, c)
}

// Finish ends a KG that was done, of so many squares; 0 where nothing had changed.
func (s *State) Finish(owner string, tiles int, now time.Time) error {
	c, err := s.mine(owner)
	if err != nil {
		return err
	}
	if tiles > 0 {
		s.Tiles, s.Work = s.Tiles+tiles, s.Work+c.Time(now)
	}
	s.Last, s.Ended, s.Now = c.KG, s.Ended+1, nil
	return nil
}

// Fail ends a KG that failed: never says that it will fail again however often it is tried.
func (s *State) Fail(owner, text string, never bool, now time.Time) error {
	c, err := s.mine(owner)
	if err != nil {
		return err
	}
	text = text[:min(len(text), maxText)]
	if never || c.Attempt >= attempts {
		s.fail(c.KG, text, now)
		return nil
	}
	s.Last, s.Ended, s.Now = c.KG, s.Ended+1, nil
	s.Retry = append(slices.Clone(s.Retry), Retry{KG: c.KG, After: s.Ended + later, Attempt: c.Attempt, Error: text})
	return nil
}

// wait is how long a KG whose data is being brought rests before it is looked at again.
const wait = time.Minute

// maxResting is how many KGs rest at once: the record stays small, and the sources are not asked for the country at once.
const maxResting = 20

// resting is how many KGs rest.
func (s *State) resting(now time.Time) (n int) {
	for i := range s.Retry {
		if now.Before(s.Retry[i].Not) {
			n++
		}
	}
	return n
}

// Wait puts a KG aside whose data is not in the store yet and is being brought: that is no failure, and counts as no attempt. One that is
// asked for alone stays the current one meanwhile, of whatever mode the processor is.
func (s *State) Wait(owner, text string, now time.Time) error {
	c, err := s.mine(owner)
	if err != nil {
		return err
	}
	if c.From == "single" {
		c.Spent, c.Owner, c.Until = c.Time(now)+wait, "", now.Add(wait)
		return nil
	}
	s.Now = nil
	s.Retry = append(slices.Clone(s.Retry), Retry{KG: c.KG, After: s.Ended, Attempt: c.Attempt - 1, Error: text, Not: now.Add(wait)})
	return nil
}

func (s *State) fail(code austria.KGCode, text string, now time.Time) {
	s.Last, s.Ended, s.Now = code, s.Ended+1, nil
	s.Failed = append(slices.Clone(s.Failed), Failure{KG: code, Error: text, At: now})
}

// Renew makes the lease of a worker longer. ErrLost.
func (s *State) Renew(owner string, now time.Time) error {
	c, err := s.mine(owner)
	if err == nil {
		c.Until = now.Add(Lease)
	}
	return err
}

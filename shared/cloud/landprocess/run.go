package landprocess

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"mappe/shared/austria"
	"mappe/shared/cloud/ledger"
)

// Run is a run of the state machine (infra/landscape.asl.json): many workers at once, each with a KG of its own. While its lease
// lasts the worker that does one KG after the other takes none; the KG that is asked for alone is the first one of the next pass.
//
// A run goes in passes: a list of KGs that are due, all of them at once, then those that failed meanwhile and may come again, and
// the next ones. A KG stays where it waits (queue, failures that come again) until what became of it is noted, so that one whose
// worker dies, or was never called, is in the next pass.
//
// Steps of a machine come twice at times, and late. A pass is planned and ended once, by its number: what comes again is given what
// was answered before, and a run that is over does not begin again.
type Run struct {
	Name  string    `json:"name"` // of the execution
	Pass  int       `json:"pass"` // from 1
	KGs   int       `json:"kgs"`  // jobs of the pass
	Since time.Time `json:"since"`
	Until time.Time `json:"until"` // end of its lease
	Ended int       `json:"ended"` // KGs when the pass began
	Idle  int       `json:"idle"`  // passes in which none ended, one after the other
	Over  bool      `json:"over"`  // no pass follows
	Next  int       `json:"next"`  // pass that follows, once this one has ended; 0: it goes on
}

// The bounds of runs.
const (
	RunLease = 40 * time.Minute // of a run nothing of which was heard: jobs have 15 minutes, and may wait for others
	PassKGs  = 500              // KGs of a pass: the record of the state holds as many failures
	idlePass = 10               // passes in which no KG ended, after which a run ends
	claimed  = 48 * time.Hour   // a claim nobody has come back to is forgotten
)

// ErrPast is the error of a job whose KG was done, or has failed, since its pass was planned.
var ErrPast = errors.New("the KG was dealt with since")

// Job is a KG of a pass.
type Job struct {
	KG      austria.KGCode `json:"kg_code"`
	Attempt int            `json:"attempt"` // from 1
}

// lasting says whether a run has the processor.
func (s *State) lasting(now time.Time) bool {
	return s.Run != nil && !s.Run.Over && now.Before(s.Run.Until)
}

// has says whether a run has the processor, or had it last.
func (s *State) has(name string) bool { return s.Run != nil && s.Run.Name == name }

// Muster gives a run the processor for a pass and lists its jobs, at most PassKGs. ErrBusy: another run has it; ErrPast: the pass was
// planned before, or the run is over. What a worker that does one KG after the other has left comes first; one that works still ends
// its KG.
func (s *State) Muster(name string, pass int, now time.Time, nearest Nearest) ([]Job, error) {
	if s.lasting(now) && !s.has(name) {
		return nil, ErrBusy
	}
	if s.has(name) && (s.Run.Over || pass <= s.Run.Pass) {
		return nil, ErrPast
	}
	if s.Now != nil && !now.Before(s.Now.Until) {
		s.inherit(now)
	}
	next := Run{Name: name, Pass: pass, Since: now, Until: now.Add(RunLease), Ended: s.Ended}
	if s.has(name) {
		next.Since, next.Idle = s.Run.Since, s.Run.Idle
	}
	jobs := s.Due(now, nearest, PassKGs)
	next.KGs = len(jobs)
	s.Run = &next
	return jobs, nil
}

// inherit takes the KG over that a worker has left.
func (s *State) inherit(now time.Time) {
	c := s.Now
	switch {
	case c.Owner == "" || c.From == "single":
		s.release()
	case c.Attempt >= attempts:
		s.fail(c.KG, "its workers died", now)
	default:
		s.Now = nil
		s.Retry = append(slices.Clone(s.Retry), Retry{KG: c.KG, After: s.Ended, Attempt: c.Attempt, Error: "its worker died"})
	}
}

// Due are the KGs of a pass, at most so many: in the order in which one worker would take them, each once, failures that were not due
// yet where nothing else is left.
func (s *State) Due(now time.Time, nearest Nearest, most int) (jobs []Job) {
	seen := map[austria.KGCode]bool{}
	if s.Now != nil {
		seen[s.Now.KG] = true
	}
	add := func(code austria.KGCode, attempt int) {
		if !seen[code] && len(jobs) < most {
			jobs = append(jobs, Job{code, attempt})
		}
		seen[code] = true
	}
	if s.Single != "" {
		add(s.Single, 1)
	}
	if s.Mode != Running {
		return jobs
	}
	again := func(all bool) {
		for _, r := range s.Retry {
			if (all || r.After <= s.Ended) && !now.Before(r.Not) {
				add(r.KG, r.Attempt+1)
			}
		}
	}
	again(false)
	if s.resting(now) >= maxResting {
		return jobs
	}
	for _, c := range s.Queue {
		add(c, 1)
	}
	left, last := s.leftOut(), s.Last
	for len(jobs) < most {
		code, ok := nearest(last, s.Region, func(c austria.KGCode) bool { return seen[c] || left(c) })
		if !ok {
			break
		}
		add(code, 1)
		last = code
	}
	if len(jobs) == 0 {
		again(true)
	}
	return jobs
}

// Continue ends a pass and says which one follows, 0 where none does: something is due, or waits for its data, and of the passes before
// not too many have ended no KG. The run is over where none follows. ErrLost: another run has the processor.
func (s *State) Continue(name string, pass int, now time.Time, nearest Nearest) (next int, err error) {
	if !s.has(name) {
		return 0, ErrLost
	}
	r := *s.Run
	if r.Over || r.Next > 0 || r.Pass != pass {
		return r.Next, nil
	}
	if r.Idle++; s.Ended > r.Ended {
		r.Idle = 0
	}
	r.Until = now.Add(RunLease)
	waits := s.Mode == Running && len(s.Retry) > 0
	if r.Idle < idlePass && (waits || len(s.Due(now, nearest, 1)) > 0) {
		r.Next = pass + 1
	}
	r.Over = r.Next == 0
	s.Run = &r
	return r.Next, nil
}

// settle ends a KG of a run by what ends the current one: Finish, Fail or Wait.
func (s *State) settle(c *Current, end func(*State) error) error {
	held := s.Now
	s.Queue = slices.DeleteFunc(slices.Clone(s.Queue), func(q austria.KGCode) bool { return q == c.KG })
	s.Retry = slices.DeleteFunc(slices.Clone(s.Retry), func(r Retry) bool { return r.KG == c.KG })
	if s.Single == c.KG {
		s.Single = ""
	}
	s.Now = c
	err := end(s)
	s.Now = held
	return err
}

func claimKey(code austria.KGCode) ledger.Key {
	return ledger.Key{Partition: partition, Sort: "claim/" + string(code)}
}

// Claim gives a worker the KG of a job of a run, or lets it go on with it. ErrBusy: another one has it; ErrPast; ErrHeld: the
// processor is told to pause or to stop; ErrLost: the run has ended. A KG that has killed its workers too often is listed as failed,
// with ErrPast.
func (r Records) Claim(ctx context.Context, run string, job Job, owner string, now time.Time) (Current, error) {
	if err := r.mayClaim(ctx, run, job, now); err != nil {
		return Current{}, err
	}
	var c Current
	died := false
	err := r.claim(ctx, job.KG, now, func(had *Current) error {
		if had.KG != "" && now.Before(had.Until) {
			return ErrBusy
		}
		if had.Ending {
			*had = Current{} // what it counted was of a job that has come to its end, though its worker died before the claim was gone
		}
		c = Current{KG: job.KG, From: "run", Attempt: job.Attempt, Started: now, Step: "beginning"}
		if had.KG != "" {
			c.Started, c.Spent, c.Attempt = had.Started, had.Spent, max(had.Attempt, job.Attempt)
		}
		if had.Owner != "" { // who lets go in order leaves no owner
			c.Spent += max(had.Until.Sub(had.Since)-Lease, 0)
			c.Attempt++
		}
		died = c.Attempt > attempts
		c.hold(owner, now)
		*had = c
		return nil
	})
	if err != nil {
		return Current{}, err
	}
	if died {
		t := Assignment{Records: r, Owner: owner, Of: &c}
		return Current{}, errors.Join(ErrPast, t.End(ctx, now, func(s *State) error {
			return s.Fail(owner, "its workers died", true, now)
		}))
	}
	return c, nil
}

// mayClaim says whether a job is still to be done, and makes the lease of its run longer.
func (r Records) mayClaim(ctx context.Context, run string, job Job, now time.Time) error {
	_, err := r.Ledger.Get(ctx, ledger.Key{Partition: failed, Sort: string(job.KG)})
	if err == nil {
		return ErrPast
	}
	if !errors.Is(err, ledger.ErrNotFound) {
		return fmt.Errorf("failure of KG %s: %w", job.KG, err)
	}
	_, err = r.Step(ctx, func(s *State) error {
		if !s.has(run) || s.Run.Over {
			return ErrLost
		}
		if s.Run.Until.Sub(now) < RunLease/2 {
			longer := *s.Run
			longer.Until = now.Add(RunLease)
			s.Run = &longer
		}
		if s.Now != nil && s.Now.KG == job.KG {
			return ErrBusy
		}
		if s.Mode != Running && s.Single != job.KG {
			return ErrHeld
		}
		attempt := 1
		if i := slices.IndexFunc(s.Retry, func(r Retry) bool { return r.KG == job.KG }); i >= 0 {
			attempt = s.Retry[i].Attempt + 1
		}
		if attempt != job.Attempt || len(s.Retry) > 0 && rests(s.Retry, job.KG, now) {
			return ErrPast
		}
		return nil
	})
	return err
}

// rests says whether a KG waits for its data.
func rests(list []Retry, code austria.KGCode, now time.Time) bool {
	return slices.ContainsFunc(list, func(r Retry) bool { return r.KG == code && now.Before(r.Not) })
}

// claim changes the claim of a KG; the zero value is that of a KG nobody has.
func (r Records) claim(ctx context.Context, code austria.KGCode, now time.Time, change func(*Current) error) error {
	_, err := ledger.Update(ctx, r.Ledger, claimKey(code), func(rec *ledger.Record) (bool, error) {
		var c Current
		if len(rec.Value) > 0 {
			if err := json.Unmarshal(rec.Value, &c); err != nil {
				return false, err
			}
		}
		if err := change(&c); err != nil {
			return false, err
		}
		var err error
		rec.Value, err = json.Marshal(&c)
		rec.Expires = now.Add(claimed)
		return true, err
	})
	return err
}

// Claims are the KGs that the workers of a run have, and those that they have let go and did not come back to yet.
func (r Records) Claims(ctx context.Context) (out []Current, err error) {
	from := "claim/"
	for {
		records, err := r.Ledger.Query(ctx, ledger.Query{Partition: partition, From: from, To: "claim/\xff", Limit: ledger.MaxLimit})
		if err != nil {
			return nil, fmt.Errorf("claims of the processor: %w", err)
		}
		for i := range records {
			var c Current
			if err := json.Unmarshal(records[i].Value, &c); err != nil {
				return nil, err
			}
			out = append(out, c)
			from = records[i].Key.Sort + "\x00"
		}
		if len(records) < ledger.MaxLimit {
			return out, nil
		}
	}
}

// Assignment is how a worker holds its KG: as the current one of the processor, or by a claim of a run.
type Assignment struct {
	Records
	Owner string
	Of    *Current // the KG of a claim; nil: the current one
}

// Tell notes how far the worker is and makes its lease longer. ErrLost; ErrHeld: let go.
func (t Assignment) Tell(ctx context.Context, step string, done, of int, now time.Time) error {
	if t.Of == nil {
		_, err := t.Step(ctx, func(s *State) error { return s.Tell(t.Owner, step, done, of, now) }, ErrHeld)
		return err
	}
	if err := t.change(ctx, now, func(c *Current) { c.Step, c.Done, c.Of, c.Until = step, done, of, now.Add(Lease) }); err != nil {
		return err
	}
	_, err := t.Step(ctx, func(s *State) error {
		if s.Run == nil || s.Run.Over || s.Mode != Running && s.Single != t.Of.KG {
			return ErrHeld
		}
		return nil
	})
	return err
}

// Renew makes the lease longer. ErrLost.
func (t Assignment) Renew(ctx context.Context, now time.Time) error {
	if t.Of == nil {
		_, err := t.Step(ctx, func(s *State) error { return s.Renew(t.Owner, now) })
		return err
	}
	return t.change(ctx, now, func(c *Current) { c.Until = now.Add(Lease) })
}

// LetGo gives the KG back: its worker was told to pause, or its process ends.
func (t Assignment) LetGo(ctx context.Context, now time.Time) error {
	if t.Of == nil {
		_, err := t.Step(ctx, func(s *State) error { return s.LetGo(t.Owner, now) })
		return err
	}
	return t.change(ctx, now, func(c *Current) { c.Spent, c.Owner, c.Until = c.Time(now), "", now })
}

// End notes what became of the KG: end is Finish, Fail or Wait of the state. ErrLost.
func (t Assignment) End(ctx context.Context, now time.Time, end func(*State) error) error {
	if t.Of == nil {
		_, err := t.Step(ctx, end)
		return err
	}
	// The claim stays until the outcome is noted: who dies in between leaves a KG that is found to be dealt with. It says so itself, for
	// the KG may be queued anew before the claim is forgotten.
	var c Current
	if err := t.change(ctx, now, func(mine *Current) { c, mine.Ending = *mine, true }); err != nil {
		return err
	}
	if _, err := t.Step(ctx, func(s *State) error {
		taken := c
		return s.settle(&taken, end)
	}); err != nil {
		return err
	}
	return t.Ledger.Delete(ctx, claimKey(t.Of.KG), ledger.Any)
}

// change changes the claim of the KG. ErrLost.
func (t Assignment) change(ctx context.Context, now time.Time, change func(*Current)) error {
	return t.claim(ctx, t.Of.KG, now, func(c *Current) error {
		if c.Owner != t.Owner {
			return ErrLost
		}
		change(c)
		return nil
	})
}

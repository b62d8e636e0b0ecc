// Package workpoll reports the completed tasks of a kanban board's export to a work feed, each once: it reads the
// export (localdev/kanban), posts what is new and notes it in a file. The feed records a task once, so a poller that
// was killed at any moment is started again. The work-poll command and the demo call it.
package workpoll

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"mappe/localdev/kanban"
)

// Poller is one poller's settings.
type Poller struct {
	Board  string        // the board's export, a JSON file
	Name   string        // of the board, where it is not the export's
	URL    string        // of the work feed
	Token  string        // that lets completions be recorded
	Notes  string        // file of the reported tasks; "": the export's name and .told
	Done   []string      // columns or states that mean completed
	Every  time.Duration // reads the export again after this time; 0: once
	DryRun bool          // shows what would be sent, sends nothing

	client *client          // nil: made of URL and Token
	now    func() time.Time // nil: time.Now
}

func (p *Poller) clock() time.Time {
	if p.now == nil {
		return time.Now()
	}
	return p.now()
}

// round is what one reading of the export led to.
type round struct {
	kanban.Export
	recorded, already, differ, refused, skipped int
}

// Run polls once, or again and again with Every until the context ends. It prints what it does.
func (p *Poller) Run(ctx context.Context, out io.Writer) error {
	if p.Every != 0 && p.Every < time.Second {
		return fmt.Errorf("--every is %v: want 1s or more", p.Every)
	}
	var err error
	if p.client == nil {
		if p.client, err = newClient(p.URL, p.Token); err != nil {
			return err
		}
	}
	if p.client.say == nil {
		p.client.say = func(text string) { fmt.Fprintln(out, text) }
	}
	noted := &notes{has: map[note]bool{}}
	if !p.DryRun {
		if noted, err = openNotes(cmp.Or(p.Notes, p.Board+".told")); err != nil {
			return err
		}
		defer noted.close()
	}
	pause := p.Every
	for {
		err := p.once(ctx, out, noted)
		switch {
		case ctx.Err() != nil:
			return nil // it was stopped
		case p.Every == 0 || errors.Is(err, errUnauthorized):
			return err
		case err != nil:
			pause = min(2*pause, max(p.Every, 10*time.Minute))
			fmt.Fprintf(out, "%v; again in %v\n", err, pause)
		default:
			pause = p.Every
		}
		if p.client.wait(ctx, pause) != nil {
			return nil
		}
	}
}

// once reads the export and reports to the feed what it has not reported yet.
func (p *Poller) once(ctx context.Context, out io.Writer, noted *notes) error {
	start := p.clock()
	data, err := readBounded(p.Board)
	if err != nil {
		return err
	}
	var r round
	if r.Export, err = kanban.Read(data, kanban.Options{Board: p.Name, Done: p.Done, Now: start}); errors.Is(err, kanban.ErrNoBoard) {
		return fmt.Errorf("%s: %w: give it with --board-name", p.Board, err)
	} else if err != nil {
		return fmt.Errorf("%s: %w", p.Board, err)
	}
	for _, problem := range r.Problems {
		fmt.Fprintln(out, "left out:", problem)
	}
	err = p.report(ctx, out, noted, &r)
	if p.DryRun {
		fmt.Fprintf(out, "%d tasks, %d completed: %d would be reported, %d left out; nothing was sent\n", r.Tasks,
			len(r.Done)+len(r.Problems), len(r.Done), len(r.Problems))
		return err
	}
	if p.Every == 0 || r.recorded+r.already+r.differ+r.refused > 0 || err != nil {
		fmt.Fprintf(out, "%d tasks, %d completed: %d recorded, %d were there, %d with other content, %d reported before, %d refused, %d left out; %v\n", r.Tasks, len(r.Done)+len(r.Problems),
			r.recorded, r.already, r.differ, r.skipped, r.refused, len(r.Problems), p.clock().Sub(start).Round(time.Millisecond))
	}
	if err == nil && p.Every == 0 && r.refused+len(r.Problems) > 0 {
		return fmt.Errorf("%d completed tasks are not in the feed", r.refused+len(r.Problems))
	}
	return err
}

// report posts what is not noted yet and notes it.
func (p *Poller) report(ctx context.Context, out io.Writer, noted *notes, r *round) error {
	for i, c := range r.Done {
		n := note{p.client.url, c.Board, c.TaskID}
		if noted.has[n] {
			r.skipped++
			continue
		}
		if p.DryRun {
			fmt.Fprintf(out, "%-12s %s\n", c.TaskID, c.Title)
			continue
		}
		outcome, why, err := p.client.post(ctx, c)
		if err != nil {
			return err
		}
		switch outcome {
		case recorded:
			r.recorded++
			fmt.Fprintf(out, "recorded %d of %d: %s %s\n", i+1, len(r.Done), c.TaskID, c.Title)
		case already:
			r.already++
		case differs:
			r.differ++
			fmt.Fprintln(out, "other content:", why)
		case refused:
			r.refused++
			fmt.Fprintf(out, "refused: task %q: %s\n", c.TaskID, why)
			continue // once the export is mended it is reported
		}
		if err := noted.add(n); err != nil {
			return fmt.Errorf("note what was reported: %w", err)
		}
	}
	return nil
}

// readBounded reads an export of at most kanban.MaxBytes bytes.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, kanban.MaxBytes+1))
	if err == nil && len(data) > kanban.MaxBytes {
		err = fmt.Errorf("%s has more than %d bytes", path, kanban.MaxBytes)
	}
	return data, err
}

package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
)

// tokenVariable keeps the token out of the list of processes.
const tokenVariable = "MAPPE_WORK_TOKEN"

// polling is a poller's settings.
type polling struct {
	board, name, url, token, notes string
	done                           []string
	every                          time.Duration
	dry                            bool
	client                         *feedClient
	now                            func() time.Time
}

func workPollCommand() *cobra.Command {
	p := polling{now: time.Now}
	c := &cobra.Command{
		Use:   "work-poll --board FILE",
		Short: "Tell the work feed of the completed tasks in a kanban board's JSON export, each once",
		Long: `Read a kanban board's JSON export and tell the work feed of its completed tasks, each exactly once.

The feed records a task (board and id) once, so the poller may be stopped or killed at any time and started
again. What it has told is noted in a file beside the export, which only saves requests. A task that was told
is not told again when it is edited or opened again.

Exports with tasks, cards, items or issues are read, whole or by columns, Trello's among them.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return p.run(c.Context(), c.OutOrStdout()) },
	}
	f := c.Flags()
	f.StringVar(&p.board, "board", "", "the board's export, a JSON file")
	f.StringVar(&p.name, "board-name", "", "name of the board, where it is not the export's")
	f.StringVar(&p.url, "url", "http://127.0.0.1:8080/workfeed", "address of the work feed")
	f.StringVar(&p.token, "token", "", "token that lets completions be recorded (default: $"+tokenVariable+")")
	f.StringVar(&p.notes, "notes", "", "file that notes what was told (default: the export's name and .told)")
	f.StringSliceVar(&p.done, "done", doneColumns, "columns or states that mean completed")
	f.DurationVar(&p.every, "every", 0, "read the export again and again after this time")
	f.BoolVar(&p.dry, "dry-run", false, "show what would be told, tell nothing")
	_ = c.MarkFlagRequired("board") // the flag exists: it is declared above
	_ = c.MarkFlagFilename("board", "json")
	return c
}

// round is what one reading of the export led to.
type round struct {
	export
	recorded, already, differ, refused, skipped int
}

func (p *polling) run(ctx context.Context, out io.Writer) error {
	if p.every != 0 && p.every < time.Second {
		return fmt.Errorf("--every is %v: want 1s or more", p.every)
	}
	p.token = cmp.Or(p.token, os.Getenv(tokenVariable))
	if p.token == "" && !p.dry {
		return errors.New("no token: give --token or $" + tokenVariable + " (an operator makes one: " + commandLine() + " work-token add --name NAME)")
	}
	var err error
	if p.client == nil {
		if p.client, err = newFeedClient(p.url, p.token); err != nil {
			return err
		}
	}
	if p.client.say == nil {
		p.client.say = func(text string) { fmt.Fprintln(out, text) }
	}
	notes := &noted{has: map[note]bool{}}
	if !p.dry {
		if notes, err = openNotes(cmp.Or(p.notes, p.board+".told")); err != nil {
			return err
		}
		defer notes.close()
	}
	pause := p.every
	for {
		err := p.once(ctx, out, notes)
		switch {
		case ctx.Err() != nil:
			return nil // it was stopped
		case p.every == 0 || errors.Is(err, errUnauthorized):
			return err
		case err != nil:
			pause = min(2*pause, max(p.every, 10*time.Minute))
			fmt.Fprintf(out, "%v; again in %v\n", err, pause)
		default:
			pause = p.every
		}
		if p.client.wait(ctx, pause) != nil {
			return nil
		}
	}
}

// once reads the export and tells the feed of what it was not told yet.
func (p *polling) once(ctx context.Context, out io.Writer, notes *noted) error {
	start := p.now()
	data, err := readBounded(p.board)
	if err != nil {
		return err
	}
	var r round
	if r.export, err = readExport(data, p.name, p.done, start); err != nil {
		return fmt.Errorf("%s: %w", p.board, err)
	}
	for _, problem := range r.Problems {
		fmt.Fprintln(out, "left out:", problem)
	}
	err = p.tell(ctx, out, notes, &r)
	if p.dry {
		fmt.Fprintf(out, "%d tasks, %d completed: %d would be told, %d left out; nothing was sent\n", r.Tasks, len(r.Done)+len(r.Problems), len(r.Done), len(r.Problems))
		return err
	}
	if p.every == 0 || r.recorded+r.already+r.differ+r.refused > 0 || err != nil {
		fmt.Fprintf(out, "%d tasks, %d completed: %d recorded, %d were there, %d with other content, %d told before, %d refused, %d left out; %v\n", r.Tasks, len(r.Done)+len(r.Problems),
			r.recorded, r.already, r.differ, r.skipped, r.refused, len(r.Problems), p.now().Sub(start).Round(time.Millisecond))
	}
	if err == nil && p.every == 0 && r.refused+len(r.Problems) > 0 {
		return fmt.Errorf("%d completed tasks are not in the feed", r.refused+len(r.Problems))
	}
	return err
}

func (p *polling) tell(ctx context.Context, out io.Writer, notes *noted, r *round) error {
	for i, c := range r.Done {
		n := note{p.client.url, c.Board, c.TaskID}
		if notes.has[n] {
			r.skipped++
			continue
		}
		if p.dry {
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
			continue // once the export is mended it is told
		}
		if err := notes.add(n); err != nil {
			return fmt.Errorf("note what was told: %w", err)
		}
	}
	return nil
}

// readBounded reads an export of at most maxExport bytes.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxExport+1))
	if err == nil && len(data) > maxExport {
		err = fmt.Errorf("%s has more than %d bytes", path, maxExport)
	}
	return data, err
}

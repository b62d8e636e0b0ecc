// Package workfeed is the commands of the work feed: its poller and its tokens.
package workfeed

import (
	"cmp"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"mappe/localdev/kanban"
	"mappe/localdev/terminal"
	"mappe/localdev/workpoll"
)

// tokenVariable keeps the token out of the list of processes.
const tokenVariable = "MAPPE_WORK_TOKEN"

// Commands are the commands of the family.
func Commands() []*cobra.Command { return []*cobra.Command{pollCommand(), tokenCommand()} }

func pollCommand() *cobra.Command {
	var p workpoll.Poller
	c := &cobra.Command{
		Use:   "work-poll --board FILE",
		Short: "Report the completed tasks of a kanban board's JSON export to the work feed, each once",
		Long: `Read a kanban board's JSON export and report its completed tasks to the work feed, each exactly once.

The feed records a task (board and id) once, so the poller may be stopped or killed at any time and started
again. What it has reported is noted in a file beside the export, which only saves requests. A task that was
reported is not reported again when it is edited or opened again.

Exports with tasks, cards, items or issues are read, whole or by columns, Trello's among them.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			p.Token = cmp.Or(p.Token, os.Getenv(tokenVariable))
			if p.Token == "" && !p.DryRun {
				return errors.New("no token: give --token or $" + tokenVariable + " (an operator makes one: " + terminal.CommandLine() +
					" work-token add --name NAME)")
			}
			return p.Run(c.Context(), c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.StringVar(&p.Board, "board", "", "the board's export, a JSON file")
	f.StringVar(&p.Name, "board-name", "", "name of the board, where it is not the export's")
	f.StringVar(&p.URL, "url", "http://127.0.0.1:8080/workfeed", "address of the work feed")
	f.StringVar(&p.Token, "token", "", "token that lets completions be recorded (default: $"+tokenVariable+")")
	f.StringVar(&p.Notes, "notes", "", "file that notes what was reported (default: the export's name and .told)")
	f.StringSliceVar(&p.Done, "done", kanban.DoneColumns, "columns or states that mean completed")
	f.DurationVar(&p.Every, "every", 0, "read the export again and again after this time")
	f.BoolVar(&p.DryRun, "dry-run", false, "show what would be reported, send nothing")
	_ = c.MarkFlagRequired("board") // the flag exists: it is declared above
	_ = c.MarkFlagFilename("board", "json")
	return c
}

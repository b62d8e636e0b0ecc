package books

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"mappe/functions/books/records"
	"mappe/functions/books/strays"
	"mappe/localdev/state"
	"mappe/shared/cloud/store/storeurl"
)

func (k *bookkeeping) strays() *cobra.Command {
	var files string
	var remove time.Duration
	c := &cobra.Command{
		Use: "strays", Short: "List the files that no record names, and take care that no project number is given twice",
		Args: cobra.NoArgs,
		Long: `List what the book service's store holds and no record names: manuscripts and books of which the records were lost with a ledger that
was put back to an earlier time, and files of builds that came to nothing. Projects that are made afterwards get numbers above all that the
store has folders of. --remove deletes strays whose newest file is older than that.`,
		Example: `  go run ./localdev books strays
  go run ./localdev books strays --files s3://BUCKET/books --ledger "dynamodb://TABLE?region=REGION" --remove 720h`,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("remove") && remove < time.Hour {
				return fmt.Errorf("--remove has the value %s: expected 1h or more, for what is being uploaded has no record yet", remove)
			}
			if files == "" {
				files = state.BookFiles(k.data)
			}
			return k.with(c, func(ctx context.Context, r *records.Records, out io.Writer) error {
				return listStrays(ctx, r, files, remove, out)
			})
		},
	}
	c.Flags().StringVar(&files, "files", "", "address of the books' files instead: a directory or s3://BUCKET/PREFIX")
	c.Flags().DurationVar(&remove, "remove", 0, "delete strays that are older: 720h")
	return c
}

func listStrays(ctx context.Context, r *records.Records, files string, remove time.Duration, out io.Writer) error {
	st, err := storeurl.Open(files)
	if err != nil {
		return fmt.Errorf("--files: %w", err)
	}
	found, err := strays.Find(ctx, r, st)
	if err != nil {
		return err
	}
	if err := r.PassOver(ctx, found.Project); err != nil {
		return err
	}
	if len(found.Strays) == 0 {
		fmt.Fprintln(out, "all files of books have their records")
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PROJECT\tBOOK\tRECORD\tFILES\tBYTES\tNEWEST\t")
	for _, s := range found.Strays {
		record, done := "of other files", ""
		if s.Unknown {
			record = "none"
		}
		if remove > 0 && r.Now().Sub(s.Newest) > remove {
			if err := s.Remove(ctx, st); err != nil {
				return err
			}
			done = "removed"
		}
		fmt.Fprintf(w, "%d\t%d\t%s\t%d\t%d\t%s\t%s\n", s.Project, s.Book, record, len(s.Keys), s.Bytes,
			s.Newest.UTC().Format("2006-01-02 15:04"), done)
	}
	return w.Flush()
}

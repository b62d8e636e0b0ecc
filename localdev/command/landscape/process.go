package landscape

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mappe/artefacts/library"
	"mappe/builders/archive"
	"mappe/builders/landscape/process"
	"mappe/localdev/state"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
)

// processing is what the command is asked for.
type processing struct {
	data, ledger string
	products     bool
	publish      bool
	archive      *archive.Archive // nil: the one that the environment names, where publish is set
	out          io.Writer
	log          *slog.Logger // nil: silent
}

func processCommand() *cobra.Command {
	var p processing
	c := &cobra.Command{
		Use:   "process [KG...]",
		Short: "Analyse KGs: terrain, trees, segments, buildings and changes, for the search index",
		Long: `Analyse KGs by the rasters and the cadastre that are published: terrain, trees, segments with their types, buildings, infrastructure and
changes. What comes of it is stored beside the other artefacts.

KGs that are named are analysed one after the other. Without any the queue is worked off, then all KGs that are not up to date, each the
nearest one to the last. A KG whose inputs have not changed since is passed over. The work may be interrupted: it goes on where it was.

With --products the files are made, too, that a KG is handed out as: GeoPackages, a summary, GeoTIFFs, previews and a STAC item.
--publish makes them and uploads them into the research repository that MAPPE_REPOSITORY names.`,
		Example: `  go run ./localdev landscape process 99101 99102
  go run ./localdev landscape process 09902 --products
  go run ./localdev landscape process --data s3://BUCKET/artefacts --ledger "dynamodb://TABLE?region=REGION"`,
		RunE: func(c *cobra.Command, args []string) error {
			p.out, p.log = c.OutOrStdout(), slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil))
			var codes []austria.KGCode
			for _, a := range args {
				code, err := austria.ParseKGCode(a)
				if err != nil {
					return err
				}
				codes = append(codes, code)
			}
			return p.run(c.Context(), codes)
		},
	}
	c.Flags().StringVar(&p.data, "data", ".localdev/data", "published artefacts: a directory or s3://BUCKET; the ledger stands beside them")
	c.Flags().StringVar(&p.ledger, "ledger", "", "address of the ledger instead: sqlite:FILE or dynamodb://TABLE?region=REGION")
	c.Flags().BoolVar(&p.products, "products", false, "make the files that a KG is handed out as")
	c.Flags().BoolVar(&p.publish, "publish", false, "make them and upload them into the research repository")
	_ = c.MarkFlagDirname("data")
	return c
}

func (p *processing) run(ctx context.Context, codes []austria.KGCode) error {
	st, err := storeurl.Open(p.data)
	if err != nil {
		return fmt.Errorf("--data: %w", err)
	}
	address := p.ledger
	if address == "" {
		address = state.Ledger(p.data)
	}
	l, err := ledgerurl.Open(ctx, address)
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return errors.Join(p.over(ctx, st, l, codes), l.Close())
}

// over analyses by a store and a ledger.
func (p *processing) over(ctx context.Context, st store.Store, l ledger.Ledger, codes []austria.KGCode) error {
	lib, err := library.Open(ctx, st, library.Options{})
	if err != nil {
		return err
	}
	w := &process.Worker{Library: lib, Store: st, Records: landprocess.Records{Ledger: l}, Products: p.products || p.publish, Log: p.log}
	if w.Archive = p.archive; p.publish && w.Archive == nil {
		if w.Archive, err = archive.FromEnvironment(st, os.Getenv); err == nil && w.Archive == nil {
			err = fmt.Errorf("--publish: %s names no research repository", repository.EnvAddress)
		}
		if err != nil {
			return err
		}
	}
	if len(codes) == 0 {
		return errors.Join(p.all(ctx, w), w.Index(ctx))
	}
	for _, code := range codes {
		if _, err := w.Records.Change(ctx, func(s *landprocess.State) error { s.One(code); return nil }); err != nil {
			return err
		}
		if err := p.one(ctx, w); err != nil {
			return err
		}
	}
	return w.Index(ctx)
}

// all works until nothing is left.
func (p *processing) all(ctx context.Context, w *process.Worker) error {
	if _, err := w.Records.Change(ctx, func(s *landprocess.State) error { return s.Start("", "", time.Now()) }); err != nil {
		return err
	}
	for {
		err := p.one(ctx, w)
		if errors.Is(err, landprocess.ErrIdle) {
			return p.failures(ctx, w)
		}
		if err != nil {
			return err
		}
	}
}

// failures are told at the end.
func (p *processing) failures(ctx context.Context, w *process.Worker) error {
	s, err := w.Records.State(ctx)
	if err != nil || len(s.Failed) == 0 {
		return err
	}
	for _, f := range s.Failed {
		fmt.Fprintf(p.out, "KG %s cannot be analysed: %s\n", f.KG, f.Error)
	}
	return fmt.Errorf("%d KGs could not be analysed", len(s.Failed))
}

// one does a KG and tells how far it is.
func (p *processing) one(ctx context.Context, w *process.Worker) error {
	watching, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); p.watch(watching, w.Records) }()
	out, err := w.One(ctx)
	stop()
	<-ended
	switch {
	case err != nil:
		return err
	case out == nil:
		return p.why(ctx, w.Records)
	case out.Unchanged:
		fmt.Fprintf(p.out, "KG %s: unchanged\n", out.KG)
		return nil
	}
	if len(out.Missing) > 0 {
		fmt.Fprintf(p.out, "KG %s: not at hand: %s\n", out.KG, strings.Join(out.Missing, ", "))
	}
	fmt.Fprintf(p.out, "KG %s: %.2f km² in %d squares: %d segments, %d trees, %d buildings, %d parcels; %d bytes\n", out.KG, out.Km2,
		out.Squares, out.Counts["segments"], out.Counts["trees"],
		out.Counts["buildings"], out.Counts["parcels"], out.File.Bytes)
	return nil
}

// why tells what the log says of a KG that failed.
func (p *processing) why(ctx context.Context, r landprocess.Records) error {
	lines, err := r.Lines(ctx)
	if err == nil && len(lines) > 0 {
		last := lines[len(lines)-1]
		fmt.Fprintf(p.out, "KG %s: %s\n", last.KG, last.Text)
	}
	return err
}

// watch tells how many squares are done, every two seconds.
func (p *processing) watch(ctx context.Context, r landprocess.Records) {
	t := time.NewTicker(2 * time.Second)
	defer t.Stop()
	told := ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		s, err := r.State(ctx)
		if err != nil || s.Now == nil {
			continue
		}
		if text := fmt.Sprintf("KG %s: %s, %d of %d", s.Now.KG, s.Now.Step, s.Now.Done, s.Now.Of); text != told {
			fmt.Fprintln(p.out, text)
			told = text
		}
	}
}

package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"mappe/artefacts/library"
	"mappe/builders/landscape/process"
	"mappe/builders/landscape/products"
	"mappe/localdev/server"
	"mappe/localdev/state"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/store/storeurl"
)

// lookForKGs is how often the processor looks whether there is something to do.
const lookForKGs = 2 * time.Second

// startLandscape analyses KGs in this process and uploads their products, as the template's worker does, until stop is called; the KG
// under way is then let go. It sets the processor of the server.
func (s *serving) startLandscape(ctx context.Context, config *server.Config) (stop func(), err error) {
	l, err := ledgerurl.Open(ctx, state.Ledger(s.state))
	if err != nil {
		return nil, err
	}
	lib, err := library.Open(ctx, config.Store, library.Options{Refresh: 2 * time.Second, BudgetBytes: taskCache, Log: config.Log})
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	config.Processor = l
	w := &process.Worker{Library: lib, Store: config.Store, Records: landprocess.Records{Ledger: l}, Log: config.Log,
		Products: s.archive != nil, Archive: s.archive}
	working, end := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.Run(working, lookForKGs)
	}()
	return func() { end(); <-ended; l.Close() }, nil
}

// analysed are the KGs of the demo country that are analysed once it is served: those that laser scans reach into.
var analysed = []string{"09902", "09901"}

// seedLandscape has some KGs analysed, one after the other, as an operator would.
func (s *serving) seedLandscape(ctx context.Context, base string, out io.Writer) error {
	at := base + "/landscape/api/v1/processing/"
	for _, code := range analysed {
		if err := s.call(ctx, http.MethodPost, at+"single?kg="+code, http.StatusOK, nil); err != nil {
			return err
		}
		for {
			var status struct {
				Current *struct{} `json:"current"`
				Single  *string   `json:"single"`
			}
			if err := s.call(ctx, http.MethodGet, at+"status", http.StatusOK, &status); err != nil {
				return err
			}
			if status.Current == nil && status.Single == nil {
				break
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(lookForKGs):
			}
		}
	}
	fmt.Fprintf(out, "  KGs %v are analysed: %smanifest\n", analysed, at)
	return s.drawAnalysed(ctx)
}

// drawAnalysed adds what was found on the analysed KGs to the tiles of the map.
func (s *serving) drawAnalysed(ctx context.Context) (err error) {
	st, err := storeurl.Open(s.data)
	if err != nil {
		return err
	}
	l, err := ledgerurl.Open(ctx, state.Ledger(s.state))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	entries, err := landprocess.Records{Ledger: l}.Entries(ctx)
	if err != nil {
		return err
	}
	if _, err = products.PublishTiles(ctx, st, entries, nil); errors.Is(err, products.ErrNoTiles) {
		return nil // products are made where there is a repository for them
	}
	return err
}

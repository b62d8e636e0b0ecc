package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"mappe/artefacts/keys"
	"mappe/localdev/command/build"
	"mappe/localdev/demo"
	"mappe/localdev/examples"
	"mappe/localdev/state"
	"mappe/shared/cloud/admintoken"
)

func startCommand() *cobra.Command {
	var s serving
	var dir string
	c := &cobra.Command{
		Use:   "start",
		Short: "Make the demo country, build it, bundle the map page and serve everything",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			out := c.OutOrStdout()
			if err := s.listen(); err != nil { // before the work, not after it
				return err
			}
			defer s.listener.Close()
			source := filepath.Join(dir, "source")
			s.data, s.source = filepath.Join(dir, "data"), source
			if err := ensureDemo(c, source); err != nil {
				return err
			}
			if err := buildEarlier(c.Context(), out, source, s.data); err != nil {
				return err
			}
			if err := build.Run(c.Context(), os.Stdout, build.Options{Source: source, Data: s.data}); err != nil {
				return err
			}
			if err := examples.Write(dir, time.Now()); err != nil {
				return err
			}
			s.ready = func(ctx context.Context, base string) {
				seed := examples.Seed{Base: base, Ledger: state.Ledger(s.state), Dir: dir}
				if err := seed.SeedWork(ctx, out); err != nil && ctx.Err() == nil {
					fmt.Fprintf(out, "the work feed stays empty: %v\n", err)
				}
				if err := s.seedArchive(ctx, base); err != nil && ctx.Err() == nil {
					fmt.Fprintf(out, "the archive stays empty: %v\n", err)
				}
				if err := seed.SeedBooks(ctx, out); err != nil && ctx.Err() == nil {
					fmt.Fprintf(out, "the book service has no demonstration: %v\n", err)
				}
				if err := s.seedLandscape(ctx, base, out); err != nil && ctx.Err() == nil {
					fmt.Fprintf(out, "no KG is analysed: %v\n", err)
				}
			}
			return s.run(c.Context(), out)
		},
	}
	s.flags(c)
	c.Flags().StringVar(&dir, "dir", ".localdev", "directory for the raw sources and the artefacts")
	return c
}

// ensureDemo writes the demo country unless this version of it is already there.
func ensureDemo(c *cobra.Command, dir string) error {
	stamp := filepath.Join(dir, demo.Stamp)
	if b, err := os.ReadFile(stamp); err == nil && string(b) == demo.Version {
		fmt.Fprintf(c.OutOrStdout(), "demo country: %s is up to date\n", dir)
		return nil
	}
	if err := build.Demo(c.Context(), c.OutOrStdout(), dir); err != nil {
		return err
	}
	return os.WriteFile(stamp, []byte(demo.Version), 0o644)
}

// buildEarlier builds the country as it was at the earlier dates of the demo, where nothing is published yet: what changed
// since then is part of the demonstration.
func buildEarlier(ctx context.Context, out io.Writer, source, data string) error {
	if _, err := os.Stat(filepath.Join(data, keys.Current{}.String())); err == nil {
		return nil
	}
	quiet, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer quiet.Close()
	for _, date := range demo.Dates[:len(demo.Dates)-1] {
		fmt.Fprintf(out, "building the country as it was on %s\n", date)
		if err := buildAt(ctx, quiet, source, date, data); err != nil {
			return err
		}
	}
	return nil
}

func buildAt(ctx context.Context, out *os.File, source, date, data string) (err error) {
	dir, err := os.MkdirTemp(filepath.Dir(source), "source-"+date+"-") // beside it, for links
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := demo.At(source, date, dir); err != nil {
		return err
	}
	return build.Run(ctx, out, build.Options{Source: dir, Data: data})
}

// seedArchive has the KGs of the demo country archived: they were built just now, so that each is skipped, and archived
// where it is not yet.
func (s *serving) seedArchive(ctx context.Context, base string) error {
	var list struct {
		Data []struct {
			KG string `json:"kg_code"`
		} `json:"data"`
	}
	if err := s.call(ctx, http.MethodGet, base+"/cadastre/api/inspire/list", http.StatusOK, &list); err != nil {
		return err
	}
	for _, k := range list.Data {
		if err := s.call(ctx, http.MethodPost, base+"/cadastre/api/inspire/process/"+k.KG, http.StatusAccepted, nil); err != nil {
			return err
		}
	}
	return nil
}

// call sends a request to this server as its operator.
func (s *serving) call(ctx context.Context, method, url string, want int, v any) error {
	r, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return err
	}
	if token := cmp.Or(s.operator, os.Getenv(admintoken.Token)); token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	if a.StatusCode != want {
		return fmt.Errorf("%s %s: %s", method, url, a.Status)
	}
	if v == nil {
		return nil
	}
	return json.NewDecoder(io.LimitReader(a.Body, 1<<20)).Decode(v)
}

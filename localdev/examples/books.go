package examples

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"mappe/functions/books/records"
	"mappe/localdev/state"
	"mappe/localdev/terminal"
)

// The demo's project.
const (
	demoClient  = "demo"
	demoProject = "river"
	demoBuilds  = 10
)

// Seed is where a demonstration is served and kept.
type Seed struct {
	Base   string // address of the services
	Ledger string // address of the ledger, see ledgerurl
	Dir    string // of the examples, the manuscripts and the token
}

// SeedBooks makes the demo's project with a pass, a token (kept in Dir, for its owner alone) and two books with
// their reports, once, and prints how to sign in.
func (d Seed) SeedBooks(ctx context.Context, out io.Writer) error {
	s, err := state.OpenBookRecords(ctx, d.Ledger)
	if err != nil {
		return err
	}
	defer s.Close()
	kept := filepath.Join(d.Dir, "books-token")
	signIn := func(project int64, token string) {
		fmt.Fprintf(out, "books: project %d (%s/%s), token %s\n       sign in at %s/books/#project=%s/%s\n", project, demoClient,
			demoProject, token, d.Base, demoClient, demoProject)
	}
	p, err := s.FindProject(ctx, demoClient, demoProject)
	if err == nil {
		token, err := os.ReadFile(kept)
		if errors.Is(err, os.ErrNotExist) {
			fmt.Fprintf(out, "books: project %s/%s; a new token: %s books token rotate %s/%s\n", demoClient, demoProject,
				terminal.CommandLine(), demoClient, demoProject)
			return nil
		}
		signIn(p.ID, strings.TrimSpace(string(token)))
		return err
	}
	if !errors.Is(err, records.ErrNotFound) {
		return err
	}
	if _, err := s.AddClient(ctx, demoClient, "Demo House"); err != nil && !errors.Is(err, records.ErrExists) {
		return err
	}
	if p, err = s.AddProject(ctx, demoClient, demoProject, "The House on the River"); err != nil {
		return err
	}
	token, err := openProject(ctx, s.Records, p.ID)
	if err != nil {
		return err
	}
	if err := os.WriteFile(kept, []byte(token+"\n"), 0o600); err != nil {
		return err
	}
	if err := d.upload(ctx, p.ID, token); err != nil {
		return err
	}
	signIn(p.ID, token)
	return nil
}

// openProject gives a project a pass and a token.
func openProject(ctx context.Context, s *records.Records, project int64) (token string, err error) {
	builds, customer := demoBuilds, "Mira Example"
	if _, err := s.GrantPass(ctx, project, records.Grant{Included: &builds, Customer: &customer,
		Addons: []string{records.AddonIndex}}); err != nil {
		return "", err
	}
	_, token, err = s.RotateToken(ctx, project, false)
	return token, err
}

// upload writes the manuscripts into a folder and uploads them.
func (d Seed) upload(ctx context.Context, project int64, token string) error {
	folder := filepath.Join(d.Dir, "manuscripts")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	a := author{d.Base + "/books", token}
	for _, m := range manuscripts {
		file := m.docx()
		if err := os.WriteFile(filepath.Join(folder, m.file), file, 0o644); err != nil {
			return err
		}
		if err := a.submit(ctx, project, m, file); err != nil {
			return fmt.Errorf("%s: %w", m.file, err)
		}
	}
	return nil
}

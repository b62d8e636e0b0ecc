// Command vulnerabilities compares what the archives of a folder are made of with a copy of the Go vulnerability database: no network, no
// source is read. It ends with 1 where an advisory concerns a module at its version.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

func main() {
	db := flag.String("db", os.Getenv("GOVULNDB"), "folder of the database, or its file:// address")
	flag.Parse()
	if err := run(os.Stdout, *db, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

var errConcerned = errors.New("known vulnerabilities concern what is shipped")

func run(out io.Writer, db string, folders []string) error {
	db = strings.TrimPrefix(db, "file://")
	if db == "" {
		return errors.New("no database: set GOVULNDB to a folder with a copy of the Go vulnerability database " +
			"(vulndb.zip of vuln.go.dev, unpacked: ID/*.json), as file:///path or a path")
	}
	if info, err := os.Stat(filepath.Join(db, "ID")); err != nil || !info.IsDir() {
		return fmt.Errorf("%s has no folder ID with advisories: it is no copy of the Go vulnerability database", db)
	}
	var archives []string
	for _, folder := range folders {
		found, err := filepath.Glob(filepath.Join(folder, "*.zip"))
		if err != nil {
			return err
		}
		archives = append(archives, found...)
	}
	if len(archives) == 0 {
		return fmt.Errorf("no archive in %s: run make build first", strings.Join(folders, ", "))
	}
	table := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	n := 0
	for _, archive := range archives {
		found, err := advisories(os.DirFS(db), archive)
		if err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
		for _, a := range found {
			n++
			fmt.Fprintf(table, "%s\t%s\t%s@%s\tfixed in: %s\t%s\n", filepath.Base(archive), a.ID, a.Module, a.Version, orNone(a.Fixed),
				a.Summary)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d archives, %d advisories concern them\n", len(archives), n)
	if n > 0 {
		return errConcerned
	}
	return nil
}

func orNone(version string) string {
	if version == "" {
		return "no version"
	}
	return version
}

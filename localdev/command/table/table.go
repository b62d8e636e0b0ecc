// Package table is the command that adds to a table of addresses, coordinates or parcel ids what a running Mappe knows of them.
package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"mappe/localdev/table"
	"mappe/localdev/terminal"
	"mappe/shared/geo/crs"
)

// Commands are the commands of the family.
func Commands() []*cobra.Command { return []*cobra.Command{command()} }

func command() *cobra.Command {
	var j table.Job
	var system, separator string
	c := &cobra.Command{
		Use:   "table FILE",
		Short: "Add parcel, area, land use, price and surroundings to a table of addresses, coordinates or parcels",
		Long: `Read a table (.csv or .xlsx, at most 10,000 rows below one header line) and write the same rows in the same order with what a
running Mappe knows of each: parcel, KG, municipality, district, area, land use, buildings, price with its confidence, Natura 2000 sites,
protected areas and laws, metres to road, stop, station, water and settlement with their licence, the quality of the match, and where
nothing is found, why.

A row is a parcel (parcel_id, or kg and gnr), else a position (lon and lat, or x and y in the system of --crs), else an address
(adresse, or straße, hausnummer, plz, ort). The columns are recognised by their usual German and English names; --columns names others.
CSV may be parted by commas, semicolons or tabs, in UTF-8, UTF-16 or Latin-1. A table with semicolons gets numbers with a decimal comma;
--csv semicolon writes it so whatever was read.

The column match says how a row was found: parcel, coordinates, or of an address exact, interpolated (between two numbers of the
street), nearest (the nearest number) or street (which is no parcel). At most two requests are asked at once. What came is kept in
OUT.part until all is there: after an interruption the same command with --resume goes on.`,
		Example: "  go run ./localdev table addresses.csv --server http://127.0.0.1:8080 --out parcels.xlsx\n" +
			"  go run ./localdev table points.xlsx --crs EPSG:31256 --columns lon=Rechts,lat=Hoch --out parcels.csv --csv semicolon",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if j.System, err = crs.ParseSource(system); err != nil {
				return fmt.Errorf("--crs: %w", err)
			}
			if j.Separator, err = table.ParseSeparator(separator); err != nil {
				return fmt.Errorf("--csv %w", err)
			}
			j.In = args[0]
			return run(c, j)
		},
	}
	f := c.Flags()
	f.StringVar(&j.Server, "server", "http://127.0.0.1:8080", "address of all services")
	f.StringVarP(&j.Out, "out", "o", "", "table that is written: .csv or .xlsx")
	f.StringVar(&j.Columns, "columns", "", "columns that are called otherwise: address=NAME,plz=NAME; "+
		"also street, house_number, place, lon, lat, parcel_id, kg, gnr")
	f.StringVar(&system, "crs", "EPSG:4326", "system of the coordinates")
	f.StringVar(&separator, "csv", "", "what parts the cells of a CSV that is written: comma, semicolon (with a decimal comma, for a "+
		"spreadsheet in German) or tab (default: as in FILE)")
	f.BoolVar(&j.Resume, "resume", false, "go on with what an interrupted run has kept")
	_ = c.MarkFlagRequired("out") // the flag exists: it is declared above
	_ = c.MarkFlagFilename("out", "csv", "xlsx")
	return c
}

func run(c *cobra.Command, j table.Job) error {
	notes := c.ErrOrStderr()
	line := terminal.NewLine(notes)
	j.Note = func(text string) {
		line.Clear()
		fmt.Fprintln(notes, text)
	}
	j.Progress = func(done, total int) {
		if line.Show("%d of %d rows", done, total); !line.Live {
			fmt.Fprintf(notes, "%d of %d rows\n", done, total)
		}
	}
	s, err := j.Run(c.Context())
	line.Clear()
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	fmt.Fprintf(out, "%s: %d rows, %d with a parcel\n", j.Out, s.Rows, s.Found)
	list(c, s.Match)
	if s.Found < s.Rows {
		fmt.Fprintf(out, "%d without:\n", s.Rows-s.Found)
		list(c, s.Reasons)
	}
	if s.Kept != "" {
		fmt.Fprintf(out, "%d rows may be completed later: the same command with --resume asks for them again\n", s.Again)
	}
	return nil
}

// list prints counts, the largest first.
func list(c *cobra.Command, of map[string]int) {
	names := slices.SortedFunc(maps.Keys(of), func(a, b string) int { return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b)) })
	for _, n := range names {
		fmt.Fprintf(c.OutOrStdout(), "%7d  %s\n", of[n], n)
	}
}

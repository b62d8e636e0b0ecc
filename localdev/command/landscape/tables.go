package landscape

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mappe/builders/landscape/products"
)

func tablesCommand() *cobra.Command {
	var engine, location string
	c := &cobra.Command{
		Use:   "tables",
		Short: "Print the statements that make the GeoParquet of segments, trees and buildings tables of an engine",
		Long: `Print the statements that make the GeoParquet files of segments, trees and buildings of all analysed KGs tables of an engine.
Each file has kg_code as a column, so that no folder has to be named or added: DuckDB and Athena leave out files by what their ends say.`,
		Example: `  go run ./localdev landscape tables --engine athena --location s3://BUCKET/artefacts/tables
  go run ./localdev landscape tables --engine duckdb --location .localdev/data/tables`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			write, ok := engines[engine]
			if !ok {
				return fmt.Errorf("--engine: %q: allowed are %s", engine, strings.Join(engineNames(), ", "))
			}
			for _, t := range products.AllTables() {
				write(c.OutOrStdout(), t, strings.TrimSuffix(location, "/")+"/"+t.Name)
			}
			return nil
		},
	}
	c.Flags().StringVar(&engine, "engine", "duckdb", "athena, duckdb or spark")
	c.Flags().StringVar(&location, "location", ".localdev/data/tables", "the folder of the tables: a directory or s3://BUCKET/PREFIX/tables")
	_ = c.RegisterFlagCompletionFunc("engine", cobra.FixedCompletions(engineNames(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// engines write the statement of one table.
var engines = map[string]func(out io.Writer, t products.Table, location string){
	"athena": func(out io.Writer, t products.Table, location string) {
		fmt.Fprintf(out, "create external table %s (\n", t.Name)
		for i, f := range t.Fields {
			fmt.Fprintf(out, "  `%s` %s%s\n", f.Name, f.Type, map[bool]string{true: ","}[i < len(t.Fields)-1])
		}
		fmt.Fprintf(out, ") stored as parquet location '%s/';\n\n", quoted(location))
	},
	"duckdb": func(out io.Writer, t products.Table, location string) {
		fmt.Fprintf(out, "create view %s as select * from read_parquet('%s/*/*/*.parquet', hive_partitioning = false);\n", t.Name,
			quoted(location))
	},
	"spark": func(out io.Writer, t products.Table, location string) {
		fmt.Fprintf(out, "%s = spark.read.option(\"recursiveFileLookup\", \"true\").parquet(%q)\n", t.Name, location)
	},
}

func engineNames() (out []string) {
	for name := range engines {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// quoted is a text as it stands between the quotes of SQL.
func quoted(s string) string { return strings.ReplaceAll(s, "'", "''") }

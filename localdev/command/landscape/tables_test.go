package landscape

import (
	"strings"
	"testing"
)

// Each engine gets a statement for each table, with the place as it was given; an engine that nobody knows is refused.
func TestTables(t *testing.T) {
	print := func(args ...string) (string, error) {
		var out strings.Builder
		c := tablesCommand()
		c.SetArgs(args)
		c.SetOut(&out)
		c.SetErr(&out)
		err := c.Execute()
		return out.String(), err
	}
	for engine, want := range map[string]string{
		"athena": "create external table trees (\n  `kg_code` string,\n",
		"duckdb": "create view trees as select * from read_parquet('s3://it''s/tables/trees/*/*/*.parquet', hive_partitioning = false);\n",
		"spark":  `trees = spark.read.option("recursiveFileLookup", "true").parquet("s3://it's/tables/trees")`,
	} {
		out, err := print("--engine", engine, "--location", "s3://it's/tables/")
		if err != nil || !strings.Contains(out, want) || strings.Count(out, "/tables/") < 3 {
			t.Errorf("%s: %v\n%s\nwant %s", engine, err, out, want)
		}
	}
	if _, err := print("--engine", "athna"); err == nil || !strings.Contains(err.Error(), "allowed are athena, duckdb, spark") {
		t.Errorf("an unknown engine: %v", err)
	}
}

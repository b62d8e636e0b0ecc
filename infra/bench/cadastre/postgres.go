package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"mappe/artefacts/kgfile"
	"mappe/infra/bench/postgres"
)

// startPostgres starts PostGIS with the parcels; dir is where their table is written.
func startPostgres(ctx context.Context, dir string, snap *kgfile.Snapshot) (*postgres.Cluster, error) {
	pg, err := postgres.Start(ctx, postgres.Options{PostGIS: true, TCP: true})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "parcels.tsv")
	if err := writeTSV(file, snap); err != nil {
		return pg, err
	}
	_, err = pg.Psql(ctx, fmt.Sprintf(`create table parcels (parcel_id text primary key, gnr text, ez int, status text, area_sqm float8, geom geometry(MultiPolygon, 4326));
\copy parcels from '%s'
create index on parcels using gist (geom);
cluster parcels using parcels_geom_idx;
vacuum analyze parcels;
`, file))
	return pg, err
}

func writeTSV(file string, snap *kgfile.Snapshot) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for _, p := range snap.Parcels {
		id := fmt.Sprintf("%s-%s", snap.KG.Code, p.GNR)
		if _, err := w.WriteString(postgres.Row(id, string(p.GNR), fmt.Sprint(p.EZ), fmt.Sprint(p.Status),
			strconv.FormatFloat(p.AreaSqm, 'f', 2, 64), postgres.MultiPolygon(p.Geometry))); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

package ne

import (
	"mappe/artefacts/ne"
	"mappe/builders/source/observations"
	"mappe/builders/stage"
)

// describe is what the list of the country says of observations.
func describe(obs *observations.Layer) *ne.ObsLayer {
	if obs == nil {
		return nil
	}
	return &ne.ObsLayer{Origin: origin(obs), RecordBytes: obs.RecordBytes, Fields: obs.Fields}
}

func origin(obs *observations.Layer) ne.Origin {
	return ne.Origin{Layer: obs.Layer, Source: obs.Source, License: obs.License, LicenseURL: obs.LicenseURL, Date: obs.Date}
}

// seenNear names the observations that the cells of a KG may have; "" without any layer.
func seenNear(obs *observations.Layer, k *stage.KG) (string, error) {
	if obs == nil {
		return "", nil
	}
	chunks, err := chunksOf(k.Register.Box)
	if err != nil {
		return "", err
	}
	return obs.Fingerprint(chunks), nil
}

// withObservations adds to the layers of a KG the observations in its cells: those that have an LU row.
func withObservations(layers []ne.Rows, obs *observations.Layer) ([]ne.Rows, error) {
	if obs == nil {
		return layers, nil
	}
	from := origin(obs)
	out := ne.Rows{Layer: ne.Obs, RecordBytes: obs.RecordBytes, Fields: obs.Fields, Origin: &from}
	for _, c := range layers[0].Chunks {
		rows, err := obs.Below(c.Cell)
		if err != nil {
			return nil, err
		}
		if kept := within(rows, obs.RecordBytes, c.Rows); len(kept) > 0 {
			out.Chunks = append(out.Chunks, ne.ChunkRows{Cell: c.Cell, Rows: kept})
		}
	}
	if len(out.Chunks) == 0 {
		return layers, nil
	}
	return append(layers, out), nil
}

// within are the rows whose cell has an LU row; both rise by cell.
func within(rows []byte, size int, lu []byte) (out []byte) {
	for ; len(rows) > 0; rows = rows[size:] {
		cell := ne.CellOf(rows)
		for len(lu) > 0 && ne.CellOf(lu) < cell {
			lu = lu[ne.LUBytes:]
		}
		if len(lu) > 0 && ne.CellOf(lu) == cell {
			out = append(out, rows[:size]...)
		}
	}
	return out
}

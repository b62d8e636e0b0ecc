package products

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"mappe/artefacts/keys"
	"mappe/artefacts/landscape"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/geo/geom"
)

// The addresses of the licences.
const (
	ccBY = "https://creativecommons.org/licenses/by/4.0/"
	odbl = "https://opendatacommons.org/licenses/odbl/1-0/"
)

func licenceURL(s landprocess.Set) string {
	if s == landprocess.Infrastructure {
		return odbl
	}
	return ccBY
}

// itemName is the name of the item of a set.
func itemName(s landprocess.Set) string {
	if s == landprocess.Infrastructure {
		return "infrastructure-item.json"
	}
	return "item.json"
}

func centroidOf(p *landscape.Parcel) geom.Point { return p.Centroid }

// item is the STAC item (1.1.0) of a set. Addresses of files are relative, so that it holds in the store and in the research
// repository alike.
func (w *workshop) item(set landprocess.Set) product {
	return product{name: itemName(set), title: "STAC item", set: set, roles: []string{"metadata"},
		make: func(_ context.Context, path string) error {
			b, err := json.MarshalIndent(w.document(set), "", " ")
			if err != nil {
				return err
			}
			return os.WriteFile(path, append(b, '\n'), 0o600)
		}}
}

func (w *workshop) document(set landprocess.Set) map[string]any {
	code := string(w.Row.Code)
	box := w.Row.Box
	id := code + "-" + w.Row.Snapshot.Date + "-" + string(set)
	return map[string]any{
		"type": "Feature", "stac_version": "1.1.0", "id": id,
		"stac_extensions": []string{"https://stac-extensions.github.io/file/v2.1.0/schema.json",
			"https://stac-extensions.github.io/projection/v2.0.0/schema.json"},
		"geometry": w.outline(), "bbox": []float64{lon(box.MinX), lon(box.MinY), lon(box.MaxX), lon(box.MaxY)},
		"properties": w.properties(set), "assets": w.assets(set),
		"links": []map[string]string{{"rel": "license", "href": licenceURL(set), "type": "text/html", "title": set.License()}},
	}
}

func lon(v int32) float64 { return float64(v) / 1e7 }

// outline is that of the KG as GeoJSON.
func (w *workshop) outline() map[string]any {
	m, err := w.File.Outline()
	if err != nil || len(m) == 0 { // it was analysed by it
		return nil
	}
	list := make([][][][2]float64, len(m))
	for i, polygon := range m {
		for _, ring := range polygon {
			var out [][2]float64
			for _, p := range append(ring[:len(ring):len(ring)], ring[0]) {
				out = append(out, [2]float64{p.Lon(), p.Lat()})
			}
			list[i] = append(list[i], out)
		}
	}
	return map[string]any{"type": "MultiPolygon", "coordinates": list}
}

// properties are those of the item; its time is that of the laser scan, else of the snapshot.
func (w *workshop) properties(set landprocess.Set) map[string]any {
	r := &w.KG.Record
	return map[string]any{
		"datetime": w.date() + "T00:00:00Z", "title": "KG " + string(w.Row.Code) + " " + w.Row.Name + ": " + string(set),
		"license":     set.SPDX(),
		"description": w.credit(set), "kg_code": string(w.Row.Code), "kg_name": w.Row.Name, "gemeinde_code": string(w.Row.GemeindeCode),
		"gemeinde_name": w.Row.GemeindeName, "snapshot": w.Row.Snapshot.Date, "proj:code": "EPSG:3035",
		"primary_year":  finite(r.PrimaryYear),
		"quality_score": finite(r.QualityScore), "n_segments": finite(r.Segments), "tree_count": finite(r.TreeCount),
	}
}

// assets are the files of a set that were made before.
func (w *workshop) assets(set landprocess.Set) map[string]any {
	out := map[string]any{}
	for _, f := range w.done {
		p := w.find(f.Name)
		if f.Set != set {
			continue
		}
		a := map[string]any{"href": "./" + f.File, "title": p.title, "type": mediaType(f.Name), "roles": p.roles, "file:size": f.Bytes,
			"file:checksum": "1220" + f.SHA256}
		for k, v := range p.about {
			a[k] = v
		}
		out[assetName(f.Name)] = a
	}
	return out
}

func (w *workshop) find(name string) *product {
	for i := range w.wanted {
		if w.wanted[i].name == name {
			return &w.wanted[i]
		}
	}
	return &product{}
}

// assetName is the name of an asset: that of the file, with its ending where another one has the same.
func assetName(name string) string {
	ext := filepath.Ext(name)
	stem := name[:len(name)-len(ext)]
	if ext == ".png" {
		return stem + "-preview"
	}
	return stem
}

func mediaType(name string) string {
	if filepath.Ext(name) == ".tif" {
		return "image/tiff; application=geotiff; profile=cloud-optimized"
	}
	return keys.HeadersOf(keys.Product{Name: name}).ContentType
}

package national

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/builders/kgbuild"
	"mappe/builders/objects"
	"mappe/builders/tiles"
	"mappe/infra/bench/peak"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/cloud/store/storetest"
)

// benchKGs is how many KGs BenchmarkPublish publishes; MAPPE_BENCH_KGS=500 is what docs/performance.md
// extrapolates from.
func benchKGs(b *testing.B) int {
	if s := os.Getenv("MAPPE_BENCH_KGS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			b.Fatalf("MAPPE_BENCH_KGS %q: want a number of KGs", s)
		}
		return n
	}
	return 8
}

// writeCountry writes what a publication reads of n KGs, tiles and digests, and gives the digests' keys.
// The KGs have the size spread of the real ones, 1,300 parcels on 10.7 km² in the mean, and lie in a grid
// edge to edge, so that neighbours share tiles at every zoom.
func writeCountry(b *testing.B, st store.Store, n int) []keys.Digest {
	b.Helper()
	made := make([]keys.Digest, n)
	for i := range made {
		code := austria.KGCode(fmt.Sprintf("%05d", 10_000+i))
		share := []float64{0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.5, 2.3}[i%8] // of the mean, which is 1
		snap := kgtest.Snapshot(kgtest.Options{Code: code, Parcels: int(1300 * share), Segments: 3, AreaKm2: 10.7, Seed: uint64(i),
			East: int32(i%25) * 439_000, North: -int32(i/25) * 294_000})
		body, err := tiles.Build(snap, tiles.Options{Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		tilesKey := keys.Snapshot{Code: code, Date: snap.Build.Stichtag, Sum: keys.Sum(body), Form: keys.PMTiles}
		if err := objects.Put(b.Context(), st, tilesKey, body); err != nil {
			b.Fatal(err)
		}
		o := objects.Of(tilesKey, body)
		if body, err = kgfile.Encode(snap); err != nil {
			b.Fatal(err)
		}
		kgsKey := keys.Snapshot{Code: code, Date: snap.Build.Stichtag, Sum: keys.Sum(body), Form: keys.KGS}
		if err := objects.Put(b.Context(), st, kgsKey, body); err != nil {
			b.Fatal(err)
		}
		d := kgbuild.Digest{Format: kgbuild.DigestFormat, KG: snap.KG, Build: snap.Build, MD5: "0",
			Outline: register.Simplify(snap.Outline, kgbuild.OutlineToleranceM),
			Entry: manifest.Entry{Code: code, Name: snap.KG.Name, Stichtag: snap.Build.Stichtag, Snapshot: tilesKey.Name(),
				Parcels: len(snap.Parcels),
				Forms:   manifest.Forms{KGS: objects.Of(kgsKey, body), GeoParquet: o, GeoJSON: o, GeoPackage: o, PMTiles: o}, Quality: o}}
		d.Centroid, _ = snap.Outline.Centroid()
		doc, err := manifest.Encode(d)
		if err != nil {
			b.Fatal(err)
		}
		made[i] = keys.Digest{Code: code, Input: keys.Sum(doc)}
		if err := objects.Put(b.Context(), st, made[i], doc); err != nil {
			b.Fatal(err)
		}
	}
	return made
}

// BenchmarkPublish is the reduce step: first the whole of it with nothing published, then over a generation
// of the same input. It reports the requests of each, the bytes of the merged
// tiles and the process's peak memory; MAPPE_BENCH_STORE keeps the written country for another run, in a
// process that has only published.
func BenchmarkPublish(b *testing.B) {
	n, root := benchKGs(b), os.Getenv("MAPPE_BENCH_STORE")
	if root == "" {
		root = b.TempDir()
	}
	open := func() *storetest.Counting {
		st, err := dir.Open(root)
		if err != nil {
			b.Fatal(err)
		}
		return &storetest.Counting{Store: st}
	}
	var made []keys.Digest
	for info, err := range open().List(b.Context(), "digests/") {
		if err != nil {
			b.Fatal(err)
		}
		k, err := keys.Parse(info.Key)
		if err != nil {
			b.Fatal(err)
		}
		made = append(made, k.(keys.Digest))
	}
	if len(made) == 0 {
		made = writeCountry(b, open(), n)
	}
	publish := func(b *testing.B, made []keys.Digest, fresh bool) {
		for b.Loop() {
			b.StopTimer()
			counting := open()
			writes := &storetest.Faulty{Store: counting}
			if fresh {
				if err := counting.Delete(b.Context(), keys.Current{}.String()); err != nil {
					b.Fatal(err)
				}
			}
			counting.Reset()
			b.StartTimer()
			done, err := Publish(context.Background(), Publication{Store: writes, Keys: made, Observer: silent{}})
			if err != nil || done.Changed != fresh {
				b.Fatalf("%+v, %v", done, err)
			}
			b.StopTimer()
			r := counting.Reads()
			live, err := ReadLive(b.Context(), counting)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(r.Gets+r.Heads+r.Lists), "reads/op")
			b.ReportMetric(float64(writes.Writes()), "writes/op")
			b.ReportMetric(float64(live.Manifest.Tiles.Bytes)/1e6, "tiles-MB")
			b.ReportMetric(peak.MB(), "peak-MB")
			b.StartTimer()
		}
	}
	b.Run(fmt.Sprintf("%d", len(made)), func(b *testing.B) { publish(b, made, true) })
	b.Run(fmt.Sprintf("%d/again", len(made)), func(b *testing.B) { publish(b, made, false) })
}

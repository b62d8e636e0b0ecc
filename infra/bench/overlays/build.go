package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"time"

	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/builders/overlays"
	"mappe/builders/proximity"
	"mappe/builders/source/legal"
	"mappe/builders/source/outlines"
	"mappe/builders/stage"
	"mappe/builders/toponyms"
	"mappe/shared/cloud/store/dir"
)

// buildAll runs the stages of the place context on the sources, as a publication does, and prints what each took. KGs have
// no snapshots here: what lies over each KG's parcels is work per KG, measured where KGs are built.
func buildAll(ctx context.Context, at string) error {
	out := json.NewEncoder(os.Stdout)
	timed := func(what string, do func() (int64, error)) error {
		began, before := time.Now(), own()
		n, err := do()
		after := own()
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		return out.Encode(cost{What: what, Wall: time.Since(began), CoreSeconds: after.CoreSeconds - before.CoreSeconds,
			PeakMB: after.PeakMB, Bytes: n})
	}
	st, err := dir.Open(storeDir(at))
	if err != nil {
		return err
	}
	c := &stage.Country{Store: st, Register: &register.Contents{}, Made: manifest.Artefacts{}, Workers: runtime.GOMAXPROCS(0)}
	var stages []stage.Stage
	if err := timed("read", func() (int64, error) {
		stages, err = read(at, c.Register)
		return 0, err
	}); err != nil {
		return err
	}
	for _, s := range stages {
		if err := timed(s.Artefact, func() (int64, error) {
			o, err := s.Make(ctx, c)
			return o.Bytes, err
		}); err != nil {
			return err
		}
	}
	return nil
}

// read reads the sources as a build does, and gives the stages.
func read(at string, reg *register.Contents) ([]stage.Stage, error) {
	files := os.DirFS(sourceDir(at))
	kgs, drawn, problems, err := outlines.Read(files)
	if err != nil {
		return nil, err
	}
	var named []legal.KG
	for _, k := range kgs {
		row := register.KG{Outline: k.Geometry}
		row.Code, row.Name, row.Box = k.Code, k.Name, k.Geometry.Bounds()
		reg.KGs = append(reg.KGs, row)
		named = append(named, legal.KG{Code: k.Code, Name: k.Name})
	}
	over, err := overlays.Read(files, named, drawn, &problems)
	if err != nil {
		return nil, err
	}
	world, err := proximity.Open(files)
	if err != nil {
		return nil, err
	}
	names, err := toponyms.Read(files, "2026-10-01", "made up", &problems)
	if err != nil {
		return nil, err
	}
	if problems.Total > 0 || over == nil || world == nil || names == nil {
		return nil, fmt.Errorf("the sources are not whole: %d problems, %v", problems.Total, problems.First)
	}
	return append(append(overlays.Stages(over), proximity.Stages(world)...), toponyms.Stages(names)...), nil
}

// Command cmd packs every function of template.yaml for the processors of -arch and prints size and sum.
// Beside each archive it writes what it is made of (NAME.sbom.cdx.json, CycloneDX) and under which terms
// (NAME.THIRD_PARTY_NOTICES.txt), and both of all together without a name.
package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"mappe/infra/pack"
	"mappe/localdev/exact"
	"mappe/shared/cloud/stack"
)

func main() {
	template := flag.String("template", "template.yaml", "the template that names the functions")
	out := flag.String("out", "build", "folder of the archives")
	arches := flag.String("arch", strings.Join(pack.Arches(), ","), "processors, with commas between them")
	flag.Parse()
	if err := run(context.Background(), *template, *out, strings.Split(*arches, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, template, out string, arches []string) error {
	for _, arch := range arches {
		if !slices.Contains(pack.Arches(), arch) {
			return fmt.Errorf("-arch %s: expected some of %s", arch, strings.Join(pack.Arches(), ", "))
		}
	}
	declared, err := stack.Load(template, stack.Options{})
	if err != nil {
		return err
	}
	root, err := filepath.Abs(filepath.Dir(template))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	jobs, err := jobsOf(declared, root, template, out, arches)
	if err != nil {
		return err
	}
	fmt.Printf("%-32s %12s %12s  %s\n", "archive", "bootstrap", "zip", "sha256 of the zip")
	done, err := packed(ctx, jobs)
	if err != nil {
		return err
	}
	inventory := pack.NewInventory(root)
	for i, m := range done {
		name := filepath.Base(jobs[i].path)
		inventory.Add(name, m.sum, m.info)
		fmt.Printf("%-32s %12d %12d  %s\n", name, m.bootstrap, m.zip, m.sum)
	}
	parts, err := inventory.Parts()
	if err != nil {
		return err
	}
	for i, m := range done {
		name := filepath.Base(jobs[i].path)
		one, own := inventory.Only(name, parts, m.embeds)
		if err := describe(one, own, out, strings.TrimSuffix(name, ".zip")+"."); err != nil {
			return err
		}
	}
	if err := describe(inventory, parts, out, ""); err != nil {
		return err
	}
	fmt.Printf("%d works of others: sbom.cdx.json and THIRD_PARTY_NOTICES.txt of each archive, and of all\n", len(parts))
	return node(ctx, root, out)
}

// job is an archive to be made: the program of a function for one processor, where the archive goes and where its bootstrap is kept;
// "" where it is not.
type job struct{ root, function, main, arch, path, kept string }

// jobsOf are the archives of the functions of a template.
func jobsOf(declared *stack.Stack, root, template, out string, arches []string) (jobs []job, err error) {
	listed := map[string]bool{}
	for _, f := range declared.Functions {
		for _, arch := range arches {
			name, err := pack.Archive(root, f.Main, arch)
			if err != nil {
				return nil, err
			}
			if !listed[name] { // a program that several functions run is packed once
				listed[name] = true
				j := job{root, f.Name, f.Main, arch, filepath.Join(out, name), ""}
				if arch == runtime.GOARCH && runtime.GOOS == "linux" { // what the tests and `up --exact` run
					j.kept = filepath.Join(exact.Bootstraps(template), f.Name, "bootstrap")
				}
				jobs = append(jobs, j)
			}
		}
	}
	return jobs, nil
}

// packed builds and packs all. Linking and packing a bootstrap take one processor: as many are made at a time as there are processors.
func packed(ctx context.Context, jobs []job) ([]made, error) {
	done := make([]made, len(jobs))
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, j := range jobs {
		g.Go(func() (err error) {
			if done[i], err = archive(inner, j); err != nil {
				return fmt.Errorf("%s: %w", j.function, err)
			}
			return nil
		})
	}
	return done, g.Wait()
}

// node builds the node of the hypermedia network for this machine, a module of its own, and writes what it is made of.
func node(ctx context.Context, root, out string) error {
	folder := filepath.Join(root, "localdev", "node")
	binary, err := filepath.Abs(filepath.Join(out, "node"))
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-gcflags=all=-dwarf=false", "-o", binary, ".")
	cmd.Dir, cmd.Stderr, cmd.Env = folder, os.Stderr, append(os.Environ(), "CGO_ENABLED=0")
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("localdev/node: %w", err)
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	inventory := pack.NewProgramInventory(folder)
	inventory.Add("node", fmt.Sprintf("%x", sha256.Sum256(raw)), info)
	parts, err := inventory.Parts()
	if err != nil {
		return err
	}
	return describe(inventory, parts, out, "node.")
}

// describe writes what the archives are made of; the names of the files begin with a prefix.
func describe(inventory *pack.Inventory, parts []pack.Part, out, prefix string) error {
	for name, write := range map[string]func(io.Writer, []pack.Part) error{"sbom.cdx.json": inventory.Bom,
		"THIRD_PARTY_NOTICES.txt": pack.Notices} {
		var b bytes.Buffer
		if err := write(&b, parts); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(out, prefix+name), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// made is an archive: bytes of the bootstrap and of the archive, SHA-256 of the archive in hex digits, what was linked.
type made struct {
	bootstrap, zip int64
	sum            string
	info           *debug.BuildInfo
	embeds         []string // data of others
}

// archive builds and packs one.
func archive(ctx context.Context, j job) (m made, err error) {
	binary, err := filepath.Abs(cmp.Or(j.kept, j.path+".bootstrap"))
	if err != nil {
		return m, err
	}
	if j.kept == "" {
		defer os.Remove(binary)
		err = pack.Build(ctx, j.main, j.arch, binary)
	} else {
		err = pack.BuildHere(ctx, j.main, binary)
	}
	if err != nil {
		return m, err
	}
	if m.info, err = buildinfo.ReadFile(binary); err != nil {
		return m, err
	}
	in, err := os.ReadFile(binary)
	if err != nil {
		return m, err
	}
	if m.embeds, err = pack.Embeds(j.root, in); err != nil {
		return m, err
	}
	file, err := os.Create(j.path)
	if err != nil {
		return m, err
	}
	sum, counted := sha256.New(), &counter{}
	if err := errors.Join(pack.Zip(io.MultiWriter(file, sum, counted), bytes.NewReader(in)), file.Close()); err != nil {
		return m, err
	}
	m.bootstrap, m.zip, m.sum = int64(len(in)), counted.n, fmt.Sprintf("%x", sum.Sum(nil))
	return m, nil
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }

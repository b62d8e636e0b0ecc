// Command cmd packs every function of template.yaml for the processors of -arch and prints size and sum.
// Beside the archives it writes what they are made of (sbom.cdx.json, CycloneDX) and under which terms
// (THIRD_PARTY_NOTICES.txt).
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"mappe/infra/pack"
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
	inventory := pack.NewInventory(root)
	fmt.Printf("%-32s %12s %12s  %s\n", "archive", "bootstrap", "zip", "sha256 of the zip")
	packed := map[string]bool{}
	for _, f := range declared.Functions {
		for _, arch := range arches {
			name, err := pack.Archive(root, f.Main, arch)
			if err != nil {
				return err
			}
			if packed[name] {
				continue // a program that several functions run
			}
			packed[name] = true
			if err := archive(ctx, f.Main, arch, filepath.Join(out, name), inventory); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
	}
	if err := describe(inventory, out, ""); err != nil {
		return err
	}
	return node(ctx, root, out)
}

// node builds the node of the hypermedia network for this machine, a module of its own, and writes what it is made of.
func node(ctx context.Context, root, out string) error {
	folder := filepath.Join(root, "localdev", "node")
	binary, err := filepath.Abs(filepath.Join(out, "node"))
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", binary, ".")
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
	return describe(inventory, out, "node.")
}

// describe writes what the archives are made of; the names of the files begin with a prefix.
func describe(inventory *pack.Inventory, out, prefix string) error {
	parts, err := inventory.Parts()
	if err != nil {
		return err
	}
	for name, write := range map[string]func(io.Writer, []pack.Part) error{"sbom.cdx.json": inventory.Bom, "THIRD_PARTY_NOTICES.txt": pack.Notices} {
		var b bytes.Buffer
		if err := write(&b, parts); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(out, prefix+name), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d works of others: %ssbom.cdx.json, %sTHIRD_PARTY_NOTICES.txt\n", len(parts), prefix, prefix)
	return nil
}

// archive builds, packs and reports one function for one processor.
func archive(ctx context.Context, main, arch, path string, inventory *pack.Inventory) error {
	binary, err := filepath.Abs(path + ".bootstrap")
	if err != nil {
		return err
	}
	defer os.Remove(binary)
	if err := pack.Build(ctx, main, arch, binary); err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	in, err := os.Open(binary)
	if err != nil {
		return err
	}
	defer in.Close()
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	sum := sha256.New()
	counted := &counter{}
	if err := pack.Zip(io.MultiWriter(file, sum, counted), in); err != nil {
		file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	fi, err := in.Stat()
	if err != nil {
		return err
	}
	inventory.Add(filepath.Base(path), fmt.Sprintf("%x", sum.Sum(nil)), info)
	fmt.Printf("%-32s %12d %12d  %x\n", filepath.Base(path), fi.Size(), counted.n, sum.Sum(nil))
	return nil
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }

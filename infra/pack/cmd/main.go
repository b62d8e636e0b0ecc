// Command cmd packs every function of template.yaml for every processor and prints size and sum.
package main

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mappe/infra/pack"
	"mappe/localdev/exact"
)

func main() {
	template := flag.String("template", "template.yaml", "the template that names the functions")
	out := flag.String("out", "build", "folder of the archives")
	flag.Parse()
	if err := run(context.Background(), *template, *out); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, template, out string) error {
	stack, err := exact.Load(template, nil)
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
	fmt.Printf("%-32s %12s %12s  %s\n", "archive", "bootstrap", "zip", "sha256 of the zip")
	for _, f := range stack.Functions {
		for _, arch := range pack.Arches() {
			name, err := pack.Archive(root, f.Main, arch)
			if err != nil {
				return err
			}
			if err := archive(ctx, f.Main, arch, filepath.Join(out, name)); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
	}
	return nil
}

// archive builds, packs and reports one function for one processor.
func archive(ctx context.Context, main, arch, path string) error {
	binary, err := filepath.Abs(path + ".bootstrap")
	if err != nil {
		return err
	}
	defer os.Remove(binary)
	if err := pack.Build(ctx, main, arch, binary); err != nil {
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
	fmt.Printf("%-32s %12d %12d  %x\n", filepath.Base(path), fi.Size(), counted.n, sum.Sum(nil))
	return nil
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }

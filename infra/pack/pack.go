// Package pack makes the archives that Lambda runs: one bootstrap each, the same bytes from the same
// source on every machine.
package pack

import (
	"archive/zip"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"mappe/localdev/exact"
)

// Arches are the processors that archives are made for; the template uses the first.
func Arches() []string { return []string{"arm64", "amd64"} }

// Archive is the file name of a function's archive: the folders of its program without functions and lambda.
func Archive(root, main, arch string) (string, error) {
	rel, err := filepath.Rel(root, main)
	if err != nil {
		return "", err
	}
	rel = strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(rel), "functions/"), "/lambda")
	return strings.ReplaceAll(rel, "/", "-") + "-" + arch + ".zip", nil
}

// Build makes a bootstrap for Lambda.
func Build(ctx context.Context, main, arch, binary string) error {
	args := append([]string{"build", "-o", binary}, exact.BuildFlags...)
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir = main
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch, "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s for %s: %w\n%s", main, arch, err, out)
	}
	return nil
}

// BuildHere makes a bootstrap for this machine. One that stands at binary and is what would be built is taken over, which
// saves linking it; a running one is never written to.
func BuildHere(ctx context.Context, main, binary string) error {
	if err := os.MkdirAll(filepath.Dir(binary), 0o755); err != nil {
		return err
	}
	fresh := exact.Fresh(binary)
	if err := Build(ctx, main, runtime.GOARCH, fresh); err != nil {
		return errors.Join(err, os.Remove(fresh))
	}
	return os.Rename(fresh, binary)
}

// epoch is the time of every entry: the earliest a zip can say.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Zip writes the archive of a bootstrap.
func Zip(w io.Writer, bootstrap io.Reader) error {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestCompression) })
	h := &zip.FileHeader{Name: "bootstrap", Method: zip.Deflate, Modified: epoch}
	h.SetMode(0o755)
	entry, err := z.CreateHeader(h)
	if err != nil {
		return err
	}
	if _, err := io.Copy(entry, bootstrap); err != nil {
		return err
	}
	return z.Close()
}

package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// webSource is where the map page lives in the checkout; localdev runs from its root.
const webSource = "localdev/server/web"

// webDir is the bundled map page, "" when it was not bundled.
func webDir() string {
	dir := filepath.Join(webSource, "dist")
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		return ""
	}
	return dir
}

// bundleMap installs the page's npm packages from the lock file and bundles it, unless the bundle was
// made from exactly these sources.
func bundleMap(ctx context.Context, out io.Writer) error {
	sum, err := webSum()
	if err != nil {
		return err
	}
	stamp := filepath.Join(webSource, "dist", ".sum")
	if b, err := os.ReadFile(stamp); err == nil && string(b) == sum {
		return nil
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return fmt.Errorf("npm is not installed (Node.js 20 brings it): %w", err)
	}
	fmt.Fprintln(out, "map page: installing packages and bundling")
	for _, args := range [][]string{{"ci", "--ignore-scripts", "--no-audit", "--no-fund"}, {"run", "build"}} {
		c := exec.CommandContext(ctx, "npm", args...)
		c.Dir = webSource
		if b, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("npm %s: %w: %s", args[0], err, b)
		}
	}
	return os.WriteFile(stamp, []byte(sum), 0o644)
}

// bundledTable is the table of land uses, which the bundle holds.
const bundledTable = "shared/austria/landuse.csv"

// webSum fingerprints what the bundle is made of: the page's sources, the lock file and the table.
func webSum() (string, error) {
	h := sha256.New()
	in := func(name string) string { return filepath.Join(webSource, name) }
	for _, root := range []string{in("package-lock.json"), in("build.mjs"), in("src"), bundledTable} {
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(p)
			fmt.Fprintf(h, "%s %d\n", filepath.ToSlash(p), len(b))
			h.Write(b)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

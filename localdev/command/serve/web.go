package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"mappe/localdev/server/web"
)

// checkout is the folder that the program runs in. Whether it is one of the sources is looked at.
const checkout = "."

// pages are those to serve, and why there are none, or older ones, in a line each. They never keep a server from serving.
func pages(ctx context.Context, out io.Writer) (web.Pages, error) {
	err := bundle(ctx, out, checkout)
	if ctx.Err() != nil {
		return web.Pages{}, ctx.Err()
	}
	p := web.In(checkout)
	switch {
	case err != nil && p.Bundled():
		fmt.Fprintf(out, "the map page is an earlier one: %v\n", err)
	case err != nil:
		fmt.Fprintf(out, "the map page is left out: %v\n", err)
	case !p.Bundled():
		fmt.Fprintln(out, "the map page is left out: this program was compiled without it (make program compiles one with it)")
	}
	return p, nil
}

// bundle makes the bundle of a checkout anew, unless it was made from exactly these sources. Elsewhere there is nothing to do.
func bundle(ctx context.Context, out io.Writer, checkout string) error {
	folder := filepath.Join(checkout, filepath.FromSlash(web.Folder))
	if _, err := os.Stat(filepath.Join(folder, "build.mjs")); err != nil || upToDate(folder) {
		return nil // no checkout: where the program itself lies, localdev is no folder
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("npm is not installed (Node.js 20 brings it)")
	}
	steps := [][]string{{"run", "build"}}
	if installed(folder) {
		fmt.Fprintln(out, "map page: bundling")
	} else {
		fmt.Fprintln(out, "map page: installing packages and bundling")
		steps = [][]string{install, {"run", "build"}}
	}
	for _, args := range steps {
		c := exec.CommandContext(ctx, npm, args...)
		c.Dir = folder
		if b, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("npm %s in %s: %w: %s", args[0], folder, err, reason(b))
		}
	}
	return nil
}

// install are the arguments by which npm installs the packages of the lock file. Without a network it gives up within seconds, not
// after a minute: a server waits for it.
var install = []string{"ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=1",
	"--fetch-retry-mintimeout=1000", "--fetch-timeout=20000"}

// reason is the line of what npm has printed that says why it failed.
func reason(printed []byte) string {
	last := ""
	for line := range strings.Lines(string(printed)) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, "[ERROR]") || strings.Contains(line, "Error: ") {
			return strings.TrimPrefix(line, "npm error ")
		}
		if line != "" {
			last = line
		}
	}
	return last
}

// upToDate says whether the bundle was made of the sources as they are: beside it stands the sum of each.
func upToDate(folder string) bool {
	list, err := os.ReadFile(filepath.Join(folder, "packed", ".sources"))
	if err != nil || len(list) == 0 {
		return false
	}
	for line := range strings.Lines(string(list)) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		b, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if is := sha256.Sum256(b); err != nil || hex.EncodeToString(is[:]) != sum {
			return false
		}
	}
	return true
}

// installed says whether npm has installed the packages of the lock file, as make sees it.
func installed(folder string) bool {
	wanted, err := os.Stat(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return false
	}
	is, err := os.Stat(filepath.Join(folder, "node_modules", ".package-lock.json"))
	return err == nil && !is.ModTime().Before(wanted.ModTime())
}

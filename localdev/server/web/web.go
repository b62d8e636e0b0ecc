// Package web has the files of the pages: build.mjs bundles them and writes each compressed into packed/, from where they
// are compiled into the program. It knows files by name and bytes; the server and the command that writes the site for the
// CDN say what becomes of them.
package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// compiled holds no bundle where the program was compiled without one.
//
//go:embed all:packed
var compiled embed.FS

// Folder is where the pages lie in the checkout.
const Folder = "localdev/server/web"

// packed is the folder in it with the compressed bundle; suffix is what ends the names there, smallSuffix the names of the same files
// compressed by Brotli.
const packed, suffix, smallSuffix = "packed", ".gz", ".br"

// maxFile bounds a file that is unpacked. The largest, half of MapLibre, has 0.5 MB.
const maxFile = 64 << 20

// Pages are the files of a bundle. The zero value has none. They may be read at once, and anew while the bundle is made again.
type Pages struct{ files fs.FS }

// Of are the pages of a folder that build.mjs has written.
func Of(files fs.FS) Pages { return Pages{files} }

// In are the pages of a checkout, where it has a bundle: what is bundled again is served without compiling. Elsewhere they
// are those that the program was compiled with, if any.
func In(checkout string) Pages {
	folder := filepath.Join(checkout, filepath.FromSlash(Folder), packed)
	return first(Of(os.DirFS(folder)), Compiled())
}

// Compiled are the pages that the program was compiled with.
func Compiled() Pages {
	files, err := fs.Sub(compiled, packed)
	if err != nil {
		panic(err) // the name is a constant
	}
	return Of(files)
}

func first(all ...Pages) Pages {
	for _, p := range all {
		if p.Bundled() {
			return p
		}
	}
	return Pages{}
}

// Bundled says whether there are pages.
func (p Pages) Bundled() bool {
	_, err := p.Packed("index.html")
	return err == nil
}

// Names are the names of the files, in their order.
func (p Pages) Names() (names []string, err error) {
	if p.files == nil {
		return nil, nil
	}
	entries, err := fs.ReadDir(p.files, ".")
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), suffix); ok && named(name) {
			names = append(names, name)
		}
	}
	return names, err
}

// Packed is a file as it is kept. A name that is not valid, or of a file that the bundle does not have, is fs.ErrNotExist.
func (p Pages) Packed(name string) (Packed, error) {
	if p.files == nil || !named(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return fs.ReadFile(p.files, name+suffix)
}

// Small is a file compressed by Brotli, which this program does not unpack: for clients that ask for it. A bundle need not have it:
// fs.ErrNotExist.
func (p Pages) Small(name string) ([]byte, error) {
	if p.files == nil || !named(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return fs.ReadFile(p.files, name+smallSuffix)
}

// named says whether a file may have the name: those that begin with a point are not the bundle's.
func named(name string) bool {
	return fs.ValidPath(name) && path.Base(name) == name && !strings.HasPrefix(name, ".")
}

// Packed is a file compressed by gzip.
type Packed []byte

// Plain is the file as it was.
func (p Packed) Plain() ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(p))
	if err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(io.LimitReader(z, maxFile+1))
	if err == nil && len(plain) > maxFile {
		err = fmt.Errorf("unpacked it has more than %d bytes", maxFile)
	}
	return plain, err
}

package oracles

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// debian names the Debian package of each program a test asks for. .ci/run installs them and CONTRIBUTING.md
// says what is skipped without them; infra/archtest compares the three.
var debian = map[string]string{
	"Xvfb":                    "xvfb",
	"chromium-headless-shell": "chromium-headless-shell",
	"cs2cs":                   "proj-bin",
	"curl":                    "curl",
	"firefox-esr":             "firefox-esr",
	"gcc":                     "gcc",
	"gdal_rasterize":          "gdal-bin",
	"gdal_translate":          "gdal-bin",
	"gdaldem":                 "gdal-bin",
	"gdalinfo":                "gdal-bin",
	"gdalwarp":                "gdal-bin",
	"gs":                      "ghostscript",
	"gzip":                    "gzip",
	"hb-shape":                "libharfbuzz-bin",
	"java":                    "default-jre-headless",
	"node":                    "nodejs",
	"ogr2ogr":                 "gdal-bin",
	"ogrinfo":                 "gdal-bin",
	"pandoc":                  "pandoc",
	"pdffonts":                "poppler-utils",
	"pdftotext":               "poppler-utils",
	"qpdf":                    "qpdf",
	"Rscript":                 "r-cran-httr2",
	"soffice":                 "libreoffice-writer-nogui",
	"zdump":                   "libc-bin",
	"zic":                     "libc-bin",
}

// Programs gives the Debian package of every program that Program knows.
func Programs() map[string]string { return maps.Clone(debian) }

// Program is the path of a program; the test is skipped, saying so, where it is not installed. Folders of
// the administrator are searched too: zic lies in one.
func Program(t testing.TB, name string) string {
	t.Helper()
	pkg := debian[name]
	if pkg == "" {
		t.Fatalf("the Debian package of %s is not known: add it to infra/oracles", name)
	}
	for _, file := range []string{name, filepath.Join("/usr/sbin", name)} {
		if path, err := exec.LookPath(file); err == nil {
			return path
		}
	}
	t.Skipf("skipped: %s (Debian package %s) is not installed", name, pkg)
	return ""
}

// Folder is a folder of this module, "infra/oracles/x402", in which make has installed an npm package; the test
// is skipped, saying so, where the package is not there.
func Folder(t testing.TB, folder, pkg string) string {
	t.Helper()
	dir := filepath.Join(Root(t), filepath.FromSlash(folder))
	if _, err := os.Stat(filepath.Join(dir, "node_modules", filepath.FromSlash(pkg))); err != nil {
		t.Skipf("skipped: %s (npm, folder %s) is not installed", pkg, folder)
	}
	return dir
}

// Root is the folder of the module. A test runs in the folder of its package; the path of a source file, which
// the compiler knows, is cut off by -trimpath.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if text, err := os.ReadFile(filepath.Join(at, "go.mod")); err == nil && bytes.HasPrefix(text, []byte("module mappe\n")) {
			return at
		}
		if at == filepath.Dir(at) {
			t.Fatalf("%s lies in no folder of the module", dir)
		}
	}
}

// Chromium is the browser that the pages are tried in: MAPPE_CHROMIUM, or what is installed. Without windows it
// takes two thirds of the time.
func Chromium(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("MAPPE_CHROMIUM"); path != "" {
		return path
	}
	if _, err := exec.LookPath("chromium-headless-shell"); err != nil {
		if path, err := exec.LookPath("chromium"); err == nil {
			return path
		}
	}
	return Program(t, "chromium-headless-shell")
}

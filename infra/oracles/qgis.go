package oracles

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// QGISAsk is a layer that QGIS is to open and to draw, and QGISAnswer what it found: qgis/open.py says what the members mean.
type QGISAsk struct {
	Name     string     `json:"name"`
	Provider string     `json:"provider"`
	URI      string     `json:"uri"`
	CRS      string     `json:"crs"`
	Box      [4]float64 `json:"box"`
	Width    int        `json:"width"`
	Height   int        `json:"height"`
	Features bool       `json:"features,omitempty"`
	Legend   bool       `json:"legend,omitempty"`
	Identify []float64  `json:"identify,omitempty"`
	Outline  string     `json:"outline,omitempty"`
}

type QGISAnswer struct {
	Name       string
	Valid      bool
	CRS        string
	Style      string
	Labels     bool
	Count      int
	Fields     map[string]string
	Features   []map[string]any
	Identified []string
	Legend     []int
	Messages   []string
}

// QGISPython is the Python that has QGIS; the test is skipped where QGIS is not asked.
func QGISPython(t testing.TB) string {
	t.Helper()
	if Soak(t) == 0 {
		t.Skip("skipped: QGIS opens what is served in make soak: its packages are hundreds of megabytes")
	}
	const python = "/usr/bin/python3" // Debian's, which has QGIS's modules
	if exec.CommandContext(t.Context(), python, "-c", "import qgis.core").Run() != nil {
		t.Skip("skipped: QGIS for Debian's Python is not installed")
	}
	return python
}

// QGIS opens layers in QGIS and gives its answers and pictures by their names. A layer that QGIS complains of is an error of the test.
func QGIS(t *testing.T, asks []QGISAsk) (map[string]QGISAnswer, map[string]image.Image) {
	t.Helper()
	python := QGISPython(t)
	in, err := json.Marshal(asks)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	cmd := exec.CommandContext(t.Context(), python, filepath.Join(Root(t), "infra", "oracles", "qgis", "open.py"), folder)
	cmd.Stdin = bytes.NewReader(in)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b, err := os.ReadFile(filepath.Join(folder, "answer.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []QGISAnswer
	if err := json.Unmarshal(b, &list); err != nil {
		t.Fatal(err)
	}
	answers, pictures := map[string]QGISAnswer{}, map[string]image.Image{}
	for _, a := range list {
		if answers[a.Name] = a; !a.Valid || len(a.Messages) > 0 {
			t.Errorf("%s: valid %v, QGIS says %q", a.Name, a.Valid, a.Messages)
			continue
		}
		b, err := os.ReadFile(filepath.Join(folder, a.Name+".png"))
		if err == nil {
			pictures[a.Name], err = png.Decode(bytes.NewReader(b))
		}
		if err != nil {
			t.Fatal(a.Name, err)
		}
	}
	return answers, pictures
}

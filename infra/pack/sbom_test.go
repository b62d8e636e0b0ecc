package pack_test

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"mappe/infra/pack"
	"mappe/shared/cloud/stack"
)

func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// describe gives the two documents of a program.
func describe(t *testing.T, info *debug.BuildInfo) (bom, notices string) {
	t.Helper()
	v := pack.NewInventory(repository(t))
	v.Add("b.zip", "bb", info)
	v.Add("a.zip", "aa", info)
	parts, err := v.Parts()
	if err != nil {
		t.Fatal(err)
	}
	var b, n bytes.Buffer
	if err := v.Bom(&b, parts); err != nil {
		t.Fatal(err)
	}
	if err := pack.Notices(&n, parts); err != nil {
		t.Fatal(err)
	}
	return b.String(), n.String()
}

// The bill of materials and the notices of a real program name every module that it says it is made of, each
// with a licence and its text, and are the same each time.
func TestWhatAProgramIsMadeOf(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "bootstrap")
	if err := pack.Build(t.Context(), filepath.Join(repository(t), "localdev", "exact", "testdata", "echo"), runtime.GOARCH,
		binary); err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil || len(info.Deps) < 3 {
		t.Fatalf("%v, %v", info, err)
	}
	bom, notices := describe(t, info)
	if again, same := describe(t, info); again != bom || same != notices {
		t.Error("two descriptions of one program differ")
	}
	var doc struct {
		BomFormat, SpecVersion string
		Components             []struct {
			Type, Name, Version, Purl string
			Ref                       string `json:"bom-ref"`
			Licenses                  []struct{ License struct{ ID string } }
		}
		Dependencies []struct {
			Ref       string
			DependsOn []string
		}
	}
	if err := json.Unmarshal([]byte(bom), &doc); err != nil || doc.BomFormat != "CycloneDX" || doc.SpecVersion != "1.6" {
		t.Fatalf("%v: %.300s", err, bom)
	}
	refs := map[string]bool{}
	for _, c := range doc.Components {
		if refs[c.Ref] {
			t.Errorf("two components are called %s", c.Ref)
		}
		refs[c.Ref] = true
		if c.Type == "library" && (len(c.Licenses) != 1 || c.Licenses[0].License.ID == "" || c.Version == "" ||
			!strings.Contains(notices, c.Name+" "+c.Version+" (")) {
			t.Errorf("%s %s: licence %v, or no text in the notices", c.Name, c.Version, c.Licenses)
		}
	}
	for _, m := range info.Deps {
		if purl := "pkg:golang/" + m.Path + "@" + m.Version; !refs[purl] {
			t.Errorf("%s is linked and not listed", purl)
		}
	}
	for _, d := range doc.Dependencies {
		for _, ref := range d.DependsOn {
			if !refs[ref] {
				t.Errorf("%s depends on %s, which is not listed", d.Ref, ref)
			}
		}
	}
	if !refs["pkg:golang/std@"+strings.TrimPrefix(runtime.Version(), "go")] || !strings.Contains(notices, "Copyright 2009 The Go Authors") {
		t.Error("the standard library is not listed with its licence")
	}
	for _, s := range []string{"Apache License", "SIL OPEN FONT LICENSE", "Trennmustermannschaft"} {
		if !strings.Contains(notices, s) {
			t.Errorf("the notices lack %q", s)
		}
	}
}

// A document of one archive names its own modules and data alone.
func TestTheDocumentsOfOneArchive(t *testing.T) {
	root := repository(t)
	font, err := os.ReadFile(filepath.Join(root, "shared", "book", "font", "libertine", "LinLibertine_R.otf"))
	if err != nil {
		t.Fatal(err)
	}
	embeds, err := pack.Embeds(root, slices.Concat([]byte("a program"), font, []byte("its end")))
	if err != nil || !slices.Equal(embeds, []string{"Linux Libertine"}) {
		t.Fatalf("the program embeds %v, %v, want the font alone", embeds, err)
	}
	with := func(path, version string) *debug.BuildInfo {
		return &debug.BuildInfo{GoVersion: runtime.Version(), Deps: []*debug.Module{{Path: path, Version: version}}}
	}
	v := pack.NewInventory(root)
	v.Add("a.zip", "aa", with("gopkg.in/yaml.v3", "v3.0.1"))
	v.Add("b.zip", "bb", with("golang.org/x/sync", "v0.17.0"))
	parts, err := v.Parts()
	if err != nil {
		t.Fatal(err)
	}
	one, own := v.Only("a.zip", parts, embeds)
	var bom, notices bytes.Buffer
	if err := one.Bom(&bom, own); err != nil {
		t.Fatal(err)
	}
	if err := pack.Notices(&notices, own); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"gopkg.in/yaml.v3": true, "Linux Libertine": true, "b.zip": false, "golang.org/x/sync": false,
		"time zone": false, "Hyphenation": false} {
		if got := strings.Contains(bom.String(), text); got != want {
			t.Errorf("the bill of materials of a.zip names %s: %v, want %v", text, got, want)
		}
	}
	if n := notices.String(); !strings.Contains(n, "SIL OPEN FONT LICENSE") || strings.Contains(n, "golang.org/x/sync") {
		t.Errorf("the notices of a.zip are those of others: %.400s", n)
	}
	if !strings.Contains(bom.String(), "http://www.linuxlibertine.org") {
		t.Error("the bill of materials does not say where the font comes from")
	}
}

// TestEveryFunctionsModulesHaveTerms looks at what all functions of the template link, without building them.
func TestEveryFunctionsModulesHaveTerms(t *testing.T) {
	root := repository(t)
	declared, err := stack.Load(filepath.Join(root, "template.yaml"), stack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}"}
	for _, f := range declared.Functions {
		args = append(args, f.Main)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	raw, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	slices.Sort(lines)
	info := &debug.BuildInfo{GoVersion: runtime.Version()}
	for _, line := range slices.Compact(lines) {
		if path, version, ok := strings.Cut(line, " "); ok {
			info.Deps = append(info.Deps, &debug.Module{Path: path, Version: version})
		}
	}
	if len(info.Deps) < 20 {
		t.Fatalf("only %d modules are linked", len(info.Deps))
	}
	v := pack.NewInventory(root)
	v.Add("all.zip", "", info)
	parts, err := v.Parts()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		if p.Licence == "" && !p.Embedded {
			t.Errorf("%s %s: %s is under no licence that is known here", p.Name, p.Version, p.Texts[0])
		}
	}
}

// TestTheNodesModulesHaveTerms looks at what the node links, a module of its own.
func TestTheNodesModulesHaveTerms(t *testing.T) {
	folder := filepath.Join(repository(t), "localdev", "node")
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", ".")
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	raw, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	slices.Sort(lines)
	info := &debug.BuildInfo{GoVersion: runtime.Version()}
	for _, line := range slices.Compact(lines) {
		if path, version, ok := strings.Cut(line, " "); ok {
			info.Deps = append(info.Deps, &debug.Module{Path: path, Version: version})
		}
	}
	v := pack.NewProgramInventory(folder)
	v.Add("node", "", info)
	parts, err := v.Parts()
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) < 20 {
		t.Fatalf("only %d modules are linked", len(parts))
	}
	for _, p := range parts {
		if p.Licence == "" || p.Embedded {
			t.Errorf("%s %s: %v is under no licence that is known here", p.Name, p.Version, p.Texts)
		}
	}
}

func TestAModuleWithoutTermsIsRefused(t *testing.T) {
	v := pack.NewInventory(repository(t))
	v.Add("a.zip", "aa", &debug.BuildInfo{GoVersion: runtime.Version(), Deps: []*debug.Module{{Path: "mappe/shared", Version: "v0"}}})
	if _, err := v.Parts(); err == nil {
		t.Error("want an error")
	}
}

// Every font and every table of patterns that others made is in the notices.
func TestEmbeddedDataHasItsNotices(t *testing.T) {
	root := repository(t)
	var want []string
	for _, pattern := range []string{"shared/book/hyphen/patterns/*.txt", "shared/book/font/*/*.txt"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if strings.HasSuffix(f, ".exceptions.txt") {
				continue // lists of the same source
			}
			rel, err := filepath.Rel(root, f)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, filepath.ToSlash(rel))
		}
	}
	got := pack.EmbeddedTexts()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("want the notices of %v, got %v", want, got)
	}
	fonts, err := filepath.Glob(filepath.Join(root, "shared", "book", "font", "*", "*.otf"))
	if err != nil || len(fonts) == 0 {
		t.Fatal(err)
	}
	for _, f := range fonts {
		if _, err := os.Stat(filepath.Join(filepath.Dir(f), "OFL.txt")); err != nil {
			t.Errorf("%s has no licence beside it", f)
		}
	}
}

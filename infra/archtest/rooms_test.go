package archtest

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mappe/infra/golden"
	"mappe/infra/golist"
)

// guide is the page that the rooms are drawn in, as golden sees it.
const guide = "CONTRIBUTING.md"

// drawn are the rooms of the drawing, from the top. A package is in the room with the longest folder that holds it.
var drawn = []struct {
	id      string
	folders []string
}{
	{"families", []string{"functions/families"}},
	{"mcp", []string{"functions/mcp"}},
	{"landscape", []string{"functions/landscape"}},
	{"cadastre", []string{"functions/cadastre"}},
	{"context", []string{"functions/context"}},
	{"expander", []string{"functions/expander"}},
	{"books", []string{"functions/books"}},
	{"workfeed", []string{"functions/workfeed"}},
	{"common", []string{"functions/feedback", "functions/licence", "functions/sibling"}},
	{"core", []string{"functions/core"}},
	{"serve", []string{"functions/serve"}},
	{"family", []string{"functions/family"}},
	{"builders", []string{"builders"}},
	{"library", []string{"artefacts/library"}},
	{"artefacts", []string{"artefacts"}},
	{"web", []string{"shared/web"}},
	{"cloud", []string{"shared/cloud"}},
	{"book", []string{"shared/book"}},
	{"recurrence", []string{"shared/recurrence"}},
	{"knowledge", []string{"shared/austria", "shared/geo", "shared/glob", "shared/landprice", "shared/landscape", "shared/spelling",
		"shared/strictenc"}},
}

// roomOf is the index of a package's room in drawn, or -1.
func roomOf(pkg string) int {
	room, longest := -1, 0
	for i := range drawn {
		for _, f := range drawn[i].folders {
			if under(pkg, f) && len(f) > longest {
				room, longest = i, len(f)
			}
		}
	}
	return room
}

// isDrawn says whether a package is in the drawing: programs, infra and what only tests import are not.
func isDrawn(pkg string) bool {
	return height(pkg) < 5 && pkg != "functions/fixture" && !strings.HasSuffix(pkg, "test")
}

// doors are the imports between rooms: by the room that imports and the one that is imported, the packages that import.
type doors map[[2]int][]string

// doorsOf also gives the packages that stand in no room.
func doorsOf(packages []golist.Package) (d doors, homeless []string) {
	d = doors{}
	for _, p := range packages {
		from := name(p.ImportPath)
		if !isDrawn(from) {
			continue
		}
		at := roomOf(from)
		if at < 0 {
			homeless = append(homeless, from)
			continue
		}
		for _, imported := range p.Imports {
			if to := roomOf(name(imported)); to >= 0 && to != at {
				d[[2]int{at, to}] = append(d[[2]int{at, to}], from)
			}
		}
	}
	return d, homeless
}

// around says whether a room reaches another through a third.
func (d doors) around(from, to int) bool {
	seen := map[int]bool{from: true}
	var walk func(at int) bool
	walk = func(at int) bool {
		for next := range drawn {
			if d[[2]int{at, next}] == nil || at == from && next == to {
				continue
			}
			if next == to {
				return true
			}
			if !seen[next] {
				seen[next] = true
				if walk(next) {
					return true
				}
			}
		}
		return false
	}
	return walk(from)
}

// draw is the drawing. An arrow between two services has the name of the only package that may import so.
func (d doors) draw() string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for _, r := range drawn {
		label := r.folders[0]
		for _, f := range r.folders[1:] {
			label += ", " + path.Base(f)
		}
		fmt.Fprintf(&b, "  %s[\"%s\"]\n", r.id, label)
	}
	for from := range drawn {
		for to := range drawn {
			by := d[[2]int{from, to}]
			if by == nil || d.around(from, to) {
				continue
			}
			arrow := "-->"
			if under(drawn[from].folders[0], services...) && under(drawn[to].folders[0], services...) {
				arrow = "-->|" + path.Base(by[0]) + "|"
			}
			fmt.Fprintf(&b, "  %s %s %s\n", drawn[from].id, arrow, drawn[to].id)
		}
	}
	return b.String()
}

// TestTheRoomsAsTheyAre: the drawing of the rooms is that of the imports: go test ./infra/archtest -update draws it.
func TestTheRoomsAsTheyAre(t *testing.T) {
	d, homeless := doorsOf(goList(t))
	for _, p := range homeless {
		t.Errorf("%s stands in no room of the drawing in %s: put it into one", p, guide)
	}
	before, rest, found := strings.Cut(text(t, guide), "```mermaid\n")
	_, after, closed := strings.Cut(rest, "```\n")
	if !found || !closed {
		t.Fatalf("%s has no drawing", guide)
	}
	golden.Check(t, "../../../"+guide, []byte(before+"```mermaid\n"+d.draw()+"```\n"+after))
}

// TestDoorsOfRooms: what is reached through a third room is not drawn, and a package of no room is told.
func TestDoorsOfRooms(t *testing.T) {
	d, homeless := doorsOf([]golist.Package{
		{ImportPath: "mappe/functions/core/rows", Imports: []string{"mappe/functions/serve", "mappe/shared/web/format", "strings"}},
		{ImportPath: "mappe/functions/serve", Imports: []string{"mappe/shared/web/endpoint"}},
		{ImportPath: "mappe/functions/mcp/table", Imports: []string{"mappe/functions/books"}},
		{ImportPath: "mappe/functions/unheard"},
		{ImportPath: "mappe/functions/books/lambda", Imports: []string{"mappe/builders"}},
	})
	var arrows []string
	for _, line := range strings.Split(d.draw(), "\n") {
		if strings.Contains(line, "--") {
			arrows = append(arrows, strings.TrimSpace(line))
		}
	}
	if want := []string{"mcp -->|table| books", "core --> serve", "serve --> web"}; !slices.Equal(arrows, want) {
		t.Errorf("want %v, got %v", want, arrows)
	}
	if want := []string{"functions/unheard"}; !slices.Equal(homeless, want) {
		t.Errorf("in no room: want %v, got %v", want, homeless)
	}
}

// quoted are the backquoted words of a cell of a Markdown table.
var quoted = regexp.MustCompile("`([^`]+)`")

// tableRows are the rows of the guide whose first cell fits, as their cells.
func tableRows(t *testing.T, first *regexp.Regexp) (rows [][]string) {
	t.Helper()
	for _, line := range strings.Split(text(t, guide), "\n") {
		if cells := strings.Split(line, "|"); len(cells) > 3 && first.MatchString(strings.TrimSpace(cells[1])) {
			rows = append(rows, cells[1:len(cells)-1])
		}
	}
	return rows
}

// TestTheTableOfFloors: the guide names the folders of each floor below the programs as the floors here have them.
func TestTheTableOfFloors(t *testing.T) {
	told := map[string][]string{}
	for _, row := range tableRows(t, regexp.MustCompile(`^F[0-4]$`)) {
		for _, m := range quoted.FindAllStringSubmatch(row[1], -1) {
			floor := strings.TrimSpace(row[0])
			told[floor] = append(told[floor], strings.TrimRight(m[1], "/*"))
		}
	}
	for _, f := range floors {
		floor, _, _ := strings.Cut(f.name, " ")
		if floor == "F5" || floor == "infra" {
			continue
		}
		want, got := slices.Sorted(slices.Values(f.folders)), slices.Sorted(slices.Values(told[floor]))
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s stands on %v, the tests have %v", guide, floor, got, want)
		}
	}
}

// maxHops is how many packages a parcel may pass between its tile and its row in /query.
const maxHops = 18

// TestTheWayOfAParcel: the packages and types of the guide's list are there, each package imports one before it or is imported by one,
// and they are no more than the guide says.
func TestTheWayOfAParcel(t *testing.T) {
	imports := map[string][]string{}
	for _, p := range goList(t) {
		for _, to := range p.Imports {
			imports[name(p.ImportPath)] = append(imports[name(p.ImportPath)], name(to))
		}
	}
	types := map[string]bool{}
	for _, f := range goFiles(t) {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if s, ok := n.(*ast.TypeSpec); ok && !strings.HasSuffix(f.path, "_test.go") {
				types[path.Dir(f.path)+"."+s.Name.Name] = true
			}
			return true
		})
	}
	var passed []string
	for _, row := range tableRows(t, regexp.MustCompile(`^\d+$`)) {
		pkg := strings.Trim(strings.TrimSpace(row[1]), "`")
		if imports[pkg] == nil {
			t.Errorf("%s: the package %s is not there", guide, pkg)
		}
		for _, m := range quoted.FindAllStringSubmatch(row[2], -1) {
			if !types[pkg+"."+m[1]] {
				t.Errorf("%s: %s has no type %s", guide, pkg, m[1])
			}
		}
		if len(passed) > 0 && !slices.ContainsFunc(passed, func(p string) bool {
			return slices.Contains(imports[pkg], p) || slices.Contains(imports[p], pkg)
		}) {
			t.Errorf("%s: %s neither imports a package before it nor is imported by one", guide, pkg)
		}
		if passed = append(passed, pkg); strings.TrimSpace(row[0]) != fmt.Sprint(len(passed)) {
			t.Errorf("%s: row %s is number %d", guide, strings.TrimSpace(row[0]), len(passed))
		}
	}
	if n := len(passed); n == 0 || n > maxHops {
		t.Errorf("a parcel passes %d packages, it may pass %d", n, maxHops)
	}
	if want := fmt.Sprintf("A parcel passes %d packages", len(passed)); !strings.Contains(text(t, guide), want) {
		t.Errorf("%s does not say %q", guide, want)
	}
}

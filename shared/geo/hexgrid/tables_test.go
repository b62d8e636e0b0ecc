package hexgrid

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"math"
	"math/big"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write tables.go anew")

// TestTablesFollowFromTheOrientation derives all tables from the few facts of facts_test.go.
func TestTablesFollowFromTheOrientation(t *testing.T) {
	d := newDerivation(t)
	want := d.source(t)
	if *update {
		if err := os.WriteFile("tables.go", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("tables.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatal("tables.go is not what the orientation implies: go test -run TestTables -update")
	}
}

// derivation has the tables under the names of the product's.
type derivation struct {
	faces         [20]face
	pairs         [10][2]uint8
	faceNeighbors [20][3]faceNeighbor
	faceBaseCells [20][25]faceBaseCell
	starts        [baseCells]start
	pentagon      [baseCells]bool
	number        [baseCells]uint8
	pentagons     [12][7]start
	sectors       [12][5]sector
	steps         [2][7][7]sum
}

func (a vec) plus(b vec, s float64) vec {
	return vec{a.x + float64(s*b.x), a.y + float64(s*b.y), a.z + float64(s*b.z)}
}

func (d *derivation) at(f int, s coordIJ) vec {
	return d.faces[f].on(float64(s.i), float64(s.j)).unit()
}

func same(a, b vec) bool { return a.dot(b) > 1-1e-9 }

func newDerivation(t *testing.T) *derivation {
	d := &derivation{}
	for f, o := range orientation {
		d.faces[f] = newFace(o.centre, o.azimuth)
	}
	d.pair()
	d.faceNeighbor(t)
	d.placeBases(t)
	for f := range d.faces {
		for i := int32(-2); i <= 2; i++ {
			for j := int32(-2); j <= 2; j++ {
				if i-j <= 2 && j-i <= 2 {
					d.faceBaseCells[f][(i+2)*5+j+2] = d.faceBaseCell(t, f, coordIJ{i, j})
				}
			}
		}
	}
	for odd := range 2 {
		for a := range 7 {
			for b := range 7 {
				up, digit := digitAt[a].add(digitAt[b]).parent(odd == 1)
				for c := range 7 {
					if digitAt[c] == up {
						d.steps[odd][a][b] = sum{uint8(digit), uint8(c)}
					}
				}
			}
		}
	}
	return d
}

func newFace(centre vec, azimuth float64) face {
	g := (3 - math.Sqrt(5)) / 2 // the step of resolution 0 on a plane at distance 1
	east := vec{-centre.y, centre.x, 0}.unit()
	north := vec{0, 0, 1}.plus(centre, -centre.z).unit()
	to := func(az float64) vec {
		sin, cos := sincos(az)
		return vec{}.plus(north, cos).plus(east, sin)
	}
	ex, ey := to(azimuth), to(azimuth-math.Pi/2)
	return face{
		centre: centre,
		toI:    vec{}.plus(ex, 1/g).plus(ey, 1/g/math.Sqrt(3)),
		toJ:    vec{}.plus(ey, 2/g/math.Sqrt(3)),
		alongI: vec{}.plus(ex, g),
		alongJ: vec{}.plus(ex, -g/2).plus(ey, g*math.Sqrt(3)/2),
	}
}

// sincos are the sine and the cosine to the last bit, by their series: those of math differ in it between processors that
// fuse products and sums and those that do not.
func sincos(angle float64) (sin, cos float64) {
	const precision, terms = 200, 60 // the angles are below 2π: the terms fall below 1e-30
	x := new(big.Float).SetPrec(precision).SetFloat64(angle)
	term := new(big.Float).SetPrec(precision).SetInt64(1)
	var sums [2]big.Float // of the even and of the odd terms
	for n := range terms {
		sum := sums[n%2].SetPrec(precision)
		if n%4 < 2 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		term.Mul(term, x)
		term.Quo(term, new(big.Float).SetInt64(int64(n+1)))
	}
	cos, _ = sums[0].Float64()
	sin, _ = sums[1].Float64()
	return sin, cos
}

func (d *derivation) pair() {
	n := 0
	for f := range d.faces {
		for o := f + 1; o < 20; o++ {
			if same(d.faces[f].centre, vec{}.plus(d.faces[o].centre, -1)) {
				d.pairs[n] = [2]uint8{uint8(f), uint8(o)}
				n++
			}
		}
	}
}

// faceNeighbor finds the face beyond each edge by the two corners that both have.
func (d *derivation) faceNeighbor(t *testing.T) {
	for f := range d.faces {
		for edge, ends := range [3][2]int{edgeIJ: {0, 1}, edgeJK: {1, 2}, edgeKI: {2, 0}} {
			p, q := vertices[ends[0]], vertices[ends[1]]
			found := 0
			for o := range d.faces {
				for _, po := range vertices {
					for _, qo := range vertices {
						if o != f && same(d.at(f, p), d.at(o, po)) && same(d.at(f, q), d.at(o, qo)) {
							n := uint(0)
							for q.sub(p).turnedBy(n) != qo.sub(po) {
								n++
							}
							d.faceNeighbors[f][edge] = faceNeighbor{uint8(o), uint8(n), po.sub(p.turnedBy(n))}
							found++
						}
					}
				}
			}
			if found != 1 {
				t.Fatalf("%d faces beyond edge %d of face %d", found, edge, f)
			}
		}
	}
}

// across is a position of resolution 0 and the turn up to there, in the positions of the face beyond.
func (d *derivation) across(f int, s coordIJ, turn uint8, edge int) (int, coordIJ, uint8) {
	x := d.faceNeighbors[f][edge]
	return int(x.face), s.turnedBy(uint(x.turn)).add(x.move), (turn + x.turn) % 6
}

// corner is one of the five faces around a pentagon: its position there and the turn from the home face.
type corner struct {
	face int
	at   coordIJ
	turn uint8
}

// around walks clockwise round a pentagon from its home face, where it lies at the end of the i axis.
func (d *derivation) around(home start) (out [5]corner) {
	c := corner{int(home.face), home.at, 0}
	edge := edgeIJ
	for k := range out {
		out[k] = c
		from := c.face
		c.face, c.at, c.turn = d.across(c.face, c.at, c.turn, edge)
		for e := range 3 { // on over the other edge that ends here
			if int(d.faceNeighbors[c.face][e].face) != from && c.at.beyond(e) == 2 {
				edge = e
			}
		}
	}
	return out
}

func (d *derivation) placeBases(t *testing.T) {
	n := 0
	last := 2.0
	for b, home := range strings.Fields(homes) {
		var f, ijk int
		if _, err := fmt.Sscanf(home, "%d/%d", &f, &ijk); err != nil {
			t.Fatal(err)
		}
		i, j, k := int32(ijk/100), int32(ijk/10%10), int32(ijk%10)
		s := start{face: uint8(f), at: coordIJ{i - k, j - k}}
		if z := d.at(f, s.at).z; z > last {
			t.Fatalf("base cell %d lies north of the one before", b)
		} else {
			last = z
		}
		d.starts[b] = s
		if s.at != vertices[0] {
			continue
		}
		d.pentagon[b], d.number[b] = true, uint8(n)
		ring := d.around(s)
		at := func(k int) start { return start{uint8(ring[k].face), ring[k].turn, ring[k].at} }
		// The sectors of digits 3 and 5 lie beside the edge that the missing digit K leaves: 5 is the one
		// over it, a turn back. The sector of 4 is reached from neither side, its edges are not its own.
		d.pentagons[n] = [7]start{0: s, 1: s, 2: s, 3: s, 4: at(3), 5: {s.face, 5, s.at}, 6: at(1)}
		for k, c := range ring {
			inner := map[coordIJ]uint8{vertices[0]: 3, vertices[1]: 5, vertices[2]: 6}[c.at]
			d.sectors[n][k] = sector{uint8(c.face), inner, c.at}
		}
		n++
	}
	if n != 12 {
		t.Fatalf("%d pentagons", n)
	}
}

// faceBaseCell finds the base cell at a position, which may lie beyond the face, and how to turn digits.
func (d *derivation) faceBaseCell(t *testing.T, f int, s coordIJ) faceBaseCell {
	face, at, turn := f, s, uint8(0)
	for at.beyond(at.farthest()) > 2 {
		face, at, turn = d.across(face, at, turn, at.farthest())
	}
	for b, home := range d.starts {
		if !same(d.at(int(home.face), home.at), d.at(face, at)) {
			continue
		}
		if d.pentagon[b] {
			return d.pentagonOnFace(b, face, turn)
		}
		if face != int(home.face) { // on the edge between the two
			face, at, turn = d.across(face, at, turn, at.farthest())
		}
		if face != int(home.face) || at != home.at {
			t.Fatalf("face %d, %v: base cell %d is not reached", f, s, b)
		}
		out := faceBaseCell{base: uint8(b)}
		for k := range out.turn {
			out.turn[k] = turn
		}
		return out
	}
	t.Fatalf("face %d, %v: no base cell", f, s)
	return faceBaseCell{}
}

// pentagonOnFace turns digits back to the home face the way it was walked from there. A leading digit that
// becomes K lies beyond the edge that K's sector has left, in the sector on the other side of it.
func (d *derivation) pentagonOnFace(b, face int, turned uint8) faceBaseCell {
	out := faceBaseCell{base: uint8(b)}
	for k, c := range d.around(d.starts[b]) {
		if c.face != face {
			continue
		}
		for lead := range 7 {
			n := (turned + 6 - c.turn) % 6
			if lead > 0 && turn(uint64(lead), n) == digitK {
				if k == 0 {
					n = (n + 1) % 6
				} else {
					n = (n + 5) % 6
				}
			}
			out.turn[lead] = n
		}
	}
	return out
}

func (d *derivation) source(t *testing.T) []byte {
	var b bytes.Buffer
	b.WriteString("// Code generated by go test -run TestTables -update; DO NOT EDIT.\n\npackage hexgrid\n\n")
	for _, v := range []struct {
		name, doc string
		table     any
	}{
		{"faces", "are the planes of the icosahedron.", d.faces},
		{"facePairs", "are the faces that lie opposite each other.", d.pairs},
		{"faceNeighbors", "are the faces beyond the edges IJ, JK and KI.", d.faceNeighbors},
		{"faceBaseCells", "are the base cells at positions (i, j) of a face, (i+2)*5+j+2 their index.", d.faceBaseCells},
		{"starts", "are the homes of the base cells.", d.starts},
		{"isPentagonBase", "marks the twelve pentagons.", d.pentagon},
		{"pentagonNumber", "counts the pentagons.", d.number},
		{"pentagonStarts", "are the starts in pentagons by leading digit.", d.pentagons},
		{"sectors", "are the faces around pentagons.", d.sectors},
		{"steps", "are the sums of two digits at even and odd resolutions.", d.steps},
	} {
		fmt.Fprintf(&b, "// %s %s\nvar %s = %s", v.name, v.doc, v.name, strings.ReplaceAll(fmt.Sprintf("%T", v.table), "hexgrid.", ""))
		literal(&b, reflect.ValueOf(v.table))
		b.WriteString("\n\n")
	}
	out, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// literal writes a value of arrays, structures and numbers without its type, rows of structures on lines
// of their own.
func literal(b *bytes.Buffer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Array:
		rows := v.Type().Elem().Kind() == reflect.Array || v.Type().Elem().Kind() == reflect.Struct
		b.WriteString("{")
		for i := range v.Len() {
			if rows && (v.Type().Elem().Size() > 8 || i%8 == 0) {
				b.WriteString("\n")
			}
			literal(b, v.Index(i))
			b.WriteString(",")
		}
		if rows {
			b.WriteString("\n")
		}
		b.WriteString("}")
	case reflect.Struct:
		b.WriteString("{")
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Struct { // no field takes the type of its value from outside
				b.WriteString(strings.TrimPrefix(f.Type().String(), "hexgrid."))
			} else if f.Kind() == reflect.Array {
				b.WriteString(f.Type().String())
			}
			literal(b, v.Field(i))
			b.WriteString(",")
		}
		b.WriteString("}")
	default:
		fmt.Fprint(b, v)
	}
}

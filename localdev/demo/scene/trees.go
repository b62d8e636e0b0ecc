package scene

import "math"

// Species of a tree.
type Species uint8

// The species; Shrub is what stands in hedges and thickets of its own.
const (
	Spruce Species = iota
	Larch
	Pine
	Beech
	Shrub
)

var speciesNames = [...]string{"spruce", "larch", "pine", "beech", "shrub"}

func (s Species) String() string { return speciesNames[s] }

// Conifer says whether it has needles.
func (s Species) Conifer() bool { return s <= Pine }

// Tree is a tree or shrub of the truth.
type Tree struct {
	ID             uint64
	Apex           Place      // the highest point
	Crown          Place      // middle of the crown
	Height         [3]float64 // metres above the ground by date; 0 where it does not stand
	Radius         [3]float64 // metres, mean of the crown by date
	Species        Species
	Dead           bool
	Leaning        bool
	DoubleLeader   bool
	Understorey    bool
	Stand          uint64  // leaf that it belongs to
	CrownBase      float64 // share of the height below which there are no branches
	Stretch        float64 // longer half axis of the crown by its mean radius; the shorter one is as much less
	AxisX, AxisY   float64 // direction of the longer one
	from, until    int     // dates at which it stands: from <= date < until
	profile        *[profileSteps + 1]float32
	hedge, planted bool
}

// profileSteps is how finely the profile of crowns is tabulated.
const profileSteps = 512

// profiles hold (d/r)^p by (d/r)²: of conifers with p = 1.1, of broadleaves with 2.2.
var conical, domed = profileOf(1.1), profileOf(2.2)

func profileOf(p float64) *[profileSteps + 1]float32 {
	var t [profileSteps + 1]float32
	for i := 1; i <= profileSteps; i++ {
		t[i] = float32(power(float64(i)/profileSteps, p/2))
	}
	return &t
}

// CrownRadius is the usual radius of a crown at a height, metres.
func CrownRadius(s Species, height float64) float64 {
	if s.Conifer() {
		return 0.6 + float64(0.055*height)
	}
	return 0.9 + float64(0.11*height)
}

// stand is a leaf of woodland.
type stand struct {
	height      float64 // of the upper layer, metres
	stems       float64 // of the upper layer per hectare
	apart       float64 // least distance of its trees, metres
	dense       float64 // candidates per m²
	growth      float64 // metres a year
	understorey float64 // stems of it for one of the upper layer
	shares      [4]float64
}

// standOf is the stand of a leaf: pole wood, mature spruce, mixed wood or thicket.
func (s *Scene) standOf(p *leaf) stand {
	d := dice(mix(p.id ^ 0x7374616e64))
	var t stand
	// Young stands grow by clearly less or clearly more than LeastGrowth in the two years.
	fast := d.between(0.28, 0.42)
	if d.is(0.5) {
		fast = d.between(0.56, 0.66)
	}
	switch d.n(4) {
	case 0:
		t = stand{height: d.between(7, 10), stems: d.between(800, 1400), growth: fast, shares: [4]float64{0.7, 0.1, 0.1, 0.1}}
	case 1:
		t = stand{height: d.between(24, 30), stems: d.between(300, 650), growth: d.between(0.1, 0.2),
			shares: [4]float64{0.85, 0.1, 0, 0.05}}
	case 2:
		t = stand{height: d.between(20, 27), stems: d.between(180, 420), growth: d.between(0.12, 0.25),
			shares: [4]float64{0.35, 0.1, 0.1, 0.45}}
	default:
		t = stand{height: d.between(3.2, 5), stems: d.between(900, 1500), growth: fast, shares: [4]float64{0.6, 0, 0, 0.4}}
	}
	if t.height > 6 {
		t.understorey = d.between(0, 1) / 2
	}
	if s.opt.Stems > 0 {
		t.stems = s.opt.Stems
	}
	radius := lerp(CrownRadius(Beech, t.height), CrownRadius(Spruce, t.height), t.shares[0]+t.shares[1]+t.shares[2])
	m2 := t.stems / 10000
	// The hard core is 0.55 r of each of the two; where so many trees have no room for it, less.
	t.apart = min(1.1*radius, math.Sqrt(0.5/(m2*math.Pi)), 3.9)
	// A Matérn process of the second kind keeps (1-exp(-k))/k of its candidates, k = candidates in a hard core's circle.
	circle := math.Pi * t.apart * t.apart
	m2 *= 1 - float64(0.2*m2*circle) // on a lattice candidates crowd less than the process expects
	t.dense = -logarithm(1-float64(m2*circle)) / circle
	return t
}

// lattice is the distance of candidates in metres: each cell holds one at most.
const lattice = 2

// candidate is a place where a tree may stand.
type candidate struct {
	Place
	rank  uint64 // the higher one stays where two are too close; 0: none
	stand *stand
	leaf  *leaf
}

// woodsOf are the trees of closed stands in a box.
func (s *Scene) woodsOf(area box) []Tree {
	const near = 2 // lattice cells that trees may be too close over
	i0, j0 := int(math.Floor(area.west/lattice))-near, int(math.Floor(area.south/lattice))-near
	cols, rows := int(math.Ceil(area.east/lattice))+near-i0, int(math.Ceil(area.north/lattice))+near-j0
	// The lattice's own bent coordinates, of the middle of each cell: a tree belongs to the stand of its cell.
	w := window{perMetre: 1, col0: i0 * lattice, row0: (j0+rows)*lattice - 1, cols: cols * lattice, rows: rows * lattice}
	bends := latticeBends{l: &s.layout, w: w}
	all := make([]candidate, cols*rows)
	wood := woodland{s: s, stands: map[uint64]*standing{}, clump: octave{s.seed, forClump, 38, 1}}
	f := finder{l: &s.layout}
	for j := range rows {
		u, v := bends.row(rows - 1 - j)
		for i := range cols {
			if p := f.at(u[i], v[i]); p.use == woods && p.depth(u[i], v[i]) > 0.8 {
				all[j*cols+i] = wood.candidate(i0+i, j0+j, p, u[i], v[i])
			}
		}
	}
	var out []Tree
	for j := near; j < rows-near; j++ {
		for i := near; i < cols-near; i++ {
			c := &all[j*cols+i]
			if c.rank == 0 || !area.has(c.X, c.Y) || crowded(all, cols, i, j, near) {
				continue
			}
			out = append(out, s.grown(c))
			if d := dice(mix(c.rank)); d.is(c.stand.understorey) {
				out = append(out, s.below(c, &d))
			}
		}
	}
	return out
}

// standing is a stand with its leaf.
type standing struct {
	stand
	leaf leaf
}

// woodland draws the candidates of an area.
type woodland struct {
	s      *Scene
	stands map[uint64]*standing // that were met, by leaf
	clump  octave               // where trees are fewer and where they crowd
}

// candidate draws whether a lattice cell has one, whose middle lies on a leaf at its bent coordinates.
func (w *woodland) candidate(i, j int, p *leaf, u, v float64) candidate {
	s, t := w.s, w.stands[p.id]
	if t == nil {
		t = &standing{s.standOf(p), *p}
		w.stands[p.id] = t
	}
	rank := key(s.seed, forCandidate, i, j)
	d := dice(rank)
	x, y := float64((float64(i)+d.f())*lattice), float64((float64(j)+d.f())*lattice)
	n := w.clump.at(x, y)
	if n > 0.42 || !d.is(t.dense*lattice*lattice*(1.0+float64(0.5*n))) {
		return candidate{}
	}
	if w, _, _ := p.block.onWay(u, v, 1.5); w != noWay || math.Abs(s.layout.stream(u, v, streamWidth)) < streamWidth {
		return candidate{}
	}
	return candidate{Place{x, y}, rank | 1, &t.stand, &t.leaf}
}

// crowded says whether a candidate has to give way to another one.
func crowded(all []candidate, cols, i, j, near int) bool {
	c := &all[j*cols+i]
	for dj := -near; dj <= near; dj++ {
		for di := -near; di <= near; di++ {
			o := &all[(j+dj)*cols+i+di]
			if o.rank <= c.rank {
				continue
			}
			apart := max(c.stand.apart, o.stand.apart)
			if dx, dy := o.X-c.X, o.Y-c.Y; dot(dx, dy, dx, dy) < apart*apart {
				return true
			}
		}
	}
	return false
}

// grown is the tree of a candidate.
func (s *Scene) grown(c *candidate) Tree {
	d := dice(c.rank ^ 0x74726565)
	sp, x := Spruce, d.f()
	for i, share := range c.stand.shares {
		if x < share {
			sp = Species(i)
			break
		}
		x -= share
	}
	h := max(c.stand.height*(1+float64(0.1*d.normal())), 1.5)
	t := s.tree(sapling{c.rank, c.Place, sp, h, c.stand.growth}, &d)
	t.Stand = c.leaf.id
	return t
}

// below is a tree of the understorey beside a candidate.
func (s *Scene) below(c *candidate, d *dice) Tree {
	at := Place{c.X + d.between(-2, 2), c.Y + d.between(-2, 2)}
	sp := Spruce
	if d.is(0.4) {
		sp = Beech
	}
	height := max(0.45*c.stand.height*(1+float64(0.15*d.normal())), 1.5)
	t := s.tree(sapling{mix(c.rank), at, sp, height, c.stand.growth / 2}, d)
	t.Stand, t.Understorey = c.leaf.id, true
	return t
}

// sapling is what a tree is at the first date.
type sapling struct {
	id      uint64
	at      Place
	species Species
	height  float64 // metres
	growth  float64 // metres a year, while it lives
}

// tree makes a tree.
func (s *Scene) tree(of sapling, d *dice) Tree {
	sp, at, height, growth := of.species, of.at, of.height, of.growth
	t := Tree{ID: of.id | 1, Apex: at, Crown: at, Species: sp, until: len(Dates), CrownBase: d.between(0.4, 0.6)}
	wide := exponential(0.15 * d.normal())
	t.Dead = sp != Shrub && d.is(0.03)
	if t.Dead {
		growth = 0
	}
	if s.opt.Events <= 0 {
		growth = 0
	}
	for date := range Dates {
		t.Height[date] = height + float64(growth*float64(date))
		t.Radius[date] = wide * CrownRadius(sp, t.Height[date])
	}
	t.AxisX, t.AxisY = direction(d.f())
	t.Stretch = 1 + float64(0.12*d.f())
	t.DoubleLeader = height > 8 && d.is(0.05)
	if height > 8 && d.is(0.02) {
		t.Leaning = true
		ax, ay := direction(d.f())
		off := d.between(0.8, min(2, 0.7*t.Radius[0]))
		t.Apex = Place{at.X + float64(ax*off), at.Y + float64(ay*off)}
	}
	t.profile = domed
	if sp.Conifer() {
		t.profile = conical
	}
	return t
}

// Stands says whether it stands on a date.
func (t *Tree) Stands(date int) bool { return date >= t.from && date < t.until }

// latticeBends are bent coordinates of the middles of lattice cells, row by row.
type latticeBends struct {
	l     *layout
	w     window
	waves [4]*wave
	u, v  []float64
}

// row are those of a row from the north: the middle of a cell of 2 m is the corner of four of 1 m.
func (b *latticeBends) row(row int) (u, v []float64) {
	if b.u == nil {
		w := window{perMetre: 1, col0: b.w.col0, cols: b.w.cols}
		w.dx = 0.5
		for i := range 2 {
			b.waves[i], b.waves[2+i] = b.l.bendU[i].over(&w), b.l.bendV[i].over(&w)
		}
		b.u, b.v = make([]float64, b.w.cols), make([]float64, b.w.cols)
	}
	clear(b.u)
	clear(b.v)
	y := float64(b.w.row0 - lattice*row)
	for i := range 2 {
		b.waves[i].add(b.u, y)
		b.waves[2+i].add(b.v, y)
	}
	n := len(b.u) / lattice
	for i := range n {
		x := float64(b.w.col0 + lattice*i + 1)
		b.u[i], b.v[i] = b.l.turn(x, y, b.u[lattice*i], b.v[lattice*i])
	}
	return b.u[:n], b.v[:n]
}

package check

import (
	"math"
	"strings"

	"mappe/shared/book/pdf"
)

// sheet is a page and what stands on it.
type sheet struct {
	dict   dict
	number int // from 1
	trim   box
	bleed  box
	media  box
	marks  bool    // anything is drawn on it
	extent box     // of all text
	small  float64 // the smallest type of runs longer than shortRun, points; 0 without text
	pics   []placed
}

// placed is a picture as it stands on a page.
type placed struct {
	image *picture
	dpi   float64
}

// box is left, bottom, right, top in points.
type box [4]float64

func (b box) width() float64  { return b[2] - b[0] }
func (b box) height() float64 { return b[3] - b[1] }

// within says whether a box lies in another; a thousandth of a point is rounding.
func (b box) within(o box) bool {
	const e = 0.002
	return b[0] >= o[0]-e && b[1] >= o[1]-e && b[2] <= o[2]+e && b[3] <= o[3]+e
}

func (c *check) box(o any) (box, bool) {
	a := c.array(o)
	var b box
	if len(a) != 4 {
		return b, false
	}
	for i := range a {
		n, ok := a[i].(float64)
		if !ok || math.Abs(n) > 14400 { // ISO 15930 and PDF 1.3: 200 inches
			return b, false
		}
		b[i] = n
	}
	return b, b[2]-b[0] >= 3 && b[3]-b[1] >= 3
}

// tree finds the pages: one flat list.
func (c *check) tree() {
	root := c.dict(c.root["Pages"])
	kids := c.array(root["Kids"])
	c.keys("the page tree", root, "Type", "Count", "Kids")
	if c.name(root["Type"]) != "Pages" || len(kids) == 0 || int(c.number(root["Count"])) != len(kids) {
		c.fault("the page tree counts %v pages and has %d", root["Count"], len(kids))
	}
	for i, k := range kids {
		r, _ := k.(ref)
		d := c.dict(k)
		if _, double := c.pageOf[r]; double || c.name(d["Type"]) != "Page" || d["Parent"] != c.root["Pages"] {
			c.fault("page %d is not a page, or double, or has another parent", i+1)
			continue
		}
		c.pageOf[r] = len(c.pages)
		c.pages = append(c.pages, &sheet{dict: d, number: i + 1})
	}
}

// page checks boxes, resources, links and content of a page.
func (c *check) page(p *sheet) {
	n := p.number
	c.keys("a page", p.dict, "Type", "Parent", "MediaBox", "BleedBox", "TrimBox", "Contents", "Resources", "Annots")
	var ok [3]bool
	p.media, ok[0] = c.box(p.dict["MediaBox"])
	p.bleed, ok[1] = c.box(p.dict["BleedBox"])
	p.trim, ok[2] = c.box(p.dict["TrimBox"])
	if !ok[0] || !ok[1] || !ok[2] || !p.trim.within(p.bleed) || !p.bleed.within(p.media) {
		c.fault("page %d: MediaBox %v, BleedBox %v, TrimBox %v do not lie in each other", n, p.dict["MediaBox"], p.dict["BleedBox"],
			p.dict["TrimBox"])
	}
	if first := c.pages[0]; math.Abs(p.trim.width()-first.trim.width()) > 0.01 || math.Abs(p.trim.height()-first.trim.height()) > 0.01 {
		c.fault("page %d has another size than page 1", n)
	}
	res := c.dict(p.dict["Resources"])
	c.keys("the resources of a page", res, "ProcSet", "Font", "XObject")
	fonts, images := map[name]*face{}, map[name]*picture{}
	for k, v := range c.dict(res["Font"]) {
		fonts[k] = c.faceOf(v)
	}
	for k, v := range c.dict(res["XObject"]) {
		images[k] = c.picture(v)
	}
	c.links(p)
	s, ok2 := c.get(p.dict["Contents"]).(*stream)
	if !ok2 {
		c.fault("page %d has no content", n)
		return
	}
	b, err := c.bytes(s)
	if err != nil {
		c.fault("page %d: %v", n, err)
		return
	}
	c.content(p, b, fonts, images)
}

// links checks annotations: none in a file for the printer, in a proof links to pages and addresses.
func (c *check) links(p *sheet) {
	o, ok := p.dict["Annots"]
	if !ok {
		return
	}
	if c.forPrint() {
		c.fault("page %d has annotations", p.number)
		return
	}
	for _, a := range c.array(o) {
		d := c.dict(a)
		c.keys("a link", d, "Type", "Subtype", "Border", "Rect", "A", "Dest")
		if r := c.array(d["Rect"]); c.name(d["Subtype"]) != "Link" || len(r) != 4 {
			c.fault("page %d has an annotation that is no link", p.number)
		}
		if act, ok := d["A"]; ok {
			uri := strings.ToLower(c.text(c.dict(act)["URI"]))
			if c.name(c.dict(act)["S"]) != "URI" || !strings.HasPrefix(uri, "https:") && !strings.HasPrefix(uri, "http:") &&
				!strings.HasPrefix(uri, "mailto:") {
				c.fault("page %d has a link that leads to %.80q", p.number, uri)
			}
		} else if !c.leads(d["Dest"]) {
			c.fault("page %d has a link that leads nowhere", p.number)
		}
	}
}

// leads says whether a destination is a place on a page.
func (c *check) leads(o any) bool {
	a := c.array(o)
	if len(a) != 5 || a[1] != name("XYZ") {
		return false
	}
	r, _ := a[0].(ref)
	_, ok := c.pageOf[r]
	return ok
}

// outline checks the bookmarks of a proof: a tree whose items know each other and lead to pages.
func (c *check) outline() {
	o, ok := c.root["Outlines"]
	if !ok {
		return
	}
	if c.forPrint() {
		c.fault("bookmarks in a file for the printer")
		return
	}
	root, _ := o.(ref)
	seen := map[ref]bool{}
	c.siblings(root, c.dict(o), seen, 0)
}

// siblings checks the items below one, and gives how many there are.
func (c *check) siblings(parent ref, d dict, seen map[ref]bool, depth int) {
	if depth > 20 {
		c.fault("bookmarks below each other more than 20 deep")
		return
	}
	next, _ := d["First"].(ref)
	last, count := ref(0), 0
	for next != 0 {
		if seen[next] {
			c.fault("bookmarks in a circle")
			return
		}
		seen[next] = true
		it := c.dict(next)
		before, _ := it["Prev"].(ref)
		up, _ := it["Parent"].(ref)
		if before != last || up != parent || strings.TrimSpace(unicode(c.text(it["Title"]))) == "" || !c.leads(it["Dest"]) {
			c.fault("the bookmark %.60q has wrong neighbours, no title or no page", unicode(c.text(it["Title"])))
		}
		if _, ok := it["First"]; ok {
			c.siblings(next, it, seen, depth+1)
		}
		count++
		last = next
		next, _ = it["Next"].(ref)
	}
	end, _ := d["Last"].(ref)
	if n := int(math.Abs(c.number(d["Count"]))); end != last || n != count {
		c.fault("a bookmark says that %d stand below it and has %d", n, count)
	}
}

// labels checks that the viewer knows the folios.
func (c *check) labels() {
	l, ok := c.root["PageLabels"]
	if ok != (c.preset == pdf.Proof) {
		c.fault("page labels are for proofs, and all proofs have them")
	}
	if !ok {
		return
	}
	nums := c.array(c.dict(l)["Nums"])
	last := -1
	for i := 0; i+1 < len(nums); i += 2 {
		n := int(c.number(nums[i]))
		if n <= last || n >= len(c.pages) || i == 0 && n != 0 || c.dict(nums[i+1]) == nil {
			c.fault("page labels out of order")
			return
		}
		last = n
	}
	if len(nums)%2 != 0 || len(nums) == 0 {
		c.fault("page labels out of order")
	}
}

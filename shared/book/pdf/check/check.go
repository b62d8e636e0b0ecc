// Package check reads a PDF file back that package pdf has written and holds it to the rules of its preset:
// PDF/X-1a:2001 (ISO 15930-1), PDF/X-4 (ISO 15930-7), or what proofs and plain files promise. There is no
// free validator of PDF/X; these are its rules, narrowed to what pdf writes: what is not known is a fault.
// Printer tells in addition what a printing house would complain of. It reads foreign bytes within limits
// and never panics on them.
package check

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"mappe/shared/book/pdf"
)

// maxFaults bounds a report.
const maxFaults = 100

// Check says what breaks the rules of a preset; nothing is a file that keeps them.
func Check(b []byte, preset pdf.Preset) []string {
	c := newCheck(b, preset)
	if c.file != nil {
		c.all()
	}
	slices.Sort(c.faults)
	return c.faults
}

type check struct {
	*file
	preset pdf.Preset
	faults []string
	root   dict
	info   dict
	pages  []*sheet
	pageOf map[ref]int
	fonts  map[ref]*face
	images map[ref]*picture
}

func newCheck(b []byte, preset pdf.Preset) *check {
	c := &check{preset: preset, pageOf: map[ref]int{}, fonts: map[ref]*face{}, images: map[ref]*picture{}}
	f, err := open(b)
	if err != nil {
		c.fault("%v", err)
		return c
	}
	c.file = f
	return c
}

// forPrint says whether the file goes to a printer.
func (c *check) forPrint() bool { return c.preset != pdf.Proof }

// x says whether the file is a PDF/X.
func (c *check) x() bool { return c.preset == pdf.X1a || c.preset == pdf.X4 }

func (c *check) fault(format string, args ...any) {
	switch s := fmt.Sprintf(format, args...); {
	case slices.Contains(c.faults, s):
	case len(c.faults) < maxFaults:
		c.faults = append(c.faults, s)
	case len(c.faults) == maxFaults:
		c.faults = append(c.faults, "and more")
	}
}

var versions = map[pdf.Preset]string{pdf.Proof: "1.7", pdf.Plain: "1.7", pdf.X1a: "1.3", pdf.X4: "1.6"}

func (c *check) all() {
	if c.version != versions[c.preset] {
		c.fault("the version is %s, want %s", c.version, versions[c.preset])
	}
	if !c.objectsStand() {
		return
	}
	if _, ok := c.trailer["Encrypt"]; ok {
		c.fault("the file is encrypted")
	}
	if _, ok := c.trailer["Prev"]; ok {
		c.fault("the file was changed after it was written")
	}
	id := c.array(c.trailer["ID"])
	if len(id) != 2 || len(c.text(id[0])) < 16 || len(c.text(id[1])) < 16 {
		c.fault("the trailer has no ID of two strings")
	}
	c.root, c.info = c.dict(c.trailer["Root"]), c.dict(c.trailer["Info"])
	if c.name(c.root["Type"]) != "Catalog" {
		c.fault("the trailer leads to no catalog")
		return
	}
	c.keys("the catalog", c.root, "Type", "Pages", "Lang", "Outlines", "PageMode", "ViewerPreferences", "PageLayout", "PageLabels",
		"OutputIntents", "Metadata")
	c.information()
	c.intent()
	c.tree()
	for _, p := range c.pages {
		c.page(p)
	}
	for _, f := range c.fonts {
		c.face(f)
	}
	c.outline()
	c.labels()
}

// objectsStand reads every object: each has to be where the table says, whole, and be asked for by another.
func (c *check) objectsStand() bool {
	used := make([]bool, len(c.offsets))
	good := true
	mark := func(o any) {
		c.refs(o, func(r ref) {
			if int(r) >= len(used) {
				c.fault("there is no object %d", int(r))
				good = false
				return
			}
			used[r] = true
		})
	}
	mark(c.trailer)
	for n := 1; n < len(c.offsets); n++ {
		o, err := c.read(n)
		if err != nil {
			c.fault("%v", err)
			good = false
			continue
		}
		c.objects[ref(n)] = o
		mark(o)
		c.forbidden(n, o)
	}
	for n, u := range used[1:] {
		if !u {
			c.fault("nothing asks for object %d", n+1)
		}
	}
	return good
}

func (c *check) refs(o any, f func(ref)) {
	switch o := o.(type) {
	case ref:
		f(o)
	case []any:
		for _, v := range o {
			c.refs(v, f)
		}
	case dict:
		for _, v := range o {
			c.refs(v, f)
		}
	case *stream:
		c.refs(o.dict, f)
	}
}

// forbidden finds what no file of ours holds, wherever it stands: programs, forms, attachments, layers,
// transparency, other packings, external streams.
func (c *check) forbidden(n int, o any) {
	switch o := o.(type) {
	case []any:
		for _, v := range o {
			c.forbidden(n, v)
		}
	case *stream:
		for _, k := range []name{"F", "FFilter", "FDecodeParms"} {
			if _, ok := o.dict[k]; ok {
				c.fault("object %d: an external stream", n)
			}
		}
		if t := o.dict["Type"]; t == name("ObjStm") || t == name("XRef") {
			c.fault("object %d: objects in a stream", n)
		}
		switch f := o.dict["Filter"]; f {
		case nil, name("FlateDecode"):
		case name("DCTDecode"):
			if o.dict["Subtype"] != name("Image") {
				c.fault("object %d: packed with %v", n, f)
			}
		default:
			c.fault("object %d: packed with %v", n, f)
		}
		if _, ok := o.dict["DecodeParms"]; ok {
			c.fault("object %d: DecodeParms", n)
		}
		c.forbidden(n, o.dict)
	case dict:
		for k, v := range o {
			switch k {
			case "JS", "JavaScript", "AA", "OpenAction", "AcroForm", "XFA", "EmbeddedFiles", "EmbeddedFile", "Names", "OCProperties", "OC",
				"Threads", "Thread", "Movie", "Sound", "RichMedia":
				c.fault("object %d: %s", n, string(k))
			case "SMask", "Mask", "Group", "BM", "CA", "ca", "ExtGState", "Pattern", "Shading", "OPI", "Alternates", "PS", "TR", "TR2",
				"HTO", "HTP", "PieceInfo", "StructTreeRoot":
				c.fault("object %d: %s, which we never write", n, string(k))
			case "S":
				if s, ok := v.(name); ok && s != "URI" && s != "GTS_PDFX" {
					c.fault("object %d: the action %s", n, string(s))
				}
			}
			c.forbidden(n, v)
		}
	}
}

// keys checks that a dictionary has no other keys.
func (c *check) keys(what string, d dict, allowed ...name) {
	for k := range d {
		if !slices.Contains(allowed, k) {
			c.fault("%s has the key %s", what, string(k))
		}
	}
}

// unicode is a text string.
func unicode(s string) string {
	if !strings.HasPrefix(s, "\xfe\xff") {
		return s
	}
	var out []uint16
	for i := 2; i+1 < len(s); i += 2 {
		out = append(out, uint16(s[i])<<8|uint16(s[i+1]))
	}
	return string(utf16.Decode(out))
}

package check

import (
	"encoding/binary"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"mappe/shared/book/pdf"
)

var dateShape = regexp.MustCompile(`^D:\d{14}(Z|[+-]\d\d'\d\d')$`)

// date is a moment of the information dictionary.
func date(s string) (time.Time, bool) {
	if !dateShape.MatchString(s) {
		return time.Time{}, false
	}
	t, err := time.Parse("20060102150405", s[2:16])
	return t, err == nil && s[16] == 'Z'
}

// information checks what the file says of itself (ISO 15930-1, 6.8 and 6.9).
func (c *check) information() {
	if c.info == nil {
		c.fault("the file says nothing of itself")
		return
	}
	if strings.TrimSpace(unicode(c.text(c.info["Title"]))) == "" {
		c.fault("Info has no Title")
	}
	for _, k := range []name{"CreationDate", "ModDate"} {
		if _, ok := date(c.text(c.info[k])); !ok {
			c.fault("Info has the %s %q", string(k), c.text(c.info[k]))
		}
	}
	version, conformance, trapped := c.text(c.info["GTS_PDFXVersion"]), c.text(c.info["GTS_PDFXConformance"]), c.name(c.info["Trapped"])
	want := map[pdf.Preset][2]string{pdf.X1a: {"PDF/X-1:2001", "PDF/X-1a:2001"}, pdf.X4: {"PDF/X-4", ""}}[c.preset]
	if version != want[0] || conformance != want[1] {
		c.fault("Info has GTS_PDFXVersion %q and GTS_PDFXConformance %q, want %q and %q", version, conformance, want[0], want[1])
	}
	if c.x() && trapped != "False" && trapped != "True" {
		c.fault("Info has Trapped %q, want True or False", string(trapped))
	}
}

// intent checks for which printing condition the file is made.
func (c *check) intent() {
	list := c.array(c.root["OutputIntents"])
	if !c.x() {
		if list != nil {
			c.fault("an output intent in a file that is no PDF/X")
		}
		return
	}
	if len(list) != 1 {
		c.fault("%d output intents, want 1", len(list))
		return
	}
	d := c.dict(list[0])
	c.keys("the output intent", d, "Type", "S", "OutputConditionIdentifier", "OutputCondition", "Info", "RegistryName", "DestOutputProfile")
	if c.name(d["S"]) != "GTS_PDFX" {
		c.fault("the output intent is not one of PDF/X")
	}
	for _, k := range []name{"OutputConditionIdentifier", "Info"} {
		if c.text(d[k]) == "" {
			c.fault("the output intent has no %s", string(k))
		}
	}
	if c.preset == pdf.X1a {
		if d["DestOutputProfile"] == nil && c.text(d["RegistryName"]) != "http://www.color.org" {
			c.fault("the output intent has neither a profile nor the registry of its condition")
		}
		return
	}
	p, ok := c.get(d["DestOutputProfile"]).(*stream)
	if !ok {
		c.fault("the output intent has no profile")
		return
	}
	b, err := c.bytes(p)
	if err != nil {
		c.fault("the profile: %v", err)
		return
	}
	c.profile(b, int(c.number(p.dict["N"])))
	c.xmp()
}

// profile checks an ICC profile for output (ICC.1:2001-04, 6.1, 6.2 and 6.3.3.1).
func (c *check) profile(b []byte, channels int) {
	if len(b) < 132 || int(binary.BigEndian.Uint32(b)) != len(b) || string(b[36:40]) != "acsp" {
		c.fault("the profile is no ICC profile")
		return
	}
	n := map[string]int{"GRAY": 1, "CMYK": 4}[string(b[16:20])]
	if string(b[12:16]) != "prtr" || n == 0 || n != channels || b[8] != 2 {
		c.fault("the profile is of class %q for %q with %d channels", b[12:16], b[16:20], channels)
	}
	count := int(binary.BigEndian.Uint32(b[128:]))
	if count > 100 || len(b) < 132+12*count {
		c.fault("the profile has %d tags", count)
		return
	}
	var tags []string
	for i := range count {
		t := b[132+12*i:]
		at, size := uint64(binary.BigEndian.Uint32(t[4:])), uint64(binary.BigEndian.Uint32(t[8:]))
		if at%4 != 0 || at+size > uint64(len(b)) || at < 132 {
			c.fault("the profile's tag %q lies outside", t[:4])
		}
		tags = append(tags, string(t[:4]))
	}
	want := []string{"desc", "wtpt", "cprt"}
	if n == 1 {
		want = append(want, "kTRC")
	}
	for _, w := range want {
		if !slices.Contains(tags, w) {
			c.fault("the profile has no tag %s", w)
		}
	}
}

// xmp checks the metadata of PDF/X-4 against Info.
func (c *check) xmp() {
	s, ok := c.get(c.root["Metadata"]).(*stream)
	if !ok || s.dict["Filter"] != nil || c.name(s.dict["Subtype"]) != "XML" {
		c.fault("no metadata that can be read without unpacking")
		return
	}
	values := map[string]string{}
	var open []string
	d := xml.NewDecoder(strings.NewReader(string(s.raw)))
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			c.fault("the metadata: %v", err)
			return
		}
		switch t := t.(type) {
		case xml.StartElement:
			open = append(open, t.Name.Space+t.Name.Local)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for i := len(open) - 1; i >= 0; i-- {
				if !strings.HasPrefix(open[i], "http://www.w3.org/1999/02/22-rdf") {
					values[open[i]] += string(t)
					break
				}
			}
		}
	}
	const xmp, dc, mm, adobe, x = "http://ns.adobe.com/xap/1.0/", "http://purl.org/dc/elements/1.1/", "http://ns.adobe.com/xap/1.0/mm/",
		"http://ns.adobe.com/pdf/1.3/", "http://www.npes.org/pdfx/ns/id/"
	for _, k := range []string{mm + "DocumentID", mm + "VersionID", mm + "RenditionClass", xmp + "MetadataDate"} {
		if strings.TrimSpace(values[k]) == "" {
			c.fault("the metadata have no %s", k)
		}
	}
	if v := values[x+"GTS_PDFXVersion"]; v != "PDF/X-4" {
		c.fault("the metadata have GTS_PDFXVersion %q", v)
	}
	if v := values[adobe+"Trapped"]; v != string(c.name(c.info["Trapped"])) {
		c.fault("the metadata have Trapped %q, Info has not", v)
	}
	if v := strings.TrimSpace(values[dc+"title"]); v != strings.TrimSpace(unicode(c.text(c.info["Title"]))) {
		c.fault("the metadata have the title %q, Info has not", v)
	}
	for k, i := range map[string]name{"CreateDate": "CreationDate", "ModifyDate": "ModDate"} {
		t, ok := date(c.text(c.info[i]))
		if u, err := time.Parse(time.RFC3339, values[xmp+k]); !ok || err != nil || !u.Equal(t) {
			c.fault("the metadata have the %s %q, Info has %q", k, values[xmp+k], c.text(c.info[i]))
		}
	}
}

package docx

import "mappe/shared/book/reader/xmlpart"

// The namespaces of a Word file, transitional and strict alike.
const (
	w    xmlpart.NS = iota + 1 // WordprocessingML
	rel                        // references to relationships
	pkg                        // relationships of the package
	ct                         // content types
	wp                         // placement of drawings
	a                          // DrawingML
	pic                        // pictures of DrawingML
	wps                        // shapes
	wpg                        // groups of shapes
	dgm                        // SmartArt
	cht                        // charts
	v                          // VML
	o                          // Office's additions to VML
	m                          // equations
	mc                         // alternate content
	dc                         // Dublin Core
	core                       // core properties
	none = xmlpart.None
)

var names = xmlpart.Names{
	"http://schemas.openxmlformats.org/wordprocessingml/2006/main":            w,
	"http://purl.oclc.org/ooxml/wordprocessingml/main":                        w,
	"http://schemas.openxmlformats.org/officeDocument/2006/relationships":     rel,
	"http://purl.oclc.org/ooxml/officeDocument/relationships":                 rel,
	"http://schemas.openxmlformats.org/package/2006/relationships":            pkg,
	"http://schemas.openxmlformats.org/package/2006/content-types":            ct,
	"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing":  wp,
	"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing":              wp,
	"http://schemas.openxmlformats.org/drawingml/2006/main":                   a,
	"http://purl.oclc.org/ooxml/drawingml/main":                               a,
	"http://schemas.openxmlformats.org/drawingml/2006/picture":                pic,
	"http://purl.oclc.org/ooxml/drawingml/picture":                            pic,
	"http://schemas.microsoft.com/office/word/2010/wordprocessingShape":       wps,
	"http://schemas.microsoft.com/office/word/2010/wordprocessingGroup":       wpg,
	"http://schemas.openxmlformats.org/drawingml/2006/diagram":                dgm,
	"http://purl.oclc.org/ooxml/drawingml/diagram":                            dgm,
	"http://schemas.openxmlformats.org/drawingml/2006/chart":                  cht,
	"http://purl.oclc.org/ooxml/drawingml/chart":                              cht,
	"urn:schemas-microsoft-com:vml":                                           v,
	"urn:schemas-microsoft-com:office:office":                                 o,
	"http://schemas.openxmlformats.org/officeDocument/2006/math":              m,
	"http://purl.oclc.org/ooxml/officeDocument/math":                          m,
	"http://schemas.openxmlformats.org/markup-compatibility/2006":             mc,
	"http://purl.org/dc/elements/1.1/":                                        dc,
	"http://schemas.openxmlformats.org/package/2006/metadata/core-properties": core,
}

package docx

import (
	"strconv"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/xmlpart"
)

// section reads the properties of a section of pages at its end; between says that another follows. They
// tell columns, landscape pages, and whether the section began on a new page.
func (f *flow) section(e xmlpart.El, between bool) {
	if n, err := strconv.Atoi(e.Child(w, "cols").Attr(w, "num")); err == nil && n > 1 {
		f.find(finding.Columns, "", strconv.Itoa(n)+" columns")
	}
	if e.Child(w, "pgSz").Attr(w, "orient") == "landscape" {
		f.find(finding.Columns, "", "landscape pages")
	}
	if e.Child(w, "type").Attr(w, "val") == "continuous" && f.pages > 0 && f.pages <= len(f.items) {
		f.items = append(f.items[:f.pages-1], f.items[f.pages:]...)
	}
	f.pages = 0
	if between && f.top {
		f.push(item{block: &manuscript.PageBreak{Place: f.place()}})
		f.pages = len(f.items)
	}
}

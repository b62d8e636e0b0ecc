package endpoint

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mappe/shared/geo/crs"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
	"mappe/shared/web/shapefile"
)

// common are the parameters that many endpoints share.
type common struct {
	limit, offset   *Param[int]
	cursor          *Param[string]
	format          *Param[format.Format]
	fields          *Param[[]string]
	crs             *Param[crs.System]
	callback        *Param[string]
	pretty, nocache *Param[bool]
}

// The specification's page bounds.
const (
	defaultLimit = 100
	maxLimit     = 100000
)

// commonOf makes the common parameters an endpoint has.
func commonOf(e *Endpoint) (common, []AnyParam) {
	var c common
	var all []AnyParam
	if rows := len(e.Answer.Rows) > 0; rows {
		c.fields = Strings("fields", "Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry.")
		all = append(all, c.fields)
		if !e.Answer.JSONOnly {
			forms := e.Answer.forms()
			doc := "Form of the answer. Where it is absent, the Accept header chooses; " + string(forms[0]) + " is the default."
			if slices.Contains(forms, format.FormShapefile) {
				doc += fmt.Sprintf(" shapefile is a zip with a set for each kind of rows, of at most %d MB unpacked; its README.txt has the whole names "+
					"of the columns, of which a set has ten bytes.", shapefile.MaxAnswer>>20)
			}
			c.format = Enum("format", doc, forms)
			all = append(all, c.format)
		}
		if format.HasShape(e.Answer.Rows) {
			c.crs = Parsed("crs", "EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres.", parseCRS, Default("4326"))
			all = append(all, c.crs)
		}
		if p := e.Answer.Page; !p.None {
			if p.Default == 0 {
				p.Default = defaultLimit
			}
			if p.Max == 0 {
				p.Max = maxLimit
			}
			c.limit = Int("limit", "Rows in one answer at most.", Between(1, float64(p.Max)), Default(strconv.Itoa(p.Default)))
			c.offset = Int("offset", "Rows to leave out from the start.", Between(0, reply.MaxOffset), Default("0"))
			c.cursor = String("cursor", "Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body.")
			all = append(all, c.limit, c.offset, c.cursor)
		}
	}
	if e.Answer.ContentType == "" && !e.Answer.Exact {
		if e.Method == "GET" {
			c.callback = Parsed("callback",
				"JSONP: the name of the function the JSON body is passed to. Failures are passed to it too, with HTTP status 200 and their own status in the body.", parseCallback)
			all = append(all, c.callback)
		}
		c.pretty = flag("pretty", "Indented JSON.")
		all = append(all, c.pretty)
	}
	if e.Method == "GET" {
		c.nocache = bust("nocache", "Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on.")
		all = append(all, c.nocache)
	}
	for _, p := range all {
		p.spec().hidden = true
	}
	return c, all
}

// forms are those of the rows of an answer, the default first.
func (a *Answer) forms() []format.Format {
	list := a.Forms
	if len(list) == 0 {
		list = format.AllFormats()
	}
	return format.WithShapefile(list, a.Rows)
}

// flag is a bool that is also true when it is named without a value.
func flag(name, doc string) *Param[bool] {
	return &Param[bool]{newSpec(name, doc, []Option{Default("false")}, reading{"boolean", func(s *spec, text string) (any, error) {
		if text == "" {
			text = "true"
		}
		return readBool(s, text)
	}, canonBool})}
}

// bust is true whatever it is given but for a clear no: clients put a clock's reading there to get past
// caches that they do not control.
func bust(name, doc string) *Param[bool] {
	return &Param[bool]{newSpec(name, doc, []Option{Default("false")}, reading{"string", func(s *spec, text string) (any, error) {
		off, err := readBool(s, text)
		return err != nil || off.(bool), nil
	}, canonBool})}
}

// parseCRS reads a coordinate system; the fault names the ones there are.
func parseCRS(text string) (crs.System, error) {
	sys, err := crs.Parse(text)
	if err != nil {
		var names []string
		for _, k := range crs.AllSystems() {
			names = append(names, k.String())
		}
		return 0, errors.New("one of " + strings.Join(names, ", "))
	}
	return sys, nil
}

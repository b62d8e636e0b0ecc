package maps

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/url"
	"strings"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
)

// spoken is how a service of the OGC reads its query and tells of failures.
type spoken struct {
	known map[string]bool // names of parameters in lower case
	tell  func(q url.Values, f failure) (contentType string, body []byte)
}

// spokenOf is that of a service with some parameters. Clients and people may ask past caches, as everywhere.
func spokenOf(tell func(url.Values, failure) (string, []byte), params ...endpoint.AnyParam) spoken {
	names := endpoint.Names(params...)
	names["nocache"] = true
	return spoken{names, tell}
}

// failure is a fault as it was answered.
type failure struct {
	Error  string         `json:"error"`
	Code   string         `json:"code"`
	Errors []fault.Detail `json:"errors"`
}

// dialect reads names of parameters in any case, passes over those that the service does not know and those without a value, and answers
// faults in the form of the service.
func (s spoken) dialect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u := *r.URL
		u.RawQuery = s.plain(u.RawQuery)
		in := r.WithContext(r.Context())
		in.URL = &u
		t := &teller{ResponseWriter: w}
		next.ServeHTTP(t, in)
		if t.status == 0 {
			return
		}
		var f failure
		if json.Unmarshal(t.body.Bytes(), &f) != nil || f.Error == "" {
			f.Error = "the request failed"
		}
		contentType, body := s.tell(u.Query(), f)
		h := w.Header()
		h.Set("Content-Type", contentType)
		h.Del("Content-Length")
		w.WriteHeader(t.status)
		if r.Method != http.MethodHead {
			w.Write(body) // what cannot be sent has nobody who waits for it
		}
	})
}

// plain is a query with known names in lower case.
func (s spoken) plain(raw string) string {
	var kept []string
	for part := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = strings.ToLower(plain)
		}
		if value != "" && s.known[name] {
			kept = append(kept, url.QueryEscape(name)+"="+value)
		}
	}
	return strings.Join(kept, "&")
}

// teller holds back the body of a failure.
type teller struct {
	http.ResponseWriter
	status int // of a failure
	begun  bool
	body   bytes.Buffer
}

func (t *teller) WriteHeader(status int) {
	if status >= 400 && !t.begun {
		t.status = status
		return
	}
	t.begun = true
	t.ResponseWriter.WriteHeader(status)
}

func (t *teller) Write(b []byte) (int, error) {
	if t.status != 0 {
		return t.body.Write(b)
	}
	t.begun = true
	return t.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the server's writer.
func (t *teller) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// escaped is a text for XML.
func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a strings.Builder does not fail
	return b.String()
}

// said is a detail of a failure as a sentence: the parameter, its value and what is allowed.
func said(d fault.Detail) string {
	if d.Value == "" {
		return "parameter " + d.Parameter + ": expected " + d.Expected
	}
	return "parameter " + d.Parameter + " is " + d.Value + ": expected " + d.Expected
}

// wmsCodes are the codes of the standard by the parameter that is wrong.
var wmsCodes = map[string]string{
	"format": "InvalidFormat", "info_format": "InvalidFormat", "layers": "LayerNotDefined", "layer": "LayerNotDefined",
	"query_layers": "LayerNotDefined",
	"styles":       "StyleNotDefined", "style": "StyleNotDefined", "i": "InvalidPoint", "j": "InvalidPoint", "x": "InvalidPoint",
	"y":       "InvalidPoint",
	"request": "OperationNotSupported",
}

// tellWMS writes a service exception report.
func tellWMS(q url.Values, f failure) (string, []byte) {
	version, _ := parseVersion(cmp.Or(q.Get("version"), q.Get("wmtver"), "1.3.0")) // any text is one
	old := version == "1.1.1"
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	if old {
		b.WriteString(`<ServiceExceptionReport version="1.1.1">` + "\n")
	} else {
		b.WriteString(`<ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc">` + "\n")
	}
	write := func(code, locator, text string) {
		b.WriteString("<ServiceException")
		if code != "" {
			b.WriteString(` code="` + code + `"`)
		}
		if locator != "" {
			b.WriteString(` locator="` + escaped(locator) + `"`)
		}
		b.WriteString(">" + escaped(text) + "</ServiceException>\n")
	}
	for _, d := range f.Errors {
		code := wmsCodes[d.Parameter]
		if d.Parameter == "crs" || d.Parameter == "srs" {
			code = "InvalidCRS"
			if old {
				code = "InvalidSRS"
			}
		}
		write(code, d.Parameter, said(d))
	}
	if len(f.Errors) == 0 {
		write("", "", f.Error)
	}
	b.WriteString("</ServiceExceptionReport>\n")
	if old {
		return "application/vnd.ogc.se_xml", []byte(b.String())
	}
	return "text/xml; charset=utf-8", []byte(b.String())
}

// tellWMTS writes an exception report of OWS 1.1.
func tellWMTS(_ url.Values, f failure) (string, []byte) {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<ExceptionReport xmlns="http://www.opengis.net/ows/1.1" version="1.1.0">` + "\n")
	write := func(code, locator, text string) {
		b.WriteString(`<Exception exceptionCode="` + code + `"`)
		if locator != "" {
			b.WriteString(` locator="` + escaped(locator) + `"`)
		}
		b.WriteString("><ExceptionText>" + escaped(text) + "</ExceptionText></Exception>\n")
	}
	for _, d := range f.Errors {
		code := "InvalidParameterValue"
		switch {
		case f.Code == string(fault.Missing):
			code = "MissingParameterValue"
		case f.Code == string(fault.OutOfRange) && (d.Parameter == "tilerow" || d.Parameter == "tilecol"):
			code = "TileOutOfRange"
		case f.Code == string(fault.OutOfRange) && (d.Parameter == "i" || d.Parameter == "j"):
			code = "PointIJOutOfRange"
		case d.Parameter == "request":
			code = "OperationNotSupported"
		}
		write(code, d.Parameter, said(d))
	}
	if len(f.Errors) == 0 {
		write("NoApplicableCode", "", f.Error)
	}
	b.WriteString("</ExceptionReport>\n")
	return "text/xml; charset=utf-8", []byte(b.String())
}

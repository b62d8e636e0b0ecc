package web

import (
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"

	"mappe/localdev/node/blob"
	"mappe/localdev/node/blocks"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/keystore"
	"mappe/localdev/node/rpc"
	"mappe/localdev/node/space"
)

var frame = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{{.Title}}</title><link rel="stylesheet" href="/style.css"></head>
<body><main>{{.Body}}</main></body>
</html>
`))

func page(w http.ResponseWriter, code int, title string, body template.HTML) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_ = frame.Execute(w, struct { // the client has gone, else
		Title string
		Body  template.HTML
	}{title, body})
}

func style(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=3600")
	_, _ = w.Write([]byte("body{font:1rem/1.5 system-ui,sans-serif;margin:0;color:#1b1b1b;background:#fff}main{max-width:44rem;margin:2rem auto;padding:0 1rem}" +
		"pre{overflow-x:auto;background:#f4f4f4;padding:.75rem}img{max-width:100%}table{border-collapse:collapse}td,th{text-align:left;padding:.25rem .75rem .25rem 0;vertical-align:top}" +
		"code{overflow-wrap:anywhere}blockquote{border-left:3px solid #bbb;margin-left:0;padding-left:1rem}footer{margin-top:3rem;color:#555;font-size:.85rem}\n"))
}

// document gives the document at /hm/ACCOUNT/PATH, as HTML or, for who accepts JSON first or says format=json, as JSON.
func (s *Site) document(w http.ResponseWriter, r *http.Request) {
	asJSON := r.URL.Query().Get("format") == "json" || strings.HasPrefix(r.Header.Get("Accept"), "application/json")
	w.Header().Set("Vary", "Accept")
	f, err := s.find(r)
	var moved *space.Moved
	if errors.As(err, &moved) {
		http.Redirect(w, r, (&url.URL{Path: "/hm/" + moved.Space.String() + string(moved.Path)}).String(), http.StatusTemporaryRedirect)
		return
	}
	if err != nil {
		if asJSON {
			writeJSON(w, http.StatusNotFound, map[string]string{"message": "there is no such document"})
			return
		}
		page(w, http.StatusNotFound, "Not found", "<h1>Not found</h1><p>There is no such document on this node.</p>")
		return
	}
	d, err := rpc.DocumentMessage(f)
	if err != nil {
		page(w, http.StatusUnprocessableEntity, "Damaged", "<h1>Damaged</h1><p>The document cannot be shown.</p>")
		return
	}
	if unchanged(w, r, d.Version, asJSON) {
		return
	}
	if asJSON {
		raw, err := protojson.Marshal(d)
		if err != nil {
			writeJSON(w, http.StatusInternalServerError, map[string]string{"message": "internal error"})
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(raw) // the client has gone, else
		return
	}
	name := f.Name()
	if name == "" {
		name = "Untitled"
	}
	page(w, http.StatusOK, name, blocks.HTML(name, d))
}

// unchanged names what is given of a document and answers whether the caller has it: then all is said. A document changes: who keeps it
// asks again.
func unchanged(w http.ResponseWriter, r *http.Request, version string, asJSON bool) bool {
	form := "html"
	if asJSON {
		form = "json"
	}
	tag := `"` + blob.SumRaw([]byte(form+" "+version)).String() + `"`
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", "no-cache")
	for has := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		if strings.TrimPrefix(strings.TrimSpace(has), "W/") == tag {
			w.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	return false
}

// find reads the address of a page.
func (s *Site) find(r *http.Request) (*space.Found, error) {
	account, path, _ := strings.Cut(r.PathValue("rest"), "/")
	if path != "" {
		path = "/" + strings.TrimSuffix(path, "/")
	}
	a, err := ident.ParseAccount(account)
	if err != nil {
		return nil, err
	}
	p, err := ident.ParsePath(path)
	if err != nil {
		return nil, err
	}
	v, err := ident.ParseVersion(r.URL.Query().Get("v"))
	if err != nil {
		return nil, err
	}
	f, err := s.Node.Library.Document(a, p)
	if err != nil {
		return nil, err
	}
	old := *f
	old.Document, err = f.At(v)
	return &old, err
}

var list = template.Must(template.New("list").Parse(`<h1>Node</h1>
<p>Peer <code>{{.Peer}}</code>, {{.Blobs}} blobs.</p>
{{if .Keys}}<h2>Keys</h2>
<table><tr><th>Name</th><th>Account</th></tr>
{{range .Keys}}<tr><td>{{.Name}}</td><td><code>{{.Account}}</code></td></tr>
{{end}}</table>{{end}}
<h2>Documents</h2>
{{if .Documents}}<table><tr><th>Document</th><th>Version</th><th>Changed</th></tr>
{{range .Documents}}<tr><td><a href="{{.Link}}">{{.Name}}</a></td><td><a href="{{.Link}}?v={{.Version}}"><code>{{.Short}}</code></a>{{range .Older}} <a href="{{.Link}}"><code>{{.Short}}</code></a>{{end}}</td><td>{{.Changed}}</td></tr>
{{end}}</table>{{if .More}}<p>More documents are not listed here.</p>{{end}}{{else}}<p>There are none yet.</p>{{end}}
`))

type olderVersion struct{ Link, Short string }

type row struct {
	Name, Link, Version, Short, Changed string
	Older                               []olderVersion
}

// maxRows, maxTried and maxOlder bound the page about the node: the rows, the documents that are looked at for them, and the versions.
const (
	maxRows  = 200
	maxTried = 1000
	maxOlder = 5
)

// index is the page about the node. It shows the keys to this machine only, and changes nothing.
func (s *Site) index(w http.ResponseWriter, r *http.Request) {
	data := struct {
		Peer      string
		Blobs     int
		Keys      []keystore.Key
		Documents []row
		More      bool
	}{Peer: s.Node.Peers.ID().String(), Blobs: s.Node.Library.Store.Count()}
	if s.own(r) {
		data.Keys = s.Node.Keys.List()
	}
	tried := 0
	for _, a := range s.Node.Library.Store.Spaces() {
		s.Node.Library.EachPath(a, "", func(p ident.Path) bool {
			if data.More = len(data.Documents) == maxRows || tried == maxTried; data.More {
				return false
			}
			tried++
			if f, err := s.Node.Library.Document(a, p); err == nil {
				data.Documents = append(data.Documents, rowOf(f))
			}
			return true
		})
		if data.More {
			break
		}
	}
	var body strings.Builder
	if err := list.Execute(&body, data); err != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	page(w, http.StatusOK, "Node", template.HTML(body.String()))
}

func rowOf(f *space.Found) row {
	link := (&url.URL{Path: "/hm/" + f.Space.String() + string(f.Path)}).String()
	last := f.Entries[len(f.Entries)-1].Change
	v := f.Heads.String()
	d := row{Name: f.Name(), Link: link, Version: v, Short: short(v), Changed: rpc.Time(last.Time).Format("2006-01-02 15:04")}
	if d.Name == "" {
		d.Name = link
	}
	for i := len(f.Entries) - 2; i >= 0 && len(d.Older) < maxOlder; i-- {
		id := f.Entries[i].ID.String()
		d.Older = append(d.Older, olderVersion{link + "?v=" + id, short(id)})
	}
	return d
}

// short is the end of a version, by which people tell versions apart.
func short(v string) string { return "…" + v[max(0, len(v)-8):] }

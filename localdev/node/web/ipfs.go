package web

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/ipfs/go-cid"

	"mappe/localdev/node/blob"
	"mappe/localdev/node/cbor"
	"mappe/localdev/node/media"
	"mappe/localdev/node/store"
)

// maxUpload is the most bytes of a file that is uploaded.
const maxUpload = 64 << 20

// blob gives a blob or the file whose root it is; NAME.dagjson gives DAG-CBOR as DAG-JSON.
func (s *Site) blob(w http.ResponseWriter, r *http.Request) {
	name, asJSON := strings.CutSuffix(r.PathValue("cid"), ".dagjson")
	id, err := cid.Decode(name)
	if err == nil {
		err = blob.CheckCID(id)
	}
	if err != nil {
		http.Error(w, "this is no CID of the network", http.StatusBadRequest)
		return
	}
	var content io.ReadSeeker
	if asJSON {
		content, err = s.asJSON(id)
	} else {
		content, err = media.Open(s.Node.Library.Store, id)
	}
	if errors.Is(err, store.ErrNotFound) {
		http.Error(w, "the blob is not kept here", http.StatusNotFound)
		return
	}
	if err != nil {
		http.Error(w, "the blob cannot be shown in this form", http.StatusUnprocessableEntity)
		return
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Content-Type", "application/octet-stream")
	if asJSON {
		h.Set("Content-Type", "application/vnd.ipld.dag-json")
	}
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("ETag", `"`+r.PathValue("cid")+`"`)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, content)
}

// asJSON reads a blob as DAG-JSON.
func (s *Site) asJSON(id cid.Cid) (io.ReadSeeker, error) {
	data, err := s.Node.Library.Store.Get(id)
	if err != nil {
		return nil, err
	}
	v, err := cbor.Unmarshal(data)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(dagJSON(v))
	return bytes.NewReader(raw), err
}

// dagJSON makes what encoding/json writes as DAG-JSON (https://ipld.io/specs/codecs/dag-json/spec/).
func dagJSON(v any) any {
	switch v := v.(type) {
	case float64: // a number without a point would be an integer
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return json.Number(text)
	case cid.Cid:
		return map[string]any{"/": v.String()}
	case []byte:
		return map[string]any{"/": map[string]any{"bytes": base64.RawStdEncoding.EncodeToString(v)}}
	case []any:
		out := make([]any, len(v))
		for i, w := range v {
			out[i] = dagJSON(w)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k, w := range v {
			out[k] = dagJSON(w)
		}
		return out
	}
	return v
}

// storeBlob keeps the body under its name.
func (s *Site) storeBlob(w http.ResponseWriter, r *http.Request) {
	id, err := cid.Decode(r.PathValue("cid"))
	if err != nil {
		http.Error(w, "this is no CID of the network", http.StatusBadRequest)
		return
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, blob.MaxSize+1))
	if err != nil {
		http.Error(w, errBody.Error(), http.StatusBadRequest)
		return
	}
	if _, err := s.Node.Library.Store.Put(store.Item{ID: id, Data: data}); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusOK)
}

// upload keeps a file, the field "file" of a form, and answers its CID.
func (s *Site) upload(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	in, err := r.MultipartReader()
	if err != nil {
		http.Error(w, "expected a form with the field file", http.StatusBadRequest)
		return
	}
	for {
		part, err := in.NextPart()
		if err != nil {
			http.Error(w, "the form has no field file that could be read", http.StatusBadRequest)
			return
		}
		if part.FormName() != "file" {
			continue
		}
		pieces, err := media.Cut(part)
		if err != nil {
			http.Error(w, errBody.Error(), http.StatusBadRequest)
			return
		}
		var items []store.Item
		for _, p := range pieces {
			items = append(items, store.Item{ID: p.ID, Data: p.Data})
		}
		ids, err := s.Node.Library.Store.Put(items...)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, ids[len(ids)-1].String()) // the client has gone, else
		return
	}
}

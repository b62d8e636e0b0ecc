// Package web is the HTTP side of a node: the configuration that peers ask for, blobs and files below /ipfs/, documents below /hm/ as
// HTML and JSON, a page about the node, and its services over gRPC-Web and Connect.
//
// The services sign with the keys of the node and ask for no password. They are for programs of this machine only: a request must come
// from a loopback address, name a loopback host (a web page of elsewhere whose name was turned to 127.0.0.1 does not), and, where a
// browser says which page asks (Origin), be asked by the node's own pages. What a proxy hands on is refused, and a gateway serves none
// of them.
package web

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"

	"mappe/localdev/node/rpc"
)

// Site is what is served.
type Site struct {
	Node     *rpc.Server
	Services http.Handler
	// Gateway tells visitors that this node shows documents of everyone; pages and blobs are then given to every caller whose Host
	// is one of Hosts.
	Gateway bool
	Hosts   []string // names, in lower case and without port, under which the node is called beside localhost
	Account string   // the account that a gateway tells as its own, "" for none
}

// Handler serves the site.
func (s *Site) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hm/api/config", s.config)
	mux.HandleFunc("GET /ipfs/{cid}", s.blob)
	mux.HandleFunc("POST /ipfs/{cid}", s.local(s.storeBlob))
	mux.HandleFunc("POST /ipfs/file-upload", s.local(s.upload))
	mux.HandleFunc("GET /debug/version", s.local(version))
	mux.HandleFunc("GET /hm/{rest...}", s.document)
	mux.HandleFunc("GET /style.css", style)
	mux.HandleFunc("GET /{$}", s.index)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			http.NotFound(w, r)
			return
		}
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store") // what may be kept says so
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Content-Security-Policy",
			"default-src 'none'; img-src 'self'; media-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		if !s.called(r) {
			http.Error(w, "this node is not called by that name: see the flag http.hosts", http.StatusMisdirectedRequest)
			return
		}
		if rpc.Procedure(r) {
			s.local(s.Services.ServeHTTP)(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// hostname is the name of a Host header, without its port.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
}

func loopbackName(name string) bool {
	ip, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && ip.IsLoopback()
}

// called says whether the request names this node.
func (s *Site) called(r *http.Request) bool {
	name := hostname(r.Host)
	return loopbackName(name) || slices.Contains(s.Hosts, name)
}

// own says whether a request is one of this machine, and not of a web page of elsewhere. Behind a reverse proxy of this machine every
// request comes from a loopback address, and may name one: what a proxy says of itself in the header makes it one of elsewhere, and a
// gateway, which is for visitors, has no requests of its own.
func (s *Site) own(r *http.Request) bool {
	if s.Gateway || proxied(r.Header) {
		return false
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !from.Addr().Unmap().IsLoopback() || !loopbackName(hostname(r.Host)) {
		return false
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "same-origin" || site == "none"
}

// proxied says whether a proxy has handed a request on.
func proxied(h http.Header) bool {
	for name := range h { // in canonical spelling
		switch {
		case name == "Forwarded", name == "Via", name == "X-Real-Ip", strings.HasPrefix(name, "X-Forwarded-"):
			return true
		}
	}
	return false
}

// local refuses what is not a request of this machine.
func (s *Site) local(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !s.own(r) {
			http.Error(w, "only programs of this machine may call this, through no proxy, of no gateway, and no pages of other sites",
				http.StatusForbidden)
			return
		}
		h(w, r)
	}
}

// config is what peers ask for before they connect. It is public, also for pages of other sites.
func (s *Site) config(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	answer := struct {
		PeerID    string   `json:"peerId"`
		Addrs     []string `json:"addrs"`
		Protocol  string   `json:"protocolId"`
		Account   string   `json:"registeredAccountUid,omitempty"`
		IsGateway bool     `json:"isGateway,omitempty"`
	}{s.Node.Peers.ID().String(), s.Node.Peers.Addrs(), s.Node.Peers.Protocol(), s.Account, s.Gateway}
	writeJSON(w, http.StatusOK, answer)
}

func writeJSON(w http.ResponseWriter, code int, v any) {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		code, raw = http.StatusInternalServerError, []byte(`{"message":"internal error"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(append(raw, '\n')) // the client has gone, else
}

func version(w http.ResponseWriter, _ *http.Request) {
	out := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				out["commit"] = s.Value
			case "vcs.time":
				out["date"] = s.Value
			}
		}
	}
	writeJSON(w, http.StatusOK, out)
}

var errBody = errors.New("the body could not be read")

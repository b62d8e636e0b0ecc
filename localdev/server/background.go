package server

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"mappe/shared/web/htmlpage"
)

// Background is a map of another service that the reader may draw under the parcels: one of the operator's choice, none by default.
type Background struct {
	Tiles   string `json:"tiles"`    // address of a tile with {z}, {x} and {y}, or of a WMS with {bbox-epsg-3857}
	Credit  string `json:"credit"`   // as text
	MaxZoom int    `json:"max_zoom"` // the highest zoom that there are tiles of
}

// BackgroundFile is the document below site/ that tells the map of its background.
const BackgroundFile = "map/background.json"

const (
	maxBackground = 2000 // bytes of an address
	maxCredit     = 300
)

var (
	placeholder = regexp.MustCompile(`\{[^}]*\}?`)
	hostname    = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$`)
)

// ParseBackground reads an address of tiles; nil for "". Without a credit the host is named.
func ParseBackground(address, credit string, maxZoom int) (*Background, error) {
	if address == "" {
		return nil, nil
	}
	bad := func(why string) (*Background, error) {
		return nil, fmt.Errorf("--background %.200q %s; allowed is an https address of tiles with {z}, {x} and {y}, or of a WMS with {bbox-epsg-3857}",
			address, why)
	}
	if len(address) > maxBackground {
		return bad("is too long")
	}
	var said []string
	bare := placeholder.ReplaceAllStringFunc(address, func(p string) string { said = append(said, p); return "0" })
	for _, p := range said {
		if !strings.Contains("{z} {x} {y} {bbox-epsg-3857} {ratio}", p) {
			return bad("has " + p)
		}
	}
	all := strings.Join(said, " ")
	tiles := strings.Contains(all, "{z}") && strings.Contains(all, "{x}") && strings.Contains(all, "{y}")
	if !tiles && !strings.Contains(all, "{bbox-epsg-3857}") {
		return bad("names no tile")
	}
	u, err := url.Parse(bare)
	switch {
	case err != nil || u.Host == "" || !hostname.MatchString(u.Hostname()) || strings.Contains(bare, "}"):
		return bad("is no address")
	case u.User != nil || u.Fragment != "":
		return bad("has a user or a fragment, which browsers do not send")
	case u.Scheme != "https" && (u.Scheme != "http" || !local(u.Hostname())):
		return bad("is not encrypted")
	case strings.Contains((&Background{Tiles: address}).Origin(), "{"):
		return bad("has a placeholder in its host, which the pages' policy has to name")
	}
	if len(credit) > maxCredit {
		return nil, fmt.Errorf("--background-credit: %d bytes, allowed are %d", len(credit), maxCredit)
	}
	if maxZoom < 1 || maxZoom > 24 {
		return nil, fmt.Errorf("--background-zoom %d: allowed is 1 to 24", maxZoom)
	}
	if credit == "" {
		credit = u.Hostname()
	}
	return &Background{Tiles: address, Credit: credit, MaxZoom: maxZoom}, nil
}

// local says whether a host is this machine.
func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Origin is where the tiles come from, as policies name it: https://maps.example; "" of none.
func (b *Background) Origin() string {
	if b == nil {
		return ""
	}
	scheme, rest, _ := strings.Cut(b.Tiles, "://")
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		rest = rest[:i]
	}
	return scheme + "://" + rest
}

// document is what the map reads; {"background": null} of none.
func (b *Background) document() []byte {
	body, err := json.Marshal(struct {
		Background *Background `json:"background"`
	}{b})
	if err != nil {
		panic(err) // texts and a number
	}
	return body
}

// policy is what the pages may do: that of the site, and to ask where the tiles come from.
func (b *Background) policy() htmlpage.Policy {
	p := sitePolicy
	if origin := b.Origin(); origin != "" {
		p.Connect = append([]string{}, append(p.Connect, origin)...)
		p.Images = append([]string{}, append(p.Images, origin)...)
	}
	return p
}

// serve sends the document.
func (b *Background) serve(w http.ResponseWriter, _ *http.Request) {
	h := w.Header()
	h.Set("Content-Type", siteTypes[".json"])
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(b.document()) // the client's own doing when it stops reading
}

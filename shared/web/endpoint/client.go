package endpoint

import (
	"net"
	"net/http"
)

// Client is the address of the client of a request, by which it is told apart from others: without the port. funcurl takes
// it from the CDN.
func Client(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}

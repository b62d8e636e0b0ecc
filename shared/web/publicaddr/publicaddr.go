// Package publicaddr tells addresses of the public internet from those that a program must not be led to by an address that somebody
// else gave: of this machine, of its network, of the provider's metadata. It opens no connections; a dialer asks it by Control.
package publicaddr

import (
	"errors"
	"fmt"
	"net/netip"
	"syscall"
)

// ErrPrivate says that an address is not one of the public internet's, or not the port of https.
var ErrPrivate = errors.New("the address is not public")

// Control is for net.Dialer: it sees the address that a connection is about to be made to, after all names are resolved, and lets
// those to port 443 of public addresses pass. The others are ErrPrivate.
func Control(network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return fmt.Errorf("%w: network %s", ErrPrivate, network)
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrPrivate, address)
	}
	if to.Port() != 443 || !Public(to.Addr()) {
		return fmt.Errorf("%w: %s", ErrPrivate, to)
	}
	return nil
}

// notPublic are the blocks of the special-purpose registries (RFC 6890 and its successors) and multicast.
var notPublic = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32",
	// of 2000::/3, beside which nothing of IPv6 is public here
	"2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
)

var globalUnicast = netip.MustParsePrefix("2000::/3")

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, s := range list {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

// Public says whether an address belongs to the public internet. IPv4 inside IPv6 (mapped, translated,
// tunnelled) is not: nothing that serves https needs it.
func Public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" || a.Is4In6() {
		return false
	}
	if a.Is6() && !globalUnicast.Contains(a) {
		return false
	}
	for _, p := range notPublic {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

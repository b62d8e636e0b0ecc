package publicaddr

import (
	"errors"
	"net/netip"
	"testing"
)

func TestPublic(t *testing.T) {
	for address, want := range map[string]bool{
		"93.184.215.14": true, "1.1.1.1": true, "2606:4700:4700::1111": true, "2a00:1450:4001::1": true, "172.32.0.1": true,
		"100.128.0.1": true,
		"0.0.0.0":     false, "10.1.2.3": false, "100.64.0.1": false, "127.0.0.1": false, "127.255.255.254": false,
		"169.254.169.254": false,
		"172.16.0.1":      false,
		"172.31.255.255":  false, "192.0.0.1": false, "192.0.2.1": false, "192.168.0.1": false, "198.18.0.1": false, "198.51.100.1": false,
		"203.0.113.9": false,
		"224.0.0.1":   false, "239.1.1.1": false, "240.0.0.1": false, "255.255.255.255": false, "::": false, "::1": false,
		"::ffff:8.8.8.8":   false,
		"::ffff:127.0.0.1": false, "64:ff9b::808:808": false, "64:ff9b:1::1": false, "100::1": false, "2001::1": false,
		"2001:db8::1": false, "2002:808:808::1": false,
		"3fff::1": false, "5f00::1": false, "fc00::1": false, "fd00:ec2::254": false, "fe80::1": false, "fec0::1": false, "ff02::1": false,
	} {
		if got := Public(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
	}
	if Public(netip.Addr{}) || Public(netip.MustParseAddr("2a00:1450::1%eth0")) {
		t.Error("no address and a zone are not public")
	}
}

// A dialer is let to https at public addresses alone.
func TestControl(t *testing.T) {
	for address, ok := range map[string]bool{"93.184.215.14:443": true, "[2606:4700:4700::1111]:443": true, "93.184.215.14:80": false,
		"127.0.0.1:443": false, "169.254.169.254:443": false, "[::1]:443": false, "example.org:443": false} {
		if err := Control("tcp4", address, nil); (err == nil) != ok || err != nil && !errors.Is(err, ErrPrivate) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if err := Control("udp4", "93.184.215.14:443", nil); !errors.Is(err, ErrPrivate) {
		t.Errorf("udp: %v", err)
	}
}

package pay

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// Address is an account or a contract: 0x and 40 lower-case hexadecimal digits.
type Address string

// ParseAddress reads an address in any case.
func ParseAddress(s string) (Address, error) {
	if !isHex(s, 20) {
		return "", fmt.Errorf("address %q: expected 0x and 40 hexadecimal digits", shorten(s))
	}
	return Address(strings.ToLower(s)), nil
}

// parseOwn reads an address of the configuration: not zero, and in the case of its EIP-55 checksum, so
// that a mistyped digit is found before money goes there.
func parseOwn(s string) (Address, error) {
	a, err := ParseAddress(s)
	if err != nil {
		return "", err
	}
	if strings.Trim(string(a[2:]), "0") == "" {
		return "", fmt.Errorf("address %s is the zero address: what is sent there is lost", s)
	}
	if sum := a.Checksum(); s != sum {
		return "", fmt.Errorf("address %s fails its EIP-55 checksum: expected %s, if the digits are right", s, sum)
	}
	return a, nil
}

// Checksum is the address in the mixed case of EIP-55.
func (a Address) Checksum() string {
	out := []byte(a)
	sum := keccak256(out[2:])
	for i := range out[2:] {
		if c := out[2+i]; c >= 'a' && sum[i/2]>>(4*(1-i%2))&8 != 0 {
			out[2+i] = c - 'a' + 'A'
		}
	}
	return string(out)
}

// isHex says whether s is 0x and n bytes in hexadecimal digits of any case.
func isHex(s string, n int) bool {
	if len(s) != 2+2*n || s[0] != '0' || s[1] != 'x' {
		return false
	}
	_, err := hex.DecodeString(s[2:])
	return err == nil
}

// shorten makes a foreign text safe to repeat.
func shorten(s string) string {
	const most = 80
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

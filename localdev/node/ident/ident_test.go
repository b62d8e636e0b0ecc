package ident

import (
	"crypto/ed25519"
	"encoding/hex"
	"strings"
	"testing"
)

// Test vector 1 of SLIP-0010 for Ed25519, the chains without and with three steps.
func TestDerivationVectors(t *testing.T) {
	seed, _ := hex.DecodeString("000102030405060708090a0b0c0d0e0f")
	for _, c := range []struct {
		path    []uint32
		private string
		public  string
	}{
		{nil, "2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7",
			"a4b2856bfec510abab89753fac1ac0e1112364e7d250545963f135f2a33188ed"},
		{[]uint32{0, 1, 2}, "92a5b23c0b8a99e37d07df3fb9966917f5d06e02ddbd909c7e184371463e9fc9",
			"ae98736566d30ed0e9d2f4486a64bc95740d89c7db33f52121f8ea8f76ff0fc1"},
	} {
		key := slip10(seed, c.path)
		if got := hex.EncodeToString(key.Seed()); got != c.private {
			t.Errorf("%v: want the private key %s, got %s", c.path, c.private, got)
		}
		if got := hex.EncodeToString(key.Public().(ed25519.PublicKey)); got != c.public {
			t.Errorf("%v: want the public key %s, got %s", c.path, c.public, got)
		}
	}
}

func TestMnemonics(t *testing.T) {
	for _, n := range WordCounts {
		words, err := NewMnemonic(n)
		if err != nil || len(words) != n {
			t.Fatalf("%d words: got %d, %v", n, len(words), err)
		}
		key, err := DeriveKey(words, "")
		if err != nil {
			t.Fatal(err)
		}
		again, _ := DeriveKey(words, "")
		other, _ := DeriveKey(words, "a passphrase")
		if !key.Equal(again) || key.Equal(other) {
			t.Errorf("%d words: the key depends on words and passphrase, and on nothing else", n)
		}
	}
	if _, err := NewMnemonic(13); err == nil {
		t.Error("13 words were made")
	}
	wrong := strings.Fields("abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon")
	if _, err := DeriveKey(wrong, ""); err == nil {
		t.Error("words with a wrong checksum were taken")
	}
}

func TestAccounts(t *testing.T) {
	a := AccountOf(slip10([]byte("seed"), nil).Public().(ed25519.PublicKey))
	if !strings.HasPrefix(a.String(), "z6Mk") {
		t.Errorf("got %s", a)
	}
	if b, err := ParseAccount(a.String()); err != nil || b != a {
		t.Errorf("got %v, %v", b, err)
	}
	for _, text := range []string{"", "z", a.String()[1:], a.String() + "1",
		"zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169", "Z6Mk", strings.Repeat("z", 100)} {
		if got, err := ParseAccount(text); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

func TestPaths(t *testing.T) {
	for _, text := range []string{"", "/a", "/a b/ü", "/a/.b"} {
		if p, err := ParsePath(text); err != nil || string(p) != text {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"a", "/", "/a/", "//a", "/a/../b", "/.", "/a'b", "/a\"b", "/a\\b", "/a\nb", "/a\x00", "/a?b",
		"/a#b", "/\xff", "/" + strings.Repeat("a", MaxPath)} {
		if _, err := ParsePath(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	for _, c := range []struct {
		path, folder Path
		want         bool
	}{{"/a/b", "/a", true}, {"/a", "/a", true}, {"/ab", "/a", false}, {"/a", "", true}, {"", "/a", false}} {
		if got := c.path.Within(c.folder); got != c.want {
			t.Errorf("%q within %q: want %t", c.path, c.folder, c.want)
		}
	}
}

func TestAddresses(t *testing.T) {
	account := AccountOf(slip10([]byte("seed"), nil).Public().(ed25519.PublicKey)).String()
	version := "bafyreigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"
	for _, text := range []string{"hm://" + account, "hm://" + account + "/a/b", "hm://" + account + "/a?v=" + version,
		"hm://" + account + "/a?v=" + version + "&l#block", "hm://" + account + "?l"} {
		i, err := ParseIRI(text)
		if err != nil || i.String() != text {
			t.Errorf("%s: got %s, %v", text, i, err)
		}
	}
	for _, text := range []string{"", "https://example.com/hm/x", "hm://", "hm:///a", "hm://" + account + "/a?v=x",
		"hm://" + account + "/a/../b"} {
		if i, err := ParseIRI(text); err == nil {
			t.Errorf("%q was read as %v", text, i)
		}
	}
}

package pay

import "golang.org/x/crypto/sha3"

// keccak256 is the hash of Ethereum: Keccak with the padding that stood before SHA-3.
func keccak256(data []byte) (sum [32]byte) {
	h := sha3.NewLegacyKeccak256()
	h.Write(data) // never fails
	h.Sum(sum[:0])
	return sum
}

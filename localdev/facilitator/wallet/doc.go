// Package wallet is a buyer: it signs EIP-3009 authorizations with a key of secp256k1 and pays for HTTP
// requests that are answered 402, in both versions of x402. It is for tests and for trying things on one
// machine: keys live in memory and hold test money.
package wallet

package pay

import "fmt"

// Network is a chain that payments are made on.
type Network struct {
	ID      string // CAIP-2: "eip155:84532"
	V1      string // its name in version 1; "" where that has none
	Title   string
	Test    bool    // its money is worth nothing
	USDC    Address // the default asset; "" where the network has no default
	Name    string  // EIP-712 domain of USDC there
	Version string
}

// DefaultNetwork is a test network: money is taken only where somebody says so.
const DefaultNetwork = "eip155:84532"

var networks = []Network{
	{"eip155:84532", "base-sepolia", "Base Sepolia", true, "0x036cbd53842c5426634e7929541ec2318f3dcf7e", "USDC", "2"},
	{"eip155:421614", "", "Arbitrum Sepolia", true, "0x75faf114eafb1bdbe2f0316df893fd58ce46aa4d", "USD Coin", "2"},
	{"eip155:8453", "base", "Base", false, "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", "USD Coin", "2"},
	{"eip155:1", "ethereum", "Ethereum", false, "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "USD Coin", "2"},
	{"eip155:43114", "avalanche", "Avalanche", false, "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e", "USD Coin", "2"},
	{"eip155:137", "polygon", "Polygon", false, "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359", "USD Coin", "2"},
	{"eip155:42161", "", "Arbitrum One", false, "0xaf88d065e77c8cc2239327c5edb3a432268e5831", "USD Coin", "2"},
	{"eip155:143", "monad", "Monad", false, "0x754704bc059f8c67012fed69bc8a327a5aafb603", "USDC", "2"},
}

// AllNetworks lists the networks whose USDC is known, test networks first.
func AllNetworks() []Network { return append([]Network(nil), networks...) }

// ParseNetwork finds a network by its CAIP-2 id.
func ParseNetwork(id string) (Network, error) {
	for _, n := range networks {
		if n.ID == id {
			return n, nil
		}
	}
	known := ""
	for _, n := range networks {
		known += ", " + n.ID + " (" + n.Title + ")"
	}
	return Network{}, fmt.Errorf("network %q is not known: expected one of %s", shorten(id), known[2:])
}

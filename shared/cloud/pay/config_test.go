package pay_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"mappe/localdev/facilitator/wallet"
	"mappe/shared/cloud/pay"
	"mappe/shared/web/endpoint"
)

func TestAGateWithoutAllItNeedsIsNone(t *testing.T) {
	r := newHarness(t, nil, nil)
	for _, c := range []struct {
		name   string
		change func(*pay.Config)
		want   string // "" for a gate
	}{
		{"as it is", func(*pay.Config) {}, ""},
		{"no facilitator", func(c *pay.Config) { c.Facilitator = "" }, "Facilitator: is missing"},
		{"a facilitator in the clear", func(c *pay.Config) { c.Facilitator = "http://facilitator.example" }, "Facilitator"},
		{"a facilitator with a password", func(c *pay.Config) { c.Facilitator = "https://a:b@facilitator.example" }, "Facilitator"},
		{"a facilitator with a query", func(c *pay.Config) { c.Facilitator = "https://facilitator.example/?a" }, "Facilitator"},
		{"a facilitator by https", func(c *pay.Config) { c.Facilitator = "https://facilitator.example/x402" }, ""},
		{"a facilitator on this machine", func(c *pay.Config) { c.Facilitator = "http://[::1]:4021" }, ""},
		{"no payee", func(c *pay.Config) { c.PayTo = "" }, "PayTo"},
		{"the zero address", func(c *pay.Config) { c.PayTo = "0x0000000000000000000000000000000000000000" },
			"PayTo: address 0x0000000000000000000000000000000000000000 is the zero address"},
		{"a mistyped digit", func(c *pay.Config) { c.PayTo = "0x70997970C51812dc3A010C7d01b50e0d17dc79C9" }, "PayTo"},
		{"no checksum", func(c *pay.Config) { c.PayTo = strings.ToLower(c.PayTo) }, "EIP-55"},
		{"no ledger", func(c *pay.Config) { c.Ledger = nil }, "Ledger"},
		{"no price", func(c *pay.Config) { c.Price = "" }, "Price"},
		{"free", func(c *pay.Config) { c.Price = "0" }, "Price"},
		{"dollars", func(c *pay.Config) { c.Price = "0.02" }, "Price"},
		{"a main network", func(c *pay.Config) { c.Network = "eip155:8453" }, "real money"},
		{"a main network, allowed", func(c *pay.Config) { c.Network, c.AllowMainnet = "eip155:8453", true }, ""},
		{"an unknown network", func(c *pay.Config) { c.Network = "eip155:5" }, "Network"},
		{"an asset without its domain", func(c *pay.Config) { c.Asset = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" }, "AssetName"},
		{"a domain without its asset", func(c *pay.Config) { c.AssetName, c.AssetVersion = "X", "1" }, "Asset"},
		{"another asset", func(c *pay.Config) {
			c.Asset, c.AssetName, c.AssetVersion = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "X", "1"
		}, ""},
		{"no time", func(c *pay.Config) { c.MaxTimeoutSeconds = 5 }, "MaxTimeoutSeconds"},
		{"a short visit", func(c *pay.Config) { c.Bounds.Visit = 60 * time.Second }, "Visit"},
		{"no resource", func(c *pay.Config) { c.Resource.URL = "" }, "Resource.URL"},
		{"a path without an origin", func(c *pay.Config) { c.Origin = nil }, "Origin"},
		{"an address without an origin", func(c *pay.Config) { c.Resource.URL, c.Origin = "https://a.example/v1/expand", nil }, ""},
		{"a long name", func(c *pay.Config) { c.Resource.ServiceName = strings.Repeat("x", 33) }, "ServiceName"},
		{"a tag in Unicode", func(c *pay.Config) { c.Resource.Tags = []string{"ä"} }, "Tags"},
		{"six tags", func(c *pay.Config) { c.Resource.Tags = strings.Split("abcdef", "") }, "Tags"},
		{"a large example", func(c *pay.Config) {
			c.Bazaar = &pay.Bazaar{Method: "POST", Output: map[string]any{"x": strings.Repeat("x", 9000)}}
		}, "PAYMENT-REQUIRED would have"},
		{"an example that is no JSON", func(c *pay.Config) { c.Bazaar = &pay.Bazaar{Output: make(chan int)} }, "Bazaar"},
	} {
		config := pay.Config{PayTo: payee, Price: "20000", Facilitator: r.fac.URL, Ledger: r.ledger,
			Resource: pay.Resource{URL: "/v1/expand"}, Origin: endpoint.Origin}
		c.change(&config)
		g, err := pay.New(config)
		switch {
		case c.want == "" && (err != nil || g == nil):
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || g != nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: want an error with %q, got %v", c.name, c.want, err)
		}
	}
}

func TestSecretsDoNotPrint(t *testing.T) {
	config := pay.Config{Credential: "hunter2"}
	var b strings.Builder
	slog.New(slog.NewTextHandler(&b, nil)).Info("x", "credential", config.Credential)
	b.WriteString(fmt.Sprintf("%v %+v %s", config.Credential, config, config.Credential))
	if strings.Contains(b.String(), "hunter2") {
		t.Error(b.String())
	}
}

func TestThePriceInDollars(t *testing.T) {
	r := newHarness(t, nil, nil)
	for price, want := range map[string]string{"1": "0.000001", "20000": "0.02", "1000000": "1", "1500000": "1.5",
		"123456789": "123.456789"} {
		g, err := pay.New(pay.Config{PayTo: payee, Price: price, Facilitator: r.fac.URL, Ledger: r.ledger, Resource: pay.Resource{URL: "/"},
			Origin: endpoint.Origin})
		if err != nil || g.USD() != want {
			t.Errorf("%s: want %s, got %s, %v", price, want, g.USD(), err)
		}
	}
}

// An offer may fill its header to the last character, and says how far it is too long.
func TestTheLongestOffer(t *testing.T) {
	r := newHarness(t, nil, nil)
	for n := 3000; ; n++ {
		_, err := pay.New(pay.Config{PayTo: payee, Price: "20000", Facilitator: r.fac.URL, Ledger: r.ledger,
			Resource: pay.Resource{URL: "/v1/expand"}, Origin: endpoint.Origin,
			Bazaar: &pay.Bazaar{Method: "POST", Output: strings.Repeat("x", n)}})
		if err == nil && n < 9000 {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), "would have 8196 characters: expected at most 8192") {
			t.Errorf("an example of %d characters: %v", n, err)
		}
		return
	}
}

// What is offered to catalogues says what a call takes: an input with nothing beside its members.
func TestTheOfferToCatalogues(t *testing.T) {
	r := newHarness(t, func(c *pay.Config) {
		c.Bazaar = &pay.Bazaar{Method: "POST", Input: map[string]any{"n": 1}, Output: map[string]any{"n": 2},
			InputSchema: map[string]any{"type": "object"}}
	}, nil)
	var offer pay.Required
	if err := wallet.Decode(r.post("", nil).header.Get("PAYMENT-REQUIRED"), &offer); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(offer.Extensions["bazaar"])
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Info struct {
			Input struct{ Type, Method, BodyType string }
		}
		Schema struct {
			Properties struct {
				Input struct {
					Required             []string
					AdditionalProperties *bool
				}
			}
			Required []string
		}
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	in := got.Schema.Properties.Input
	if got.Info.Input.Method != "POST" || got.Info.Input.Type != "http" || got.Info.Input.BodyType != "json" ||
		strings.Join(got.Schema.Required, " ") != "input" ||
		strings.Join(in.Required, " ") != "type method bodyType body" || in.AdditionalProperties == nil || *in.AdditionalProperties {
		t.Errorf("offered: %s", raw)
	}
}

package pay

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Chain is a Proof over the JSON-RPC of a node. It believes a transfer when the asset's contract says that
// the nonce is used, has logged AuthorizationUsed for it, and the next Transfer it logged in the same
// transaction is ours.
type Chain struct {
	URL    string
	Client *http.Client // nil: http.DefaultClient
	Span   int64        // blocks asked for at once; 0 means 2,000, which public nodes give
}

const (
	maxRPC   = 1 << 20
	maxSpans = 100
	// clockSlack is how far the clocks of blocks and ours may be apart.
	clockSlack = 10 * time.Minute
)

func topic(signature string) string {
	h := keccak256([]byte(signature))
	return "0x" + hex.EncodeToString(h[:])
}

var (
	usedTopic     = topic("AuthorizationUsed(address,bytes32)")
	cancelTopic   = topic("AuthorizationCanceled(address,bytes32)")
	transferTopic = topic("Transfer(address,address,uint256)")
	stateSelector = topic("authorizationState(address,bytes32)")[:10]
)

// word is an address as 32 bytes.
func word(a Address) string { return "0x" + strings.Repeat("0", 24) + string(a[2:]) }

// chainLog is an event of a contract.
type chainLog struct {
	Address     string   `json:"address"`
	Topics      []string `json:"topics"`
	Data        string   `json:"data"`
	Transaction string   `json:"transactionHash"`
	Index       string   `json:"logIndex"`
}

// Find asks the node: for the receipt of the transaction that was named, and where that does not show the
// transfer for what became of the nonce.
func (c Chain) Find(ctx context.Context, t Transfer) (Finding, string, error) {
	if isHex(t.Transaction, 32) {
		if found, err := c.receipt(ctx, t, t.Transaction); err == nil && found == FoundSettled {
			return found, t.Transaction, nil
		}
	}
	var state string
	if err := c.call(ctx, "eth_call", &state, map[string]string{
		"to": string(t.Asset), "data": stateSelector + word(t.From)[2:] + t.Nonce[2:]}, "latest"); err != nil {
		return "", "", err
	}
	used, err := quantity(state)
	if err != nil || len(state) != 66 {
		return "", "", fmt.Errorf("authorizationState answers %q", shorten(state))
	}
	if used.Sign() == 0 {
		return FoundUnused, "", nil
	}
	l, err := c.used(ctx, t)
	if err != nil {
		return "", "", err
	}
	if l.Topics[0] == cancelTopic {
		return FoundSpent, "", nil
	}
	found, err := c.receipt(ctx, t, l.Transaction)
	if found != FoundSettled {
		return found, "", err
	}
	return FoundSettled, l.Transaction, nil
}

// receipt reads a transaction that used a nonce: it made the transfer, or another.
func (c Chain) receipt(ctx context.Context, t Transfer, transaction string) (Finding, error) {
	var receipt struct {
		Status string     `json:"status"`
		Logs   []chainLog `json:"logs"`
	}
	if err := c.call(ctx, "eth_getTransactionReceipt", &receipt, transaction); err != nil {
		return "", err
	}
	if receipt.Status == "" || len(receipt.Logs) == 0 {
		return "", errors.New("the node has no receipt of the transaction it named")
	}
	if receipt.Status == "0x1" && moved(receipt.Logs, t) {
		return FoundSettled, nil
	}
	return FoundSpent, nil
}

// used finds the event that used or cancelled a nonce, newest blocks first. That no event is
// found proves nothing: the node may be behind.
func (c Chain) used(ctx context.Context, t Transfer) (*chainLog, error) {
	span := c.Span
	if span <= 0 {
		span = 2000
	}
	var latest string
	if err := c.call(ctx, "eth_blockNumber", &latest); err != nil {
		return nil, err
	}
	to, err := number(latest)
	if err != nil {
		return nil, err
	}
	for range maxSpans {
		from := max(0, to-span+1)
		var logs []chainLog
		if err := c.call(ctx, "eth_getLogs", &logs, map[string]any{
			"address": t.Asset, "topics": []any{[]string{usedTopic, cancelTopic}, word(t.From), t.Nonce}, "fromBlock": block(from),
			"toBlock": block(to)}); err != nil {
			return nil, err
		}
		for _, l := range logs {
			if (isUse(l, t, usedTopic) || isUse(l, t, cancelTopic)) && isHex(l.Transaction, 32) {
				return &l, nil
			}
		}
		var first struct {
			Timestamp string `json:"timestamp"`
		}
		if err := c.call(ctx, "eth_getBlockByNumber", &first, block(from), false); err != nil {
			return nil, err
		}
		at, err := number(first.Timestamp)
		if err != nil {
			return nil, err
		}
		if from == 0 || time.Unix(at, 0).Before(t.Since.Add(-clockSlack)) {
			return nil, errors.New("the nonce is used, and no event since then says by what")
		}
		to = from - 1
	}
	return nil, fmt.Errorf("no use of the nonce in the last %d blocks", maxSpans*span)
}

func isUse(l chainLog, t Transfer, topic string) bool {
	return strings.EqualFold(l.Address, string(t.Asset)) && len(l.Topics) == 3 && l.Topics[0] == topic &&
		strings.EqualFold(l.Topics[1], word(t.From)) && strings.EqualFold(l.Topics[2], t.Nonce)
}

// moved looks for the asset's first Transfer after the use of the nonce.
func moved(logs []chainLog, t Transfer) bool {
	want, ok := new(big.Int).SetString(t.Value, 10)
	if !ok {
		return false
	}
	seen := false
	for _, l := range logs {
		switch {
		case isUse(l, t, usedTopic):
			seen = true
		case seen && strings.EqualFold(l.Address, string(t.Asset)) && len(l.Topics) == 3 && l.Topics[0] == transferTopic:
			value, err := quantity(l.Data)
			return err == nil && value.Cmp(want) == 0 && strings.EqualFold(l.Topics[1], word(t.From)) && strings.EqualFold(l.Topics[2],
				word(t.To))
		}
	}
	return false
}

func block(n int64) string { return "0x" + strconv.FormatInt(n, 16) }

// quantity reads a number of at most 32 bytes.
func quantity(s string) (*big.Int, error) {
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok || digits == "" || len(digits) > 64 {
		return nil, fmt.Errorf("the node answers %q where a number was expected", shorten(s))
	}
	n, ok := new(big.Int).SetString(digits, 16)
	if !ok || n.Sign() < 0 || digits[0] == '+' || digits[0] == '-' {
		return nil, fmt.Errorf("the node answers %q where a number was expected", shorten(s))
	}
	return n, nil
}

func number(s string) (int64, error) {
	n, err := quantity(s)
	if err != nil {
		return 0, err
	}
	if !n.IsInt64() {
		return 0, fmt.Errorf("the node answers %q where a small number was expected", shorten(s))
	}
	return n.Int64(), nil
}

// call asks the node one thing.
func (c Chain) call(ctx context.Context, method string, into any, params ...any) error {
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s: the node's address cannot be used", method) // it may hold a credential
	}
	req.Header.Set("Content-Type", "application/json")
	client := c.Client
	if client == nil {
		client = http.DefaultClient
	}
	resp, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("%s: the node does not answer", method)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxRPC+1))
	if err != nil || len(raw) > maxRPC || resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: status %d, %d bytes", method, resp.StatusCode, len(raw))
	}
	return readRPC(method, raw, into)
}

func readRPC(method string, raw []byte, into any) error {
	var out struct {
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if depth(raw) > maxDepth {
		return fmt.Errorf("%s: the answer is nested deeper than %d", method, maxDepth)
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return fmt.Errorf("%s: the answer is no JSON-RPC", method)
	}
	if out.Error != nil {
		return fmt.Errorf("%s: the node refuses: %d %s", method, out.Error.Code, shorten(out.Error.Message))
	}
	if len(out.Result) == 0 || string(out.Result) == "null" {
		return fmt.Errorf("%s: the node has no answer", method)
	}
	if err := json.Unmarshal(out.Result, into); err != nil {
		return fmt.Errorf("%s: the answer has another form than expected", method)
	}
	return nil
}

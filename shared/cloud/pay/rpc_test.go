package pay_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/pay"
)

// node is a chain of one event: blocks of two seconds, the newest made now.
type node struct {
	latest int64
	used   bool  // authorizationState
	event  int64 // block of AuthorizationUsed; 0: the chain has no such event
	cancel bool  // the event is AuthorizationCanceled
	moves  []string
	asked  int
	now    time.Time
}

const (
	usedTopic     = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5"
	cancelTopic   = "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81"
	transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
	token         = "0x036cbd53842c5426634e7929541ec2318f3dcf7e"
	payer         = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc"
)

var nonce = "0x" + strings.Repeat("0f", 32)

func word(address string) string { return "0x" + strings.Repeat("0", 24) + address[2:] }

func event(topics []string, data string) map[string]any {
	return map[string]any{"address": token, "topics": topics, "data": data, "transactionHash": "0x" + strings.Repeat("ab", 32)}
}

func used(n string) map[string]any { return event([]string{usedTopic, word(payer), n}, "0x") }

func transfer(to, value string) map[string]any {
	return event([]string{transferTopic, word(payer), word(strings.ToLower(to))}, value)
}

func (n *node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.asked++
	var q struct {
		Method string
		Params []json.RawMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		panic(err)
	}
	number := func(s string) int64 {
		v, err := strconv.ParseInt(strings.Trim(s, `"`)[2:], 16, 64)
		if err != nil {
			panic(err)
		}
		return v
	}
	var result any
	switch q.Method {
	case "eth_call":
		result = "0x" + strings.Repeat("0", 63) + map[bool]string{true: "1", false: "0"}[n.used]
	case "eth_blockNumber":
		result = fmt.Sprintf("0x%x", n.latest)
	case "eth_getBlockByNumber":
		at := n.now.Add(-2 * time.Second * time.Duration(n.latest-number(string(q.Params[0]))))
		result = map[string]any{"timestamp": fmt.Sprintf("0x%x", at.Unix())}
	case "eth_getLogs":
		var f struct{ FromBlock, ToBlock string }
		if err := json.Unmarshal(q.Params[0], &f); err != nil {
			panic(err)
		}
		logs := []any{}
		if n.event >= number(f.FromBlock) && n.event <= number(f.ToBlock) && n.event > 0 {
			e := used(nonce)
			if n.cancel {
				e["topics"].([]string)[0] = cancelTopic
			}
			logs = append(logs, e)
		}
		result = logs
	case "eth_getTransactionReceipt":
		logs := []any{}
		for _, m := range n.moves {
			kind, value, _ := strings.Cut(m, " ")
			switch kind {
			case "used":
				logs = append(logs, used(nonce))
			case "other":
				logs = append(logs, used("0x"+strings.Repeat("11", 32)))
			case "to":
				to, amount, _ := strings.Cut(value, " ")
				logs = append(logs, transfer(to, amount))
			}
		}
		result = map[string]any{"status": "0x1", "logs": logs}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": 1, "result": result})
}

func TestWhatTheChainProves(t *testing.T) {
	const ours = "to " + payee + " 0x4e20"
	for _, c := range []struct {
		name string
		node node
		want pay.Finding
	}{
		{"a free nonce", node{latest: 9000}, pay.FoundUnused},
		{"our transfer", node{latest: 9000, used: true, event: 8999, moves: []string{"used", ours}}, pay.FoundSettled},
		{"our transfer, some hours back", node{latest: 90000, used: true, event: 83000, moves: []string{"used", ours}}, pay.FoundSettled},
		{"our transfer in a batch", node{latest: 9000, used: true, event: 8999, moves: []string{"other", "to " + payer + " 0x1", "used",
			ours}}, pay.FoundSettled},
		{"another's transfer after ours in a batch",
			node{latest: 9000, used: true, event: 8999, moves: []string{"used", "to " + payer + " 0x1", "other", ours}}, pay.FoundSpent},
		{"only a transfer before it", node{latest: 9000, used: true, event: 8999, moves: []string{ours, "used"}}, pay.FoundSpent},
		{"another value", node{latest: 9000, used: true, event: 8999, moves: []string{"used", "to " + payee + " 0x4e1f"}}, pay.FoundSpent},
		{"another payee", node{latest: 9000, used: true, event: 8999, moves: []string{"used", "to " + payer + " 0x4e20"}}, pay.FoundSpent},
		{"cancelled", node{latest: 90000, used: true, event: 83000, cancel: true}, pay.FoundSpent},
		{"a node that is behind with its events", node{latest: 90000, used: true}, ""},
		{"a young chain without the event", node{latest: 5, used: true}, ""},
	} {
		c.node.now = time.Now()
		server := httptest.NewServer(&c.node)
		chain := pay.Chain{URL: server.URL}
		found, transaction, err := chain.Find(t.Context(), pay.Transfer{Asset: token, From: payer, To: pay.Address(strings.ToLower(payee)),
			Value: "20000", Nonce: nonce, Since: time.Now().Add(-6 * time.Hour)})
		if (err != nil) != (c.want == "") || found != c.want || (transaction != "") != (c.want == pay.FoundSettled) {
			t.Errorf("%s: want %s, got %s %s, %v", c.name, c.want, found, transaction, err)
		}
		if c.node.asked > 30 {
			t.Errorf("%s: the node was asked %d times", c.name, c.node.asked)
		}
		server.Close()
	}
}

func TestANodeThatFailsProvesNothing(t *testing.T) {
	for name, body := range map[string]string{
		"an error": `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"limit exceeded"}}`, "no result": `{}`,
		"null":   `{"result":null}`,
		"a page": "<html>", "a list": `{"result":[]}`, "not a word": `{"result":"0x"}`, "too short": `{"result":"0x1"}`,
		"no code there": `{"result":"0x"}`,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }))
		found, _, err := pay.Chain{URL: server.URL + "/secret-key"}.Find(t.Context(), pay.Transfer{Asset: token, From: payer, To: payer,
			Value: "1", Nonce: nonce})
		if err == nil || found != "" || strings.Contains(err.Error(), "secret-key") {
			t.Errorf("%s: got %s, %v", name, found, err)
		}
		server.Close()
	}
	_, _, err := pay.Chain{URL: "http://127.0.0.1:1/secret-key"}.Find(t.Context(), pay.Transfer{Asset: token, From: payer, To: payer,
		Value: "1", Nonce: nonce})
	if err == nil || strings.Contains(err.Error(), "secret-key") {
		t.Errorf("no node: %v", err)
	}
}

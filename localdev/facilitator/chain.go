package facilitator

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/sha3"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/pay"
)

// The books as a chain shows them: JSON-RPC with the five methods that a proof of a settlement asks for. A block
// lasts two seconds and has its number from the clock; a transfer is in the block of its time.
const blockSeconds = 2

// rpcCall is a call of JSON-RPC.
type rpcCall struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

// rpc answers POST /rpc/{network}.
func (f *Facilitator) rpc(w http.ResponseWriter, r *http.Request) {
	var in rpcCall
	n, err := pay.ParseNetwork(r.PathValue("network"))
	if err == nil {
		err = json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&in)
	}
	if err != nil || !n.Test {
		answer(w, http.StatusBadRequest, map[string]string{"error": "expected JSON-RPC, and a test network in the path"})
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	result, err := any(nil), f.load(r.Context(), n.ID, n.USDC)
	if err == nil {
		result, err = f.ask(r, n, in)
	}
	if err != nil {
		answer(w, http.StatusOK, map[string]any{"jsonrpc": "2.0", "id": in.ID,
			"error": map[string]any{"code": -32000, "message": err.Error()}})
		return
	}
	answer(w, http.StatusOK, map[string]any{"jsonrpc": "2.0", "id": in.ID, "result": result})
}

func (f *Facilitator) ask(r *http.Request, n pay.Network, in rpcCall) (any, error) {
	if len(in.Params) == 0 && in.Method != "eth_blockNumber" {
		return nil, fmt.Errorf("%s wants parameters", in.Method)
	}
	switch in.Method {
	case "eth_blockNumber":
		return quantity(blockOf(f.o.Now())), nil
	case "eth_getBlockByNumber":
		var number string
		if err := json.Unmarshal(in.Params[0], &number); err != nil {
			return nil, err
		}
		at, err := strconv.ParseInt(strings.TrimPrefix(number, "0x"), 16, 64)
		return map[string]string{"timestamp": quantity(at * blockSeconds)}, err
	case "eth_call":
		var call struct{ Data string }
		if err := json.Unmarshal(in.Params[0], &call); err != nil || len(call.Data) != 2+8+128 {
			return nil, fmt.Errorf("expected authorizationState")
		}
		_, used, err := f.transfer(r, n, "0x"+call.Data[34:74], "0x"+call.Data[74:])
		state := map[bool]byte{true: '1', false: '0'}[used]
		return "0x" + strings.Repeat("0", 63) + string(state), err
	case "eth_getLogs":
		return f.logs(r, n, in.Params[0])
	case "eth_getTransactionReceipt":
		var name string
		if err := json.Unmarshal(in.Params[0], &name); err != nil {
			return nil, err
		}
		t, ok := f.moved[strings.ToLower(name)]
		if !ok {
			return nil, nil
		}
		return map[string]any{"status": "0x1", "transactionHash": t.Transaction, "logs": []any{usedLog(n, t), transferLog(n, t)}}, nil
	}
	return nil, fmt.Errorf("%s is not answered here", in.Method)
}

// logs answers for the use of one nonce.
func (f *Facilitator) logs(r *http.Request, n pay.Network, raw json.RawMessage) (any, error) {
	var q struct {
		From   string            `json:"fromBlock"`
		To     string            `json:"toBlock"`
		Topics []json.RawMessage `json:"topics"`
	}
	var payer, nonce string
	err := json.Unmarshal(raw, &q)
	if err == nil && len(q.Topics) == 3 {
		if err = json.Unmarshal(q.Topics[1], &payer); err == nil {
			err = json.Unmarshal(q.Topics[2], &nonce)
		}
	}
	if err != nil || len(payer) != 66 {
		return nil, fmt.Errorf("expected three topics")
	}
	t, ok, err := f.transfer(r, n, "0x"+payer[26:], nonce)
	from, err1 := strconv.ParseInt(strings.TrimPrefix(q.From, "0x"), 16, 64)
	to, err2 := strconv.ParseInt(strings.TrimPrefix(q.To, "0x"), 16, 64)
	if b := blockOf(t.At); err != nil || err1 != nil || err2 != nil || !ok || b < from || b > to {
		return []any{}, err
	}
	return []any{usedLog(n, t)}, nil
}

// transfer finds the use of a nonce.
func (f *Facilitator) transfer(r *http.Request, n pay.Network, payer, nonce string) (t Transfer, ok bool, err error) {
	record, err := f.o.Ledger.Get(r.Context(),
		ledger.Key{Partition: partition(n.ID, n.USDC), Sort: strings.ToLower(payer) + "/" + strings.ToLower(nonce)})
	if err != nil {
		if errors.Is(err, ledger.ErrNotFound) {
			err = nil
		}
		return t, false, err
	}
	t, err = readTransfer(record)
	return t, err == nil, err
}

func blockOf(t time.Time) int64 { return t.Unix() / blockSeconds }

func quantity(n int64) string { return "0x" + strconv.FormatInt(n, 16) }

func topic(event string) string {
	h := sha3.NewLegacyKeccak256()
	h.Write([]byte(event))
	return "0x" + hex.EncodeToString(h.Sum(nil))
}

func word(hexadecimal string) string {
	digits := strings.TrimPrefix(strings.ToLower(hexadecimal), "0x")
	return "0x" + strings.Repeat("0", 64-len(digits)) + digits
}

func usedLog(n pay.Network, t Transfer) map[string]any {
	return map[string]any{"address": string(n.USDC), "topics": []string{topic("AuthorizationUsed(address,bytes32)"), word(string(t.From)),
		t.Nonce},
		"data": "0x", "transactionHash": t.Transaction}
}

func transferLog(n pay.Network, t Transfer) map[string]any {
	value, _ := new(big.Int).SetString(t.Value, 10) // checked when it was loaded
	return map[string]any{"address": string(n.USDC), "topics": []string{topic("Transfer(address,address,uint256)"), word(string(t.From)),
		word(string(t.To))},
		"data": word(value.Text(16)), "transactionHash": t.Transaction}
}

package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mappe/functions/fixture"
)

// Errors have the codes of JSON-RPC 2.0, and every id of a text or a number comes back as it was sent.
func TestJSONRPC(t *testing.T) {
	h := over(t, world(t))
	for _, tt := range []struct {
		name, body, id string
		code           int // 0: a result
	}{
		{"a fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `1.5`, 0},
		{"beyond 64 bits", `{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}`, `12345678901234567890`, 0},
		{"a text", `{"jsonrpc":"2.0","id":"ä\u0000/1","method":"ping"}`, `"ä\u0000/1"`, 0},
		{"negative", `{"jsonrpc":"2.0","id":-7,"method":"tools/list"}`, `-7`, 0},
		{"unknown method", `{"jsonrpc":"2.0","id":3,"method":"tools/none"}`, `3`, noMethod},
		{"resources", `{"jsonrpc":"2.0","id":3,"method":"resources/list"}`, `3`, noMethod},
		{"no params", `{"jsonrpc":"2.0","id":"a","method":"tools/call"}`, `"a"`, invalidParams},
		{"params of a list", `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":[1]}`, `"a"`, invalidParams},
		{"no name", `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"arguments":{}}}`, `"a"`, invalidParams},
		{"arguments of a list", `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"parcel_at","arguments":[13,47]}}`, `"a"`,
			invalidParams},
		{"an unknown tool", `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"none"}}`, `4`, invalidParams},
		{"another version", `{"jsonrpc":"1.0","id":5,"method":"ping"}`, `5`, invalidRequest},
		{"no version", `{"id":5,"method":"ping"}`, `5`, invalidRequest},
		{"no method", `{"jsonrpc":"2.0","id":5}`, `5`, invalidRequest},
		{"a method twice", `{"jsonrpc":"2.0","id":6,"method":"ping","method":"tools/list"}`, `6`, invalidRequest},
		{"an id twice", `{"jsonrpc":"2.0","id":6,"id":7,"method":"ping"}`, `null`, invalidRequest},
		{"a member spelt twice", `{"jsonrpc":"2.0","id":6,"method":"ping","m\u0065thod":"ping"}`, `6`, invalidRequest},
		{"a foreign member twice", `{"jsonrpc":"2.0","id":6,"method":"ping","x":1,"x":1}`, `6`, invalidRequest},
		{"a tool twice", `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"parcel_at","name":"parcels_in","arguments":{}}}`,
			`6`, invalidParams},
		{"params twice in a ping", `{"jsonrpc":"2.0","id":6,"method":"ping","params":{"a":1,"a":2}}`, `6`, invalidParams},
		{"a version that is a number", `{"jsonrpc":"2.0","id":8,"method":"initialize","params":{"protocolVersion":5}}`, `8`, invalidParams},
		{"a cursor that is a number", `{"jsonrpc":"2.0","id":8,"method":"tools/list","params":{"cursor":5}}`, `8`, invalidParams},
		{"an invalid id", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `null`, invalidRequest},
		{"an id of null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `null`, invalidRequest},
	} {
		w := fixture.Ask(h, "POST", "/mcp", tt.body, "Content-Type", "application/json")
		var got struct {
			JSONRPC string
			ID      json.RawMessage
			Result  json.RawMessage
			Error   *struct {
				Code    int
				Message string
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.JSONRPC != "2.0" || string(got.ID) != tt.id {
			t.Errorf("%s: want the id %s, got %d %s", tt.name, tt.id, w.Code, w.Body)
			continue
		}
		switch {
		case tt.code == 0 && (got.Error != nil || got.Result == nil), tt.code != 0 && (got.Error == nil || got.Error.Code != tt.code ||
			got.Error.Message == "" ||
			strings.Contains(got.Error.Message, "*mcp.")):
			t.Errorf("%s: want the code %d, got %s", tt.name, tt.code, w.Body)
		}
	}
}

// An answer is within the bound that the model asks for: rows that do not fit are left for the cursor, and none is lost.
func TestAnswersFit(t *testing.T) {
	c := connect(t, over(t, world(t)))
	seen, cursor := map[string]bool{}, ""
	for range 40 {
		arguments := map[string]any{"kg": "88801", "limit": 100, "max_kb": 2}
		if cursor != "" {
			arguments["cursor"] = cursor
		}
		r, _ := use(t, c, "parcels_in", arguments)
		answer, err := json.Marshal(r.Answer)
		if err != nil || len(answer) > 2<<10 {
			t.Fatalf("%d bytes, want at most 2 KB; %v", len(answer), err)
		}
		rows := rowsOf(t, r.Answer["data"])
		for _, row := range rows {
			seen[row["parcel_id"].(string)] = true
		}
		if cursor = r.Next_cursor; cursor == "" {
			break
		}
	}
	if len(seen) != 17 {
		t.Errorf("%d of 17 parcels", len(seen))
	}
	r, _ := use(t, c, "parcels_in", map[string]any{"kg": "88801", "limit": 100})
	if n := len(rowsOf(t, r.Answer["data"])); n != 17 {
		t.Errorf("%d of 17 rows fit into the usual 20 KB", n)
	}
}

// Names that are one typing error away are told where nothing is found; addresses are found by their text.
func TestNamesAreHelped(t *testing.T) {
	s := world(t)
	if err := fixture.AddDirectory(s, fixture.Snapshots(), "88803"); err != nil {
		t.Fatal(err)
	}
	c := connect(t, over(t, s))
	r, text := use(t, c, "lookup_place", map[string]any{"q": "Westdrof"})
	if len(r.Answer["suggestions"]) == 0 || !strings.Contains(text, "near to it are") ||
		!strings.Contains(string(r.Answer["suggestions"]), "Westdorf") {
		t.Errorf("no suggestion for a misspelled place: %s", text)
	}
	r, _ = use(t, c, "find_address", map[string]any{"q": "Nirgendweg 3"})
	if n := len(rowsOf(t, r.Answer["data"])); n != 0 {
		t.Errorf("%d addresses of a street that is not there", n)
	}
}

// The land statistics are in percent and words, and sum to what the cell declares.
func TestCellsInWords(t *testing.T) {
	members := map[string]json.RawMessage{
		"data": json.RawMessage(`{"lon":13.27420,"ne":{"cell":"8c1f8","lu":{"land":255,"cov":255,"flags":0,"lu":[51,0,102,0,102,0,0,0,0],"str_cover":51,"str_n":2,"gk":0,"n_units":255,"edge_m_ha":310},"k":null,"obs":null,"chg":{"n":0}},"missing":{}}`)}
	var got struct {
		Lon json.Number
		NE  cellWords
	}
	if err := json.Unmarshal(inWords(members)["data"], &got); err != nil {
		t.Fatal(err)
	}
	w := got.NE
	if got.Lon != "13.27420" || w.LandUse["buildings"] != 20 || w.LandUse["forest"] != 40 || len(w.LandUse) != 3 || *w.BuiltOver != 20 ||
		fmt.Sprint(w.Parcels) != "255 or more" || !w.Declared || w.Around != nil {
		t.Errorf("got %+v", w)
	}
	other := map[string]json.RawMessage{"data": json.RawMessage(`{"missing":{"ne":"the cells here are not built yet"}}`)}
	if string(inWords(other)["data"]) != `{"missing":{"ne":"the cells here are not built yet"}}` {
		t.Errorf("an answer without cells was changed: %s", other["data"])
	}
}

package endpoint

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"mappe/infra/oracles"
)

func TestCallbackNames(t *testing.T) {
	for _, name := range []string{"f", "$", "_a1", "a.b", "window.app.done", "a.if", "iff", strings.Repeat("x", 64)} {
		if _, err := parseCallback(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", ".", "a.", ".a", "a..b", "1a", "a.1", "if", "this", "new.target", "a b", "a(b)", "ä",
		strings.Repeat("x", 65)} {
		if _, err := parseCallback(name); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
}

// TestReservedWords asks the language itself: what is refused cannot name a function in a module or a script.
func TestReservedWords(t *testing.T) {
	node := oracles.Program(t, "node")
	words, err := json.Marshal(append([]string{"iff", "done"}, reserved...))
	if err != nil {
		t.Fatal(err)
	}
	const script = `const ok = w => { try { new Function('"use strict"; async function f() { var ' + w + ' = 1 }'); return true } catch { return false } };
console.log(JSON.stringify(WORDS.filter(ok)))`
	out, err := exec.Command(node, "-e", strings.Replace(script, "WORDS", string(words), 1)).Output()
	if err != nil || strings.TrimSpace(string(out)) != `["iff","done"]` {
		t.Errorf("want the words that are no reserved ones, got %s, %v", out, err)
	}
}

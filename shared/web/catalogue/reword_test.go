package catalogue

import (
	"slices"
	"strings"
	"testing"
)

// mirrored rewords nothing but marks what it is asked for.
func mirrored(asked *[]string) Rewording {
	return Rewording{Endings: []string{"May be repeated."}, Of: func(text string) (string, bool) {
		*asked = append(*asked, text)
		return "<" + text + ">", text != "Kept."
	}}
}

func TestSentencesOfADocument(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"the title of the service": {`{"info":{"title":"A","description":"B.","version":"1"}}`,
			`{"info":{"title":"<A>","description":"<B.>","version":"1"}}`},
		"a title of another": {`{"license":{"title":"A"}}`, `{"license":{"title":"A"}}`},
		"not translated":     {`{"summary":"Kept."}`, `{"summary":"Kept."}`},
		"nothing":            {`{"summary":""}`, `{"summary":""}`},
		"a unit":             {`{"description":"Height. Unit: m."}`, `{"description":"<Height.> Unit: m."}`},
		"a unit alone":       {`{"description":"Unit: m."}`, `{"description":"Unit: m."}`},
		"endings":            {`{"description":"A. Unit: m². May be repeated."}`, `{"description":"<A.> Unit: m². <May be repeated.>"}`},
		"paragraphs":         {`{"description":"A\nb.\n\nC.\n \nD."}`, `{"description":"<A b.>\n\n<C.>\n\n<D.>"}`},
		"a table":            {`{"description":"| a |\n|---|\n| b |"}`, `{"description":"<| a |\n|---|\n| b |>"}`},
		"a list":             {`{"description":"- a\n- b"}`, `{"description":"<- a\n- b>"}`},
		"a property of the name": {
			`{"properties":{"description":{"description":"A."}}}`, `{"properties":{"description":{"description":"<A.>"}}}`},
		"properties of the names of values": {`{"properties":{"default":{"description":"A."},"properties":{"description":"B."}}}`,
			`{"properties":{"default":{"description":"<A.>"},"properties":{"description":"<B.>"}}}`},
		"the answer of any other status": {`{"responses":{"default":{"description":"A."}}}`, `{"responses":{"default":{"description":"<A.>"}}}`},
		"values": {`{"default":{"description":"A."},"example":[{"summary":"A."}],"enum":["description"],"x-a":{"description":"A."}}`,
			`{"default":{"description":"A."},"example":[{"summary":"A."}],"enum":["description"],"x-a":{"description":"A."}}`},
		"a list of parameters": {`{"parameters":[{"name":"a","description":"A."}]}`, `{"parameters":[{"name":"a","description":"<A.>"}]}`},
		"numbers and words":    {`{"b":1.50,"a":[true,null,1e9,"\u003c"],"c":{}}`, `{"b":1.50,"a":[true,null,1e9,"\u003c"],"c":{}}`},
	} {
		var asked []string
		got, err := mirrored(&asked).Reword([]byte(c.in))
		if want := strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(c.want); err != nil || string(got) != want {
			t.Errorf("%s: want %s, got %s, %v", name, want, got, err)
		}
	}
	var asked []string
	if _, err := mirrored(&asked).Reword([]byte(`{"summary":"A.","a":{"description":"B. Unit: °."}}`)); err != nil ||
		!slices.Equal(asked, []string{"A.", "B."}) {
		t.Errorf("asked for %q, %v", asked, err)
	}
}

func TestADocumentThatEndsEarly(t *testing.T) {
	for _, broken := range []string{"", "{", `{"a"`, `{"a":`, `[1`, `{"a":}`, `{"summary":"`, `{1:2}`} {
		if got, err := (Rewording{Of: func(string) (string, bool) { return "", false }}).Reword([]byte(broken)); err == nil {
			t.Errorf("%s: want an error, got %s", broken, got)
		}
	}
}

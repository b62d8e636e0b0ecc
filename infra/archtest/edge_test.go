package archtest

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"mappe/infra/oracles"
	"mappe/shared/cloud/funcurl"
	"mappe/shared/cloud/stack"
	"mappe/shared/web/coding"
)

// behaviour is the first that takes the path, as CloudFront picks it.
func behaviour(s *stack.Stack, path string) stack.Behaviour {
	for _, b := range s.Behaviours {
		if b.Matches(path) {
			return b
		}
	}
	return stack.Behaviour{}
}

// TestCacheKeysAreTaken: CloudFront does not cache by the values of these headers (Developer Guide, "HTTP
// request headers and CloudFront behavior"); one of them would be told only by a failed deployment.
func TestCacheKeysAreTaken(t *testing.T) {
	doc := template(t)
	policies := 0
	walk(doc, func(n *yaml.Node) {
		headers := value(n, "HeadersConfig")
		if headers == nil {
			return
		}
		policies++
		for _, h := range list(value(headers, "Headers")) {
			switch strings.ToLower(h) {
			case "cache-control", "connection", "content-length", "cookie", "max-forwards", "pragma", "proxy-authenticate",
				"proxy-authorization",
				"proxy-connection", "request-range", "te", "trailer", "transfer-encoding", "upgrade", "x-amz-cf-id", "x-forwarded-proto",
				"x-real-ip":
				t.Errorf("line %d: CloudFront does not take %s into a cache key", headers.Line, h)
			}
		}
	})
	if policies == 0 {
		t.Error("the template has no cache policy")
	}
}

// TestMissingArtefactsAreNotFound: S3 answers 404 only to those who may list; the local server answers 404.
func TestMissingArtefactsAreNotFound(t *testing.T) {
	doc := template(t)
	var actions []string
	walk(doc, func(n *yaml.Node) {
		if p := value(n, "Principal"); p != nil && value(p, "Service") != nil && value(p, "Service").Value == "cloudfront.amazonaws.com" {
			actions = append(actions, list(value(n, "Action"))...)
			if value(n, "Condition") == nil {
				t.Errorf("line %d: every distribution of anybody may do this", n.Line)
			}
		}
	})
	if got, want := strings.Join(actions, " "), "s3:GetObject s3:ListBucket"; got != want {
		t.Errorf("CloudFront may %s, want %s", got, want)
	}
}

// TestTheEdgeTellsTheClientsAddress runs the code of the CDN's function: the address is the one the CDN knows,
// whatever a client has sent.
func TestTheEdgeTellsTheClientsAddress(t *testing.T) {
	node := oracles.Program(t, "node")
	got := serviceRequest(t, node, "/x", `{"x-viewer-address":{"value":"198.51.100.1"},"accept":{"value":"*/*"}}`)
	if want := `{"x-viewer-address":{"value":"2001:db8::7"},"accept":{"value":"*/*"}}`; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
	if !strings.EqualFold(funcurl.ViewerHeader, "x-viewer-address") {
		t.Errorf("the functions read %s", funcurl.ViewerHeader)
	}
}

// TestTheEdgeNamesOneCoding: copies are kept by the coding that is answered, not by the header's spelling, and
// the functions choose the same of what is left.
func TestTheEdgeNamesOneCoding(t *testing.T) {
	node := oracles.Program(t, "node")
	for sent, want := range map[string]string{
		"gzip, deflate, br, zstd": "zstd", "gzip, deflate, br": "gzip", "GZIP": "gzip", "zstd;q=0, gzip": "gzip",
		"zstd; q=0.0,gzip;q=0": "", "zstd;q=0.1": "zstd",
		"br": "", "identity": "", "*": "", "xzstd": "",
	} {
		var headers map[string]struct{ Value string }
		if err := json.Unmarshal([]byte(serviceRequest(t, node, "/x", `{"accept-encoding":{"value":"`+sent+`"}}`)), &headers); err != nil {
			t.Fatal(err)
		}
		got := headers["accept-encoding"].Value
		if got != want {
			t.Errorf("%q: want %q, got %q", sent, want, got)
		}
		if c := coding.Accepted(http.Header{"Accept-Encoding": {got}}); got != "" && c.String() != got {
			t.Errorf("%q: the functions answer %v", got, c)
		}
	}
}

// TestTheEdgeAsksForStoredExports: a KG as GeoJSON is stored with gzip, so gzip is what the function is told of
// wherever the client takes it.
func TestTheEdgeAsksForStoredExports(t *testing.T) {
	node := oracles.Program(t, "node")
	for sent, want := range map[string]string{"gzip, deflate, br, zstd": `"gzip"`, "zstd": `"zstd"`, "gzip;q=0, zstd": `"zstd"`} {
		if got := serviceRequest(t, node, "/cadastre/api/v1/export/geojson",
			`{"accept-encoding":{"value":"`+sent+`"}}`); !strings.Contains(got, `"accept-encoding":{"value":`+want+`}`) {
			t.Errorf("%q: want %s, got %s", sent, want, got)
		}
	}
}

// serviceRequest is what the CDN's function makes of a request's headers, in JSON.
func serviceRequest(t *testing.T, node, uri, headers string) string {
	t.Helper()
	code := value(value(value(value(template(t).Content[0], "Resources"), "ServiceRequest"), "Properties"), "FunctionCode").Value
	c := exec.Command(node, "-e", code+`
const request = { uri: '`+uri+`', headers: `+headers+` };
console.log(JSON.stringify(handler({ viewer: { ip: '2001:db8::7' }, request }).headers));`)
	got, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	return strings.TrimSpace(string(got))
}

package stack

import (
	"strings"

	"gopkg.in/yaml.v3"

	"mappe/shared/glob"
)

// origin is an entry of Origins.
type origin struct {
	function, bucket, path string
	headers                map[string]string
	timeoutS               int
}

// readMethods is what a behaviour admits that does not say.
var readMethods = []string{"GET", "HEAD"}

func (s *scope) distribution(st *Stack, config *yaml.Node) error {
	err := s.onlyKeys(config, "DistributionConfig", "Enabled", "Comment", "HttpVersion", "IPV6Enabled", "PriceClass", "DefaultRootObject",
		"Origins", "DefaultCacheBehavior", "CacheBehaviors", "Aliases", "ViewerCertificate", "Logging", "WebACLId")
	if err != nil {
		return err
	}
	origins := map[string]origin{}
	for _, n := range items(child(config, "Origins")) {
		id := child(n, "Id")
		if id == nil {
			return s.errorf(n, "origin without Id")
		}
		if origins[id.Value], err = s.origin(n); err != nil {
			return err
		}
	}
	for _, n := range items(child(config, "CacheBehaviors")) {
		pattern := child(n, "PathPattern")
		if pattern == nil {
			return s.errorf(n, "behaviour without PathPattern")
		}
		if err := s.behaviour(st, origins, n, pattern.Value); err != nil {
			return err
		}
	}
	n := child(config, "DefaultCacheBehavior")
	if n == nil {
		return s.errorf(config, "DistributionConfig: DefaultCacheBehavior is missing")
	}
	return s.behaviour(st, origins, n, "*")
}

func (s *scope) origin(n *yaml.Node) (o origin, err error) {
	err = s.onlyKeys(n, "origin", "Id", "DomainName", "OriginPath", "OriginAccessControlId", "S3OriginConfig", "CustomOriginConfig",
		"OriginCustomHeaders")
	if err != nil {
		return o, err
	}
	domain, err := s.text(child(n, "DomainName"))
	if err != nil {
		return o, err
	}
	for name, resource := range pairs(child(s.root, "Resources")) {
		switch kind := child(resource, "Type"); {
		case kind == nil:
		case kind.Value == "AWS::S3::Bucket" && domain == bucketDomain(name.Value):
			o.bucket = bucketName(name.Value)
		case kind.Value == "AWS::Serverless::Function" && domain == FunctionDomain(name.Value):
			o.function = name.Value
		}
	}
	if o.bucket == "" && o.function == "" {
		return o, s.errorf(n, "origin %s is neither a bucket nor a function of this template", domain)
	}
	if path := child(n, "OriginPath"); path != nil {
		o.path = path.Value
	}
	custom := child(n, "CustomOriginConfig")
	if err := s.onlyKeys(custom, "CustomOriginConfig", "OriginProtocolPolicy", "OriginSSLProtocols", "OriginReadTimeout",
		"OriginKeepaliveTimeout"); err != nil {
		return o, err
	}
	o.timeoutS = 30 // CloudFront's default
	if t := child(custom, "OriginReadTimeout"); t != nil {
		if o.timeoutS, err = s.number(t, "OriginReadTimeout", 1, 120); err != nil {
			return o, err
		}
	}
	o.headers = map[string]string{}
	for _, h := range items(child(n, "OriginCustomHeaders")) {
		name, err := s.text(child(h, "HeaderName"))
		if err != nil {
			return o, err
		}
		if o.headers[name], err = s.text(child(h, "HeaderValue")); err != nil {
			return o, err
		}
	}
	return o, nil
}

func (s *scope) behaviour(st *Stack, origins map[string]origin, n *yaml.Node, pattern string) error {
	err := s.onlyKeys(n, "behaviour "+pattern, "PathPattern", "TargetOriginId", "ViewerProtocolPolicy", "AllowedMethods", "CachedMethods",
		"Compress",
		"CachePolicyId", "OriginRequestPolicyId", "ResponseHeadersPolicyId", "FunctionAssociations")
	if err != nil {
		return err
	}
	target := child(n, "TargetOriginId")
	if target == nil {
		return s.errorf(n, "behaviour %s: TargetOriginId is missing", pattern)
	}
	o, ok := origins[target.Value]
	if !ok {
		return s.errorf(target, "behaviour %s: no origin has the id %s", pattern, target.Value)
	}
	b := Behaviour{Pattern: pattern, Function: o.function, Bucket: o.bucket, Prefix: o.path, Headers: o.headers, TimeoutS: o.timeoutS,
		Line: n.Line}
	for _, m := range items(child(n, "AllowedMethods")) {
		b.Methods = append(b.Methods, m.Value)
	}
	if b.Methods == nil {
		b.Methods = readMethods
	}
	if o.function != "" {
		if err := s.forwarding(n, pattern); err != nil {
			return err
		}
		b.Viewer = s.tellsViewer(n)
	}
	st.Behaviours = append(st.Behaviours, b)
	return nil
}

// allViewerExceptHost is the id of the managed origin request policy: everything the viewer sent goes on,
// only Host does not (a Function URL does not answer to a foreign host).
const allViewerExceptHost = "b689b0a8-53d0-40ab-baf2-68738e2966ac"

func (s *scope) forwarding(n *yaml.Node, pattern string) error {
	policy := child(n, "OriginRequestPolicyId")
	if policy == nil || policy.Value != allViewerExceptHost {
		return s.errorf(n, "behaviour %s: only the origin request policy AllViewerExceptHostHeader (%s) is emulated for functions", pattern,
			allViewerExceptHost)
	}
	return nil
}

// tellsViewer says whether a function of the CDN gives a behaviour's requests the header with the client's
// address. What the function's code does beside is not emulated.
func (s *scope) tellsViewer(behaviour *yaml.Node) bool {
	for _, a := range items(child(behaviour, "FunctionAssociations")) {
		arn := child(a, "FunctionARN")
		if arn == nil {
			continue
		}
		logical, _, _ := strings.Cut(arn.Value, ".")
		code := child(child(child(child(s.root, "Resources"), logical), "Properties"), "FunctionCode")
		if code != nil && strings.Contains(code.Value, "'"+viewerHeader+"'") {
			return true
		}
	}
	return false
}

// viewerHeader is as shared/cloud/funcurl reads it.
const viewerHeader = "x-viewer-address"

// Matches is CloudFront's pattern: * any run, ? one character, case counts, the leading slash may be left out.
func (b Behaviour) Matches(path string) bool {
	return glob.Match(strings.TrimPrefix(b.Pattern, "/"), strings.TrimPrefix(path, "/"))
}

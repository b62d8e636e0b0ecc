package stack

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// scope evaluates intrinsic functions as a deployment of the stack on this machine would.
type scope struct {
	*file
	parameters map[string]string // values: given ones or defaults
	secret     func(arn string) string
	depth      int // of nested evaluation
	steps      int // of evaluation so far
}

// Aliases build values that are deep, or small to write and endless to evaluate.
const (
	maxDepth = 50
	maxSteps = 100_000
)

// enter counts one evaluation; leave ends it.
func (s *scope) enter(n *yaml.Node) error {
	s.depth++
	s.steps++
	if s.depth > maxDepth || s.steps > maxSteps {
		return s.errorf(n, "more than %d values in one another or %d in all", maxDepth, maxSteps)
	}
	return nil
}

func (s *scope) leave() { s.depth-- }

// Region is that of a stack that exists on this machine only.
const Region = "eu-central-1"

// pseudo parameters of such a stack.
var pseudo = map[string]string{
	"AWS::AccountId": "000000000000", "AWS::Partition": "aws", "AWS::Region": Region,
	"AWS::StackName": "local", "AWS::URLSuffix": "amazonaws.com",
}

// text evaluates a node to a string.
func (s *scope) text(n *yaml.Node) (string, error) {
	defer s.leave()
	if err := s.enter(n); err != nil {
		return "", err
	}
	n = resolve(n)
	if n == nil {
		return "", s.errorf(n, "want a value")
	}
	switch n.Tag {
	case "!Ref":
		return s.ref(n, n.Value)
	case "!Sub":
		return s.sub(n)
	case "!GetAtt":
		return s.getAtt(n, n.Value)
	case "!Select":
		return s.selectOne(n)
	case "!If":
		branch, err := s.branch(n)
		if err != nil {
			return "", err
		}
		return s.text(branch)
	}
	if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") {
		return "", s.errorf(n, "intrinsic %s is not emulated here; known are !Ref !Sub !GetAtt !Select !Split !If", n.Tag)
	}
	if n.Kind != yaml.ScalarNode {
		return "", s.errorf(n, "want a text or a number")
	}
	return s.dynamic(n.Value), nil
}

// number evaluates a node to an integer within bounds.
func (s *scope) number(n *yaml.Node, what string, least, most int) (int, error) {
	text, err := s.text(n)
	if err != nil {
		return 0, err
	}
	v, err := strconv.Atoi(text)
	if err != nil || v < least || v > most {
		return 0, s.errorf(n, "%s is %q: want a number from %d to %d", what, text, least, most)
	}
	return v, nil
}

func (s *scope) ref(n *yaml.Node, name string) (string, error) {
	if v, ok := s.parameters[name]; ok {
		return v, nil
	}
	if v, ok := pseudo[name]; ok {
		return v, nil
	}
	resource := child(child(s.root, "Resources"), name)
	if resource == nil {
		return "", s.errorf(n, "!Ref %s: no parameter and no resource has this name", name)
	}
	kind := child(resource, "Type")
	switch kind.Value {
	case "AWS::S3::Bucket":
		return bucketName(name), nil
	case "AWS::SecretsManager::Secret":
		return SecretARN(name), nil
	case "AWS::DynamoDB::Table", "AWS::Serverless::Function", "AWS::CloudFront::CachePolicy", "AWS::CloudFront::ResponseHeadersPolicy",
		"AWS::Logs::LogGroup":
		return "local-" + strings.ToLower(name), nil
	}
	return "", s.errorf(n, "!Ref %s: the value of a %s is not emulated", name, kind.Value)
}

// SecretARN is what a secret of the template is called on this machine.
func SecretARN(logical string) string {
	return "arn:aws:secretsmanager:eu-central-1:000000000000:secret:local-" + strings.ToLower(logical)
}

// bucketName is what a bucket of the template is called on this machine.
func bucketName(logical string) string { return "local-" + strings.ToLower(logical) }

// FunctionDomain is the host of a function's URL on this machine.
func FunctionDomain(logical string) string {
	return strings.ToLower(logical) + ".lambda-url.local.on.aws"
}

func bucketDomain(logical string) string {
	return bucketName(logical) + ".s3.eu-central-1.amazonaws.com"
}

func (s *scope) getAtt(n *yaml.Node, path string) (string, error) {
	logical, attribute, _ := strings.Cut(path, ".")
	resources := child(s.root, "Resources")
	if function, ok := strings.CutSuffix(logical, "Url"); ok && attribute == "FunctionUrl" && child(resources, function) != nil {
		return "https://" + FunctionDomain(function) + "/", nil
	}
	resource := child(resources, logical)
	if resource == nil {
		return "", s.errorf(n, "!GetAtt %s: no resource has this name", path)
	}
	switch kind := child(resource, "Type").Value; kind + " " + attribute {
	case "AWS::S3::Bucket RegionalDomainName", "AWS::S3::Bucket DomainName":
		return bucketDomain(logical), nil
	case "AWS::S3::Bucket Arn":
		return "arn:aws:s3:::" + bucketName(logical), nil
	case "AWS::DynamoDB::Table Arn":
		return "arn:aws:dynamodb:eu-central-1:000000000000:table/local-" + strings.ToLower(logical), nil
	case "AWS::CloudFront::OriginAccessControl Id":
		return "local-" + strings.ToLower(logical), nil
	case "AWS::Serverless::Function Arn":
		return FunctionARN(logical), nil
	default:
		return "", s.errorf(n, "!GetAtt %s: this attribute of a %s is not emulated", path, kind)
	}
}

// FunctionARN is what a function of the template is called on this machine.
func FunctionARN(logical string) string {
	return "arn:aws:lambda:eu-central-1:000000000000:function:local-" + strings.ToLower(logical)
}

var substitution = regexp.MustCompile(`\$\{(!?)([A-Za-z0-9:._]+)\}`)

// sub fills ${Name}, ${Name.Attribute} and leaves ${!Literal} as ${Literal}.
func (s *scope) sub(n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode {
		return "", s.errorf(n, "!Sub with a map of values is not emulated")
	}
	var failed error
	text := substitution.ReplaceAllStringFunc(n.Value, func(match string) string {
		parts := substitution.FindStringSubmatch(match)
		if parts[1] == "!" {
			return "${" + parts[2] + "}"
		}
		evaluate := s.ref
		if strings.Contains(parts[2], ".") {
			evaluate = s.getAtt
		}
		v, err := evaluate(n, parts[2])
		if err != nil && failed == nil {
			failed = err
		}
		return v
	})
	return s.dynamic(text), failed
}

// selectOne is !Select [index, !Split [separator, text]] or of a list.
func (s *scope) selectOne(n *yaml.Node) (string, error) {
	args := items(n)
	if len(args) != 2 {
		return "", s.errorf(n, "!Select: want [index, list]")
	}
	index, err := s.number(args[0], "index of !Select", 0, 1000)
	if err != nil {
		return "", err
	}
	var list []string
	if split := items(args[1]); args[1].Tag == "!Split" && len(split) == 2 {
		text, err := s.text(split[1])
		if err != nil {
			return "", err
		}
		list = strings.Split(text, split[0].Value)
	} else {
		for _, item := range split {
			text, err := s.text(item)
			if err != nil {
				return "", err
			}
			list = append(list, text)
		}
	}
	if index >= len(list) {
		return "", s.errorf(n, "!Select %d of a list of %d", index, len(list))
	}
	return list[index], nil
}

// branch is the part of an !If that its condition takes.
func (s *scope) branch(n *yaml.Node) (*yaml.Node, error) {
	args := items(n)
	if len(args) != 3 {
		return nil, s.errorf(n, "!If: want [condition, then, else]")
	}
	condition := child(child(s.root, "Conditions"), args[0].Value)
	if condition == nil {
		return nil, s.errorf(args[0], "!If: condition %q is not declared", args[0].Value)
	}
	holds, err := s.condition(condition)
	if err != nil {
		return nil, err
	}
	if holds {
		return args[1], nil
	}
	return args[2], nil
}

func (s *scope) condition(n *yaml.Node) (bool, error) {
	defer s.leave()
	if err := s.enter(n); err != nil {
		return false, err
	}
	args := items(n)
	switch {
	case n.Tag == "!Equals" && len(args) == 2:
		a, err := s.text(args[0])
		if err != nil {
			return false, err
		}
		b, err := s.text(args[1])
		return a == b, err
	case n.Tag == "!Not" && len(args) == 1:
		holds, err := s.condition(args[0])
		return !holds, err
	}
	return false, s.errorf(n, "condition %s is not emulated; known are !Equals and !Not", n.Tag)
}

var dynamicReference = regexp.MustCompile(`\{\{resolve:secretsmanager:([^}]*?):SecretString[^}]*\}\}`)

// dynamic puts the current value of a secret in the place of each reference to it, as a deployment does.
func (s *scope) dynamic(text string) string {
	return dynamicReference.ReplaceAllStringFunc(text, func(reference string) string {
		return s.secret(dynamicReference.FindStringSubmatch(reference)[1])
	})
}

// chosen is the node that a property has: the branch that an !If takes, nil for AWS::NoValue.
func (s *scope) chosen(n *yaml.Node) (*yaml.Node, error) {
	defer s.leave()
	if err := s.enter(n); err != nil {
		return nil, err
	}
	n = resolve(n)
	switch {
	case n == nil || n.Tag == "!Ref" && n.Value == "AWS::NoValue":
		return nil, nil
	case n.Tag == "!If":
		branch, err := s.branch(n)
		if err != nil {
			return nil, err
		}
		return s.chosen(branch)
	}
	return n, nil
}

// readParameters takes the given values and the defaults of the rest.
func (s *scope) readParameters(given map[string]string) error {
	declared := child(s.root, "Parameters")
	for name, p := range pairs(declared) {
		v, ok := given[name.Value]
		if fallback := child(p, "Default"); !ok && fallback != nil {
			v, ok = fallback.Value, true
		}
		if !ok {
			return s.errorf(name, "parameter %s has no default: give it a value", name.Value)
		}
		s.parameters[name.Value] = v
	}
	for name := range given {
		if _, ok := s.parameters[name]; !ok {
			return fmt.Errorf("%s: there is no parameter %s", s.name, name)
		}
	}
	return nil
}

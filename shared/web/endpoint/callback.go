package endpoint

import (
	"errors"
	"regexp"
	"slices"
	"strings"
)

// maxCallback bounds the name that JSON is passed to.
const maxCallback = 64

// callbackName is names with dots between them.
var callbackName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*(\.[A-Za-z_$][A-Za-z0-9_$]*)*$`)

// reserved words of JavaScript (ECMA-262, "Keywords and Reserved Words") name no variable: a script with one
// would not be read. After a dot they are names of properties.
var reserved = strings.Fields(`await break case catch class const continue debugger default delete do else enum export extends false finally
	for function if implements import in instanceof interface let new null package private protected public return static super switch this
	throw true try typeof var void while with yield`)

func parseCallback(text string) (string, error) {
	first, _, _ := strings.Cut(text, ".")
	if len(text) > maxCallback || !callbackName.MatchString(text) || slices.Contains(reserved, first) {
		return "", errors.New("a JavaScript name of at most 64 characters: letters, digits, _ and $, names with one dot between them, no reserved word")
	}
	return text, nil
}

package pay

import (
	"encoding/json"
	"errors"
)

// The extension payment-identifier: a name the buyer gives a purchase, so that sending it again, with
// whatever payment, is the same purchase.
const extensionID = "payment-identifier"

const (
	minID = 16
	maxID = 128
)

var identifierOffer = map[string]any{
	"info": map[string]any{"required": false},
	"schema": map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
		"properties": map[string]any{
			"required": map[string]any{"type": "boolean"},
			"id":       map[string]any{"type": "string", "minLength": minID, "maxLength": maxID, "pattern": "^[a-zA-Z0-9_-]+$"},
		},
		"required": []string{"required"},
	},
}

// readIdentifier gives the id of the extensions; "" where the extensions have no id.
func readIdentifier(extensions map[string]json.RawMessage) (string, error) {
	raw, given := extensions[extensionID]
	if !given || string(raw) == "null" {
		return "", nil
	}
	var e struct {
		Info struct {
			ID *string `json:"id"`
		} `json:"info"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return "", errors.New("extensions.payment-identifier.info cannot be read: expected an object with id as a text")
	}
	if e.Info.ID == nil {
		return "", nil
	}
	if !isIdentifier(*e.Info.ID) {
		return "", errors.New("extensions.payment-identifier.info.id is " + shorten(*e.Info.ID) +
			": expected 16 to 128 characters of a-z, A-Z, 0-9, _ and -")
	}
	return *e.Info.ID, nil
}

func isIdentifier(s string) bool {
	if len(s) < minID || len(s) > maxID {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return true
}

package funcurl

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// errorBody has the members that every error of the services has.
func errorBody(status int, message, id string) []byte {
	b, err := json.Marshal(struct {
		Error     string `json:"error"`
		Status    int    `json:"status"`
		Code      string `json:"code,omitempty"`
		RequestID string `json:"request_id,omitempty"`
	}{message, status, codes[status], id})
	if err != nil {
		return []byte(`{"error":"` + http.StatusText(status) + `"}`)
	}
	return b
}

// codes are those that the services give the same failures (package fault).
var codes = map[int]string{http.StatusBadRequest: "malformed_request", http.StatusForbidden: "forbidden",
	http.StatusTooManyRequests: "rate_limited", http.StatusInternalServerError: "internal", http.StatusServiceUnavailable: "unavailable"}

func errorHeaders(id string) map[string]string {
	return map[string]string{
		"Content-Type":                "application/json",
		"Cache-Control":               "no-store",
		"Access-Control-Allow-Origin": "*",
		"X-Content-Type-Options":      "nosniff",
		"X-Request-Id":                id,
	}
}

// whole is an answer that no handler took part in.
func whole(status int, message, id string) *events.LambdaFunctionURLStreamingResponse {
	body := strings.NewReader(string(errorBody(status, message, id)))
	return &events.LambdaFunctionURLStreamingResponse{StatusCode: status, Headers: errorHeaders(id), Body: body}
}

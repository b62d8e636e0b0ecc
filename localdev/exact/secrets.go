package exact

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// secrets stands in for Secrets Manager: values made for this run, by the ARN of the secret.
type secrets struct {
	mu       sync.Mutex
	versions map[string][]string // the newest first: AWSCURRENT, AWSPREVIOUS
}

func newSecrets() *secrets { return &secrets{versions: map[string][]string{}} }

// current is the value of a secret, made when it is asked for first.
func (s *secrets) current(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.versions[id] == nil {
		s.versions[id] = []string{rand.Text()}
	}
	return s.versions[id][0]
}

// put gives a secret a new value; the one before stays readable as the previous one.
func (s *secrets) put(id, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.versions[id] = append([]string{value}, s.versions[id]...)
	s.versions[id] = s.versions[id][:min(len(s.versions[id]), len(stages))]
}

// stages are the labels of a secret's versions, in their order.
var stages = []string{"AWSCURRENT", "AWSPREVIOUS"}

// startSecrets serves the one operation that functions use: GetSecretValue by a stage. Who may read which
// secret (IAM) is not emulated.
func (s *secrets) start(ctx context.Context) (address string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second}
	go server.Serve(l)
	context.AfterFunc(ctx, func() { server.Close() })
	return "http://" + l.Addr().String(), nil
}

// ServeHTTP implements http.Handler.
func (s *secrets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked struct{ SecretId, VersionStage string }
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&asked)
	fail := func(kind, message string) {
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]string{"__type": kind, "Message": message}) // a client that has left
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	if target := r.Header.Get("X-Amz-Target"); target != "secretsmanager.GetSecretValue" ||
		!strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ") {
		fail("InvalidRequestException", fmt.Sprintf("only signed requests for secretsmanager.GetSecretValue are emulated, got %q", target))
		return
	}
	stage := slices.Index(stages, asked.VersionStage)
	if asked.VersionStage == "" {
		stage = 0
	}
	if err != nil || stage < 0 {
		fail("InvalidParameterException", "want a SecretId, and a VersionStage of "+strings.Join(stages, " or "))
		return
	}
	s.mu.Lock()
	versions := s.versions[asked.SecretId]
	s.mu.Unlock()
	if stage >= len(versions) {
		fail("ResourceNotFoundException", "Secrets Manager can't find the specified secret value for staging label: "+stages[stage])
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{ // a client that has left
		"ARN": asked.SecretId, "SecretString": versions[stage], "VersionStages": []string{stages[stage]},
	})
}

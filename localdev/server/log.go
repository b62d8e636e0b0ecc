package server

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// logged writes a line for each request, where the log takes them.
func logged(log *slog.Logger, h http.Handler) http.Handler {
	if !log.Enabled(context.Background(), slog.LevelInfo) {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l := &line{ResponseWriter: w}
		started := time.Now()
		defer func() { // an answer that was cut is a line too
			log.LogAttrs(r.Context(), slog.LevelInfo, "request", slog.String("method", r.Method), slog.String("path", r.URL.Path),
				slog.String("route", l.route),
				slog.Int("status", l.status), slog.Int64("bytes", l.bytes), slog.Int64("ms", time.Since(started).Milliseconds()),
				slog.String("generation", l.generation))
		}()
		h.ServeHTTP(l, r)
	})
}

// line is a ResponseWriter that counts, and is told by endpoints what they are.
type line struct {
	http.ResponseWriter
	status            int
	bytes             int64
	route, generation string
}

func (l *line) Served(route, generation string) { l.route, l.generation = route, generation }

func (l *line) WriteHeader(status int) {
	if l.status < 200 {
		l.status = status
	}
	l.ResponseWriter.WriteHeader(status)
}

func (l *line) Write(p []byte) (int, error) {
	if l.status < 200 {
		l.status = http.StatusOK
	}
	n, err := l.ResponseWriter.Write(p)
	l.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the server's writer.
func (l *line) Unwrap() http.ResponseWriter { return l.ResponseWriter }

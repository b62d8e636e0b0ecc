// Command echo is the function that the tests of exact run.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"mappe/shared/cloud/funcurl"
)

func main() {
	if os.Getenv("BREAK_INIT") == "yes" {
		fmt.Println("no init today")
		os.Exit(3)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/f/echo/{id}", echo)
	mux.HandleFunc("/f/rows", rows)
	mux.HandleFunc("/f/panic", func(http.ResponseWriter, *http.Request) { panic("before the first byte") })
	mux.HandleFunc("/f/exit", func(http.ResponseWriter, *http.Request) { os.Exit(7) })
	mux.HandleFunc("/f/sleep", func(w http.ResponseWriter, r *http.Request) {
		ms, _ := strconv.Atoi(r.FormValue("ms"))
		time.Sleep(time.Duration(ms) * time.Millisecond)
		fmt.Fprintln(w, os.Getpid())
	})
	funcurl.Main(func(context.Context, *slog.Logger) (http.Handler, error) { return mux, nil })
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	env := map[string]string{}
	for _, name := range []string{"MAPPE_STORE", "MAPPE_RUNS", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "STAGE"} {
		env[name] = os.Getenv(name)
	}
	http.SetCookie(w, &http.Cookie{Name: "a", Value: "1"})
	http.SetCookie(w, &http.Cookie{Name: "b", Value: "2"})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusTeapot)
	json.NewEncoder(w).Encode(map[string]any{
		"method": r.Method, "uri": r.RequestURI, "id": r.PathValue("id"), "cookie": r.Header["Cookie"], "host": r.Host,
		"verify": r.Header.Get("X-Origin-Verify"), "custom": r.Header.Get("X-Custom"), "bytes": len(body),
		"begins":    string(body[:min(len(body), 20)]),
		"forwarded": r.Header.Get("X-Forwarded-For"), "remote": r.RemoteAddr, "env": env,
	})
}

// rows streams n rows of 1 kB and panics after the row named by fail.
func rows(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.FormValue("n"))
	fail, err := strconv.Atoi(r.FormValue("fail"))
	if err != nil {
		fail = -1
	}
	row := []byte(strings.Repeat("x", 1023) + "\n")
	for i := range n {
		if i == fail {
			panic("after the first byte")
		}
		w.Write(row)
	}
}

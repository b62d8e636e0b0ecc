package examples

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"time"
)

// author is a caller of the service.
type author struct{ base, token string }

// submit uploads a manuscript and has its preflight report made.
func (a author) submit(ctx context.Context, project int64, m manuscript, file []byte) error {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for _, f := range [][2]string{{"title", m.title}, {"author", m.author}, {"project_id", fmt.Sprint(project)}} {
		if err := w.WriteField(f[0], f[1]); err != nil {
			return err
		}
	}
	part, err := w.CreateFormFile("file", m.file)
	if err != nil {
		return err
	}
	if _, err := part.Write(file); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	var book struct{ ID int64 }
	if err := a.post(ctx, "/api/books/upload", w.FormDataContentType(), form.Bytes(), &book); err != nil {
		return err
	}
	return a.post(ctx, fmt.Sprintf("/api/projects/%d/preflight", project), "application/json", fmt.Appendf(nil, `{"book_id":%d}`, book.ID),
		&struct{}{})
}

func (a author) post(ctx context.Context, path, contentType string, body []byte, into any) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Authorization", "Bearer "+a.token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(io.LimitReader(answer.Body, 64<<20))
	if err != nil {
		return err
	}
	if answer.StatusCode >= 300 {
		return fmt.Errorf("%s: %s: %.300s", path, answer.Status, b)
	}
	return json.Unmarshal(b, into)
}

package build

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"mappe/functions/books/records"
	"mappe/shared/cloud/jobs"
)

// BookView is a book as clients see it: the answer of GET /api/books/{id} and the body of a callback.
type BookView struct {
	ID        int64        `json:"id"`
	ProjectID int64        `json:"project_id"`
	Title     string       `json:"title"`
	Author    string       `json:"author"`
	Filename  string       `json:"source_filename"`
	Status    string       `json:"status" doc:"uploaded, converting, ready, error; awaiting_file while a large file is uploaded"`
	Created   string       `json:"created_at"`
	Updated   string       `json:"updated_at"`
	Outputs   []OutputView `json:"outputs" doc:"the files of the last build; empty after one that failed"`
	Error     *string      `json:"error" doc:"why the last build failed: a sentence that says what to do, then maybe a line Near: and a line Technical detail:"`
	Progress  *Progress    `json:"progress,omitempty" doc:"of the running build"`
}

// OutputView is a file as clients see it.
type OutputView struct {
	ID       int64  `json:"id"`
	Format   string `json:"format" doc:"pdf or epub"`
	Edition  string `json:"kind" doc:"proof or final"`
	Size     int64  `json:"size_bytes"`
	Pages    int    `json:"pages,omitempty" doc:"of the print file"`
	Created  string `json:"created_at"`
	Download string `json:"download_url"`
}

// Progress is how far a running build is.
type Progress struct {
	Step string  `json:"step" doc:"what is being done, in words"`
	Done float64 `json:"done" doc:"of all, 0 to 1"`
}

// View is a book as clients see it; running is the job of its running build, nil where no build runs.
func View(b records.Book, public string, running *jobs.Job) BookView {
	v := BookView{
		ID: b.ID, ProjectID: b.Project, Title: b.Title, Author: b.Author, Filename: b.Filename, Status: string(b.Status),
		Created: instant(b.Created), Updated: instant(b.Updated), Outputs: OutputViews(b.ID, b.Outputs, public),
	}
	if b.Error != "" {
		v.Error = &b.Error
	}
	if running != nil {
		v.Status, v.Outputs, v.Error = string(records.Converting), []OutputView{}, nil
		v.Progress = &Progress{"waiting for the press", 0}
		if running.Step != "" {
			v.Progress = &Progress{running.Step, running.Progress}
		}
	}
	return v
}

// OutputViews are files as clients see them.
func OutputViews(book int64, rows []records.Output, public string) []OutputView {
	all := []OutputView{}
	for _, o := range rows {
		all = append(all, OutputView{o.ID, o.Format, o.Edition, o.Size, o.Pages, instant(o.Created),
			fmt.Sprintf("%s/api/books/%d/outputs/%d/download", public, book, o.ID)})
	}
	return all
}

func instant(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// FileName is the name a file is saved under: of a-z, 0-9 and dashes, with the day it was made.
func FileName(title string, o records.Output) string {
	return Slug(title) + "-" + o.Edition + "-" + o.Created.UTC().Format(time.DateOnly) + "." + o.Format
}

// Slug makes a name of a title.
func Slug(title string) string {
	var s strings.Builder
	title = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss", "'", "", "’",
		"").Replace(norm.NFC.String(title))
	for _, c := range norm.NFD.String(title) {
		switch c = unicode.ToLower(c); {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			s.WriteRune(c)
		case unicode.Is(unicode.Mn, c): // an accent
		case s.Len() > 0 && !strings.HasSuffix(s.String(), "-"):
			s.WriteByte('-')
		}
		if s.Len() >= 60 {
			break
		}
	}
	if name := strings.Trim(s.String(), "-"); name != "" {
		return name
	}
	return "book"
}

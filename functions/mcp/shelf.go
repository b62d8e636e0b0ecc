package mcp

import (
	"encoding/json"
	"fmt"
)

// What a list of an answer is cut to, so that it fits.
const (
	fewBooks   = 20
	fewTexts   = 15
	fewHistory = 5
)

// Records of customers and of the operator are no open data.
var (
	bookRecords = source{Dataset: "Records of the book service", License: "not open: of the project alone"}
	workRecords = source{Dataset: "Work feed of this server", License: "not stated"}
)

const (
	bookToken = " Needs the project's token as a header of the connection: Authorization: Bearer TOKEN, or X-Auth-Token: TOKEN."
	asNow     = "The state is that of this moment."
	examined  = "The report is of a program's reading; what it calls low may be meant."
)

// bookTools ask the book service about what a token opens. They read; orders are given to the service itself.
func (s *service) bookTools() []tool {
	shelf := s.ask("books", bookRecords.Dataset)
	shelf.private = true
	about := func(id, argument string, only ...string) call {
		return call{of: shelf, id: id, only: append(only, "id"), called: map[string]string{"id": argument}}
	}
	return []tool{
		{name: "books_of_project", title: "The books of a project", source: &bookRecords, caution: []string{asNow}, words: newestBooks,
			doc: "The books of a project, newest first: id, title, status, " +
				"files." + bookToken, calls: []call{about("project_books", "project_id")}},
		{name: "book_state", title: "How far a book is", source: &bookRecords, caution: []string{asNow},
			doc: "The state of a book: status (uploaded, converting with progress, ready, error with what to do), and the " +
				"files of its last build in their formats " +
				"(pdf, epub; proof, final) with pages, size and address." + bookToken, calls: []call{about("book", "book_id")}},
		{name: "book_pass", title: "What a project may still build", source: &bookRecords, caution: []string{asNow},
			doc: "The production pass of a project: whether books can be made now, builds that were bought, used and are " +
				"left, its end, proofs of the last day. " +
				"Proofs and reports cost nothing, a final takes one build; the service has no prices in " +
				"money." + bookToken, calls: []call{about("project_pass", "project_id")}},
		{name: "manuscript_report", title: "What was found in a " +
			"manuscript", source: &bookRecords, caution: []string{asNow, examined}, words: briefReport,
			doc: "The latest report on a manuscript: findings by type and weight, the sections as they were read, the words " +
				"that were read, set and left out. " +
				"The page for the author is at answer.report_url." + bookToken,
			calls: []call{about("preflight", "project_id", "book_id", "lang")}},
	}
}

// workTool lists what was completed.
func (s *service) workTool() tool {
	return tool{
		name: "work_feed", title: "What was completed", source: &workRecords, caution: []string{"Entries are as their boards " +
			"recorded them."}, words: entries,
		doc: "Completed tasks of kanban boards, newest first: title, summary, board, assignee, tag, time. Narrowed by board, " +
			"assignee, tag, and since. " +
			"answer.next_before, given as before with the same other arguments, continues them.",
		calls: []call{{of: s.ask("workfeed", workRecords.Dataset), id: "feed", only: []string{"limit", "before", "since", "board",
			"assignee", "tag"}, pages: true}},
	}
}

// entries takes the entries of a feed for rows, and says where they go on.
func entries(answer map[string]json.RawMessage) map[string]json.RawMessage {
	if rows, ok := answer["entries"]; ok {
		answer["data"] = rows
	}
	if next, ok := answer["before"]; ok {
		answer["next_before"] = next
	}
	for _, name := range []string{"entries", "before", "after", "count"} {
		delete(answer, name)
	}
	return answer
}

// newestBooks takes the newest books for rows.
func newestBooks(answer map[string]json.RawMessage) map[string]json.RawMessage {
	if rows, ok := answer["books"]; ok {
		delete(answer, "books")
		answer["data"] = rows
		cutTo(answer, "data", fewBooks)
	}
	return answer
}

// briefReport leaves the ends of a report's long lists to its page.
func briefReport(answer map[string]json.RawMessage) map[string]json.RawMessage {
	cutTo(answer, "history", fewHistory)
	within(answer, "words", func(words map[string]json.RawMessage) { cutTo(words, "list", fewTexts) })
	within(answer, "book_map", func(m map[string]json.RawMessage) { cutTo(m, "sections", 2*fewTexts) })
	return answer
}

// within changes an object that is a member of another.
func within(of map[string]json.RawMessage, name string, change func(map[string]json.RawMessage)) {
	var inner map[string]json.RawMessage
	if json.Unmarshal(of[name], &inner) != nil || inner == nil {
		return
	}
	change(inner)
	if b, err := json.Marshal(inner); err == nil { // it is made of JSON
		of[name] = b
	}
}

// cutTo leaves the first few items of a list, and says how many are left out.
func cutTo(of map[string]json.RawMessage, name string, few int) {
	var list []json.RawMessage
	if json.Unmarshal(of[name], &list) != nil || len(list) <= few {
		return
	}
	if b, err := json.Marshal(list[:few]); err == nil { // it is made of JSON
		of[name] = b
		of[name+"_left_out"] = json.RawMessage(fmt.Sprint(len(list) - few))
	}
}

package books

import "mappe/functions/family"

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "books", Program: "functions/books/lambda", Prefix: "/books",
	Needs: family.Needs{Ledger: []string{"books/*", "job/book/*", "jobs-open/book"}, Files: true, Worker: "functions/books/worker/lambda"},
}

// Package tasks lets an endpoint whose answer takes long be asked for in the background: async=true answers 202 with the id
// of a task at once, and a worker computes what the endpoint would have answered. It owns the parameters, the ids, the
// states that clients see and the worker's handler; leases, attempts, cancels and gates are those of shared/cloud/jobs, the
// results are kept by functions/core/shares. A family declares a Task for each question and gives it to its endpoint and to
// the worker; functions/landscape/results answers progress, result and abort of all.
//
//	async=true ──▶ Desk.Ask ──▶ job ──▶ Works (progress, signs of life) ──▶ share auto-{id} ──▶ done
//
//	state of the job                  state of the task
//	queued, running                   running
//	releasing, failed                 error
//	cancelled                         cancelled
//	done                              done
//
// The same question is one task: the key of its job is a hash of the question in one spelling, of the state of the data that
// it is answered from, and of the software, under a secret of the ledger, so that the id of a task, which is that of its
// job, tells nothing and cannot be guessed. A client may give an id of its own, which then names the same task. A task that
// has failed or was aborted does not stand for the question any more: asked again it is a new one.
//
// Records of the ledger:
//
//	task/secret             of the hashes
//	task/key/{hash}         which number of tasks stands for a question
//	task/id/{id}            the job of an id that a client gave, and its question
//	task/name/{name}        the question whose result is to have a name of its own
//	task/of/{job}  {id}     who asked for a job, and whether they have aborted it: it is cancelled when all have
//
// Attempt is the part of the worker that other jobs use too, whose results are files of their own: the exports.
//
// A worker that dies is taken over once; then the task ends in error. Nothing is told of a result before it stands whole.
package tasks

import (
	"time"

	"mappe/functions/core/shares"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/store"
)

// JobType is the type of the jobs, but for OneStop: that of questions of which few run and few wait, whoever asks them.
const (
	JobType = "task"
	OneStop = "onestop"
)

// Partitions are those of the ledger that answering functions and the worker use.
var Partitions = []string{"job/task/*", "jobs-open/task", "jobs-gate/task", "jobs-stored/task",
	"job/onestop/*", "jobs-open/onestop", "jobs-gate/onestop", "jobs-stored/onestop", "task/*", "share/*", "shares"}

// Keep is how long a task can be asked for after its end, and its result.
const Keep = shares.Keep

const (
	// sign is how often a worker writes that it lives, and looks whether the task is aborted: that takes no longer, and
	// the unit of work that is under way.
	sign = time.Second
	// maxWait is how long a task waits for a worker before it fails.
	maxWait = time.Hour
)

// definition is what both sides know of the jobs: an attempt, and one more where the worker died or what it reads failed.
var definition = jobs.Definition{
	Attempts: 2, Lease: 20 * time.Second, Backoff: time.Second, Wait: maxWait, Keep: Keep, Once: true,
	Gate: jobs.Gate{Type: jobs.Bounds{Running: 8, Queued: 192}, Client: jobs.Bounds{Running: 4, Queued: 60}, RetryAfter: 10 * time.Second},
}

// definitions are what both sides know of the jobs of all types.
func definitions() map[string]jobs.Definition {
	few := definition
	few.Gate = jobs.Gate{Type: jobs.Bounds{Running: 2, Queued: 4}, RetryAfter: 30 * time.Second}
	return map[string]jobs.Definition{JobType: definition, OneStop: few}
}

// Place is where tasks are kept.
type Place struct {
	Ledger ledger.Ledger
	Files  store.Store // of results, and of questions that are too large for a record
}

// Package worklog keeps the completions of a work feed, and the tokens of those who may write them, in a
// ledger. It owns what an entry is, the order of the feed and the promise that a completion is recorded
// exactly once; it knows no HTTP (functions/workfeed does).
//
// A ledger writes one record at a time, and a process may end between two writes. So one write decides
// and the others are carried out by whoever comes next:
//
//		partition               sort                     value
//		work/task/{hash}        claim                    the entry of (board, task_id), with the slot it is to have
//		work/log                {slot, 15 digits}        the entry: written once, never moved or removed
//		work/feed/{hash}        {completed_at}_{id}      the entry again, once for each combination of filters
//		work/mark               mark                     how far the log has been entered into work/feed
//		work/key/{token}        {hash of the key}        what an Idempotency-Key was used for
//		work/token              {token id}               a token's hash, name, boards
//
//	 1. The claim is written where none is. It holds the whole entry and the slot behind the log's last one,
//	    so whoever finds a claim can finish it, and other content for the same task is told apart.
//	 2. The entry is written into its slot where none is. When another entry got there first, the claim is
//	    moved to the slot behind the last; only then. Slots are never emptied, so an entry stands in one slot
//	    only, also when several processes finish the same claim. From here on the entry is recorded.
//	 3. The entries behind the mark are entered into the feed and the mark is moved. Readers do the same
//	    before they answer, so an answer holds all that the log held when it was asked for.
//
// The log has no gaps: slot n is tried only when n-1 is taken. A reader that goes by slots therefore misses
// nothing, however late an entry's completed_at is told.
package worklog

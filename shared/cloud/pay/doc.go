// Package pay sells an HTTP endpoint by the call: x402 versions 2 and 1, scheme exact with EIP-3009
// authorizations, written by hand over the standard library. It owns the payment headers, the client of
// the facilitator, the claims of payments in a ledger and the counters of what happened. It holds no
// private key and knows nothing of what is sold.
//
// A request without payment is answered 402 before anything else of it is read. With one:
//
//	read, compare with our own requirements ─▶ verify ─▶ claim ─▶ handler ─▶ settle ─▶ answer
//
// The claim is one record per (network, asset, payer, nonce) and moves by conditional writes only:
//
//	(none) ──verified──▶ claimed ──answer below 400 made──▶ settling ──facilitator says so──▶ settled
//	                        │                                  │
//	                        └─handler refused: removed         └─facilitator refused the first try: removed
//
// settling is written before the facilitator is asked to settle and left only with a proof, so from a
// crash or a time-out at any point the same payment sent again goes on where it stood: from claimed
// nothing was asked yet and everything is done again; from settling the same authorization is settled
// again (the chain takes a nonce once, so it cannot be charged twice); from settled the kept answer is
// given. A result leaves this package only after settlement. Whoever writes first owns the claim for a
// lease of seconds, renewed while it works; the others wait for the outcome and then get 409
// payment_in_progress with Retry-After. A claim whose request was refused stays to count the refusals: after
// five the payment has to wait (429 too_many_refused).
//
// A settling claim has a mark in a partition of its own, written before it and removed after it: Reconcile
// reads the marks.
//
// Gates that are paid at one address share one ledger: a nonce is good for one purchase among all of them.
//
// Settlement is asked for a second time at once where the first question brought no answer. Once it was
// tried without a known outcome, a refusal proves nothing (the first try may have
// emptied the account or used the nonce), and neither does one that says that the nonce is used or comes with
// another status than 200. Then a facilitator that repeats its success, or the chain where
// Config.Proof is set, decides; without either the claim stays settling and is never answered. Where Proof is
// set a success too is believed only when the chain has its receipt.
//
// A ledger that was put back to an earlier time lacks payments that the chain has. Sent again, such a payment is refused
// by the facilitator; where Proof says that it moved the money to us it is taken for what it is, settled, and answered
// once, for as long as its answer would have been kept: nobody is asked to pay again for what is paid. That is
// counted (Unrecorded) and logged. Without Proof the refusal says that there is no record.
//
// The gate's own answers are JSON {error, status, code} with Cache-Control: no-store; a 402 is at the
// same time the body of x402 version 1 and carries version 2 in PAYMENT-REQUIRED. Statuses: 400
// invalid_payload (a payment header that cannot be read), 402 payment_required, 409
// payment_used_for_other_request, identifier_used_for_other_request, payment_in_progress, 413 too_large, 429 too_many_refused,
// 502 facilitator_failed, facilitator_unreachable, settlement_unknown, 504 facilitator_timeout,
// settlement_unknown (the same payment may be sent again after each of them), 503 unavailable (the ledger).
package pay

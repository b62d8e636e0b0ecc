// Package asl runs state machines of Step Functions on one machine: the files infra/*.asl.json, as the template deploys them, with
// functions and a bucket that the caller gives (Host). Its tests run both machines over a country of 500 KGs with everything that
// goes wrong in a cloud.
//
// It knows the states and fields that those files use and a few beside them, of the query language JSONPath: Task (Lambda's
// optimized integration), Map (inline, and distributed with ItemReader, ItemBatcher, ResultWriter and tolerated failures), Choice,
// Wait, Pass, Succeed, Fail, Retry, Catch. Parse refuses what it does not know, with the name of the state and of the field: nothing
// is silently left out. The rules are those of the Amazon States Language (states-language.net) and of the Step Functions Developer
// Guide, with the service's bounds on payloads, histories and maps within one execution.
//
// It does not know: JSONata, variables, activities, other services, Parallel, tolerated failures by path, redriving. Time is that of
// package time, so that a test within testing/synctest waits for nothing.
package asl

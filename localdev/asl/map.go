package asl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// inlineWidth is how many iterations of a Map that is not distributed run at once at most.
const inlineWidth = 40

// child of a map, and what became of it.
type child struct {
	Input  any
	Output any
	Err    *Error
	item   map[string]any // $$.Map.Item
	skip   bool           // it was not begun
}

// mapped runs a Map.
func (x *execution) mapped(ctx context.Context, s *State, sc scope) (any, error) {
	distributed := s.ItemProcessor.ProcessorConfig != nil && s.ItemProcessor.ProcessorConfig.Mode == "DISTRIBUTED"
	items, err := x.items(ctx, s, sc)
	if err != nil {
		return nil, err
	}
	width, err := s.width(sc)
	if err != nil {
		return nil, err
	}
	children, err := x.children(s, sc, items)
	if err != nil {
		return nil, err
	}
	if !distributed {
		if width == 0 || width > inlineWidth {
			width = inlineWidth
		}
		return x.inline(ctx, s, children, width)
	}
	return x.distributed(ctx, s, sc, children, width)
}

// items are those of the input, or of an object.
func (x *execution) items(ctx context.Context, s *State, sc scope) ([]any, error) {
	if s.ItemReader == nil {
		at := s.ItemsPath
		if at == "" {
			at = "$"
		}
		v, err := sc.get(at)
		list, ok := v.([]any)
		if err == nil && !ok {
			err = unknown("%s: want a list of items", at)
		}
		return list, err
	}
	bucket, key, err := s.ItemReader.place(sc, "Key")
	if err != nil {
		return nil, err
	}
	b, err := x.host.Read(ctx, bucket, key)
	if err != nil {
		return nil, &Error{"States.ItemReaderFailed", fmt.Sprintf("s3://%s/%s: %v", bucket, key, err)}
	}
	var list []any
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, &Error{"States.ItemReaderFailed", fmt.Sprintf("s3://%s/%s is no list: %v", bucket, key, err)}
	}
	return list, nil
}

// place is the bucket and the key, or the prefix, of an object.
func (a *access) place(sc scope, member string) (bucket, key string, err error) {
	filled, err := sc.fill(a.Parameters)
	if err != nil {
		return "", "", err
	}
	p, _ := filled.(map[string]any)
	bucket, _ = p["Bucket"].(string)
	key, ok := p[member].(string)
	if bucket == "" || !ok || len(p) != 2 {
		return "", "", unknown("want Bucket and %s", member)
	}
	return bucket, key, nil
}

func (s *State) width(sc scope) (int, error) {
	if s.MaxConcurrencyOf == "" {
		return s.MaxConcurrency, nil
	}
	v, err := sc.get(s.MaxConcurrencyOf)
	n, ok := v.(float64)
	if err == nil && (!ok || n < 0) {
		err = unknown("%s: want a number of executions", s.MaxConcurrencyOf)
	}
	return int(n), err
}

// children are the inputs of the iterations: an item each, as ItemSelector has it, or a batch.
func (x *execution) children(s *State, sc scope, items []any) ([]child, error) {
	out := make([]child, len(items))
	for i, item := range items {
		at := map[string]any{"Index": float64(i), "Value": item}
		c := child{Input: item, item: at}
		if len(s.ItemSelector) > 0 {
			context := map[string]any{"Map": map[string]any{"Item": at}}
			for k, v := range sc.context {
				if k != "Map" {
					context[k] = v
				}
			}
			var err error
			if c.Input, err = (scope{sc.input, context}).fill(s.ItemSelector); err != nil {
				return nil, err
			}
		}
		out[i] = c
	}
	if s.ItemBatcher == nil {
		return out, nil
	}
	var batches []child
	for from := 0; from < len(out); from += s.ItemBatcher.MaxItemsPerBatch {
		batch := map[string]any{}
		if len(s.ItemBatcher.BatchInput) > 0 {
			v, err := sc.fill(s.ItemBatcher.BatchInput)
			if err != nil {
				return nil, err
			}
			batch["BatchInput"] = v
		}
		var list []any
		for _, c := range out[from:min(from+s.ItemBatcher.MaxItemsPerBatch, len(out))] {
			list = append(list, c.Input)
		}
		batch["Items"] = list
		batches = append(batches, child{Input: batch})
	}
	return batches, nil
}

// inline runs the iterations within the execution: the first that fails ends all.
func (x *execution) inline(ctx context.Context, s *State, list []child, width int) (any, error) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	each(list, width, func(i int) {
		if inner.Err() != nil {
			return
		}
		part := *x.part()
		part.item = list[i].item
		out, err := part.machine(inner, s.ItemProcessor, list[i].Input)
		x.events.Add(part.events.Load())
		if list[i].Output = out; err != nil {
			cancel(named(err))
		}
	})
	if err := context.Cause(inner); err != nil {
		return nil, err
	}
	out := make([]any, len(list))
	for i := range list {
		out[i] = list[i].Output
	}
	return out, nil
}

// part is an execution that begins where this one is.
func (x *execution) part() *execution {
	return &execution{host: x.host, name: x.name, started: x.started, input: x.input, express: x.express}
}

// each calls do for all of a list, at most width at once; 0 is all.
func each(list []child, width int, do func(i int)) {
	if width <= 0 {
		width = len(list)
	}
	var group sync.WaitGroup
	slots := make(chan struct{}, max(width, 1))
	for i := range list {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			do(i)
		})
	}
	group.Wait()
}

// distributed runs each child as an execution of its own, with a history of its own.
func (x *execution) distributed(ctx context.Context, s *State, sc scope, list []child, width int) (any, error) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	run := MapRun{Items: len(list), Errors: map[string]int{}}
	x.runs++
	label := fmt.Sprintf("%s/map-%d", x.name, x.runs)
	each(list, width, func(i int) {
		c := &list[i]
		if c.skip = inner.Err() != nil; c.skip {
			return
		}
		one := x.part()
		one.name, one.started, one.input = fmt.Sprintf("%s:%d", label, i), time.Now(), c.Input
		one.express = s.ItemProcessor.ProcessorConfig.ExecutionType == "EXPRESS"
		out, err := one.machine(inner, s.ItemProcessor, c.Input)
		mu.Lock()
		defer mu.Unlock()
		if c.Output = out; err == nil {
			run.Succeeded++
			return
		}
		c.Err = named(err)
		run.Failed++
		run.Errors[c.Err.Name]++
		if !s.tolerates(run.Failed, len(list)) {
			cancel(&Error{"States.ExceedToleratedFailureThreshold", fmt.Sprintf("%d of %d children failed", run.Failed, len(list))})
		}
	})
	x.maps = append(x.maps, run)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	result, err := x.written(ctx, s, sc, label, list)
	return result, errors.Join(err, context.Cause(inner))
}

// tolerates says whether a map goes on with so many failures.
func (s *State) tolerates(failed, of int) bool {
	return failed == 0 || s.ToleratedPercent > 0 && float64(failed)*100 <= s.ToleratedPercent*float64(of) ||
		s.ToleratedCount > 0 && failed <= s.ToleratedCount
}

// written gives the outputs of the children, or where ResultWriter has put them: succeeded, failed and pending ones in files of their
// own, which a manifest lists.
func (x *execution) written(ctx context.Context, s *State, sc scope, label string, list []child) (any, error) {
	if s.ResultWriter == nil {
		out := make([]any, len(list))
		for i := range list {
			out[i] = list[i].Output
		}
		return out, nil
	}
	bucket, prefix, err := s.ResultWriter.place(sc, "Prefix")
	if err != nil {
		return nil, err
	}
	folder := prefix + "/" + label
	files, err := filesOf(label, list)
	if err != nil {
		return nil, err
	}
	listed := map[string]any{}
	for status, entries := range files {
		listed[status] = []any{}
		if len(entries) == 0 {
			continue
		}
		key := fmt.Sprintf("%s/%s_0.json", folder, status)
		body, err := json.Marshal(entries)
		if err == nil {
			err = x.host.Write(ctx, bucket, key, body)
		}
		if err != nil {
			return nil, &Error{"States.ResultWriterFailed", err.Error()}
		}
		listed[status] = []any{map[string]any{"Key": key, "Size": float64(len(body))}}
	}
	manifest := map[string]any{"DestinationBucket": bucket, "MapRunArn": label, "ResultFiles": listed}
	body, err := json.Marshal(manifest)
	if err == nil {
		err = x.host.Write(ctx, bucket, folder+"/manifest.json", body)
	}
	if err != nil {
		return nil, &Error{"States.ResultWriterFailed", err.Error()}
	}
	return map[string]any{"MapRunArn": label, "ResultWriterDetails": map[string]any{"Bucket": bucket, "Key": folder + "/manifest.json"}},
		nil
}

// filesOf are what the result writer lists, by the status of the children.
func filesOf(label string, list []child) (map[string][]any, error) {
	files := map[string][]any{"SUCCEEDED": {}, "FAILED": {}, "PENDING": {}}
	for i := range list {
		c := &list[i]
		input, err := json.Marshal(c.Input)
		if err != nil {
			return nil, err
		}
		status, entry := "SUCCEEDED", map[string]any{"Input": string(input), "Name": fmt.Sprintf("%s:%d", label, i)}
		switch {
		case c.skip:
			status = "PENDING"
		case c.Err != nil:
			status = "FAILED"
			entry["Error"], entry["Cause"] = c.Err.Name, c.Err.Cause
		default:
			output, err := json.Marshal(c.Output)
			if err != nil {
				return nil, err
			}
			entry["Output"] = string(output)
		}
		entry["Status"] = status
		files[status] = append(files[status], entry)
	}
	return files, nil
}

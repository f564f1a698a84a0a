package worker

import (
	"context"
	"errors"
	"fmt"
	"log"

	"example.org/jobworker/internal/clock"
	"example.org/jobworker/internal/job"
	"example.org/jobworker/internal/metrics"
	"example.org/jobworker/internal/queue"
)

// Lookup finds the handler for a kind of job, or nil.
type Lookup func(kind string) Handler

// Config is what workers of one pool share.
type Config struct {
	Queue   queue.Queue
	Lookup  Lookup
	Clock   clock.Clock
	Backoff job.Backoff
	Logger  *log.Logger
}

// worker takes one job after the other.
type worker struct {
	*metrics.Counters
	Config
	gate *gate
	name string
}

// run works until the context ends.
func (w *worker) run(ctx context.Context) {
	for w.gate.wait(ctx) == nil {
		j, err := w.Queue.Pop(ctx)
		if err != nil {
			w.stopped(err)
			return
		}
		w.process(ctx, j)
	}
}

func (w *worker) process(ctx context.Context, j *job.Job) {
	j.Start()
	w.Inc("started")
	err := w.attempt(ctx, j)
	if err == nil {
		w.finish(j)
		return
	}
	w.retry(j, err)
}

// attempt runs the handler once.
func (w *worker) attempt(ctx context.Context, j *job.Job) error {
	handler := w.Lookup(j.Kind)
	if handler == nil {
		return Permanent(fmt.Errorf("no handler for %q", j.Kind))
	}
	return handler.Handle(ctx, j)
}

func (w *worker) finish(j *job.Job) {
	j.Status = job.Done
	w.Inc("done")
	w.check(w.Queue.Ack(j.ID))
}

// retry puts a job back that failed, for later or for good.
func (w *worker) retry(j *job.Job, err error) {
	if isPermanent(err) {
		j.Bury()
	}
	j.Fail(err, w.Backoff.RetryAt(w.Clock.Now(), j.Attempts))
	if j.Status.Final() {
		w.Inc("dead")
	} else {
		w.Inc("retried")
	}
	w.check(w.Queue.Nack(j))
}

func (w *worker) check(err error) {
	if err != nil {
		w.Logger.Printf("%s: %v", w.name, err)
	}
}

func (w *worker) stopped(err error) {
	if !errors.Is(err, context.Canceled) {
		w.check(err)
	}
}

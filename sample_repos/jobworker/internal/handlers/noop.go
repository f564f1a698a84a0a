package handlers

import (
	"context"

	"example.org/jobworker/internal/job"
	"example.org/jobworker/internal/worker"
)

func init() {
	Register("noop", func(Environment) worker.Handler { return worker.HandlerFunc(noop) })
}

// noop is for measuring how fast the queue is.
func noop(context.Context, *job.Job) error { return nil }

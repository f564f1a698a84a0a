package handlers

import (
	"context"
	"fmt"

	"example.org/jobworker/internal/job"
	"example.org/jobworker/internal/worker"
)

func init() { Register("batch", newBatch) }

func newBatch(env Environment) worker.Handler {
	return worker.HandlerFunc(func(ctx context.Context, j *job.Job) error { return runBatch(ctx, env, j) })
}

// runBatch runs the jobs in the payload one after the other, batches among them, and stops at the first that fails.
func runBatch(ctx context.Context, env Environment, j *job.Job) error {
	parts, err := decode[[]job.Job](j)
	if err != nil {
		return err
	}
	for i := range parts {
		if err := runPart(ctx, env, &parts[i]); err != nil {
			return fmt.Errorf("part %d: %w", i+1, err)
		}
	}
	return nil
}

func runPart(ctx context.Context, env Environment, part *job.Job) error {
	if part.Kind == "batch" {
		return runBatch(ctx, env, part)
	}
	factory, ok := factories[part.Kind]
	if !ok {
		return worker.Permanent(fmt.Errorf("unknown kind %q", part.Kind))
	}
	return factory(env).Handle(ctx, part)
}

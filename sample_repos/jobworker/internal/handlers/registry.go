// Package handlers has a handler for each kind of job the program knows.
package handlers

import (
	"encoding/json"
	"fmt"
	"sort"

	"example.org/jobworker/internal/job"
	"example.org/jobworker/internal/worker"
)

// Factory makes a handler when the program starts.
type Factory func(env Environment) worker.Handler

// Environment is what handlers may use of the outside world.
type Environment struct {
	Sender  Sender
	TempDir string
}

var factories = map[string]Factory{}

// Register adds a kind of job. It is meant to be called from init functions and panics when a kind is registered twice.
func Register(kind string, factory Factory) {
	if _, taken := factories[kind]; taken {
		panic(fmt.Sprintf("handlers: %q is registered twice", kind))
	}
	factories[kind] = factory
}

// Build makes every handler and returns them by kind, each inside the middleware.
func Build(env Environment, middleware ...worker.Middleware) worker.Lookup {
	built := make(map[string]worker.Handler, len(factories))
	for kind, factory := range factories {
		built[kind] = worker.Chain(factory(env), middleware...)
	}
	return func(kind string) worker.Handler { return built[kind] }
}

// Kinds lists what is registered.
func Kinds() []string {
	kinds := make([]string, 0, len(factories))
	for kind := range factories {
		kinds = append(kinds, kind)
	}
	sort.Strings(kinds)
	return kinds
}

// decode reads a payload. A payload that can't be read now can't be read later either.
func decode[T any](j *job.Job) (T, error) {
	var payload T
	if err := json.Unmarshal(j.Payload, &payload); err != nil {
		return payload, worker.Permanent(err)
	}
	return payload, nil
}

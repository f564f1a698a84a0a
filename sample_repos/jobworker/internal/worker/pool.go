package worker

import (
	"context"
	"fmt"
	"sync"

	"example.org/jobworker/internal/metrics"
)

// Pool is a number of workers on one queue.
type Pool struct {
	metrics.Counters
	config  Config
	gate    *gate
	workers sync.WaitGroup
}

// NewPool makes a pool whose workers are not running yet.
func NewPool(config Config) *Pool {
	return &Pool{config: config, gate: newGate()}
}

// Start starts n workers. They stop when the context ends; Wait waits for that.
func (p *Pool) Start(ctx context.Context, n int) {
	for i := 0; i < n; i++ {
		w := &worker{Counters: &p.Counters, Config: p.config, gate: p.gate, name: fmt.Sprintf("worker %d", i+1)}
		p.workers.Add(1)
		go func() {
			defer p.workers.Done()
			w.run(ctx)
		}()
	}
}

// Wait returns when all workers have stopped.
func (p *Pool) Wait() { p.workers.Wait() }

// Pause lets running jobs finish and starts no new ones.
func (p *Pool) Pause() { p.gate.set(false) }

// Resume undoes Pause.
func (p *Pool) Resume() { p.gate.set(true) }

// gate is open or closed.
type gate struct {
	mu   sync.Mutex
	open chan struct{} // closed while the gate is open
}

func newGate() *gate {
	g := &gate{open: make(chan struct{})}
	g.set(true)
	return g
}

func (g *gate) set(open bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.open:
		if !open {
			g.open = make(chan struct{})
		}
	default:
		if open {
			close(g.open)
		}
	}
}

// wait returns when the gate is open, or with the context's error.
func (g *gate) wait(ctx context.Context) error {
	g.mu.Lock()
	open := g.open
	g.mu.Unlock()
	select {
	case <-open:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

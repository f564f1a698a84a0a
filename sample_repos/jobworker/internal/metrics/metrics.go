// Package metrics counts things.
package metrics

import (
	"sync"
)

// Counters is a set of named counters. The zero value is ready to use.
type Counters struct {
	mu     sync.Mutex
	values map[string]int64
}

// Inc adds one.
func (c *Counters) Inc(name string) { c.Add(name, 1) }

// Add adds delta, which may be negative.
func (c *Counters) Add(name string, delta int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values == nil {
		c.values = make(map[string]int64)
	}
	c.values[name] += delta
}

// Snapshot returns a copy of all values.
func (c *Counters) Snapshot() map[string]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return mapValues(c.values, func(v int64) int64 { return v })
}

// Reset sets every counter to zero and returns what they were.
func (c *Counters) Reset() map[string]int64 {
	before := c.Snapshot()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values = nil
	return before
}

// mapValues returns a map with the same keys and changed values.
func mapValues[K comparable, V, W any](in map[K]V, change func(V) W) map[K]W {
	out := make(map[K]W, len(in))
	for key, value := range in {
		out[key] = change(value)
	}
	return out
}

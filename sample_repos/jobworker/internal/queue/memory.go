package queue

import (
	"container/heap"
	"context"
	"sort"
	"sync"
	"time"

	"example.org/jobworker/internal/clock"
	"example.org/jobworker/internal/job"
)

// pollInterval bounds how late a delayed job may be handed out.
const pollInterval = 10 * time.Millisecond

// Memory is a queue that forgets everything when the program ends.
type Memory struct {
	clock clock.Clock

	mu      sync.Mutex
	waiting jobHeap
	known   map[string]*job.Job
}

// NewMemory returns an empty queue.
func NewMemory(c clock.Clock) *Memory {
	return &Memory{clock: c, known: make(map[string]*job.Job)}
}

func (m *Memory) Push(j *job.Job) error {
	if err := j.Validate(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known[j.ID] = j
	heap.Push(&m.waiting, j)
	return nil
}

func (m *Memory) Pop(ctx context.Context) (*job.Job, error) {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		if j := m.takeDue(); j != nil {
			return j, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-ticker.C:
		}
	}
}

// takeDue removes and returns the first job whose time has come, or nil.
func (m *Memory) takeDue() *job.Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.waiting) > 0 && !m.waiting[0].RunAt.After(m.clock.Now()) {
		j := heap.Pop(&m.waiting).(*job.Job)
		if _, ok := m.known[j.ID]; ok {
			return j
		} // else it was acknowledged while it waited
	}
	return nil
}

func (m *Memory) Ack(id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.known[id]; !ok {
		return ErrUnknown
	}
	delete(m.known, id)
	return nil
}

func (m *Memory) Nack(j *job.Job) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.known[j.ID]; !ok {
		return ErrUnknown
	}
	if !j.Status.Final() {
		heap.Push(&m.waiting, j)
	}
	return nil
}

// Len counts the jobs that are not done.
func (m *Memory) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.known)
}

// Snapshot returns copies of all jobs, ordered by id.
func (m *Memory) Snapshot() []job.Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	jobs := make([]job.Job, 0, len(m.known))
	for _, j := range m.known {
		jobs = append(jobs, *j)
	}
	sort.Slice(jobs, func(a, b int) bool { return jobs[a].ID < jobs[b].ID })
	return jobs
}

package queue

import "example.org/jobworker/internal/job"

// jobHeap orders jobs by time, then by priority. Its methods are called by container/heap.
type jobHeap []*job.Job

func (h jobHeap) Len() int { return len(h) }

func (h jobHeap) Less(i, j int) bool {
	if !h[i].RunAt.Equal(h[j].RunAt) {
		return h[i].RunAt.Before(h[j].RunAt)
	}
	return h[i].Priority > h[j].Priority
}

func (h jobHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *jobHeap) Push(x any) { *h = append(*h, x.(*job.Job)) }

func (h *jobHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}

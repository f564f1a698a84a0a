package job

import "time"

// Backoff tells how long to wait after the n-th failed attempt, counted from 1.
type Backoff func(attempt int) time.Duration

// RetryAt is the time of the attempt after the n-th.
func (b Backoff) RetryAt(now time.Time, attempt int) time.Time {
	return now.Add(b(attempt))
}

// Constant waits equally long each time.
func Constant(d time.Duration) Backoff {
	return func(int) time.Duration { return d }
}

// Exponential doubles the wait each time, from base up to limit.
func Exponential(base, limit time.Duration) Backoff {
	return func(attempt int) time.Duration { return double(base, limit, attempt-1) }
}

func double(d, limit time.Duration, times int) time.Duration {
	if times <= 0 || d >= limit {
		return min(d, limit)
	}
	return double(2*d, limit, times-1)
}

func min(a, b time.Duration) time.Duration {
	if a < b {
		return a
	}
	return b
}

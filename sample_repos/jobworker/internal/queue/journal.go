package queue

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"example.org/jobworker/internal/clock"
	"example.org/jobworker/internal/job"
)

// record is one line of a journal.
type record struct {
	Push *job.Job `json:"push,omitempty"`
	Ack  string   `json:"ack,omitempty"`
}

// Journal is a queue that survives a restart: it writes down what is pushed and acknowledged, and replays that when it opens.
// Everything else it leaves to the Memory inside it.
type Journal struct {
	*Memory
	out io.WriteCloser
}

// OpenJournal opens the journal at path, which need not exist yet.
func OpenJournal(path string, c clock.Clock) (*Journal, error) {
	memory := NewMemory(c)
	if err := replay(path, memory); err != nil {
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	out, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return &Journal{Memory: memory, out: out}, nil
}

func replay(path string, memory *Memory) error {
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil
	} else if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var entry record
		if err := json.Unmarshal(lines.Bytes(), &entry); err != nil {
			return err
		}
		if entry.Push != nil {
			err = memory.Push(entry.Push)
		} else {
			err = memory.Ack(entry.Ack)
		}
		if err != nil {
			return err
		}
	}
	return lines.Err()
}

// Push writes the job down before it is queued.
func (q *Journal) Push(j *job.Job) error {
	if err := q.write(record{Push: j}); err != nil {
		return err
	}
	return q.Memory.Push(j)
}

// Ack writes down that the job is done.
func (q *Journal) Ack(id string) error {
	if err := q.Memory.Ack(id); err != nil {
		return err
	}
	return q.write(record{Ack: id})
}

// Close closes the file. The queue must not be used afterwards.
func (q *Journal) Close() error { return q.out.Close() }

func (q *Journal) write(entry record) error {
	line, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	_, err = q.out.Write(append(line, '\n'))
	return err
}

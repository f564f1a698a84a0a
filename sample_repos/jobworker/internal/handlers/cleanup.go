package handlers

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"example.org/jobworker/internal/job"
	"example.org/jobworker/internal/worker"
)

func init() {
	Register("cleanup", func(env Environment) worker.Handler { return Cleanup{dir: env.TempDir} })
}

// Cleanup removes old temporary files.
type Cleanup struct {
	dir string
}

// Handle removes files older than the payload's "hours".
func (c Cleanup) Handle(ctx context.Context, j *job.Job) error {
	payload, err := decode[struct {
		Hours int `json:"hours"`
	}](j)
	if err != nil {
		return err
	}
	before := time.Now().Add(-time.Duration(payload.Hours) * time.Hour)
	return filepath.WalkDir(c.dir, removeOlder(ctx, before))
}

func removeOlder(ctx context.Context, before time.Time) fs.WalkDirFunc {
	return func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		info, err := entry.Info()
		if err == nil && info.ModTime().Before(before) {
			err = os.Remove(path)
		}
		return err
	}
}

// Command jobworker runs jobs from a queue.
package main

import (
	"context"
	"flag"
	"log"
	"net/http"
	"os"
	"os/signal"
	"time"

	"example.org/jobworker/internal/admin"
	"example.org/jobworker/internal/clock"
	"example.org/jobworker/internal/config"
	"example.org/jobworker/internal/handlers"
	"example.org/jobworker/internal/job"
	"example.org/jobworker/internal/queue"
	"example.org/jobworker/internal/schedule"
	"example.org/jobworker/internal/worker"
)

func main() {
	path := flag.String("config", "", "configuration file")
	flag.Parse()
	logger := log.New(os.Stderr, "", log.LstdFlags)
	settings, err := config.Load(*path, os.LookupEnv)
	if err == nil {
		err = run(settings, logger)
	}
	if err != nil {
		logger.Fatal(err)
	}
}

// run joins the parts and works until the program is told to stop.
func run(settings config.Config, logger *log.Logger) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	jobs, err := openQueue(settings)
	if err != nil {
		return err
	}
	scheduler, err := schedule.New(jobs, clock.System{}, logger, settings.Schedule)
	if err != nil {
		return err
	}
	pool := worker.NewPool(worker.Config{
		Queue:   jobs,
		Lookup:  lookup(settings, logger),
		Clock:   clock.System{},
		Backoff: job.Exponential(time.Second, time.Hour),
		Logger:  logger,
	})
	pool.Start(ctx, settings.Workers)
	go scheduler.Run(ctx)

	server := &http.Server{Addr: settings.Listen, Handler: admin.NewServer(jobs, pool, admin.NewControl(pool, stop))}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	logger.Printf("%d workers for %v, listening on %s", settings.Workers, handlers.Kinds(), settings.Listen)
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		return err
	}
	pool.Wait()
	return nil
}

func openQueue(settings config.Config) (queue.Inspector, error) {
	if settings.Journal == "" {
		return queue.NewMemory(clock.System{}), nil
	}
	return queue.OpenJournal(settings.Journal, clock.System{})
}

// lookup builds the handlers and what stands around them.
func lookup(settings config.Config, logger *log.Logger) worker.Lookup {
	env := handlers.Environment{Sender: handlers.WriterSender{Out: os.Stdout}, TempDir: os.TempDir()}
	limit := worker.TimeLimit(time.Duration(settings.TimeLimit))
	return handlers.Build(env, worker.Logged(logger), worker.Recovered, limit)
}

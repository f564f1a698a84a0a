package admin

import (
	"fmt"
	"reflect"
	"strings"
)

// Pauser is something that can be paused: the pool.
type Pauser interface {
	Pause()
	Resume()
}

// Control runs the operator's commands. Every method whose name begins with Cmd is one: CmdPause is "pause".
type Control struct {
	pool Pauser
	stop func()
}

// NewControl takes the pool and the function that ends the program.
func NewControl(pool Pauser, stop func()) *Control {
	return &Control{pool: pool, stop: stop}
}

// Run runs a command by name.
func (c *Control) Run(name string) (string, error) {
	if name == "" {
		return "", fmt.Errorf("a command is missing")
	}
	method := reflect.ValueOf(c).MethodByName("Cmd" + strings.ToUpper(name[:1]) + name[1:])
	if !method.IsValid() {
		return "", fmt.Errorf("no command %q", name)
	}
	return method.Call(nil)[0].String(), nil
}

func (c *Control) CmdPause() string {
	c.pool.Pause()
	return "paused"
}

func (c *Control) CmdResume() string {
	c.pool.Resume()
	return "running"
}

// CmdStop ends the program. There is no PurgeAll: to empty a queue, delete its journal.
func (c *Control) CmdStop() string {
	c.stop()
	return "stopping"
}

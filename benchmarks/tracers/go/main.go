// Record which function called which while the tests of a Go repository run.
//
// usage: go run main.go instrument COPY OUT   rewrite the sources of COPY in place
//
//	… GO111MODULE=off GOPATH=…/gopath go test -vet=off -gcflags=all=-l ./… in COPY, which is below gopath/src …
//	go run main.go collect OUT > run.json   the form is in run_verdicts.py
//
// COPY is a copy of the repository below the folder src of a GOPATH, where its import path says. The package cxtrace,
// which records, is written beside it. THE TESTS RUN THE CODE OF THE REPOSITORY; codeexplore never does.
//
// Each body of a function keeps its lines and begins with a call that looks at the stack. Calls are direct if the frame
// below is a function of the repository, external if other code is between. Started goroutines have no caller.
// Calls of two functions without names that begin on one line are left out. Inlining must be off.
package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

//go:embed recorder.txt
var recorder string

type function struct {
	Path string
	Line int
	Name string
}

type insertion struct {
	at   int
	text string
}

func main() {
	if len(os.Args) == 4 && os.Args[1] == "instrument" {
		instrument(os.Args[2], os.Args[3])
	} else if len(os.Args) == 3 && os.Args[1] == "collect" {
		collect(os.Args[2])
	} else {
		fmt.Fprintln(os.Stderr, "usage: main instrument COPY OUT | collect OUT")
		os.Exit(2)
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func instrument(root, out string) {
	root, err := filepath.Abs(root)
	check(err)
	out, err = filepath.Abs(out)
	check(err)
	source := root
	for filepath.Base(source) != "src" {
		if source == filepath.Dir(source) {
			panic("COPY is not below a folder src")
		}
		source = filepath.Dir(source)
	}
	check(os.MkdirAll(out, 0o755))
	functions := []function{}
	check(filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		name := filepath.Base(path)
		if info.IsDir() && (name == "testdata" || name == "vendor" || name == ".git") {
			return filepath.SkipDir
		}
		if err == nil && info.Mode().IsRegular() && strings.HasSuffix(name, ".go") {
			relative, _ := filepath.Rel(root, path)
			functions = rewrite(path, filepath.ToSlash(relative), functions)
		}
		return err
	}))
	table, err := json.Marshal(functions)
	check(err)
	check(os.WriteFile(filepath.Join(out, "table.json"), table, 0o644))
	check(os.MkdirAll(filepath.Join(source, "cxtrace"), 0o755))
	text := strings.NewReplacer("ROOT", fmt.Sprintf("%q", root+"/"), "OUT", fmt.Sprintf("%q", out)).Replace(recorder)
	check(os.WriteFile(filepath.Join(source, "cxtrace", "recorder.go"), []byte(text), 0o644))
	fmt.Fprintln(os.Stderr, len(functions), "functions")
}

func rewrite(path, relative string, functions []function) []function {
	text, err := os.ReadFile(path)
	check(err)
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		fmt.Fprintln(os.Stderr, relative, "left as it is:", err)
		return functions
	}
	var edits []insertion
	enter := func(body *ast.BlockStmt, at token.Pos, name string) {
		if body != nil {
			edits = append(edits, insertion{files.PositionFor(body.Lbrace, false).Offset + 1, fmt.Sprintf("cxtrace__.Enter(%d);", len(functions))})
			functions = append(functions, function{relative, files.PositionFor(at, false).Line, name})
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			enter(node.Body, node.Pos(), node.Name.Name)
		case *ast.FuncLit:
			enter(node.Body, node.Pos(), "")
		}
		return true
	})
	if len(edits) == 0 {
		return functions
	}
	edits = append(edits, insertion{files.PositionFor(file.Name.End(), false).Offset, `; import cxtrace__ "cxtrace"`})
	sort.Slice(edits, func(i, j int) bool { return edits[i].at > edits[j].at })
	result := string(text)
	for _, edit := range edits {
		result = result[:edit.at] + edit.text + result[edit.at:]
	}
	check(os.WriteFile(path, []byte(result), 0o644))
	return functions
}

func collect(out string) {
	var table []function
	text, err := os.ReadFile(filepath.Join(out, "table.json"))
	check(err)
	check(json.Unmarshal(text, &table))
	nameless := map[string]int{}
	place := func(each function) string { return fmt.Sprint(each.Path, ":", each.Line) }
	for _, each := range table {
		if each.Name == "" {
			nameless[place(each)]++
		}
	}
	index, functions := map[function]int{}, [][3]any{}
	number := func(each function) (int, bool) {
		if each.Line != 0 && each.Name == "" && nameless[place(each)] > 1 {
			return 0, false
		}
		at, known := index[each]
		if !known {
			at = len(functions)
			index[each] = at
			functions = append(functions, [3]any{each.Path, each.Line, each.Name})
		}
		return at, true
	}
	byPlace := map[string]function{}
	for _, each := range table {
		if old, known := byPlace[place(each)]; !known || old.Name == "" {
			byPlace[place(each)] = each
		}
	}
	kinds := map[[2]int]string{}
	logs, _ := filepath.Glob(filepath.Join(out, "*.log"))
	for _, name := range logs {
		file, err := os.Open(name)
		check(err)
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var row record
			if json.Unmarshal(lines.Bytes(), &row) != nil {
				continue
			}
			callee, known := number(table[row.Callee])
			if row.Kind == "" || !known {
				continue
			}
			from := function{row.Path, 0, ""}
			if row.Line != 0 {
				from, known = byPlace[place(function{row.Path, row.Line, ""})]
				if row.Literal {
					from = function{row.Path, row.Line, ""}
				}
			}
			if !known {
				continue
			}
			if caller, known := number(from); known && kinds[[2]int{caller, callee}] != "direct" {
				kinds[[2]int{caller, callee}] = row.Kind
			}
		}
		file.Close()
	}
	calls := [][3]any{}
	for pair, kind := range kinds {
		calls = append(calls, [3]any{pair[0], pair[1], kind})
	}
	result := map[string]any{"language": "go", "functions": functions, "calls": calls}
	check(json.NewEncoder(os.Stdout).Encode(result))
}

type record struct {
	Callee  int
	Path    string
	Line    int // where the caller begins; 0 for the values of variables of a package
	Literal bool
	Kind    string // empty: it ran, and nothing of the repository called it
}

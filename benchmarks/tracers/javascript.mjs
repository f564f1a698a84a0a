/** Record which function called which while the tests of a JavaScript or TypeScript repository run.
 *
 * usage: node javascript.mjs instrument COPY OUT [FOLDER …]   rewrite the sources of COPY (below FOLDER …) in place
 *        … run the tests in COPY, with any runner …
 *        node javascript.mjs collect OUT > run.json           the form is in run_verdicts.py
 *
 * COPY is a copy of the repository, a folder with its dependencies installed. THE TESTS RUN THE CODE OF THE REPOSITORY;
 * codeexplore never does. Needs @babel/parser and magic-string (npm), in a folder that NODE_PATH names.
 *
 * Each body of a function keeps its lines and gets an entry and an exit: a stack of the functions that run. `await` and
 * `yield` leave the stack and come back. The first calls of each pair are compared with the stack of V8: a call is direct
 * if the frame below is in the file of the caller and has its name, and external if other code is between. The engine
 * runs accessors and the traps of a Proxy without a frame of its own: calls of these are external. A pair that the two
 * stacks tell otherwise is left out. So are calls from and to generators, calls in the defaults of parameters and in the
 * values of fields, and calls of two functions without names that begin on one line.
 */
import fs from 'node:fs'
import path from 'node:path'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const SOURCES = /\.([cm]?[jt]s|[jt]sx)$/
const LEFT = /(^|\/)(node_modules|\.git)(\/|$)|\.d\.[cm]?ts$|\.min\.js$/

function sources(root, folder) {
  const found = []
  for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name)
    if (LEFT.test(name)) continue
    if (entry.isDirectory()) found.push(...sources(root, name))
    else if (entry.isFile() && SOURCES.test(name)) found.push(name)
  }
  return found
}

function instrument(root, out, folders) {
  fs.mkdirSync(out, { recursive: true })
  const table = []
  for (const file of folders.flatMap((folder) => sources(root, folder))) {
    const full = path.join(root, file)
    const before = table.length
    try {
      fs.writeFileSync(full, rewrite(fs.readFileSync(full, 'utf8'), file, table, out))
    } catch (error) {
      table.length = before
      console.error(`${file}: left as it is: ${error.message}`)
    }
  }
  fs.writeFileSync(path.join(out, 'table.json'), JSON.stringify({ root: fs.realpathSync(root), functions: table }))
  fs.copyFileSync(new URL('javascript_stack.cjs', import.meta.url), path.join(out, 'stack.cjs'))
  console.error(`${table.length} functions`)
}

function rewrite(text, file, table, out) {
  const { parse } = require('@babel/parser')
  const MagicString = require('magic-string').default ?? require('magic-string')
  const types = /\.[cm]?tsx?$/.test(file)
  const plugins = [...(types ? ['typescript'] : ['flow']), ...(/\.[cm]?ts$/.test(file) ? [] : ['jsx']), 'decorators-legacy']
  const options = { sourceType: 'unambiguous', allowReturnOutsideFunction: true, errorRecovery: true, plugins }
  const program = parse(text, options).program
  const edits = new MagicString(text)

  const enter = (id) => `globalThis.__cx.enter(${id})`
  const add = (line, name, node) =>
    table.push({ path: file, line, name, generator: Boolean(node.generator), accessor: accessors.has(node) }) - 1
  const accessors = new WeakSet() // functions that the engine calls for an access

  function body(node, id) {
    const { body: block } = node
    if (block.type !== 'BlockStatement') {
      edits.appendLeft(begin(block), `{const $cx=${enter(id)};try{return (`)
      edits.prependRight(node.end, ')}finally{globalThis.__cx.exit($cx)}}')
      return
    }
    const parent = node.kind === 'constructor' && block.body.find(isSuper)
    edits.appendLeft(block.directives.at(-1)?.end ?? block.start + 1, `;const $cx=${enter(id)};${parent ? '' : 'try{'}`)
    if (parent) edits.prependRight(parent.end, ';try{')
    edits.prependRight(block.end - 1, '}finally{globalThis.__cx.exit($cx)}')
  }

  function visit(node, parent, key, within) {
    if (!node || typeof node.type !== 'string') return
    for (const each of accessorsIn(node)) accessors.add(each)
    if (isFunction(node) && node.body) {
      const { line, name } = called(node, parent, key)
      within = derivedWithoutRoot(node) ? null : node
      if (within) body(node, add(line, name, node))
    } else if ((node.type === 'AwaitExpression' || node.type === 'YieldExpression') && within !== null) {
      const { argument } = node
      edits.appendLeft(node.start, 'globalThis.__cx.back($cx,')
      if (argument) {
        edits.appendLeft(begin(argument), 'globalThis.__cx.leave($cx,(')
        edits.prependRight(node.end, ')))')
      } else {
        edits.prependRight(node.end, ' globalThis.__cx.leave($cx))')
      }
    } else if (node.type === 'CatchClause' && within) {
      edits.appendLeft(node.body.start + 1, 'globalThis.__cx.again($cx);')
    } else if (unsure(node, parent, key)) {
      const value = node.type === 'AssignmentPattern' ? node.right : node
      edits.appendLeft(value.start, 'globalThis.__cx.apart(()=>(')
      edits.prependRight(value.end, '))')
      within = null
    }
    for (const [name, child] of Object.entries(node)) {
      if (name === 'loc' || name === 'extra' || /[cC]omments$|^decorators$/.test(name)) continue
      for (const each of Array.isArray(child) ? child : [child]) visit(each, node, name, within)
    }
  }

  visit(program, null, '', program)
  const id = add(0, '', program)
  const at = program.directives.at(-1)?.end ?? program.body[0]?.start ?? text.length
  const load = `process.getBuiltinModule("module").createRequire("/")(${JSON.stringify(path.resolve(out, 'stack.cjs'))})`
  const start = `globalThis.__cx||Object.defineProperty(globalThis,"__cx",{value:${load}.of(globalThis)});var $cx=${enter(id)};`
  edits.prependLeft(at, program.directives.length ? `;${start}` : start)
  edits.append('\n;globalThis.__cx.exit($cx);\n')
  return edits.toString()
}

const FUNCTIONS = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod|ClassMethod|ClassPrivateMethod)$/
const isFunction = (node) => FUNCTIONS.test(node.type)
const isSuper = (node) => node.type === 'ExpressionStatement' && node.expression.type === 'CallExpression' && node.expression.callee.type === 'Super'
const begin = (node) => (node.extra?.parenthesized ? node.extra.parenStart : node.start)
const holds = (node, test) =>
  Boolean(node) && typeof node === 'object' && !(node.type && isFunction(node)) &&
  (test(node) || Object.entries(node).some(([key, child]) => key !== 'loc' && key !== 'extra' && holds(child, test)))
const calls = (node) => holds(node, (each) => /^(CallExpression|NewExpression|OptionalCallExpression|TaggedTemplateExpression)$/.test(each.type))

const DEFINING = /^(definePropert(y|ies)|create)$/

/** The functions that a node makes accessors: `get x() {}`, `defineProperty(o, 'x', { get() {} })`, `__defineGetter__`. */
function accessorsIn(node) {
  if (node.kind === 'get' || node.kind === 'set') return [node]
  if (node.type !== 'CallExpression') return []
  const { name } = node.callee.property ?? node.callee // of a helper, too: defineGetter(req, 'protocol', function () {})
  if (/^(__)?define[GS]etter(__)?$/.test(name)) return node.arguments.filter(isFunction)
  return DEFINING.test(name) ? node.arguments.flatMap(describedIn) : []
}

/** The functions of the descriptors in an object literal. */
function describedIn(node) {
  return (node.type === 'ObjectExpression' ? node.properties : []).flatMap((each) => {
    if (each.type === 'ObjectProperty' && each.value.type === 'ObjectExpression') return describedIn(each.value)
    return /^[gs]et$/.test(each.key?.name) ? [isFunction(each) ? each : each.value] : []
  })
}

/** A constructor whose call of super is not a statement of its own body. */
function derivedWithoutRoot(node) {
  return node.kind === 'constructor' && !node.body.body.some(isSuper) && holds(node.body, (each) => each.type === 'Super')
}

/** Whether code runs in a frame that no function of its own shows: the default of a parameter, the value of a field. */
function unsure(node, parent, key) {
  if (node.type === 'AssignmentPattern') return key === 'params' && calls(node.right)
  return key === 'value' && /^Class(Private|Accessor)?Property$/.test(parent?.type ?? '') && !isFunction(node) && !node.extra?.parenthesized && calls(node)
}

function called(node, parent, key) {
  const at = (part) => part.loc.start.line
  const name = (part) => part.name ?? part.id?.name ?? (typeof part.value === 'string' ? part.value : '')
  if (node.key) return { line: at(node.key), name: name(node.key) }
  if (node.id) return { line: at(node), name: node.id.name }
  if (parent.type === 'VariableDeclarator' && key === 'init') return { line: at(parent), name: name(parent.id) }
  if (/Property$/.test(parent.type) && key === 'value') return { line: at(parent.key), name: parent.computed ? '' : name(parent.key) }
  if (parent.type === 'AssignmentExpression' && key === 'right') {
    const { left } = parent
    return { line: at(left), name: left.type === 'MemberExpression' && !left.computed ? name(left.property) : (left.name ?? '') }
  }
  return { line: at(node), name: '' }
}

function collect(out) {
  const { functions } = JSON.parse(fs.readFileSync(path.join(out, 'table.json'), 'utf8'))
  const ran = new Set()
  const kinds = new Map()
  for (const name of fs.readdirSync(out).filter((each) => each.endsWith('.log'))) {
    for (const line of fs.readFileSync(path.join(out, name), 'utf8').split('\n')) {
      const [what, i, j, kind] = line.split(' ')
      if (what === 'f') ran.add(+i)
      if (what === 'c' && kinds.get(`${i} ${j}`) !== 'direct') kinds.set(`${i} ${j}`, kind)
    }
  }
  const nameless = new Map()
  const place = ({ path: file, line }) => `${file}:${line}`
  for (const each of functions) if (!each.name && each.line) nameless.set(place(each), (nameless.get(place(each)) ?? 0) + 1)
  const single = (id) => functions[id].name || !functions[id].line || nameless.get(place(functions[id])) === 1
  const index = new Map([...ran].filter(single).map((id, at) => [id, at]))
  const rows = []
  for (const [pair, kind] of kinds) {
    const [i, j] = pair.split(' ').map(Number)
    if (index.has(i) && index.has(j)) rows.push([index.get(i), index.get(j), kind])
  }
  const named = [...index.keys()].map((id) => [functions[id].path, functions[id].line, functions[id].name])
  process.stdout.write(JSON.stringify({ language: 'javascript', functions: named, calls: rows }))
}

const [command, first, second, ...rest] = process.argv.slice(2)
if (command === 'instrument') instrument(first, second, rest.length ? rest : ['.'])
else if (command === 'collect') collect(first)
else throw new Error('usage: node javascript.mjs instrument COPY OUT [FOLDER …] | collect OUT')

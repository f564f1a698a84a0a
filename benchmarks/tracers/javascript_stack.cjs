/** The stack of functions that run, for sources that `javascript.mjs` instrumented; each process writes a log of its own. */
'use strict'
const fs = require('node:fs')
const path = require('node:path')
const { threadId } = require('node:worker_threads')

const { root, functions } = JSON.parse(fs.readFileSync(path.join(__dirname, 'table.json'), 'utf8'))
const log = path.join(__dirname, `${process.pid}-${threadId}-${Date.now()}.log`)
const append = fs.appendFileSync // tests may replace functions of fs
const CHECKS = 40 // an external call is looked at so many times, in case it is direct at another place
const FRAMES = 60

let current = null
const ran = new Set()
const pairs = new Map()

/** The frames above a call, nearest first. */
function frames() {
  const { stackTraceLimit, prepareStackTrace } = Error
  Error.stackTraceLimit = FRAMES
  Error.prepareStackTrace = (_, sites) => sites
  const holder = {}
  Error.captureStackTrace(holder, enter)
  const sites = holder.stack
  Error.stackTraceLimit = stackTraceLimit
  Error.prepareStackTrace = prepareStackTrace
  return Array.isArray(sites) ? sites : []
}

function fileOf(site) {
  const name = (site.getFileName() ?? '').replace(/^file:\/\//, '').replace(/\?.*$/, '')
  return name.startsWith(root + '/') && !name.includes('/node_modules/') ? name.slice(root.length + 1) : null
}

/** Whether a frame can be that of a function. */
function fits(site, id) {
  const { path: file, name } = functions[id]
  const said = (site.getFunctionName() ?? '').replace(/^(get|set|async) /, '').split('.').pop()
  if (/_initializer>$/.test(said) || fileOf(site) !== file || site.isAsync?.()) return false
  return !said || !name || said === name || name === 'constructor' || site.isConstructor()
}

/** Tell how one function called another, null if the frames do not say so. */
function kindOf(caller, callee) {
  const below = frames().slice(1)
  const at = below.findIndex((site) => fileOf(site) !== null)
  if (at < 0 || below.slice(0, at + 1).some((site) => site.isAsync?.()) || !fits(below[at], caller)) return null
  return at === 0 && !functions[callee].accessor ? 'direct' : 'external'
}

function enter(id) {
  if (!ran.has(id)) {
    ran.add(id)
    append(log, `f ${id}\n`)
  }
  if (current !== null && functions[id].line && !functions[id].generator && !functions[current.id].generator) note(current.id, id)
  return (current = { id, back: current, left: false })
}

function note(caller, callee) {
  const key = caller * functions.length + callee
  const known = pairs.get(key) ?? { kind: null, checks: 0 }
  pairs.set(key, known)
  if (known.kind === 'direct' || known.checks++ > CHECKS) return
  const kind = kindOf(caller, callee)
  if (kind === null || kind === known.kind) return
  known.kind = kind
  append(log, `c ${caller} ${callee} ${kind}\n`)
}

function exit(frame) {
  if (current === frame || !frame.left) current = frame.back
}

/** Leave a function at `await` or `yield`. */
function leave(frame, value) {
  current = frame.back
  frame.back = null
  frame.left = true
  return value
}

function back(frame, value) {
  frame.left = false
  frame.back = functions[frame.id].generator ? current : null
  current = frame
  return value
}

/** Go on in a function that caught an error. */
function again(frame) {
  frame.left = false
  current = frame
}

/** Run code that belongs to no function. */
function apart(run) {
  const before = current
  current = null
  try {
    return run()
  } finally {
    current = before
  }
}

/** The recorder for the code of a global object, whose proxies run their traps with a frame of this file between. */
function of(realm) {
  const Native = realm.Proxy
  const around = (handler) => {
    const get = (_, name) => {
      const trap = handler[name]
      return typeof trap === 'function' ? (...given) => Reflect.apply(trap, handler, given) : trap
    }
    return handler instanceof realm.Object ? new Native({}, { get }) : handler
  }
  const revocable = (target, handler) => Native.revocable(target, around(handler))
  realm.Proxy = new Native(Native, {
    construct: (_, [target, handler]) => new Native(target, around(handler)),
    get: (_, name) => (name === 'revocable' ? revocable : Native[name]),
  })
  return module.exports
}

module.exports = { of, enter, exit, leave, back, again, apart }

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { resolve } from 'node:path'
import { raw } from 'jq-wasm'

/** What GitHub knows about a repository. */
export interface GitHub {
  token: string
  /** Whether the token has only read access, as in a pull request from a fork. */
  readOnly: boolean
  pulls: Pull[]
  comments: Comment[]
  calls: string[][]
}

export interface Pull {
  number: number
  state: 'open' | 'closed'
  merged_at: string | null
  title: string
  body: string
  /** `owner:branch` */
  head: string
  /** The commit of the branch when the pull request was merged. */
  sha?: string
  base: string
}

interface Comment {
  id: number
  pull: number
  body: string
  isOwn: boolean
}

/** The documented flags, and whether they take a value. */
const flags: Record<string, Record<string, boolean>> = {
  api: { '--method': true, '-f': true, '-F': true, '--jq': true, '--paginate': false, '--silent': false },
  'pr create': { '--repo': true, '--base': true, '--head': true, '--title': true, '--body-file': true },
  'pr comment': { '--repo': true, '--body-file': true },
}

type Given = [flag: string, value: string][]

/** A call of the program: its working directory, environment, and arguments. */
interface Call {
  cwd: string
  token: string
  repository: string
  words: string[]
}

/**
 * Returns a program that sends a call and prints the answer. It is a Bash script because starting Node takes longer
 * than the answer.
 */
const program = (port: number): string => `#!/usr/bin/env bash
exec 3<> /dev/tcp/127.0.0.1/${port}
printf '%s\\0' "$#" "$PWD" "\${GH_TOKEN-}" "\${GH_REPO-}" "$@" >&3
read -r status <&3
if [ "$status" = 0 ]; then cat <&3; else cat <&3 >&2; fi
exit "$status"
`

/**
 * Starts a replacement for a runner's `gh`, because tests can't reach GitHub: a program with the documented flags of
 * the commands that the action uses, and the answers of the REST and GraphQL interfaces that it reads. `--jq` runs the
 * real jq language. The program sends every call to this process, which records it in `github`.
 */
export async function startGh(github: GitHub): Promise<{ program: string; close(): void }> {
  const server = createServer((socket) => void answerCall(socket, github)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { program: program(typeof address === 'object' ? (address?.port ?? 0) : 0), close: () => server.close() }
}

async function answerCall(socket: Socket, github: GitHub): Promise<void> {
  const call = await readCall(socket)
  github.calls.push(call.words)
  const text = await run(call, github).then(
    (printed) => `0\n${printed}`,
    (error: unknown) => `1\ngh: ${error instanceof Error ? error.message : String(error)}\n`,
  )
  socket.end(text)
}

/**
 * The program keeps the connection open for the answer, so the first text contains the number of arguments that follow.
 */
async function readCall(socket: Socket): Promise<Call> {
  let received = ''
  for await (const chunk of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    received += String(chunk)
    const [count = '', cwd = '', token = '', repository = '', ...words] = received.split('\0')
    if (words.length > Number(count)) return { cwd, token, repository, words: words.slice(0, -1) }
  }
  return fail('the call has no end')
}

async function run(call: Call, github: GitHub): Promise<string> {
  const { words } = call
  if (call.token !== github.token) fail('set the GH_TOKEN environment variable')
  const command = words[0] === 'api' ? 'api' : words.slice(0, 2).join(' ')
  const { given, rest } = parse(words.slice(command.split(' ').length), flags[command] ?? fail(`unknown ${command}`))
  if (command === 'api') return api(rest, given, call, github)
  return command === 'pr create' ? createPull(given, call, github) : addComment(Number(rest[0]), given, call, github)
}

function fail(message: string): never {
  throw new Error(message)
}

function parse(args: string[], known: Record<string, boolean>): { given: Given; rest: string[] } {
  const given: Given = []
  const rest: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (!word.startsWith('-')) rest.push(word)
    else if (known[word] === undefined) fail(`unknown flag: ${word}`)
    else given.push([word, known[word] ? (args[++at] ?? fail(`flag needs an argument: ${word}`)) : ''])
  }
  return { given, rest }
}

function valueOf(given: Given, flag: string): string {
  return given.find(([name]) => name === flag)?.[1] ?? fail(`missing ${flag}`)
}

function requireRepository(given: Given, { readOnly }: GitHub): void {
  if (valueOf(given, '--repo') !== 'acme/site') fail('Could not resolve to a Repository')
  if (readOnly) fail('GraphQL: Resource not accessible by integration')
}

function createPull(given: Given, call: Call, github: GitHub): string {
  requireRepository(given, github)
  const head = `acme:${valueOf(given, '--head')}`
  if (github.pulls.some((pull) => pull.head === head && pull.state === 'open')) fail('a pull request already exists')
  const number = github.pulls.length + 1
  const body = readBody(valueOf(given, '--body-file'), call)
  const [title, base] = [valueOf(given, '--title'), valueOf(given, '--base')]
  github.pulls.push({ number, state: 'open', merged_at: null, title, body, head, base })
  return `https://github.com/acme/site/pull/${number}\n`
}

function addComment(pull: number, given: Given, call: Call, github: GitHub): string {
  requireRepository(given, github)
  const body = readBody(valueOf(given, '--body-file'), call)
  github.comments.push({ id: 100 + github.comments.length, pull, body, isOwn: true })
  return `https://github.com/acme/site/pull/${pull}#issuecomment-1\n`
}

/** GitHub rejects longer texts. */
function readBody(file: string, { cwd }: Call): string {
  const text = readFileSync(resolve(cwd, file), 'utf8')
  return text.length > 65_536 ? fail('body is too long (maximum is 65536 characters)') : text
}

async function api([endpoint = '']: string[], given: Given, call: Call, github: GitHub): Promise<string> {
  const fields = new Map<string, unknown>()
  for (const [flag, text] of given.filter(([name]) => /^-f$/i.test(name))) {
    const [, key = '', value = ''] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? fail(`invalid field ${text}`)
    fields.set(key, flag === '-F' ? typed(value, call) : value)
  }
  const [owner, name] = call.repository.split('/')
  const route = endpoint.replace('{owner}', owner ?? '').replace('{repo}', name ?? '')
  const method = given.find(([flag]) => flag === '--method')?.[1] ?? (fields.size > 0 ? 'POST' : 'GET')
  const pages = route === 'graphql' ? commentPages(fields, github) : [answer(method, route, fields, github)]
  if (given.some(([flag]) => flag === '--silent')) return ''
  const filter = given.find(([flag]) => flag === '--jq')?.[1]
  const texts = pages.map(async (page) => {
    const text = JSON.stringify(page)
    return filter === undefined ? text : lineOf(await raw(text, filter, ['-r']))
  })
  return (await Promise.all(texts)).join('')
}

function lineOf(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function typed(value: string, call: Call): unknown {
  if (value.startsWith('@')) return readBody(value.slice(1), call)
  return /^-?\d+$/.test(value) ? Number(value) : value
}

function answer(method: string, route: string, fields: ReadonlyMap<string, unknown>, github: GitHub): unknown {
  if (method === 'GET' && route === 'repos/acme/site/pulls') {
    const found = github.pulls.filter(
      ({ head, base, state: is }) =>
        head === fields.get('head') && base === fields.get('base') && [is, 'all'].includes(String(fields.get('state'))),
    )
    return found
      .toSorted((a, b) => b.number - a.number)
      .slice(0, Number(fields.get('per_page')))
      .map(({ head, sha, ...pull }) => ({ ...pull, head: { label: head, sha } }))
  }
  if (github.readOnly) fail('Resource not accessible by integration (HTTP 403)')
  const [, kind, number] = /^repos\/acme\/site\/(pulls|issues\/comments)\/(\d+)$/.exec(route) ?? []
  const list: (Pull | Comment)[] = kind === 'pulls' ? github.pulls : github.comments
  const found = list.find((one) => ('id' in one ? one.id : one.number) === Number(number))
  if (method !== 'PATCH' || found === undefined) fail(`Not Found (HTTP 404): ${method} ${route}`)
  return Object.assign(found, Object.fromEntries(fields))
}

/** Returns pages with two comments each, so that tests need more than one page. */
function commentPages(fields: ReadonlyMap<string, unknown>, { comments }: GitHub): unknown[] {
  const [owner, name, number] = ['owner', 'name', 'number'].map((field) => fields.get(field))
  if (owner !== 'acme' || name !== 'site' || typeof number !== 'number') fail('Could not resolve to a Repository')
  if (!/\$endCursor: String/.test(String(fields.get('query')))) fail('--paginate needs $endCursor')
  const nodes = comments
    .filter(({ pull }) => pull === number)
    .map(({ id, body, isOwn }) => ({ databaseId: id, body, viewerDidAuthor: isOwn }))
  const pages = [
    nodes.slice(0, 2),
    ...Array.from({ length: Math.ceil(nodes.length / 2) - 1 }, (_, at) => nodes.slice(2 * at + 2, 2 * at + 4)),
  ]
  return pages.map((page) => ({ data: { repository: { pullRequest: { comments: { nodes: page } } } } }))
}

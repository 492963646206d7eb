import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Stands for the `gh` of a runner, because tests cannot reach GitHub: a program with the documented flags of the commands
 * that the action uses, and the answers of the REST and GraphQL interfaces that it reads. `--jq` is the real language.
 * It keeps its state in the file `GH_STATE`, and writes every call there.
 */
export interface GitHub {
  token: string
  /** Whether the token may only read, as in a pull request of a fork. */
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
  /** Commit of the branch when the pull request was merged. */
  sha?: string
  base: string
}

interface Comment {
  id: number
  pull: number
  body: string
  isOwn: boolean
}

/** The documented flags, with whether they take a value. */
const flags: Record<string, Record<string, boolean>> = {
  api: { '--method': true, '-f': true, '-F': true, '--jq': true, '--paginate': false, '--silent': false },
  'pr create': { '--repo': true, '--base': true, '--head': true, '--title': true, '--body-file': true },
  'pr comment': { '--repo': true, '--body-file': true },
}

type Given = [flag: string, value: string][]

const path = process.env['GH_STATE'] ?? ''
const state: GitHub = JSON.parse(readFileSync(path, 'utf8'))
const words = process.argv.slice(2)
state.calls.push(words)
try {
  if (process.env['GH_TOKEN'] !== state.token) fail('set the GH_TOKEN environment variable')
  const command = words[0] === 'api' ? 'api' : words.slice(0, 2).join(' ')
  const { given, rest } = parse(words.slice(command.split(' ').length), flags[command] ?? fail(`unknown ${command}`))
  if (command === 'api') await api(rest, given)
  else if (command === 'pr create') createPull(given)
  else addComment(Number(rest[0]), given)
} finally {
  writeFileSync(path, JSON.stringify(state))
}

function fail(message: string): never {
  console.error(`gh: ${message}`)
  process.exitCode = 1
  writeFileSync(path, JSON.stringify(state))
  process.exit()
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

function requireRepository(given: Given): void {
  if (valueOf(given, '--repo') !== 'acme/site') fail('Could not resolve to a Repository')
  if (state.readOnly) fail('GraphQL: Resource not accessible by integration')
}

function createPull(given: Given): void {
  requireRepository(given)
  const head = `acme:${valueOf(given, '--head')}`
  if (state.pulls.some((pull) => pull.head === head && pull.state === 'open')) fail('a pull request already exists')
  const number = state.pulls.length + 1
  const body = readBody(valueOf(given, '--body-file'))
  const [title, base] = [valueOf(given, '--title'), valueOf(given, '--base')]
  state.pulls.push({ number, state: 'open', merged_at: null, title, body, head, base })
  console.log(`https://github.com/acme/site/pull/${number}`)
}

function addComment(pull: number, given: Given): void {
  requireRepository(given)
  const body = readBody(valueOf(given, '--body-file'))
  state.comments.push({ id: 100 + state.comments.length, pull, body, isOwn: true })
  console.log(`https://github.com/acme/site/pull/${pull}#issuecomment-1`)
}

/** GitHub refuses longer texts. */
function readBody(file: string): string {
  const text = readFileSync(file, 'utf8')
  return text.length > 65_536 ? fail('body is too long (maximum is 65536 characters)') : text
}

async function api([endpoint = '']: string[], given: Given): Promise<void> {
  const fields = new Map<string, unknown>()
  for (const [flag, text] of given.filter(([name]) => /^-f$/i.test(name))) {
    const [, key = '', value = ''] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? fail(`invalid field ${text}`)
    fields.set(key, flag === '-F' ? typed(value) : value)
  }
  const [owner, name] = (process.env['GH_REPO'] ?? '').split('/')
  const route = endpoint.replace('{owner}', owner ?? '').replace('{repo}', name ?? '')
  const method = given.find(([flag]) => flag === '--method')?.[1] ?? (fields.size > 0 ? 'POST' : 'GET')
  for (const page of route === 'graphql' ? commentPages(fields) : [answer(method, route, fields)]) {
    if (given.some(([flag]) => flag === '--silent')) continue
    const text = JSON.stringify(page)
    const filter = given.find(([flag]) => flag === '--jq')?.[1]
    if (filter === undefined) process.stdout.write(text)
    else {
      // Only where it is used: loading it takes longer than the rest of the program.
      const { raw } = await import('jq-wasm')
      process.stdout.write(lineOf(await raw(text, filter, ['-r'])))
    }
  }
}

function lineOf(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function typed(value: string): unknown {
  if (value.startsWith('@')) return readBody(value.slice(1))
  return /^-?\d+$/.test(value) ? Number(value) : value
}

function answer(method: string, route: string, fields: ReadonlyMap<string, unknown>): unknown {
  if (method === 'GET' && route === 'repos/acme/site/pulls') {
    const found = state.pulls.filter(
      ({ head, base, state: is }) =>
        head === fields.get('head') && base === fields.get('base') && [is, 'all'].includes(String(fields.get('state'))),
    )
    return found
      .toSorted((a, b) => b.number - a.number)
      .slice(0, Number(fields.get('per_page')))
      .map(({ head, sha, ...pull }) => ({ ...pull, head: { label: head, sha } }))
  }
  if (state.readOnly) fail('Resource not accessible by integration (HTTP 403)')
  const [, kind, number] = /^repos\/acme\/site\/(pulls|issues\/comments)\/(\d+)$/.exec(route) ?? []
  const list: (Pull | Comment)[] = kind === 'pulls' ? state.pulls : state.comments
  const found = list.find((one) => ('id' in one ? one.id : one.number) === Number(number))
  if (method !== 'PATCH' || found === undefined) fail(`Not Found (HTTP 404): ${method} ${route}`)
  return Object.assign(found, Object.fromEntries(fields))
}

/** Pages of two comments, so that tests see more than one. */
function commentPages(fields: ReadonlyMap<string, unknown>): unknown[] {
  const [owner, name, number] = ['owner', 'name', 'number'].map((field) => fields.get(field))
  if (owner !== 'acme' || name !== 'site' || typeof number !== 'number') fail('Could not resolve to a Repository')
  if (!/\$endCursor: String/.test(String(fields.get('query')))) fail('--paginate needs $endCursor')
  const nodes = state.comments
    .filter(({ pull }) => pull === number)
    .map(({ id, body, isOwn }) => ({ databaseId: id, body, viewerDidAuthor: isOwn }))
  const pages = [
    nodes.slice(0, 2),
    ...Array.from({ length: Math.ceil(nodes.length / 2) - 1 }, (_, at) => nodes.slice(2 * at + 2, 2 * at + 4)),
  ]
  return pages.map((page) => ({ data: { repository: { pullRequest: { comments: { nodes: page } } } } }))
}

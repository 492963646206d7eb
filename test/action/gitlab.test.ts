import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { timeFor } from '../support/long.js'
import { parse } from 'yaml'
import { svg } from '../support/space.js'
import { versionedKit } from '../support/versions.js'
import { branch, openRepository, writeFiles, type Repository } from './repository.js'
import { definitions } from './runner.js'
import { openSite } from './site.js'

const page = await readFile(new URL('../../docs/update-bot.md', import.meta.url), 'utf8')
const pipeline = parse(await readFile(new URL('../../gitlab/content-space.yml', import.meta.url), 'utf8'))

test('the workflow of the page gives the token to jobs that run no code of the project', () => {
  const [, block = ''] = /^```yaml \.github\/workflows\/content\.yml\n([\s\S]*?)^```$/m.exec(page) ?? []
  const { on, permissions, jobs } = parse(block)
  expect(Object.keys(on)).toEqual(['schedule', 'workflow_dispatch', 'pull_request'])
  expect(permissions).toEqual({})
  expect(Object.entries<{ permissions: object }>(jobs).map(([name, job]) => [name, job.permissions])).toEqual([
    ['update', { contents: 'read' }],
    ['publish', { contents: 'write', 'pull-requests': 'write' }],
    ['describe', { contents: 'read' }],
    ['comment', { 'pull-requests': 'write' }],
  ])
  for (const name of ['publish', 'comment']) {
    expect(JSON.stringify(jobs[name])).toContain('/action/publish@')
    expect(JSON.stringify(jobs[name])).not.toMatch(/npm|setup-node|secrets/)
  }
  expect(JSON.stringify(jobs.describe)).not.toContain('secrets')
  const rows = new Set([...page.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name))
  expect(rows).toEqual(new Set(Object.values(definitions).flatMap(({ inputs }) => Object.keys(inputs))))
})

test('only jobs without code of the project have an environment', () => {
  const jobs = Object.entries<{ script?: string[]; environment?: { name: string } }>(pipeline)
  expect(jobs.flatMap(([name, { environment }]) => (environment ? [[name, environment.name]] : []))).toEqual([
    ['content-publish', 'content-space/publish'],
    ['content-note', 'content-space/note'],
  ])
})

interface Entry {
  iid?: number
  id?: number
  source_project_id?: number
  body?: string
  description?: string
  author?: { id: number }
}

/** Replaces GitLab's API, which tests can't reach. */
let gitlab: Server
let requests: Entry[]
let notes: Entry[]
/** The status codes of the next answers. */
let failures: number[]
let repository: Repository

beforeEach(async () => {
  repository = await openRepository({ 'content-space.lock.json': '1\n', 'src/main.js': 'text\n' })
  requests = [{ iid: 1, source_project_id: 99, description: 'of a fork' }]
  notes = [{ id: 1, author: { id: 2 }, body: '<!-- content-space-changes -->\n\nof another' }]
  failures = []
  gitlab = createServer((request, response) => {
    const failure = failures.shift()
    if (failure !== undefined) response.writeHead(failure).end()
    else void answer(request).then((found) => response.writeHead(found ? 200 : 404).end(JSON.stringify(found ?? {})))
  }).listen(0, '127.0.0.1')
  await once(gitlab, 'listening')
})
afterEach(async () => {
  gitlab.close()
  await repository.remove()
})

async function answer(request: IncomingMessage): Promise<unknown> {
  if (request.headers['private-token'] !== 'glpat-bot') return undefined
  const { pathname } = new URL(request.url ?? '', 'http://localhost')
  if (pathname === '/user') return { id: 7 }
  const [, ofNotes, number] = /^\/projects\/42\/merge_requests(\/5\/notes)?(?:\/(\d+))?$/.exec(pathname) ?? []
  const list = ofNotes === undefined ? requests : notes
  if (request.method === 'GET') return list
  const fields: Entry = JSON.parse(await text(request))
  const found = list.find(({ iid, id }) => (iid ?? id) === Number(number))
  if (request.method === 'PUT') return found && Object.assign(found, fields)
  const next = list.length + 1
  list.push({
    ...(ofNotes === undefined ? { iid: next, source_project_id: 42 } : { id: next, author: { id: 7 } }),
    ...fields,
  })
  return list.at(-1)
}

/** Runs the lines of a job in one shell, as a runner does, with these artifacts. */
async function runJob(
  name: string,
  artifacts: Record<string, string>,
  env: Record<string, string> = {},
  link?: string,
) {
  const folder = await mkdtemp(join(repository.root, 'job-'))
  await mkdir(join(folder, 'content-changes'))
  await writeFiles(join(folder, 'content-changes'), artifacts)
  if (link !== undefined) {
    await rm(join(folder, 'content-changes', link))
    await symlink('/proc/self/environ', join(folder, 'content-changes', link))
  }
  const address = gitlab.address()
  const child = spawn('bash', ['-eo', 'pipefail', '-c', pipeline[name].script.join('\n')], {
    cwd: folder,
    env: {
      ...repository.env,
      ...pipeline.variables,
      CI_API_V4_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
      CI_PROJECT_ID: '42',
      CI_PROJECT_URL: `file://${join(repository.root, 'remote')}`,
      CI_COMMIT_BRANCH: 'main',
      CI_COMMIT_SHA: await repository.git(['rev-parse', 'main']),
      CONTENT_BOT_TOKEN: 'glpat-bot',
      CONTENT_NOTE_TOKEN: 'glpat-bot',
      ...env,
    },
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += String(chunk)))
  const [code]: unknown[] = await once(child, 'close')
  expect(log).not.toContain('glpat-bot')
  return { code, log }
}

const changes = '**Content**: 1 added\n'
const patch = (path: string, mode = '100644') =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`
const update = (path: string, mode?: string) =>
  runJob('content-publish', { 'update.patch': patch(path, mode), 'changes.md': changes })

test('the job for GitLab adds the findings of an audit that are new', { timeout: timeFor(4) }, async () => {
  const site = await openSite(await versionedKit(), {
    'src/main.js': "import { icon } from 'content-space:kit/brand'\nconsole.log(icon)\n",
    'public/icon.svg': svg('icon'),
    'public/poster.svg': svg('poster', 60, 90),
  })
  await site.space.write(await versionedKit(2))
  const cwd = await site.checkout()
  const env = { ...site.settings, ...pipeline.variables, CONTENT_BOT_INSTALL: 'true' }
  const lines: string = pipeline['content-update'].script.join('\n')
  await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', lines], { cwd, env })
  const description = await readFile(join(cwd, 'content-changes/changes.md'), 'utf8')
  await site.remove()
  const [, rows = ''] = description.split('|---|---|---|---|\n| `')
  expect(rows).toBe('public/poster.svg:1` | copy | Poster | `content-space:asset/brand/poster` |\n')
  const files = { 'update.patch': patch('app/content-space.lock.json'), 'changes.md': description }
  expect(await runJob('content-publish', files)).toMatchObject({ code: 0 })
  expect(requests.slice(1)).toMatchObject([{ description }])
})

test('the job for GitLab keeps one merge request, and repeats calls that fail', async () => {
  expect(await runJob('content-publish', { 'update.patch': '', 'changes.md': '' })).toMatchObject({ code: 0 })
  failures = [503, 429]
  expect(await update('app/content-space.lock.json')).toMatchObject({ code: 0 })
  expect(requests).toMatchObject([
    { description: 'of a fork' },
    { iid: 2, title: 'Update content', description: changes },
  ])
  const tip = await repository.git(['rev-parse', branch])
  await runJob('content-publish', { 'update.patch': patch('app/content-space.lock.json'), 'changes.md': '@all\n' })
  expect(await repository.git(['rev-parse', branch])).toBe(tip)
  expect(requests.slice(1)).toMatchObject([{ description: expect.stringContaining('\n    @all') }])
  await repository.commit({ 'README.md': 'text' }, branch)
  expect(await update('app/content-space.lock.json')).toMatchObject({
    code: 1,
    log: expect.stringMatching(/of others/),
  })
})

test.each([
  ['src/main.ts', '100644'],
  ['.gitlab-ci.yml', '100644'],
  ['content-space.config.js', '100644'],
  ['src/content-space.d.ts', '120000'],
])('the job for GitLab rejects %s', async (path, mode) => {
  expect((await update(path, mode)).code).toBe(1)
  expect(await repository.git(['branch', '--list'])).toBe('* main')
})

const note = (body: string) => runJob('content-note', { 'changes.md': body }, { CI_MERGE_REQUEST_IID: '5' })

test('writes one note on a merge request', async () => {
  await note('**Content**: no differences\n')
  expect(notes).toHaveLength(1)
  failures = [500]
  await note(changes)
  await note(`${changes}more\n`)
  expect(notes.slice(1)).toEqual([
    { id: 2, author: { id: 7 }, body: `<!-- content-space-changes -->\n\n${changes}more\n` },
  ])
  failures = [403]
  expect((await note('other\n')).code).toBe(1)
})

test('reads no link that the other job has left', async () => {
  const data = { 'update.patch': patch('content-space.lock.json'), 'changes.md': changes }
  for (const link of Object.keys(data)) expect((await runJob('content-publish', data, {}, link)).code).toBe(1)
  expect((await runJob('content-note', data, { CI_MERGE_REQUEST_IID: '5' }, 'changes.md')).code).toBe(1)
  expect([requests.length, notes.length]).toEqual([1, 1])
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { svg } from '../support/space.js'
import { versionedKit } from '../support/versions.js'
import { definition } from './runner.js'
import { openSite, type Site } from './site.js'

const page = await readFile(new URL('../../docs/update-bot.md', import.meta.url), 'utf8')
const block = (file: string): string =>
  new RegExp(`^\`\`\`yaml ${file}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? ''

test('the workflow of the page uses inputs that exist, and minimal permissions', () => {
  const { on, permissions, jobs } = parse(block('\\.github/workflows/content\\.yml'))
  expect(Object.keys(on)).toEqual(['schedule', 'workflow_dispatch', 'pull_request'])
  expect(permissions).toEqual({})
  expect(jobs.update.permissions).toEqual({ contents: 'write', 'pull-requests': 'write' })
  expect(jobs.describe.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' })
  const [own, described] = [jobs.update, jobs.describe].map(({ steps }) => steps.at(-1))
  expect(own.uses).toMatch(/\/action@/)
  for (const input of Object.keys(own.with)) expect(Object.keys(definition.inputs)).toContain(input)
  // Code of a pull request gets no secrets.
  expect(JSON.stringify(described) + JSON.stringify(jobs.describe)).not.toContain('secrets')
  const rows = [...page.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name)
  expect(new Set(rows)).toEqual(new Set(Object.keys(definition.inputs)))
})

interface MergeRequest {
  iid: number
  source_project_id: number
  source_branch: string
  description: string
}

/** Stands for the interface of GitLab, which tests cannot reach: it keeps merge requests. */
let gitlab: Server
let requests: MergeRequest[]
let site: Site

beforeAll(async () => {
  site = await openSite(await versionedKit(), {
    'src/main.js': `import { oldBadge } from 'content-space:kit/brand'\nconsole.log(oldBadge)\n`,
  })
  requests = [{ iid: 1, source_project_id: 99, source_branch: 'content-space/update', description: 'of a fork' }]
  gitlab = createServer((request, response) => {
    void answer(request).then((found) => response.writeHead(found ? 200 : 404).end(JSON.stringify(found ?? {})))
  }).listen(0, '127.0.0.1')
  await once(gitlab, 'listening')
})
afterAll(async () => {
  gitlab.close()
  await site.remove()
})

async function answer(request: IncomingMessage): Promise<unknown> {
  if (request.headers['private-token'] !== 'glpat-bot') return undefined
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  const [, iid] = /^\/projects\/42\/merge_requests(?:\/(\d+))?$/.exec(pathname) ?? []
  if (request.method === 'GET') return requests.filter((one) => one.source_branch === searchParams.get('source_branch'))
  const fields: Partial<MergeRequest> = JSON.parse(await text(request))
  if (request.method === 'PUT') {
    const found = requests.find((one) => one.iid === Number(iid))
    return found && Object.assign(found, fields)
  }
  const made = { iid: requests.length + 1, source_project_id: 42, source_branch: '', description: '', ...fields }
  requests.push(made)
  return made
}

/** Runs the lines of a job in one shell, as a runner does. `npm ci` is left out: the package is there. */
async function runJob(
  name: string,
  folder: string,
  env: Record<string, string>,
): Promise<{ code: unknown; log: string }> {
  const { script, variables = {} } = parse(block('\\.gitlab-ci\\.yml'))[name]
  const lines: string[] = script.filter((line: string) => !line.endsWith('npm ci'))
  const address = gitlab.address()
  const child = spawn('bash', ['-eo', 'pipefail', '-c', lines.join('\n')], {
    cwd: folder,
    env: {
      ...variables,
      ...site.settings,
      CI: 'true',
      CI_API_V4_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
      CI_PROJECT_ID: '42',
      CI_PROJECT_URL: (await site.git(['remote', 'get-url', 'origin'], folder)).replace(/\.git$/, ''),
      CI_COMMIT_BRANCH: 'main',
      ...env,
    },
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += String(chunk)))
  const [code]: unknown[] = await once(child, 'close')
  return { code, log }
}

const update = async () => runJob('content-update', await site.checkout(), { BOT_TOKEN: 'glpat-bot' })
const branch = 'content-space/update'

test('the job for GitLab keeps one merge request', async () => {
  expect(await update()).toMatchObject({ code: 0, log: expect.stringContaining('The content is up to date.') })
  await site.space.write(await versionedKit(2))
  const first = await update()
  expect([first.code, first.log]).toEqual([0, expect.not.stringContaining('glpat-bot')])
  expect(requests).toMatchObject([
    { description: 'of a fork' },
    { iid: 2, title: 'Update content', target_branch: 'main' },
  ])
  expect(requests[1]?.description).toContain('- `src/main.js:1`: Old Badge from')
  expect(await site.git(['diff', '--name-only', 'main', branch])).toBe(
    'content-space.lock.json\nsrc/content-space.d.ts',
  )
  expect(await site.environments()).not.toContain('glpat-bot')

  const tip = await site.git(['rev-parse', branch])
  expect(await update()).toMatchObject({ code: 0, log: expect.stringContaining('The merge request is up to date.') })
  expect(await site.git(['rev-parse', branch])).toBe(tip)

  await site.space.write({ 'brand/versions/2/Logos/poster.svg': svg('another poster', 60, 90) })
  const moved = await site.commit({ 'README.md': 'text' })
  expect((await update()).code).toBe(0)
  expect(await site.git(['rev-parse', `${branch}^`])).toBe(moved)
  expect(requests).toHaveLength(2)

  const theirs = await site.commit({ 'README.md': 'other text' }, branch)
  expect((await update()).code).toBe(1)
  expect(await site.git(['rev-parse', branch])).toBe(theirs)
})

test('the job of a merge request needs no token', async () => {
  const base = await site.git(['rev-parse', 'main'])
  const job = await runJob('content-changes', await site.checkout(branch), {
    CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
    CONTENT_SPACE_TOKEN: '',
  })
  expect(job).toMatchObject({ code: 0, log: expect.stringContaining('brand: version 1 (1.0) → version 2 (2.0)') })
})

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { timeFor } from '../support/long.js'
import { definitions } from './runner.js'
import { branch, openRepository, token, type Data, type Repository } from './repository.js'

const lock = 'content-space.lock.json'
const text = '**Content**: 1 added\n\n### brand\n\n| added | Poster | `poster` |\n'
/** Returns the result of a first job that has found this state of the content. */
const update = (state: number | string): Data => ({ files: { [lock]: `${state}\n` }, text })

let repository: Repository
beforeEach(async () => {
  repository = await openRepository({ [lock]: '1\n', 'app/content-space.lock.json': '1\n', 'src/main.js': 'text\n' })
})
afterEach(() => repository.remove())

const head = (ref: string) => repository.git(['rev-parse', ref])
const bodies = () => repository.github.pulls.map(({ state, body }) => `${state} ${body}`)
const comments = () => repository.github.comments.map(({ body }) => body)

test('opens, renews, leaves alone and closes one pull request', { timeout: timeFor(2) }, async () => {
  const main = await head('main')
  expect(await repository.publish({})).toMatchObject({ ok: true, outputs: { changed: 'false', 'pull-request': '' } })
  const opened = await repository.publish(update(2))
  expect(opened).toMatchObject({ ok: true, commands: [], outputs: { changed: 'true', 'pull-request': '1' } })
  expect(opened.log).not.toContain(token)
  expect(await repository.git(['log', '--format=%P %an %cn%n%B', '-1', branch])).toMatch(
    new RegExp(
      `^${main} github-actions\\[bot\\] github-actions\\[bot\\]\nUpdate content\n\n1 added\n\n` +
        'Content-Space-Update: [\\da-f]{40}\nContent-Space-Project: \\./$',
    ),
  )
  expect(bodies()).toEqual([expect.stringContaining('open **Content**: 1 added')])
  expect(bodies()).toEqual([expect.stringContaining('(https://github.com/acme/site/actions/runs/7#artifacts)')])

  const tip = await head(branch)
  expect((await repository.publish(update(2))).log).toContain('Pull request 1 is up to date.')
  expect(await head(branch)).toBe(tip)
  const moved = await repository.commit({ 'src/main.js': 'other\n' })
  expect(await repository.publish(update(2))).toMatchObject({ ok: true, outputs: { 'pull-request': '1' } })
  expect(await head(`${branch}^`)).toBe(moved)

  expect(await repository.publish({})).toMatchObject({ ok: true, outputs: { changed: 'false' } })
  expect(bodies()).toEqual(['closed The base branch is up to date without this pull request.\n'])
  expect(await repository.git(['branch', '--list'])).toBe('* main')
})

test(
  'leaves a branch with commits of others as it is, and tells of new content only',
  { timeout: timeFor(2) },
  async () => {
    await repository.publish(update(2))
    const theirs = await repository.commit({ 'src/main.js': 'mended\n' }, branch)
    expect(await repository.publish(update(2))).toMatchObject({ ok: true, commands: [] })
    expect(comments()).toEqual([])
    for (const _ of [1, 2])
      expect((await repository.publish(update(3))).commands).toEqual([
        expect.stringMatching(/^::warning::Branch content-space\/update has commits of others/),
      ])
    expect(comments()).toEqual([expect.stringContaining('left as it is')])
    expect(await head(branch)).toBe(theirs)
  },
)

test('starts anew after a merge, and not after a pull request was closed', async () => {
  await repository.publish(update(2))
  Object.assign(repository.github.pulls[0] ?? {}, { state: 'closed' })
  expect((await repository.publish(update(2))).log).toContain('Pull request 1 with the same update was closed')
  expect(await repository.publish(update(3))).toMatchObject({ outputs: { 'pull-request': '2' } })
  const sha = await repository.commit({ 'src/main.js': 'mended\n' }, branch)
  Object.assign(repository.github.pulls[1] ?? {}, { state: 'closed', merged_at: '2024-01-02T00:00:00Z', sha })
  expect(await repository.publish(update(4))).toMatchObject({ commands: [], outputs: { 'pull-request': '3' } })
})

test('two projects with one branch do not overwrite each other', async () => {
  await repository.publish(update(2))
  const tip = await head(branch)
  const others = [{ 'working-directory': 'app' }, { kit: 'icons' }]
  for (const inputs of others) {
    const prefix = inputs['working-directory'] === undefined ? '' : 'app/'
    const job = await repository.publish({ files: { [`${prefix}${lock}`]: '3\n' }, text }, inputs)
    expect([job.ok, job.commands]).toEqual([false, [expect.stringMatching(/^::error::.* another project or kit/)]])
  }
  expect(await head(branch)).toBe(tip)
})

test('explains a branch that is protected', async () => {
  await repository.addProgram('../remote.git/hooks/pre-receive', `#!/bin/sh\necho '::warning::GH006' >&2\nexit 1\n`)
  const job = await repository.publish(update(2))
  expect([job.ok, job.commands]).toEqual([
    false,
    [expect.stringMatching(/^::error::Branch content-space\/update cannot be pushed/)],
  ])
  expect(job.log).toContain('GH006')
})

test('keeps one comment of each project on a pull request', { timeout: timeFor(2) }, async () => {
  const body = '<!-- content-space-changes -->\n\nof another'
  repository.github.comments.push({ id: 1, pull: 5, body, isOwn: false })
  const none = '**Content**: no differences\n'
  expect((await repository.comment(none)).log).toContain("This pull request doesn't change content.")
  for (const folder of ['.', 'app', './app/', '.']) await repository.comment(text, { 'working-directory': folder })
  await repository.comment(none)
  expect(comments().slice(1)).toEqual([
    `<!-- content-space-changes -->\n\n${none}`,
    expect.stringMatching(/^<!-- content-space-changes [\da-f]{40} -->\n\n\*\*Content\*\*: 1 added/),
  ])
  repository.github.readOnly = true
  for (const from of ['fork/site', 'acme/site'])
    expect(await repository.comment(text, {}, from)).toMatchObject({ ok: true, commands: [], summary: text })
})

const patchOf = (path: string, mode: string, line: string) =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`

describe('data of a hostile project', () => {
  test.each<[string, Data]>([
    ['source', { files: { 'src/main.js': 'evil()\n' } }],
    ['a file beside', { files: { [lock]: '2\n', 'evil.js': '\n' } }],
    ['the lockfile of another project', { files: { 'app/content-space.lock.json': '2\n' } }],
    ['a workflow', { patch: patchOf('.github/workflows/x.yml', '100644', 'on: push') }],
    ['attributes', { patch: patchOf('public/.gitattributes', '100644', '* filter=x') }],
    ['the folder of git', { patch: patchOf('.git/hooks/x', '100644', 'x') }],
    ['a path outside', { patch: patchOf('../outside', '100644', 'x') }],
    ['a link', { patch: patchOf('public/link', '120000', '/etc/passwd') }],
    ['a program', { patch: patchOf('public/run', '100755', 'x') }],
    ['a submodule', { patch: patchOf('public/sub', '160000', `Subproject commit ${'a'.repeat(40)}`) }],
    ['a configuration', { patch: patchOf('public/Content-space.config.js', '100644', 'x') }],
    ['scripts of npm', { patch: patchOf('package.json', '100644', '{}') }],
    ['no patch', { patch: '::error::text\n' }],
  ])('does not change %s', async (_, data) => {
    const job = await repository.publish({ text, ...data }, { paths: `${lock}\npublic` })
    expect([job.ok, job.commands]).toEqual([false, [expect.stringMatching(/^::error::The update (changes|does not)/)]])
    expect(await repository.git(['branch', '--list'])).toBe('* main')
    expect(repository.github.pulls).toEqual([])
  })

  test('is text and nothing else', async () => {
    const hostile = '**Content**: closes #1 @everyone [x](https://evil.example) <img src=x>\n/merge\n'
    await repository.publish({ ...update(2), text: hostile })
    const [body = ''] = bodies()
    expect(body).toContain('    **Content**: closes #1 @everyone')
    expect(body).toContain('\n    /merge')
    expect(await repository.git(['log', '-1', '--format=%B', branch])).not.toContain('closes')
    await repository.comment(hostile)
    expect(comments()).toEqual([expect.stringContaining('\n\n    **Content**: closes #1')])
  })

  test('changes the files in the input paths', async () => {
    const data = { ...update(2), patch: patchOf('public/logo.svg', '100644', '<svg/>') }
    delete data.files
    expect((await repository.publish(data, { paths: 'public' })).ok).toBe(true)
    expect(await repository.git(['diff', '--name-only', 'main', branch])).toBe('public/logo.svg')
  })
})

test('uploads files of Git LFS that have the hash of their pointer', async () => {
  const oid = createHash('sha256').update('drawing').digest('hex')
  await repository.commit({ '.gitattributes': 'public/** filter=lfs\n' })
  await repository.addProgram(
    'git-lfs',
    '#!/bin/sh\ncp -r .git/lfs/objects "$HOME/uploaded"\necho "$@" >> "$HOME/push"\n',
  )
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 7\n`
  const lines = pointer.trimEnd().split('\n')
  const patch = `diff --git a/public/a.svg b/public/a.svg\nnew file mode 100644\n--- /dev/null\n+++ b/public/a.svg\n@@ -0,0 +1,3 @@\n${lines.map((line) => `+${line}\n`).join('')}`
  const publish = (content: string) =>
    repository.publish({ patch, text, others: { [`lfs/${oid}`]: content } }, { paths: 'public' })
  expect((await publish('another')).commands).toEqual([expect.stringMatching(/^::error::A file that Git LFS keeps/)])
  expect((await publish('drawing')).ok).toBe(true)
  const path = ['uploaded', oid.slice(0, 2), oid.slice(2, 4), oid].join('/')
  expect(await readFile(join(repository.env['HOME'] ?? '', path), 'utf8')).toBe('drawing')
})

test("rejects invalid branch names, and events with other people's code", async () => {
  for (const name of ['main', 'a..b', '-x', '$(touch pwned)'])
    expect((await repository.publish(update(2), { branch: name })).ok).toBe(false)
  for (const event of ['pull_request_target', 'workflow_run'])
    expect((await repository.publish(update(2), {}, event)).commands).toEqual([
      expect.stringMatching(/^::error::This action does not run for the event/),
    ])
  expect(repository.github.calls).toEqual([])
})

test('works where `wc` and `sed` are those of macOS', async () => {
  const others = '#!/usr/bin/env bash\nPATH=${PATH#*:}\n'
  await repository.addProgram('wc', `${others}wc "$@" | sed 's/^/       /'\n`)
  await repository.addProgram('sed', `${others}exec sed "\${@//\\\\n/n}"\n`)
  await repository.publish(update(2))
  expect(await repository.publish(update(3))).toMatchObject({
    ok: true,
    commands: [],
    outputs: { 'pull-request': '1' },
  })
})

test('only the second action takes a token, no expression is in a script, and other actions are pinned', () => {
  expect(JSON.stringify(definitions['.'])).not.toMatch(/token|secrets/i)
  for (const { runs } of Object.values(definitions)) {
    expect(runs.using).toBe('composite')
    for (const step of runs.steps) {
      expect(step.run ?? '').not.toContain('${{')
      if (step.uses !== undefined) expect(step.uses).toMatch(/@[\da-f]{40}$/)
    }
  }
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { svg } from '../support/space.js'
import { notedKit, versionedKit } from '../support/versions.js'
import { openSite, token, type Site } from './site.js'

const branch = 'content-space/update'
const source = `import { acmeLogo, oldBadge, heroPhoto } from 'content-space:kit/brand'
console.log(acmeLogo, oldBadge, heroPhoto)
`

let site: Site

beforeEach(async () => {
  site = await openSite(await versionedKit(), { 'src/main.js': source })
})
afterEach(() => site.remove())

const useVersion2 = async () => site.space.write(await versionedKit(2))
const head = (ref: string) => site.git(['rev-parse', ref])

test('opens one pull request with the new lockfile, declarations and pulled files', async () => {
  await useVersion2()
  const main = await head('main')
  const job = await site.update({
    commands: 'npx content-space pull brand --out "pulled files"\nenv > environment.txt',
  })
  expect(job).toMatchObject({ ok: true, commands: [], summary: '', outputs: { changed: 'true', 'pull-request': '1' } })

  expect(await site.git(['log', '--format=%P %an %cn%n%B', '-1', branch])).toMatch(
    /^[\da-f]{40} github-actions\[bot\] github-actions\[bot\]\nUpdate content\n\n1 added, 1 removed, 1 renamed, 1 changed; 1 line of the source would break\n\nContent-Space-Update: [\da-f]{40}$/,
  )
  expect(await site.git(['rev-parse', `${branch}^`])).toBe(main)
  expect(await head('main')).toBe(main)
  const files = (await site.git(['diff', '--name-only', 'main', branch])).split('\n')
  expect(files).toEqual(
    expect.arrayContaining([
      'content-space.lock.json',
      'environment.txt',
      'pulled files/logos/corp-logo.svg',
      'src/content-space.d.ts',
    ]),
  )
  expect(files.filter((file) => !file.startsWith('pulled files/'))).toHaveLength(3)

  // Code of the project has the token of the service, and not the one of GitHub.
  const environments = (await site.environments()) + (await site.git(['show', `${branch}:environment.txt`]))
  expect(environments).toContain(site.service.token)
  for (const text of [environments, job.log]) expect(text).not.toContain(token)
  expect(job.log).not.toContain(site.service.token)

  const { pulls, comments } = await site.github()
  expect(pulls).toMatchObject([{ title: 'Update content', base: 'main', head: `acme:${branch}`, state: 'open' }])
  expect(comments).toEqual([])
  const body = pulls[0]?.body ?? ''
  expect(body.split('\n').slice(0, 3)).toEqual([
    '**Content**: 1 added, 1 removed, 1 renamed, 1 changed; 1 line of the source would break',
    '',
    '### brand\\: version 1 (1.0) → version 2 (2.0)',
  ])
  for (const row of ['| removed | Old Badge | oldBadge |', '| renamed | Acme Logo → Corp Logo |', '| added | Poster |'])
    expect(body).toContain(row)
  expect(body).toContain('- `src/main.js:1`: Old Badge from `content-space:kit/brand`')
  expect(body).toContain(
    '[Page with pictures of both versions](https://github.com/acme/site/actions/runs/7/artifacts/9)',
  )
  const page = await readFile(join(job.artifacts[0] ?? '', 'index.html'), 'utf8')
  expect(page.match(/src="data:image\/webp;base64,/g)).toHaveLength(6)
})

test('shows the release notes of a version that changes no asset', async () => {
  await site.space.write(await notedKit(2))
  await site.update()
  expect((await site.github()).pulls[0]?.body.split('\n').slice(0, 7)).toEqual([
    '**Content**: kits: 1 updated',
    '',
    '### brand\\: version 1 (1.0) → version 2 (2.0)',
    '',
    '> **version 2 (2.0)**\\',
    '> The icon\\',
    '> comes first.',
  ])
  expect(await site.git(['log', '--format=%B', '-1', branch])).toMatch(/^Update content\n\nkits: 1 updated\n\nContent-/)
})

test('does nothing when nothing has changed', async () => {
  expect(await site.update()).toMatchObject({
    ok: true,
    outputs: { changed: 'false', 'pull-request': '' },
    artifacts: [],
  })
  expect(await site.git(['branch', '--list'])).toBe('* main')
  await useVersion2()
  await site.update()
  const [before, tip] = [await site.github(), await head(branch)]
  const again = await site.update()
  expect(again).toMatchObject({ ok: true, outputs: { changed: 'true', 'pull-request': '' }, artifacts: [] })
  expect(again.log).toContain('Pull request 1 is up to date.')
  expect(await head(branch)).toBe(tip)
  expect(await site.github()).toEqual({ ...before, calls: expect.any(Array) })
})

test('renews the pull request when the content changes again, or the base branch moves', async () => {
  await useVersion2()
  await site.update()
  await site.space.write({
    'brand/versions/2/Logos/poster.svg': svg('another poster', 60, 90),
    'brand/versions/2/Logos/banner.svg': svg('banner'),
    'brand/versions/2/Logos/section.json': {
      items: ['poster.svg', 'icon.svg', 'hero-photo.jpg', 'corp-logo.svg', 'banner.svg'],
    },
  })
  const first = await head(branch)
  expect(await site.update()).toMatchObject({ ok: true, outputs: { 'pull-request': '1' } })
  const second = await head(branch)
  expect(second).not.toBe(first)
  expect((await site.github()).pulls).toMatchObject([{ body: expect.stringContaining('| added | Banner |') }])

  const moved = await site.commit({ 'README.md': 'text', 'src/other.js': source })
  expect(await site.update()).toMatchObject({ ok: true, outputs: { 'pull-request': '1' } })
  expect(await site.git(['rev-parse', `${branch}^`])).toBe(moved)
  expect(await site.git(['rev-list', '--count', `main..${branch}`])).toBe('1')
  const { pulls } = await site.github()
  expect(pulls).toMatchObject([{ body: expect.stringContaining('- `src/other.js:1`: Old Badge') }])
})

test('leaves a branch with commits of others as it is, and says so in the pull request', async () => {
  await useVersion2()
  await site.update()
  const theirs = await site.commit({ 'src/main.js': source.replaceAll('oldBadge, ', '') }, branch)
  await site.space.write({ 'brand/versions/2/Logos/extra.svg': svg('extra') })
  for (const count of [1, 2]) {
    const job = await site.update()
    expect([count, job.ok, job.artifacts]).toEqual([count, true, []])
    expect(job.commands).toEqual([
      expect.stringMatching(/^::warning::Branch content-space\/update has commits of others/),
    ])
  }
  expect(await head(branch)).toBe(theirs)
  const { comments, pulls } = await site.github()
  expect(comments).toMatchObject([{ pull: 1, body: expect.stringContaining('left as it is') }])
  expect(pulls).toHaveLength(1)
})

test('a pull request that was closed stays closed until the content changes again', async () => {
  await useVersion2()
  await site.update()
  await site.changeGithub(({ pulls: [pull] }) => pull && (pull.state = 'closed'))
  await site.git(['update-ref', '-d', `refs/heads/${branch}`])
  await site.commit({ 'README.md': 'text' })
  expect((await site.update()).log).toContain('Pull request 1 with the same update was closed')
  expect((await site.github()).pulls).toHaveLength(1)
  await site.space.write({
    'brand/versions/2/Logos/extra.svg': svg('extra'),
    'brand/versions/2/Logos/section.json': {
      items: ['extra.svg', 'poster.svg', 'icon.svg', 'hero-photo.jpg', 'corp-logo.svg'],
    },
  })
  expect(await site.update()).toMatchObject({ ok: true, outputs: { 'pull-request': '2' } })
})

test('closes the pull request when the base branch has its content', async () => {
  await useVersion2()
  await site.update()
  await site.space.write(await versionedKit(1))
  expect(await site.update()).toMatchObject({ ok: true, outputs: { changed: 'false', 'pull-request': '' } })
  const { pulls, comments } = await site.github()
  expect(pulls).toMatchObject([{ state: 'closed' }])
  expect(comments).toMatchObject([{ body: 'The base branch is up to date without this pull request.\n' }])
  expect(await site.git(['branch', '--list'])).toBe('* main')
})

test('a pull request of a fork with the same branch is not taken for its own', async () => {
  await site.changeGithub(({ pulls }) =>
    pulls.push({
      number: 1,
      state: 'open',
      merged_at: null,
      title: 'Theirs',
      body: '',
      head: `fork:${branch}`,
      base: 'main',
    }),
  )
  await useVersion2()
  expect(await site.update()).toMatchObject({ ok: true, outputs: { 'pull-request': '2' } })
  expect((await site.github()).pulls).toMatchObject([{ title: 'Theirs', body: '' }, { title: 'Update content' }])
})

test('refuses uncommitted files, which are not a part of the update', async () => {
  const job = await site.run({ event: 'schedule', ref: 'main', files: { 'notes.txt': 'text' } })
  expect([job.ok, job.commands]).toEqual([false, [expect.stringMatching(/^::error::There are uncommitted files/)]])
  expect(job.log).toContain('?? notes.txt')
  expect(await site.environments()).toBe('')
})

test('refuses names of branches that are none, and events with code of others', async () => {
  const own = await site.update({ branch: 'main' })
  expect([own.ok, own.commands]).toEqual([false, [expect.stringMatching(/^::error::Run this workflow on the branch/)]])
  for (const name of ['a..b', '-x', '$(touch pwned)', 'a\nb'])
    expect((await site.update({ branch: name })).ok).toBe(false)
  for (const event of ['pull_request_target', 'workflow_run', 'issue_comment']) {
    const job = await site.run({ event, ref: 'main' })
    expect([job.ok, job.steps, job.commands]).toEqual([
      false,
      ['Find out what to do'],
      [expect.stringMatching(/^::error::This action does not run for the event/)],
    ])
  }
  expect((await site.github()).calls).toEqual([])
  expect(await site.environments()).toBe('')
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostileTexts, steered } from '../support/hostile-texts.js'
import { svg, type Files } from '../support/space.js'
import { versionedKit } from '../support/versions.js'
import { definition } from './runner.js'
import { openSite, token, type Site } from './site.js'

const source = `import { acmeLogo, oldBadge } from 'content-space:kit/brand'\nconsole.log(acmeLogo, oldBadge)\n`
const branch = 'content-space/update'

describe('in a pull request', () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite(await versionedKit(), { 'src/main.js': source })
    await site.git(['branch', 'text', 'main'])
    await site.commit({ 'README.md': 'text' }, 'text')
    await site.space.write(await versionedKit(2))
    await site.update()
    // Nothing that follows may ask the service.
    await site.service.close()
  })
  afterAll(() => site.remove())

  test('writes no comment where no content changes', async () => {
    const job = await site.describe('text')
    expect(job).toMatchObject({ ok: true, summary: '', commands: [], outputs: { 'pull-request': '' } })
    expect(job.log).toContain('This pull request changes no content.')
    expect((await site.github()).comments).toEqual([])
  })

  test('keeps one comment up to date, also among others, and runs code of the project without tokens', async () => {
    await site.changeGithub(({ comments }) => {
      for (const id of [1, 2, 3])
        comments.push({ id, pull: 5, body: '<!-- content-space-changes -->\n\nof somebody else', isOwn: false })
    })
    const before = (await site.environments()).length
    expect(await site.describe(branch)).toMatchObject({ ok: true, summary: '', commands: [] })
    const seen = (await site.environments()).slice(before)
    expect(seen).toContain('CONTENT_SPACE_URL')
    for (const secret of [token, site.service.token, 'AWS_']) expect(seen).not.toContain(secret)
    const written = async () => (await site.github()).comments.slice(3).map(({ body }) => body.split('\n'))
    expect(await written()).toEqual([
      [
        '<!-- content-space-changes -->',
        '',
        '**Content**: 1 added, 1 removed, 1 renamed, 1 changed; 1 line of the source would break',
        '',
        '### brand\\: version 1 (1.0) → version 2 (2.0)',
        '',
        '| | asset | export | file |',
        '|---|---|---|---|',
        '| removed | Old Badge | oldBadge |  |',
        '| renamed | Acme Logo → Corp Logo | acmeLogo → corpLogo |  |',
        '| changed | Hero Photo | heroPhoto |  |',
        '| added | Poster | poster |  |',
        '',
        'These imports would break:',
        '',
        '- `src/main.js:1`: Old Badge from `content-space:kit/brand`',
        '',
      ],
    ])
    await site.commit({ 'src/main.js': source.replaceAll(', oldBadge', '') }, branch)
    await site.describe(branch)
    expect((await written()).map((lines) => lines[2])).toEqual([
      '**Content**: 1 added, 1 removed, 1 renamed, 1 changed',
    ])
    await site.describe('text')
    expect((await written()).map((lines) => lines[2])).toEqual(['**Content**: no differences'])
  })

  test('each project of a repository has its own comment', async () => {
    const lock = (ref: string) => site.git(['show', `${ref}:content-space.lock.json`])
    await site.commit({
      'app/content-space.config.js': 'export default {}',
      'app/content-space.lock.json': await lock('main'),
    })
    await site.git(['branch', 'both', 'main'])
    await site.commit(
      { 'content-space.lock.json': await lock(branch), 'app/content-space.lock.json': await lock(branch) },
      'both',
    )
    for (const folder of ['.', 'app', './app', '.'])
      expect(await site.describe('both', 'acme/site', { 'working-directory': folder })).toMatchObject({ ok: true })
    const { comments } = await site.github()
    expect(comments.slice(3).map(({ body }) => body.split('\n').slice(0, 3))).toEqual([
      ['<!-- content-space-changes -->', '', expect.stringContaining('would break')],
      [expect.stringMatching(/^<!-- content-space-changes [\da-f]{40} -->$/), '', expect.stringMatching(/1 changed$/)],
    ])
  })

  test('writes the summary of the job where a fork, or Dependabot, may not comment', async () => {
    const { comments } = await site.github()
    await site.changeGithub((github) => (github.readOnly = true))
    for (const from of ['fork/site', 'acme/site']) {
      const job = await site.describe(branch, from)
      expect(job).toMatchObject({ ok: true, commands: [] })
      expect(job.summary).toMatch(/^\*\*Content\*\*: 1 added, /)
    }
    expect((await site.github()).comments).toEqual(comments)
    expect(await site.describe('text', 'fork/site')).toMatchObject({ ok: true, summary: '' })
  })
})

/** Texts that are code somewhere between the service and the pull request. */
const traps = [
  ...hostileTexts,
  '$(touch pwned)',
  '`touch pwned`',
  '"; touch pwned; "',
  "'; touch pwned; '",
  '${{ github.token }}',
  '${{ runner.temp }}',
  '@everyone @acme/team',
  'Fixes #1, closes GH-2, acme/site#3',
  '0123456789abcdef0123456789abcdef01234567',
  '<script>hit()</script><img src=x onerror=hit()>',
  '| a | b |\n/close\n/merge',
  '[link](https://evil.example) https://evil.example www.evil.example',
  '<!-- content-space-update 0000 -->',
  '%0A::error::x',
]

/** Returns a version of a kit with assets of these names. */
const edition = (folder: string, names: readonly string[]): Files =>
  Object.fromEntries(
    names.flatMap((name, at) => [
      [`${folder}/Logos/a-${at}.svg`, svg(`${at}`)],
      [`${folder}/Logos/a-${at}.json`, { uuid: `237C41F2-AAAA-4BBB-8CCC-${String(at).padStart(12, '0')}`, name }],
    ]),
  )

/** @param use the version in use */
const kit = (use: number): Files => ({
  'space.json': { space_id: 7 },
  'brand/kit.json': {
    uuid: '3BD9A8C0-1111-4222-8333-444455556666',
    name: 'Brand',
    use_version: use,
    versions: [
      { version: 1, version_identifier: 'one', folder: 'versions/1' },
      { version: 2, version_identifier: traps.join(' '), notes: traps.join('\n'), folder: 'versions/2' },
    ],
  },
  ...edition(
    'brand/versions/1',
    traps.map((_, at) => `before ${at}`),
  ),
  ...edition('brand/versions/2', traps),
})

test('names and notes of content run nothing, link nothing and mention nobody', async () => {
  const site = await openSite(kit(1), {
    'src/main.js': `import kit from 'content-space:kit/brand'\nconsole.log(kit)\n`,
  })
  await site.space.write(kit(2))
  const job = await site.update({ commands: 'npx content-space pull brand --out content' })
  expect(job).toMatchObject({ ok: true, commands: [], outputs: { changed: 'true', 'pull-request': '1' } })
  expect(await site.git(['ls-tree', '-r', '--name-only', branch])).not.toMatch(/(^|\/)pwned$/m)
  expect(await site.git(['log', '-1', '--format=%B', branch])).toMatch(
    /^Update content\n\n\d+ renamed\n\nContent-Space-Update: [\da-f]{40}$/,
  )
  const { pulls } = await site.github()
  const { body = '' } = pulls[0] ?? {}
  // What the action itself writes.
  const text = body.slice(0, body.indexOf('[Page with pictures'))
  expect(text).toContain('everyone')
  expect(steered(text)).toEqual([])
  expect(text.match(/(?<!\\)[@#](?!## )\w|GH-\d|[\da-f]{12}|<\w|<!--|(?<!\\)`|https:|(?<!\\)\$|^\/\w/gm) ?? []).toEqual(
    [],
  )
  for (const secret of [token, site.service.token]) expect(job.log + body).not.toContain(secret)
  await site.describe(branch)
  const { comments } = await site.github()
  expect(steered(comments[0]?.body ?? '')).toEqual([])
  expect(comments[0]?.body).toMatch(/^<!-- content-space-changes -->\n\n\*\*Content\*\*: \d+ renamed/)
  await site.remove()
})

test('the runner obeys nothing that code of the project prints', async () => {
  const site = await openSite(await versionedKit(), {
    'src/main.js': source,
    'content-space.config.js': `console.error('::warning::printed')
console.error('text ##[warning]printed')
export default {}
`,
  })
  await site.space.write(await versionedKit(2))
  const update = await site.update()
  expect(update).toMatchObject({ ok: true, commands: [], outputs: { changed: 'true' } })
  const describing = await site.describe(branch)
  expect(describing).toMatchObject({ ok: true, commands: [] })
  for (const { log } of [update, describing]) expect(log).toContain('##[warning]printed')
  await site.remove()
})

test('no expression is in a script, and every other action is pinned by its commit', () => {
  const { using, steps } = definition.runs
  expect(using).toBe('composite')
  for (const step of steps) {
    expect(step.run ?? '').not.toContain('${{')
    if (step.uses !== undefined) expect(step.uses).toMatch(/@[\da-f]{40}$/)
  }
})

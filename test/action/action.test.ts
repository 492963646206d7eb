import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { timeFor } from '../support/long.js'
import { hostileTexts, steered } from '../support/hostile-texts.js'
import { svg, type Files } from '../support/space.js'
import { versionedKit } from '../support/versions.js'
import { branch, token } from './repository.js'
import type { JobResult } from './runner.js'
import { openSite, type Site } from './site.js'

const cacheKey = 'a-key-of-the-remote-cache-of-tests'

/** Serves a remote cache. */
async function openCache() {
  const stored = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const { method, url = '' } = request
    if (method === 'PUT') {
      void buffer(request).then((bytes) => {
        stored.set(url, bytes)
        response.writeHead(201).end()
      })
    } else response.writeHead(stored.has(url) ? 200 : 404).end(stored.get(url))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => server.close().closeAllConnections())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { address: `http://127.0.0.1:${port}/`, stored }
}

const source = `import { acmeLogo, oldBadge, heroPhoto } from 'content-space:kit/brand'
console.log(acmeLogo, oldBadge, heroPhoto)
`

/**
 * Starts the command line without npx, which takes as long as a command. Pull requests are described with npx, the
 * default.
 */
const direct = { cli: 'node_modules/.bin/content-space' }

test(
  'opens a pull request with new content, and describes it in a comment without any token',
  { timeout: timeFor(4) },
  async () => {
    const project = {
      'src/main.js': source,
      'public/badge.svg': svg('badge'),
      'public/icon.svg': svg('icon'),
      'public/poster.svg': svg('poster', 60, 90),
      'src/small.js': `import small from 'content-space:asset/brand/hero-photo?w=20&format=webp'\nconsole.log(small)\n`,
    }
    const cache = await openCache()
    const site = await openSite(await versionedKit(), project, ['brand', '--out', 'pulled files'])
    onTestFinished(() => site.remove())
    Object.assign(site.settings, {
      CONTENT_SPACE_REMOTE: cache.address,
      CONTENT_SPACE_REMOTE_WRITE: '1',
      CONTENT_SPACE_REMOTE_KEY: cacheKey,
    })
    const files = ['poster.svg', 'icon.svg', 'hero-photo.jpg', 'corp-logo.svg']
    const note = { type: 'inline_note', content: 'Only on @white.' }
    await site.space.write({
      ...(await versionedKit(2)),
      'brand/versions/2/Logos/section.json': { items: [...files, note] },
    })
    const paths = 'content-space.lock.json\n**/content-space.d.ts\npulled files'
    const commands = 'npx content-space pull brand --out "pulled files"'
    const { jobs, artifacts, workspace } = await site.update({ ...direct, paths, commands })
    expect(jobs).toMatchObject([
      { ok: true, commands: [] },
      { ok: true, commands: [], outputs: { changed: 'true', 'pull-request': '1' } },
    ])
    expect(await site.git(['diff', '--name-only', 'main', branch])).toMatch(
      /^content-space\.lock\.json\n[\s\S]*pulled files\/logos\/corp-logo\.svg[\s\S]*\nsrc\/content-space\.d\.ts$/,
    )
    const { pulls } = site.github
    expect(pulls[0]?.body.split('\n').slice(0, 8)).toEqual([
      '**Content**: 1 added, 1 removed, 1 renamed, 1 changed; items: 1 added; 1 line of the source would break',
      '',
      'These imports would break:',
      '',
      '- `src/main.js:1`: Old Badge from `content-space:kit/brand`',
      '',
      '### brand\\: version 1 (1.0) → version 2 (2.0)',
      '',
    ])
    expect(pulls[0]?.body).toContain('Only on')
    expect(pulls[0]?.body).toContain(
      [
        '### Copies',
        '',
        'These findings of `content-space audit` are new with this update:',
        '',
        '| place | finding | content | import |',
        '|---|---|---|---|',
        '| `public/badge.svg:1` | outdated | Old Badge of version 1.0 |  |',
        '| `public/poster.svg:1` | copy | Poster | `content-space:asset/brand/poster` |\n\n',
      ].join('\n'),
    )
    const page = await readFile(join(artifacts.get('content-space-page') ?? '', 'index.html'), 'utf8')
    expect(page.match(/src="data:image\/webp;base64,/g)).toHaveLength(6)
    expect(await site.environments()).toContain(site.service.token)
    for (const { log } of jobs) for (const secret of [token, site.service.token]) expect(log).not.toContain(secret)

    expect(jobs[0]?.log).toMatch(
      /\nConverting the files of the new content for the remote cache,[\s\S]*\n1 conversion\n/,
    )
    expect([...cache.stored.keys()]).toContainEqual(expect.stringContaining('/made/'))

    // Another project of the repository may follow in the same job.
    const again = { action: '.', event: 'schedule', workspace, env: site.settings, inputs: direct } as const
    expect(await site.run(again)).toMatchObject({ ok: true, outputs: {} })

    const before = (await site.environments()).length
    // No later step may send requests to the service.
    await site.service.close()
    await rm(site.settings['CONTENT_SPACE_CACHE'] ?? '', { recursive: true })
    expect((await site.describe(branch)).jobs).toMatchObject([{ ok: true }, { ok: true, summary: '' }])
    const seen = (await site.environments()).slice(before)
    expect(seen).toContain('CONTENT_SPACE_URL')
    for (const secret of [token, site.service.token, 'AWS_', cacheKey]) expect(seen).not.toContain(secret)
    expect(site.github.comments.map(({ body }) => body.split('\n').slice(0, 3))).toEqual([
      ['<!-- content-space-changes -->', '', expect.stringMatching(/^\*\*Content\*\*: 1 added/)],
    ])
  },
)

test('updates and describes a project with content of its own', { timeout: timeFor(4) }, async () => {
  const site = await openSite(await versionedKit(), {
    'content-space.config.js': "export default { kits: { brand: 'brand', icons: { source: './icons' } } }\n",
    'icons/arrow.svg': svg('arrow'),
    'src/main.js': `${source}import { arrow } from 'content-space:kit/icons'\nconsole.log(arrow)\n`,
  })
  onTestFinished(() => site.remove())
  await site.space.write(await versionedKit(2))
  const { jobs } = await site.update(direct)
  expect(jobs).toMatchObject([{ ok: true }, { ok: true, outputs: { changed: 'true', 'pull-request': '1' } }])
  expect(await site.git(['show', `${branch}:content-space.lock.json`])).toContain('arrow')
  const [pull] = site.github.pulls
  expect(pull?.body).toContain('### brand\\: version 1 (1.0) → version 2 (2.0)')
  expect(pull?.body).not.toContain('icons')
  await site.service.close()
  expect((await site.describe(branch)).jobs).toMatchObject([{ ok: true }, { ok: true, summary: '' }])
  expect(site.github.comments).toMatchObject([{ body: expect.stringContaining('version 2') }])
})

/** Texts that are code at some point between the service and the pull request. */
const traps = [
  ...hostileTexts,
  '$(touch pwned)',
  '`touch pwned`',
  "'; touch pwned; '",
  '${{ github.token }}',
  '@everyone @acme/team',
  'Fixes #1, closes GH-2, acme/site#3',
  '0123456789abcdef0123456789abcdef01234567',
  '<script>hit()</script><img src=x onerror=hit()>',
  '| a | b |\n/close\n/merge',
  '[link](https://evil.example) https://evil.example www.evil.example',
  '<!-- content-space-update 0000 -->',
  '%0A::error::x',
]

/** Returns a version of a kit whose assets have these names. */
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

/** Returns code of a project that searches for a token wherever the second job could run it. */
const thieving = (thief: string, stolen: string): string => `import { spawn } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
const { GITHUB_PATH, GITHUB_ENV, GITHUB_OUTPUT, GITHUB_ACTION_PATH } = process.env
console.error('::warning::printed')
const steal = '#!/bin/sh\\nenv >> ${stolen}\\n'
mkdirSync('${thief}', { recursive: true })
for (const name of ['gh', 'git', 'bash', 'sed']) {
  writeFileSync('${thief}/' + name + '-of-the-project', steal)
}
writeFileSync('${thief}/gh', steal)
chmodSync('${thief}/gh', 0o755)
appendFileSync(GITHUB_PATH, '${thief}\\n')
appendFileSync(GITHUB_ENV, 'BASH_ENV=${thief}/gh\\n')
appendFileSync(GITHUB_OUTPUT, 'pull-request=1\\n')
writeFileSync(join(GITHUB_ACTION_PATH, 'publish.sh'), steal)
writeFileSync(join(GITHUB_ACTION_PATH, 'github.sh'), steal)
const late = "const { mkdirSync, writeFileSync } = require('fs'); setInterval(() => writeFileSync('${thief}/alive', ''), 50);" +
  "setTimeout(() => process.exit(), 20000)"
const child = spawn(process.execPath, ['-e', late], { detached: true, stdio: 'ignore' })
appendFileSync('${thief}/processes', child.pid + '\\n')
child.unref()
export default { tokens: [] }
`

// One update tests both, because an update takes several seconds.
describe('a hostile project with hostile content', () => {
  let site: Site
  let stolen = ''
  let refused: JobResult | undefined
  let published: JobResult
  let first: JobResult | undefined

  beforeAll(async () => {
    const copies = traps.map((_, at) => [`public/${at} @all #1 \`<b>.svg`, svg(`${at}`)])
    site = await openSite(kit(1), {
      'src/main.js': `import kit from 'content-space:kit/brand'\nconsole.log(kit)\n`,
      ...Object.fromEntries(copies),
    })
    const thief = join(site.root, 'thief')
    stolen = join(site.root, 'stolen')
    await site.commit({ 'content-space.config.js': thieving(thief, stolen) })
    await site.space.write(kit(2))
    const { jobs, artifacts } = await site.update({ ...direct, commands: 'echo "fetch(1)" > src/evil.js' })
    ;[first, refused] = jobs
    const paths = 'content-space.lock.json\n**/content-space.d.ts\nsrc/evil.js'
    const workspace = await site.checkout()
    published = await site.run({ action: 'publish', event: 'schedule', workspace, inputs: { paths }, artifacts })
    for (const id of (await readFile(join(thief, 'processes'), 'utf8')).trim().split('\n'))
      try {
        process.kill(Number(id))
      } catch {}
  }, timeFor(4))
  afterAll(() => site.remove())

  test("doesn't run code in its names and notes, and its own code can't print workflow commands", () => {
    expect(first).toMatchObject({ ok: true, commands: [] })
    expect(published).toMatchObject({ ok: true, commands: [], outputs: { 'pull-request': '1' } })
  })

  test('changes only the files in the input paths', () => {
    expect(refused).toMatchObject({
      ok: false,
      commands: [expect.stringMatching(/^::error::The update changes files/)],
    })
  })

  test('reaches neither the token nor the second job', async () => {
    expect(await readFile(stolen, 'utf8').catch(() => '')).not.toContain(token)
    expect(site.github.calls.length).toBeGreaterThan(0)
  })

  test("doesn't contain links or mentions", () => {
    const body = site.github.pulls[0]?.body ?? ''
    // The action's own text comes after it.
    const text = body.slice(0, body.indexOf('Pictures of both versions'))
    expect(text).toMatch(/^\*\*Content\*\*: \d+ renamed/)
    expect(text).toContain('everyone')
    expect(text.match(/^\| ``.* \| copy \|/gm)).toHaveLength(traps.length)
    expect(steered(text)).toEqual([])
    const prose = text.replaceAll(/(`+)(?!`).*?[^`]\1(?!`)/g, '')
    expect(prose.match(/(?<!\\)[@#](?!## )\w|GH-\d|[\da-f]{12}|<\w|<!--|https:|(?<!\\)\$|^\/\w/gm) ?? []).toEqual([])
  })
})

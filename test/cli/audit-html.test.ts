import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createImporter } from 'unplugin-content-space'
import { project, type Project } from '../support/cli.js'
import { logo, retired, star } from '../support/drawings.js'
import { serveSpace, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'

const hostile = '"><script>hit()</script><img src=x onerror=hit()>'
const hostileId = 'content-space:asset/brand/script-hit-script-img-src-x-onerror-hit'

let space: SpaceFolder
let service: ServedSpace
let work: Project

beforeAll(async () => {
  space = await writeSpace({
    'brand/kit.json': {
      name: 'Brand',
      use_version: 2,
      versions: [
        { version: 1, folder: '1' },
        { version: 2, folder: '2' },
      ],
    },
    'brand/1/Logos/retired.svg': retired,
    'brand/2/Logos/logo.svg': logo,
    'brand/2/Logos/logo.json': { name: hostile },
    'brand/2/Logos/star.svg': star,
    'brand/2/Logos/guide.pdf': '%PDF-1.7\n%%EOF\n',
    'brand/2/Colors/coral.json': { type: 'COLOR', meta: { hex: '#E5603F' } },
  })
  service = await serveSpace(space.folder)
  work = await project(
    {
      'content-space.config.json': JSON.stringify({ kits: { brand: 'brand' } }),
      'public/<b>logo</b>.svg': logo,
      'public/retired.svg': retired,
      'public/guide.pdf': '%PDF-1.7\n%%EOF\n',
      'src/icons.jsx': `const both = [${[logo, star].map((one) => one.trim()).join(', ')}]\n`,
      'src/main.js': "import { star } from 'content-space:kit/brand'\nconsole.log(star.src)\n",
      'src/page.css': 'a { color: hsl(12 76% 57%) }\n',
    },
    service.env,
  )
  expect(await work.run('sync')).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await service.close()
  await work.remove()
  await space.remove()
})

const page = (): Promise<string> => readFile(join(work.root, 'audit.html'), 'utf8')

/** Returns the entries of the page: their finding, their location, their pictures, and their import. */
function articles(html: string): string[][] {
  return [...html.matchAll(/<article>([^]*?)<\/article>/g)].map(([, text = '']) => [
    ...(/<b class="(\w+)"/.exec(text)?.slice(1) ?? []),
    ...(/<p><code>(.*?)<\/code>/.exec(text)?.slice(1) ?? []),
    ...Array.from(text.matchAll(/<figure>(?:<(img|svg)|<p>([^<]*))/g), ([, shown, tile]) => shown ?? tile ?? ''),
    ...(/<code class="whole">(.*?)<\/code>/.exec(text)?.slice(1) ?? []),
  ])
}

/** Returns the largest difference between channels. */
const differs = (first: number[] = [], second: number[] = []): number =>
  Math.max(...first.map((value, at) => Math.abs(value - (second[at] ?? 0))))

/** Returns how many requests an audit sends. */
const count = async (...args: string[]): Promise<number> => {
  const before = service.requests.length
  expect(await work.run('audit', ...args)).toMatchObject({ code: 0 })
  return service.requests.length - before
}

describe('content-space audit --html', () => {
  test('writes a page with what was found, the asset, and the import', async () => {
    const { code, stdout, stderr } = await work.run('audit', '--html', 'audit.html')
    expect([code, stderr]).toEqual([0, expect.stringContaining('wrote audit.html\n')])
    expect(stdout).toContain('redrawn ')
    expect(articles(await page())).toEqual([
      ['copy', 'public/&#60;b&#62;logo&#60;/b&#62;.svg:1', 'img', 'img', hostileId],
      ['copy', 'public/guide.pdf:1', 'no picture', 'no picture', 'content-space:asset/brand/guide'],
      ['outdated', 'public/retired.svg:1', 'img', 'not in this version'],
      ['redrawn', 'src/icons.jsx:1', 'img', 'img', hostileId],
      ['redrawn', 'src/icons.jsx:1', 'img', 'img', 'content-space:asset/brand/star'],
      ['color', 'src/page.css:1', 'svg', 'svg', 'content-space:tokens/brand'],
    ])
  })

  test('shows the picture of each finding of a line', async () => {
    const uris = [...(await page()).matchAll(/src="data:image\/webp;base64,(.*?)"/g)].slice(-4)
    const pictures = uris.map(([, data = '']) => sharp(Buffer.from(data, 'base64')).flatten({ background: '#fff' }))
    const [one, logoNow, two, starNow] = await Promise.all(
      pictures.map(async (picture) => [...(await picture.resize(24, 24).raw().toBuffer())]),
    )
    expect([differs(one, logoNow), differs(two, starNow)].every((value) => value < 32)).toBe(true)
    expect([differs(one, two), differs(logoNow, starNow)].every((value) => value > 100)).toBe(true)
  })

  test('shows names as text, and is allowed to load and run nothing', async () => {
    const html = await page()
    expect(html).toContain(`content="default-src 'none'; style-src 'sha256-`)
    expect(html).toContain('&#60;script&#62;hit()')
    expect(html).not.toMatch(/<script|<b>|onerror=hit\(\)>|url\(|href/)
  })

  test('makes the same bytes again, without finding itself', async () => {
    const before = await page()
    await rm(join(work.root, 'audit.html'))
    expect(await work.run('audit', '--html', 'audit.html', '--offline')).toMatchObject({ code: 0 })
    expect(await page()).toBe(before)
    expect((await work.run('audit', '--html')).stdout).toBe(before)
  })

  test('requests what an audit requests', async () => {
    expect(await count('--html')).toBe(await count())
    expect(await count('--cache-dir', '.cold', '--html')).toBe(await count('--cache-dir', '.as-cold'))
  })

  test('shows tiles in the place of drawings that may not be downloaded', async () => {
    const downloads = service.downloads().length
    await work.run('audit', '--html', 'audit.html', '--no-download', '--cache-dir', '.cache-of-page')
    expect(articles(await page()).map((shown) => shown.slice(0, 4))).toEqual([
      ['copy', 'public/&#60;b&#62;logo&#60;/b&#62;.svg:1', 'img', 'no picture'],
      ['copy', 'public/guide.pdf:1', 'no picture', 'no picture'],
      ['outdated', 'public/retired.svg:1', 'img', 'not in this version'],
      ['color', 'src/page.css:1', 'svg', 'svg'],
    ])
    expect(await page()).toContain('could not be compared')
    expect(service.downloads().length).toBe(downloads)
  })

  test('replaces no other file', async () => {
    await work.write({ 'mine.html': '<h1>Mine</h1>' })
    const { code, stdout, stderr } = await work.run('audit', 'public', '--html', 'mine.html')
    expect([code, stdout]).toEqual([1, expect.stringContaining('3 findings in 3 files\n')])
    expect(stderr).toContain('mine.html')
    expect(stderr).not.toContain('wrote')
    expect(await readFile(join(work.root, 'mine.html'), 'utf8')).toBe('<h1>Mine</h1>')
    expect(await work.run('audit', '--html', 'audit.html', '--json')).toMatchObject({ code: 2 })
  })
})

test('the importer returns the pictures if it is asked for them', async () => {
  const { root } = work
  const importer = await createImporter(
    { ...service.options, cacheDir: join(root, '.cache-of-page') },
    { root, env: {} },
  )
  const [first] = (await importer.audit({ paths: ['public/retired.svg'], pictures: true, download: false })).findings
  const [second] = (await importer.audit({ paths: ['public/retired.svg'], download: false })).findings
  await importer.close()
  expect(first?.pictures).toEqual({
    found: { uri: expect.stringMatching(/^data:image\/webp;base64,/), ground: 'light' },
  })
  expect(second).not.toHaveProperty('pictures')
})

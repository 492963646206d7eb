import { createHash } from 'node:crypto'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { svg, writeSpace } from '../support/space.js'
import { hovers5, hovers7 } from '../types/hovers.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

const large = svg('x').replace('</svg>', `${'<path d="M1.5 2.25L3 4"/>'.repeat(400)}</svg>`)
const main = `import { arrow, grain, hero, report } from 'content-space:kit/plain'
import badge from 'content-space:asset/plain/badge?as=url'
import all from 'content-space:section/plain/others'
import type { unused } from 'content-space:kit/plain'
export const used = [arrow, grain, hero, report, badge, all]
`

const noise = createHash('shake256', { outputLength: 200 * 200 * 4 })
  .update('grain')
  .digest()

const tsconfig = JSON.stringify({ compilerOptions: { module: 'esnext', moduleResolution: 'bundler', types: [] } })

const config = (types: object) => ({ 'content-space.config.json': JSON.stringify({ types }) })

let work: Project

beforeEach(async () => {
  const space = await writeSpace({
    'plain/Icons/arrow.svg': svg('arrow'),
    'plain/Icons/badge.svg': large,
    'plain/Icons/unused.svg': svg('unused'),
    'plain/Photos/hero.jpg': await sharp({ create: { width: 640, height: 480, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer(),
    // Noise makes the longest picture possible.
    'plain/Photos/grain.png': await sharp(noise, { raw: { width: 200, height: 200, channels: 4 } })
      .png()
      .toBuffer(),
    'plain/Photos/report.pdf': Buffer.from('%PDF-1.4\n%%EOF\n'),
    'plain/Others/other.svg': svg('other'),
  })
  work = await project({ 'main.ts': main, 'tsconfig.json': tsconfig }, { CONTENT_SPACE_URL: space.folder })
  await symlink(join(root, 'node_modules'), join(work.root, 'node_modules'))
  return async () => {
    await work.remove()
    await space.remove()
  }
})

const read = (): Promise<string> => readFile(join(work.root, 'content-space.d.ts'), 'utf8')

/** Returns the pictures in comments, by the name at the beginning of the comment. */
function picturesIn(text: string): Map<string, string> {
  const found = text.matchAll(/\/\*\* (\w+) .*!\[\]\(([^)]*)\) \*\//g)
  return new Map([...found].map(([, name = '', picture = '']) => [name.toLowerCase(), picture]))
}

test('comments contain pictures of assets that the source uses, in at most 2 kB', async () => {
  expect(await work.run('sync')).toMatchObject({ code: 0 })
  const pictures = picturesIn(await read())
  expect([...pictures.keys()].toSorted()).toEqual(['arrow', 'badge', 'grain', 'hero'])
  for (const [name, picture] of pictures) {
    expect(picture.length).toBeLessThanOrEqual(2048)
    const [, base64 = ''] = /^data:image\/(?:webp|svg\+xml);base64,([^#]+)#[\da-f]{12}$/.exec(picture) ?? []
    const { width, height } = await sharp(Buffer.from(base64, 'base64')).metadata()
    expect(Math.max(width, height)).toBe(name === 'grain' ? 32 : 96)
  }
  // A drawing that doesn't fit in 2 kB becomes a small WebP.
  expect(pictures.get('arrow')).toContain('image/svg+xml')
  expect(pictures.get('badge')).toContain('image/webp')
})

test("a picture isn't written again while its source is the same", async () => {
  await work.run('sync')
  const text = await read()
  const [, bytes = ''] = /webp;base64,([^#]+)#/.exec(text) ?? []
  const other = text.replaceAll(bytes, 'T3RoZXIgc2hhcnA=')
  await work.write({ 'content-space.d.ts': other })
  expect(await work.run('verify')).toMatchObject({ code: 0 })
  await work.run('sync')
  expect(await read()).toBe(other)
  // A missing picture counts as out of date and is made again.
  await work.write({ 'content-space.d.ts': text.replace(/ !\[\]\([^)]*\)/, '') })
  const { code, stderr } = await work.run('verify')
  expect([code, stderr]).toEqual([1, expect.stringContaining('content-space.d.ts is out of date')])
  await work.run('sync')
  expect(await read()).toBe(text)
})

test('option `types` turns pictures off, and moves the file', async () => {
  await work.write(config({ file: 'types/content.d.ts', previews: false }))
  expect(await work.run('sync')).toMatchObject({ code: 0 })
  const text = await readFile(join(work.root, 'types/content.d.ts'), 'utf8')
  expect(text).toContain('/** Arrow (SVG')
  expect(text).not.toContain('![')
  await work.write(config({ preview: false }))
  expect(await work.run('sync')).toMatchObject({ code: 1, stderr: expect.stringContaining('types') })
})

test.each([
  ['TypeScript 5.9', hovers5],
  ['TypeScript 7', hovers7],
] as const)('quick info of %s has the picture', async (_, hovers) => {
  await work.run('sync')
  const pictures = picturesIn(await read())
  const found = await hovers(work.root, 'main.ts')
  expect(found.find((text) => text.startsWith('hero: '))).toContain(`![](${pictures.get('hero')})`)
})

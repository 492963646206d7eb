import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, createProject, readTree } from './driver.js'
import { drivers } from './drivers/all.js'
import { isLong } from '../support/long.js'
import { variantBundlers } from './suite.js'
import { openHostileSpace, said, saying, type HostileSpace } from './hostile.js'

let space: HostileSpace
beforeAll(async () => void (space = await openHostileSpace()))
afterAll(() => space.close())

/** Returns a script that prints a kit in every form, and texts that are joined from two constants. */
function program({ halves }: HostileSpace): string {
  const described = 'as=metadata&metadata=full'
  const forms = { full: 'metadata=full', described, raw: 'raw', inline: 'inline', url: 'url', picture: 'as=picture' }
  const imports = Object.entries(forms).map(([name, query]) => {
    return `import ${name} from 'content-space:kit/hostile?${query}'`
  })
  const sides = halves.map((_, at) => `left${at}, right${at}`).join(', ')
  const sums = halves
    .map((_, at) => `left${at}.notes + right${at}.notes, \`\${left${at}.notes}\${right${at}.notes}\``)
    .join(', ')
  return `${imports.join('\n')}
    import outline from 'content-space:outline/hostile'
    import { ${sides} } from 'content-space:kit/hostile?as=metadata'
    import('./page.js').then(({ default: page }) => {
      console.log(JSON.stringify({ ${Object.keys(forms).join(', ')}, outline, joined: [${sums}], page }))
    })`
}

interface Asset {
  name: string
  notes: string
  keywords: string[]
  raw: { name: string; meta: object }
}

interface Kit<T> {
  name: string
  sections: { name: string; items: [{ content: string }, { asset: T }] }[]
}

interface Printed {
  full: Kit<Asset & { src: string }>
  described: Kit<Asset>
  raw: Kit<string>
  inline: Kit<string>
  url: Kit<string>
  picture: Kit<{ name: string; src: string }>
  outline: { sections: { name: string; headings: { name: string }[] }[] }
  joined: string[]
  page: string
}

describe.each(drivers)('$name', (driver) => {
  test.each(isLong || variantBundlers.includes(driver.name) ? [false, true] : [false])(
    'does not replace placeholders in texts of content, minify: %s',
    async (minify) => {
      const project = await createProject({
        'a/b/package.json': '{ "type": "module" }',
        'a/b/main.js': program(space),
        'a/b/page.js': `import { text0 } from './text.js'; export default text0`,
        'a/b/text.js': `export const text0 = 'a page'`,
      })
      try {
        space.requests()
        const place = { root: join(project.root, 'a/b') }
        const output = await build(driver, place, space.options, { minify, publicPath: 'relative' })
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const printed = (await output.run()) as Printed
        expectTexts(printed, space)
        for (const [at, text] of space.texts.entries()) {
          const { asset } = printed.full.sections[at]?.items[1] ?? { asset: { src: '' } }
          expect(output.behind(asset.src).toString()).toBe(saying(text))
        }
        expect(output.assets()).toHaveLength(space.texts.length + 2 * space.halves.length)
        expectRequests(space.requests(), space.victim.asset)
        expect(await strangers(project.root)).toEqual([])
      } finally {
        await project.remove()
      }
    },
  )
})

function expectTexts(printed: Printed, { texts, halves }: HostileSpace): void {
  const sections = <T>(kit: Kit<T>) => kit.sections.slice(0, texts.length)
  const shown = <T>(kit: Kit<T>) => sections(kit).map(({ items }) => items[1].asset)
  expect(printed.full.name).toBe('__VITE_PRELOAD__')
  for (const kit of [printed.full, printed.described]) {
    expect(sections(kit).map(({ name }) => name)).toEqual(texts)
    expect(sections(kit).map(({ items }) => items[0].content)).toEqual(texts)
    expect(shown(kit).map(({ name, notes, keywords, raw }) => [name, notes, ...keywords, raw.name])).toEqual(
      texts.map((text) => [text, text, text.replaceAll(',', ';'), text]),
    )
    const metas = shown(kit).map(({ raw }) => Object.entries(raw.meta).filter(([key]) => key !== 'filecuts'))
    expect(metas).toEqual(texts.map((text) => [[text, text]]))
  }
  const outlined = printed.outline.sections.slice(0, texts.length)
  expect(outlined.map(({ name, headings }) => [name, headings[0]?.name])).toEqual(texts.map((text) => [text, text]))
  expect(shown(printed.picture).map(({ name }) => name)).toEqual(texts)
  expect(shown(printed.raw).map(said)).toEqual(texts)
  expect(shown(printed.inline).map(decode).map(said)).toEqual(texts)
  expect(shown(printed.url)).toEqual(shown(printed.full).map(({ src }) => src))
  expect(printed.joined).toEqual(halves.flatMap(([left, right]) => [left + right, left + right]))
  expect(printed.page).toBe('a page')
}

function decode(uri: string): string {
  return Buffer.from(uri.replace(/^[^,]*,/, ''), 'base64').toString()
}

/** Expects only listings and at most one download for each file of the kit. */
function expectRequests(asked: string[], victim: string): void {
  const downloads = asked.filter((request) => /^GET \/1\/assets\/[\dA-F-]{36}\/download$/.test(request))
  expect(new Set(downloads).size).toBe(downloads.length)
  expect(downloads.join()).not.toContain(victim)
  const others = asked.filter((request) => !downloads.includes(request))
  const listing = /^GET \/1\/(?:kits|sections)\/?(?:[\dA-F-]{36}(?:\/\w+)*\/?)?$/
  expect(others.filter((request) => !listing.test(request))).toEqual([])
}

/** Returns files that a build must not write. */
async function strangers(root: string): Promise<string[]> {
  const own = ['package.json', 'main.js', 'page.js', 'text.js', 'content-space.lock.json']
  const sources = ['package.json', ...own.map((path) => `a/b/${path}`)]
  const folders = ['a/b/dist/', 'a/b/node_modules/.farm/']
  const paths = [...(await readTree(root)).keys()]
  return paths.filter((path) => !sources.includes(path) && !folders.some((folder) => path.startsWith(folder)))
}

import { request } from 'node:http'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Options } from '../../src/config/options.js'
import { createImporter } from '../../src/importer.js'
import { faultServer, type FaultServer } from '../support/fault-server.js'
import { brand, serveSpace, svg, writeSpace, type Files, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { build, createProject, type Driver, type Output, type Project } from './driver.js'
import { drivers } from './drivers/all.js'
import { rolldownDriver } from './drivers/rolldown.js'

/*
 * Builds imports that are all locked to published versions, with an empty cache, from a service that sends only files
 * and rejects all other requests.
 */

const uuid = (number: number): string => `237C41F2-AAAA-4BBB-8CCC-${String(number).padStart(12, '0')}`
const item = (name: string, number: number, more: object = {}): Files => ({
  [`${name}.svg`]: svg(name, 40, 20),
  [`${name}.json`]: { uuid: uuid(number), ...more },
})

/** Returns the files of a version in its own folder. */
function version(number: number, files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, file]) => [`brand/versions/${number}/${path}`, file] as const),
  )
}

const inFolder = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, file]) => [`${folder}/${path}`, file]))

const kit = {
  uuid: brand.uuid,
  name: 'Brand',
  use_version: 1,
  versions: [1, 2].map((one) => ({ version: one, version_identifier: `${one}.0`, folder: `versions/${one}` })),
}

/** Returns a URL that the service signs again in each answer. */
const preview = (signature: string): string => `https://content.example.com/icon.png?signature=${signature}`

const first: Files = {
  ...inFolder('Logos', {
    'section.json': {
      uuid: uuid(90),
      items: ['mark.svg', { heading: 'Dark', uuid: uuid(91) }, 'mark-reversed.svg', 'icon.svg'],
    },
    ...item('mark', 1, { name: 'Mark', notes: 'The "main" mark', keywords: 'logo, main' }),
    ...item('mark-reversed', 2, { name: 'Mark Reversed' }),
    ...item('icon', 3, { name: 'Icon', meta: { other: 1, preview: preview('first') } }),
  }),
  ...inFolder('Colours', {
    'section.json': { uuid: uuid(92), items: [{ heading: 'Main', uuid: uuid(93) }, 'coral.json'] },
    'coral.json': { uuid: uuid(4), color: '#E5603F' },
  }),
  ...inFolder('Spare', Object.assign({}, ...Array.from({ length: 20 }, (_, at) => item(`spare-${at}`, 20 + at)))),
}

let space: SpaceFolder
let service: ServedSpace
let proxy: FaultServer
let project: Project
/** Whether the service rejects all requests except those for files. */
let isAway: boolean

beforeEach(async () => {
  isAway = false
  space = await writeSpace({
    'space.json': { space_id: 7 },
    'brand/kit.json': kit,
    ...version(1, first),
    ...version(2, { ...first, 'Logos/mark.svg': svg('another mark', 40, 20) }),
    'icons/kit.json': { uuid: '3BD9A8C0-1111-4222-8333-444455557777', name: 'Icons' },
  })
  service = await serveSpace(space.folder)
  proxy = await faultServer((response, { url = '/', headers }) => {
    if (isAway && !url.includes('/download')) {
      response.writeHead(503).end()
      return
    }
    const { authorization, accept, 'content-revision': revision } = headers
    const sent = { authorization, accept, ...(revision !== undefined && { 'content-revision': revision }) }
    request(new URL(url, service.url), { headers: sent }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    }).end()
  })
  project = await createProject({})
  process.chdir(project.root)
  return async () => {
    await proxy.close()
    await service.close()
    await Promise.all([space.remove(), project.remove()])
  }
})
const home = process.cwd()
afterEach(() => process.chdir(home))

let caches = 0
const options = (more: Options = {}): Options => ({
  ...service.options,
  space: proxy.url,
  kits: { brand: brand.uuid },
  cacheDir: join(project.root, `.cache-${++caches}`),
  ...more,
})

async function built(driver: Driver, more?: Options): Promise<Output['files']> {
  await rm(join(project.root, 'dist'), { recursive: true, force: true })
  return (await build(driver, project, options(more))).files
}

const lock = () => readFile(join(project.root, 'content-space.lock.json'), 'utf8')

test('a cold build requests only its files, in every bundler, frozen or not', async () => {
  const five = ['spare0', 'spare1', 'spare2', 'spare3', 'spare4']
  await project.write({
    'main.js': `import { ${five.join(', ')} } from 'content-space:kit/brand'\nconsole.log(JSON.stringify([${five.join(', ')}]))\n`,
  })
  await built(rolldownDriver)
  const locked = await lock()
  for (const driver of drivers) {
    isAway = false
    const expected = await built(driver)
    isAway = true
    for (const frozen of [false, true]) {
      proxy.requests.length = 0
      expect(await built(driver, { frozen }), driver.name).toEqual(expected)
      expect(
        proxy.requests.map(({ url }) => url.replace(/^.*assets\/([^/]*)\/.*$/, '$1')).toSorted(),
        driver.name,
      ).toEqual(Array.from({ length: 5 }, (_, at) => uuid(20 + at)))
    }
    expect(await lock(), driver.name).toBe(locked)
  }
})

const forms = {
  'named exports of a kit': `import { mark, icon } from 'content-space:kit/brand'\nout(mark, icon)`,
  'a default export of a kit': `import kit from 'content-space:kit/brand'\nout(kit)`,
  'all exports of a kit': `import * as kit from 'content-space:kit/brand'\nout(kit)`,
  'records by slug': `import kit from 'content-space:section/brand/logos?lazy'\nout(Object.keys(kit), await kit.mark())`,
  'named exports of a section': `import { mark } from 'content-space:section/brand/logos'\nout(mark)`,
  'a default export of a section': `import logos from 'content-space:section/brand/logos'\nout(logos)`,
  'a heading': `import dark from 'content-space:section/brand/logos/dark'\nimport { icon } from 'content-space:section/brand/logos/dark'\nout(dark, icon)`,
  'a section by its uuid': `import logos from 'content-space:section/${uuid(90)}'\nout(logos)`,
  'an asset': `import mark from 'content-space:asset/brand/mark'\nout(mark)`,
  'an asset by its uuid': `import mark from 'content-space:asset/${uuid(1)}'\nout(mark)`,
  'a pair for dark grounds': `import mark from 'content-space:asset/brand/mark?dark=mark-reversed'\nout(mark)`,
  'a cut': `import mark from 'content-space:asset/brand/mark?cut=png&w=20;40'\nout(mark)`,
  text: `import mark from 'content-space:asset/brand/mark?raw'\nout(mark)`,
  'all metadata': `import mark, { } from 'content-space:asset/brand/mark?metadata=full'\nimport logos from 'content-space:section/brand/logos?metadata=full'\nout(mark, logos)`,
  'colors and fonts': `import { colors } from 'content-space:tokens/brand'\nout(colors)`,
  'application icons': `import icons from 'content-space:app-icons/brand/icon'\nout(icons)`,
  'an outline': `import outline from 'content-space:outline/brand'\nout(outline)`,
  'the list of kits': `import kits from 'content-space:kits'\nout(kits)`,
  'two versions': `import { mark } from 'content-space:kit/brand'\nimport { mark as other } from 'content-space:kit/brand@2'\nout(mark, other)`,
}

describe('the lockfile is enough for', () => {
  test.each(Object.entries(forms))('%s', async (_, source) => {
    await project.write({ 'main.js': `const out = (...all) => console.log(JSON.stringify(all))\n${source}\n` })
    const expected = await built(rolldownDriver)
    const locked = await lock()
    isAway = true
    proxy.requests.length = 0
    for (const frozen of [true, false]) {
      expect(await built(rolldownDriver, { frozen })).toEqual(expected)
      expect(await lock()).toBe(locked)
    }
    expect(proxy.requests.filter(({ url }) => !url.includes('/download'))).toEqual([])
  })

  test('pairs and names of the configuration', async () => {
    const kits = { brand: { kit: brand.uuid, names: { icon: 'sign' }, dark: { mark: 'mark-reversed' } } }
    await project.write({
      'main.js': `import { mark, sign } from 'content-space:kit/brand'\nconsole.log(mark, sign)\n`,
    })
    const expected = await built(rolldownDriver, { kits })
    isAway = true
    expect(await built(rolldownDriver, { kits, frozen: true })).toEqual(expected)
    const pattern = { brand: { kit: brand.uuid, names: { icon: 'sign' }, darkPattern: '{name} Reversed' } }
    await expect(built(rolldownDriver, { kits: pattern, frozen: true })).rejects.toThrow('content-space sync')
    isAway = false
    expect(await built(rolldownDriver, { kits: pattern })).toEqual(expected)
  })
})

test('what the service changes in a published version changes no build, and verify names it', async () => {
  const source = `import { mark, icon } from 'content-space:kit/brand?metadata=full'\nconsole.log(mark, icon)\n`
  await project.write({ 'main.js': source })
  const expected = await built(rolldownDriver, { types: 'content-space.d.ts' })
  await space.write(
    version(1, {
      ...inFolder(
        'Logos',
        item('icon', 3, {
          name: 'Icon',
          notes: 'edited',
          meta: { other: 2, preview: preview('second'), asset_processing: 'processing' },
        }),
      ),
      'Logos/mark.json': {
        uuid: uuid(1),
        name: 'Mark',
        notes: 'The "main" mark',
        keywords: 'logo, main',
        a: 1,
        b: 2,
        c: 3,
      },
    }),
  )
  for (const frozen of [true, false]) expect(await built(rolldownDriver, { frozen })).toEqual(expected)
  const verifying = await createImporter(options({ frozen: true }), { root: project.root })
  const lines = await verifying.verify()
  await verifying.close()
  expect(lines.join('\n')).toMatch(/kit brand \(version 1 \(1\.0\)\) has changed in the service: .*asset icon: .*notes/)
})

test('a lockfile in the previous format is an error that mentions sync, which keeps its names', async () => {
  const source = `import { logo } from 'content-space:kit/brand'
    import logos from 'content-space:section/brand/symbols'
    import { colors } from 'content-space:tokens/brand'`
  await project.write({ 'main.js': `${source}\nconsole.log(logo, logos, colors)\n` })
  const version1 = { version: 1, versionIdentifier: '1.0' }
  const assets = { [uuid(1)]: { name: 'logo', slug: 'logo', file_hash: 'aa', files: {} } }
  const sections = { [uuid(90)]: { slug: 'symbols' } }
  const old = { slug: 'brand', selectors: { use: version1 }, sections, headings: {}, assets }
  const text = JSON.stringify({ lockfileVersion: 1, space: '7', kits: { [brand.uuid]: old } })
  await writeFile(join(project.root, 'content-space.lock.json'), text)
  for (const frozen of [false, true]) {
    await expect(built(rolldownDriver, { frozen })).rejects.toThrow(/lockfileVersion 1[^]*content-space sync/)
    expect(await lock()).toBe(text)
  }
  const syncing = await createImporter(options(), { root: project.root })
  await syncing.sync()
  await syncing.close()
  expect(await lock()).toContain('"name":"mark","slug":"mark","aliases":[{"name":"logo","slug":"logo"}]')
  expect(await lock()).toContain('"slug":"logos","aliases":["symbols"]')
  isAway = true
  expect([...(await built(rolldownDriver, { frozen: true })).values()].join()).toMatch(/coral/i)
})

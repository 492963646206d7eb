import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import {
  assetItem,
  assetUuid,
  contentService,
  kitUuid,
  logo,
  sectionUuid,
  upload,
  type Asked,
  type Upload,
} from '../../support/content-service.js'
import { downloadBytes } from '../../support/download.js'
import { envelope, verbatim, type Respond } from '../../support/fault-server.js'
import { fastClock, filesIn, type Bench } from '../bench.js'
import { moduleOf } from '../module.js'
import type { Row } from '../row.js'

const long = 'x'.repeat(300)
const odd = [
  'nul\0byte',
  '🎉',
  '👩‍👩‍👧',
  '\u202Egnp.exe',
  '../../etc/passwd',
  '..',
  '.',
  '',
  ' ',
  '/',
  'C:\\Windows\\x',
  '\\\\server\\share',
  'CON',
  'con',
  'Con.svg',
  'NUL.tar.gz',
  'COM1',
  'LPT¹',
  'a.',
  'a ',
  '.a',
  '-rf',
  long,
  `${long}y`,
  'ü'.repeat(300),
  '名前',
  'line\nbreak',
  'tab\t',
  '\x1b[2J',
  '*?<>|":',
  '${x}',
  '</script>',
  '\ud800',
  '~',
  '%2e%2e%2f',
]

/** Returns a path as a file system that ignores case and Unicode normalization compares it. */
const folded = (path: string): string => path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')

/** Pulls drawings and asserts that their paths are distinct and safe on any disk. */
async function pulled(bench: Bench, uploads: Upload[]): Promise<{ paths: string[]; root: string }> {
  const { url } = await bench.serve(contentService({ uploads }))
  const { root } = await bench.pull(url)
  const before = await filesIn(root)
  expect(before.every((path) => /^(content|cache)\/|^content-space\.lock\.json$/.test(path))).toBe(true)
  const paths = (await filesIn(join(root, 'content'))).filter((path) => path.endsWith('.svg'))
  expect(paths).toHaveLength(uploads.length)
  expect(new Set(paths.map(folded)).size).toBe(uploads.length)
  for (const name of paths.flatMap((path) => path.split('/'))) {
    expect(Buffer.byteLength(name), name).toBeLessThanOrEqual(200)
    expect(name).not.toMatch(/[\p{C}\s<>:"|?*\\%$]|^[.~-]|[. ]$/u)
    expect(name).not.toMatch(/^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i)
  }
  return { paths, root }
}

/** Returns the uuid of a section by its number, up to 15. */
const uuidOf = (at: number): string => sectionUuid.replace(/1$/, at.toString(16).toUpperCase())

/** Returns a service that sends files with this Content-Disposition header, unvalidated. */
const disposed = (value: string): Respond => {
  const head = `HTTP/1.1 200 OK\r\ncontent-disposition: ${value}\r\ncontent-type: text/html\r\ncontent-length: ${logo.length}\r\n\r\n`
  return contentService({}, ({ path, response, request }) => {
    if (path.startsWith('assets/')) verbatim(head, logo)(response, request, 0)
    return path.startsWith('assets/')
  })
}

/** Returns export names and slugs of assets by uuid. */
async function namesOf(bench: Bench, uploads: Upload[]): Promise<Record<string, string>> {
  const items = uploads.map(({ record }, at) => assetItem(at, record))
  const { url } = await bench.serve(contentService({ uploads, items }))
  const { sections } = await (await bench.importer(url)).kit('brand')
  const assets = sections.flatMap((section) =>
    section.items.flatMap((item) => (item.type === 'asset' ? [item.asset] : [])),
  )
  return Object.fromEntries(assets.map((asset) => [asset.uuid, `${asset.export} ${asset.slug}`]))
}

export const names: Row[] = [
  {
    row: 53,
    fault: 'NUL, emoji, RTL, `../`, `CON`, `a.`, 300 chars',
    must: 'safe unique names; original only as data',
    async run(bench) {
      const uploads = odd.map((name, at) => upload(at, name, 'SVG', Buffer.from(`${logo.toString()}<!--${at}-->`)))
      const { paths, root } = await pulled(bench, uploads)
      const manifest = JSON.stringify(JSON.parse(await readFile(join(root, 'content/manifest.json'), 'utf8')))
      for (const name of odd) expect(manifest).toContain(JSON.stringify(name))
      const { module } = await moduleOf(bench, { uploads })
      const shown = Object.entries(module).flatMap(([key, asset]) =>
        key === 'default' ? [] : [String(Object(asset).name)],
      )
      expect(shown.toSorted()).toEqual(odd.toSorted())
      return `${paths.length} names, ${paths.length} files with distinct safe names; manifest and modules have the original names`
    },
  },
  {
    row: 54,
    fault: 'same name twice; `A`/`a`; NFC/NFD',
    must: 'distinct identifiers/files, order-independent',
    async run(bench) {
      const same = [
        'Logo',
        'Logo',
        'logo',
        'LOGO',
        'A',
        'a',
        'caf\u00e9',
        'cafe\u0301',
        '\ufb01',
        'fi',
        'stra\u00dfe',
        'strasse',
        '\u0130',
        'i\u0307',
        '\u212a',
        'k',
      ]
      const uploads = same.map((name, at) => upload(at, name, 'SVG', Buffer.from(`${logo.toString()}<!--${at}-->`)))
      const { paths } = await pulled(bench, uploads)
      const given = await namesOf(bench, uploads)
      expect(Object.keys(given)).toHaveLength(same.length)
      for (const part of [0, 1]) {
        const list = Object.values(given).map((both) => both.split(' ')[part] ?? '')
        expect(new Set(list.map(folded)).size, list.join(' ')).toBe(same.length)
      }
      const orders = [
        uploads.toReversed(),
        [...uploads.slice(5), ...uploads.slice(0, 5)],
        uploads.toSorted((a, b) => (String(a.record['name']) < String(b.record['name']) ? -1 : 1)),
      ]
      for (const order of orders) expect(await namesOf(bench, order)).toEqual(given)
      return `${same.length} assets, ${new Set(paths.map(folded)).size} files and as many identifiers, the same in 4 orders`
    },
  },
  {
    row: 55,
    fault: 'section named `default`, `then`, `__proto__`',
    must: 'safe exports; namespace not thenable',
    async run(bench) {
      const special = [
        'default',
        'then',
        '__proto__',
        'constructor',
        'toString',
        'hasOwnProperty',
        'catch',
        'prototype',
        'arguments',
        'eval',
        'await',
      ]
      const sections = special.map((name, at) => ({
        uuid: uuidOf(at),
        name,
        version: 1,
        display_order: at,
        headers: [{ uuid: uuidOf(at).replace('5', '6'), name, version: 1, display_order: 0 }],
      }))
      const uploads = special.map((name, at) => upload(at, name))
      const sectionAt = ({ path, response }: Asked): boolean => {
        const at = sections.findIndex(({ uuid }) => path === `sections/${uuid}`)
        const [section, one] = [sections[at], uploads[at]]
        if (!section || !one) return false
        envelope(response, { section: { ...section, kit_uuid: kitUuid, items: [assetItem(at, one.record)] } })
        return true
      }
      const server = await bench.serve(contentService({ uploads, outline: { sections } }, sectionAt))
      const { module } = await moduleOf(bench, server)
      expect(Object.keys(module)).toHaveLength(special.length + 1)
      expect(await Promise.resolve(module)).toBe(module)
      expect(typeof module['then']).not.toBe('function')
      const kit: { sections: { name: string; items: { asset: { name: string } }[] }[] } = Object(module['default'])
      expect(kit.sections.map(({ name, items }) => [name, items[0]?.asset.name])).toEqual(
        special.map((name) => [name, name]),
      )
      expect(Object.getPrototypeOf(kit)).toBe(Object.prototype)
      for (const name of special) {
        const { module: section } = await moduleOf(
          bench,
          server,
          `content-space:section/brand/${name.toLowerCase().replaceAll('_', '') || name}`,
        ).catch(() => moduleOf(bench, server, `content-space:section/brand/${uuidOf(special.indexOf(name))}`))
        expect(section['default']).toMatchObject({ name })
      }
      const { root } = await bench.pull(server.url)
      expect((await filesIn(join(root, 'content'))).filter((path) => path.endsWith('.svg'))).toHaveLength(
        special.length,
      )
      expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('name')
      return `${special.length} sections and assets with these names: each has its own export; the namespace is not thenable`
    },
  },
  {
    row: 59,
    fault: 'CR/LF Content-Disposition, evil filename',
    must: 'ignore header for paths',
    async run(bench) {
      const evil = [
        'attachment; filename="../../../evil.html"',
        'attachment; filename=/etc/passwd',
        "attachment; filename*=UTF-8''..%2f..%2fevil.js",
        'inline; filename="CON"',
        'attachment; filename="a\r\nSet-Cookie: session=1\r\nContent-Type: text/html"',
      ]
      for (const value of evil) {
        const server = await bench.serve(disposed(value))
        const { root } = await bench.pull(server.url)
        const paths = (await filesIn(root)).filter((path) => !path.startsWith('cache/'))
        expect(paths).toContain('content/logos/acme-logo.svg')
        expect(paths.join(' ')).not.toMatch(/evil|passwd|html|CON/)
        for (const { headers } of server.requests) expect(headers).not.toHaveProperty('cookie')
      }
      // Invalid headers: a folded line and control characters.
      const broken = [
        'attachment; filename="a\r\n folded.html"',
        'attachment; filename="\x01.html"',
        'a\rb',
        'a\nb',
        'a\0b',
      ]
      const outcomes = broken.map(async (value) => {
        const { space } = await bench.open((await bench.serve(disposed(value))).url, { clock: fastClock() })
        const work = downloadBytes(space, { uuid: assetUuid(1), size: logo.length })
        return work.then(
          (bytes) => (expect(bytes).toEqual(logo), 'the file'),
          async () => (await bench.failure(work)).code,
        )
      })
      return `content/logos/acme-logo.svg for every header; invalid headers: ${(await Promise.all(outcomes)).join(', ')}`
    },
  },
]

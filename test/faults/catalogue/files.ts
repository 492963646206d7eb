import { crc32 } from 'node:zlib'
import { join } from 'node:path'
import { readFile } from 'node:fs/promises'
import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes } from 'parse5'
import { SaxesParser } from 'saxes'
import { expect } from 'vitest'
import { assetUuid, contentService, logo, upload } from '../../support/content-service.js'
import { halves } from '../../support/pictures.js'
import type { Bench } from '../bench.js'
import { openModules } from '../module.js'
import type { Row } from '../row.js'

const size = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">'
const laughs = Array.from({ length: 12 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')

/** Drawings with active content, by kind. */
const active: Record<string, string> = {
  script: `${size}<script>hit()</script><path d="M0 0h9v9z"/></svg>`,
  onload: `${size.replace('>', ' onload="hit()">')}<path onclick="hit()" d="M0 0h9v9z"/></svg>`,
  DOCTYPE: `<!DOCTYPE svg [<!ENTITY e "<script>hit()</script>">]>${size}&e;<path d="M0 0h9v9z"/></svg>`,
  'an external entity': `<!DOCTYPE svg [<!ENTITY e SYSTEM "file:///etc/passwd">]>${size}<text>&e;</text></svg>`,
  'billion laughs': `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs}]>${size}<text>&l12;</text></svg>`,
  foreignObject: `${size}<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="hit()"/></body></foreignObject></svg>`,
  'a javascript address': `${size}<a xlink:href="javascript:hit()"><path d="M0 0h9v9z"/></a></svg>`,
  animation: `${size}<a><animate attributeName="href" values="javascript:hit()"/><path d="M0 0h9v9z"/></a></svg>`,
  'HTML within a title': `${size}<title><style><!--</style><img src=x onerror=hit()>--></style></title></svg>`,
  'an attribute of Alpine': `${size.replace('>', ' x-init="hit()">')}<path x-on:click="hit()" d="M0 0h9v9z"/></svg>`,
  'an attribute of htmx': `${size}<path hx-get="/a" hx-trigger="load[hit()]" d="M0 0h9v9z"/></svg>`,
  'an external image': `${size}<image href="https://evil.example/x.png"/></svg>`,
}

interface Tag {
  name: string
  attributes: [name: string, value: string][]
}

/** Returns the parts of a text that would run code or load resources, in an HTML page and in a separate document. */
function activeIn(text: string): string[] {
  return [...tagsOfPage(parse(`<!doctype html><body>${text}`)), ...tagsOfDocument(text)].flatMap(
    ({ name, attributes }) => {
      const bad = attributes.filter(
        ([key, value]) => /^(?:on|x-|hx-|v-|[@:])/.test(key) || /^\s*javascript:|evil\.example|^file:/i.test(value),
      )
      const tag = /^(script|iframe|img|object|embed|foreignobject)$/i.test(name) ? [`<${name}>`] : []
      return [...tag, ...bad.map(([key]) => `${name} ${key}`)]
    },
  )
}

function tagsOfPage(node: DefaultTreeAdapterTypes.Document | DefaultTreeAdapterTypes.ChildNode): Tag[] {
  const children = 'childNodes' in node ? node.childNodes.flatMap(tagsOfPage) : []
  if (!('attrs' in node) || !defaultTreeAdapter.isElementNode(node)) return children
  return [{ name: node.tagName, attributes: node.attrs.map(({ name, value }) => [name, value]) }, ...children]
}

function tagsOfDocument(text: string): Tag[] {
  const tags: Tag[] = []
  const parser = new SaxesParser()
  parser.on('error', () => {})
  parser.on('opentag', ({ name, attributes }) => void tags.push({ name, attributes: Object.entries(attributes) }))
  parser.write(text).close()
  return tags
}

/** Returns a PNG that declares this size and contains almost no data. */
function pngOf(width: number, height: number, png: Buffer): Buffer {
  const large = Buffer.from(png)
  large.writeUInt32BE(width, 16)
  large.writeUInt32BE(height, 20)
  large.writeUInt32BE(crc32(large.subarray(12, 29)), 29)
  return large
}

/** Returns the milliseconds until a conversion is rejected: the minimum of three, because the machine may be busy. */
async function refusedWithin(bench: Bench, type: string, bytes: Buffer): Promise<number> {
  const good = upload(1, 'Good', 'PNG', await halves(9, 9).png().toBuffer())
  const { url } = await bench.serve(contentService({ uploads: [good, upload(2, 'Bomb', type, bytes)] }))
  const importer = await bench.importer(url)
  const pull = (asset: string) =>
    importer.pull({ kits: 'brand', out: asset, assets: [asset], query: 'w=4&format=webp' })
  // Starts the conversion process.
  await pull('good')
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const start = performance.now()
    expect(await bench.failure(pull('bomb'))).toMatchObject({
      code: 'conversionFailed',
      facts: { asset: assetUuid(2) },
    })
    times.push(performance.now() - start)
  }
  return Math.min(...times)
}

export const files: Row[] = [
  {
    row: 49,
    fault: 'PNG contents are HTML/JPEG',
    must: 'mismatch error; never wrong extension',
    async run(bench) {
      const picture = halves(9, 9)
      const jpg = await picture.clone().jpeg().toBuffer()
      const contents = {
        HTML: Buffer.from('<!doctype html><script>hit()</script>'),
        JPEG: jpg,
        SVG: logo,
        'HTML after a PNG': Buffer.from('<html>\x89PNG\r\n\x1a\n'),
      }
      for (const [what, bytes] of Object.entries(contents)) {
        const { url } = await bench.serve(contentService({ uploads: [upload(1, 'Hero', 'PNG', bytes)] }))
        expect(await bench.failure(bench.pull(url)), what).toMatchObject({
          code: 'contentMismatch',
          facts: { asset: assetUuid(1) },
        })
        const stderr = await bench.refused(url)
        expect(stderr).toContain('Hero')
      }
      const { url } = await bench.serve(contentService({ uploads: [upload(1, 'Hero', 'SVG', logo, {}, { png: jpg })] }))
      expect(await bench.failure(bench.pull(url, {}, { cut: 'png' }))).toMatchObject({ code: 'contentMismatch' })
      return `${Object.keys(contents).join(', ')} under PNG, and JPEG as a PNG cut: contentMismatch, exit 1, no file`
    },
  },
  {
    row: 50,
    fault: '0-byte file, size 0',
    must: 'legal original; transform fails clearly',
    async run(bench) {
      const uploads = ['JPG', 'SVG', 'PDF'].map((type, at) => upload(at, `Empty ${type}`, type, Buffer.alloc(0)))
      const { url } = await bench.serve(contentService({ uploads }))
      const { kits, root, warnings } = await bench.pull(url)
      for (const type of ['jpg', 'svg', 'pdf']) {
        expect(kits[0]?.written).toContain(`logos/empty-${type}.${type}`)
        expect(await readFile(join(root, 'content/logos', `empty-${type}.${type}`))).toHaveLength(0)
      }
      expect(warnings).toEqual([])
      const error = await bench.failure(bench.pull(url, {}, { query: 'format=webp', assets: ['empty-jpg'] }))
      expect(error).toMatchObject({ code: 'conversionFailed', facts: { asset: assetUuid(0) } })
      expect(error.message).toContain('Empty JPG')
      await bench.refused(url, '--query', 'format=webp', '--asset', 'empty-jpg')
      return 'an empty JPG, SVG and PDF are written unchanged; a conversion: conversionFailed naming the asset, exit 1'
    },
  },
  {
    row: 51,
    fault: 'PNG 65,500x65,500; SVG 1e6x1e6',
    must: 'reject <1 s',
    alone: true,
    async run(bench) {
      const png = pngOf(65_500, 65_500, await halves(9, 9).png().toBuffer())
      const bitmap = await refusedWithin(bench, 'PNG', png)
      const vector = await refusedWithin(
        bench,
        'SVG',
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1e6" height="1e6"><path d="M0 0h9v9z"/></svg>'),
      )
      // It takes one second; the rest is for a busy machine.
      expect(Math.max(bitmap, vector)).toBeLessThan(10_000)
      return `conversionFailed after ${Math.round(bitmap)} ms (PNG) and ${Math.round(vector)} ms (SVG)`
    },
  },
  {
    row: 52,
    fault: 'SVG script, onload, x-init, hx-get, DOCTYPE, billion laughs',
    must: 'sanitise or reject',
    async run(bench) {
      const outcomes: string[] = []
      const vectors = Object.entries(active)
      const content = { uploads: vectors.map(([, text], at) => upload(at, `Logo ${at}`, 'SVG', Buffer.from(text))) }
      const { load } = await openModules(bench, content)
      const made = async (specifier: string): Promise<string> => {
        const { module, bytes } = await load(specifier)
        const [file] = await bytes()
        return file?.toString() ?? String(module['default'])
      }
      const strict = await bench.importer((await bench.serve(contentService(content))).url, { svg: 'strict' })
      for (const [at, [what]] of vectors.entries()) {
        for (const query of ['raw', 'url']) {
          const error = { code: '' }
          const text = await made(`content-space:asset/brand/logo-${at}?${query}`).catch(async (reason: unknown) => {
            error.code = (await bench.failure(Promise.reject(reason))).code
            return ''
          })
          expect(activeIn(text), `${what} as ${query}`).toEqual([])
          expect(text, `${what} as ${query}`).not.toMatch(/<!ENTITY|<script|\/etc\/passwd/)
          expect(text.length).toBeLessThan(10_000)
          if (error.code !== '') expect(error.code).toMatch(/^(unsafeSvg|conversionFailed)$/)
          outcomes.push(error.code === '' ? 'sanitised' : 'refused')
        }
        const refusal = bench.failure(strict.pull({ kits: 'brand', out: `content-${at}`, assets: [`logo-${at}`] }))
        expect(await refusal, what).toMatchObject({ code: 'unsafeSvg', facts: { asset: assetUuid(at) } })
      }
      const count = (outcome: string) => outcomes.filter((one) => one === outcome).length
      return `${Object.keys(active).length} kinds as file and inlined: ${count('sanitised')} sanitised, ${count('refused')} refused, no remaining content that HTML or XML runs or loads; strict: unsafeSvg`
    },
  },
]

import { runInThisContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { openCatalog } from '../../../src/catalog/catalog.js'
import type { Content } from '../../../src/disk/content.js'
import type { FileDescriptor } from '../../../src/files/plan.js'
import { declarationsText, moduleDeclaration } from '../../../src/modules/declarations.js'
import { createModules, type Modules } from '../../../src/modules/modules.js'
import type { References } from '../../../src/modules/references.js'
import type { Request } from '../../../src/request/request.js'
import { openTokens } from '../../../src/tokens/load.js'
import { withTokens } from '../../../src/tokens/modules.js'
import { evaluate } from '../../support/evaluate.js'
import { makeFont } from '../../support/font.js'
import { assetItem, assetRecord, id, memoryKit, memorySpace } from '../../support/memory-space.js'
import { plainCatalog } from '../../support/memory.js'

const size = { size: 0, width: undefined, height: undefined }
const brand = memoryKit(id(1), 'Brand', [
  {
    uuid: id(2),
    name: 'Colours */ @x',
    items: [
      assetItem(id(21), assetRecord(id(11), 'Zinc', { ...size, type: 'COLOR', colors: ['#71717a'] })),
      assetItem(id(22), assetRecord(id(12), '</script>', { ...size, type: 'COLOR', colors: ['#e5603f66'] })),
      assetItem(id(23), assetRecord(id(13), 'Test Bold', { type: 'TEXT_STYLE', notes: '\u2028 "x" */' })),
      assetItem(
        id(24),
        assetRecord(id(14), 'Lora', {
          ...size,
          type: 'TEXT_STYLE',
          meta: { font: { family: 'Lora', source: 'google-fonts', stylesheetUrl: 'https://example.com/lora.css' } },
        }),
      ),
    ],
  },
])
const bytes = makeFont({ family: 'Test Sans', variant: 'Bold', weight: 700, format: 'woff2' })

function open(kit = brand): { modules: Modules; reads: FileDescriptor[] } {
  const catalog = openCatalog({
    space: memorySpace(() => [kit]),
    ...plainCatalog,
  })
  const reads: FileDescriptor[] = []
  const content: Content = { integrity: '', size: bytes.length, bytes }
  const use = async <T>(file: FileDescriptor, consume: (content: Content) => Promise<T>): Promise<T> => {
    reads.push(file)
    return consume(content)
  }
  const tokens = openTokens({ catalog, files: { use }, warn: () => {} })
  return { modules: withTokens(createModules({ catalog, svg: 'trust' }), tokens), reads }
}

const request = (...pick: string[]): Request => {
  const kit = { kit: id(1), version: 'use' } as const
  return { kind: 'tokens', kit, ...(pick.length > 0 ? { pick } : {}) }
}
const references = (layout: References['layout']): References => ({
  layout,
  address: ({ name, ext }) => ({ code: JSON.stringify(`/${name}.${ext}`) }),
  value: async () => ({ code: '""' }),
})

const group = ['Colours */ @x']
const colors = {
  zinc: {
    uuid: id(11),
    name: 'Zinc',
    slug: 'zinc',
    group,
    notes: '',
    hex: '#71717a',
    alpha: 1,
    css: '#71717a',
    rgb: [113, 113, 122],
    hsb: { hue: 240, saturation: 7.38, brightness: 47.84 },
  },
  script: expect.objectContaining({ name: '</script>', css: 'rgb(229 96 63 / 40%)', alpha: 0.4 }),
}
const fonts = {
  testBold: {
    uuid: id(13),
    name: 'Test Bold',
    slug: 'test-bold',
    group,
    notes: '\u2028 "x" */',
    family: 'Test Sans',
    weight: 700,
    style: 'normal',
    format: 'woff2',
    src: '/test-bold.woff2',
  },
  lora: expect.objectContaining({ family: 'Lora', stylesheet: 'https://example.com/lora.css' }),
}

describe.each(['barrel', 'flat'] as const)('tokens in the layout %s', (layout) => {
  async function run(...pick: string[]) {
    const { modules, reads } = open()
    const module = await evaluate(request(...pick), (one) => modules.source(one, references(layout)))
    return { module: { ...module }, reads: reads.length }
  }

  test('are exported by name and together, in display order', async () => {
    const { module } = await run()
    expect(module).toEqual({ colors, fonts, default: { colors, fonts } })
    expect(Object.keys(Object(module['colors']))).toEqual(['zinc', 'script'])
    expect(Object(module['default']).colors).toBe(module['colors'])
  })

  test("don't read fonts for colors", async () => {
    const { module, reads } = await run('colors')
    expect(module).toEqual({ colors })
    expect(reads).toBe(0)
  })

  test('read each font once for the fonts, and for the default export', async () => {
    expect(await run('fonts')).toEqual({ module: { fonts }, reads: 1 })
    expect(await run('default')).toEqual({ module: { default: { colors, fonts } }, reads: 1 })
  })

  test('of another name are an error that shows the exports', async () => {
    const { modules } = open()
    await expect(modules.source(request('zinc'), references(layout))).rejects.toMatchObject({
      code: 'unknownExport',
      message: expect.stringContaining('They export colors and fonts'),
    })
  })
})

test('CommonJS has the same exports', async () => {
  const source = await open().modules.source(request(), { ...references('flat'), commonJs: true })
  const exports: Record<string, unknown> = {}
  runInThisContext(`(exports) => {\n${source}}`)(exports)
  expect(exports).toEqual({ __esModule: true, colors, fonts, default: { colors, fonts } })
})

test("declarations have a key for each token, don't read fonts, and don't change when a value changes", async () => {
  const { modules, reads } = open()
  const described = await modules.describe(request())
  const text = declarationsText([{ specifier: 'content-space:tokens/brand', ...described }])
  expect(reads).toEqual([])
  expect(text.slice(text.indexOf('declare module'))).toBe(`declare module 'content-space:tokens/brand' {
  export const colors: {
    /** #71717a, in Colours * / ＠x · names: { 'zinc': 'zinc' } */
    zinc: import('unplugin-content-space/asset').ColorToken
    /** rgb(229 96 63 / 40%), in Colours * / ＠x · names: { 'script': 'script' } */
    script: import('unplugin-content-space/asset').ColorToken
  }
  export const fonts: {
    /** Test Bold (bin), in Colours * / ＠x: "x" * / · names: { 'test-bold': 'testBold' } */
    testBold: import('unplugin-content-space/asset').FontToken & { src: string }
    /** Lora (style sheet), in Colours * / ＠x · names: { 'lora': 'lora' } */
    lora: import('unplugin-content-space/asset').FontToken & { stylesheet: string }
  }
  const $default: { colors: typeof colors; fonts: typeof fonts }
  export default $default
}
`)
  expect(moduleDeclaration(described, ['colors'])).not.toContain('fonts')
  expect(moduleDeclaration(described, ['default'])).toContain('declare const $default')
})

test('declarations of a kit without tokens have a type that linters accept, and without names', async () => {
  const described = await open(memoryKit(id(1), 'Brand', [])).modules.describe(request())
  expect(moduleDeclaration(described, ['colors'])).toContain('const colors: object')
  expect(declarationsText([{ specifier: 'content-space:tokens/brand', ...described }])).not.toContain('{}')
})

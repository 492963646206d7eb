import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pull } from '../../../src/commands/pull/run.js'
import { writeModules } from '../../../src/frameworks/write-modules/write-modules.js'
import { openEngine, type Engine } from '../../../src/engine/engine.js'
import { serveSpace, writeSpace, type ServedSpace, type SpaceFolder } from '../../support/space.js'
import { halves } from '../../support/pictures.js'

let space: SpaceFolder
let served: ServedSpace
let root: string
let engine: Engine

beforeAll(async () => {
  const photo = await halves(60, 40).jpeg().toBuffer()
  space = await writeSpace({
    'brand/Icons/arrow-left.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><clipPath id="c"><rect width="9" height="9"/></clipPath><path clip-path="url(#c)" d="M0 0h9v9z"/></svg>',
    'brand/Icons/hero.jpg': photo,
    'brand/Icons/guide.pdf': '%PDF-1.4\n%%EOF\n',
  })
  served = await serveSpace(space.folder)
  root = await mkdtemp(join(tmpdir(), 'content-space-components-'))
  await symlink(
    fileURLToPath(new URL('../../../node_modules', import.meta.url)),
    join(root, 'node_modules'),
    'junction',
  )
  engine = await openEngine({ ...served.options, cacheDir: join(root, 'cache') }, { root, mode: 'test' })
})
afterAll(async () => {
  await engine.close()
  await served.close()
  await space.remove()
  await rm(root, { recursive: true })
})

const icons = 'content-space:kit/brand?as=react'
const preview = 'content-space:asset/brand/hero?as=react&placeholder=color&w=30;60'

/** Renders the components of a module and replaces the paths of files. */
function render(icon: object, hero: object): string {
  const html = renderToStaticMarkup(
    createElement(
      'main',
      null,
      [icon, icon].map((one, key) => Reflect.apply(createElement, null, [one, { key }])),
      [Reflect.apply(createElement, null, [hero, { key: 'hero', alt: 'Hero' }])],
    ),
  )
  return html.replaceAll(/file:[^" ]*\/|\/[^" ]*\/(?=hero)/g, '')
}

const drawn = (id: string) =>
  `<svg viewBox="0 0 24 24" aria-hidden="true"><clipPath id="${id}-c"><rect width="9" height="9"/></clipPath><path clip-path="url(#${id}-c)" d="M0 0h9v9z"/></svg>`

function checkHtml(html: string): void {
  const [first = '', second = ''] = [...html.matchAll(/clipPath id="(\w+)-c"/g)].map(([, id]) => id ?? '')
  expect(first).not.toBe(second)
  const [picture] = html.slice(html.indexOf('<img')).split('</main>')
  expect(html).toBe(`<main>${drawn(first)}${drawn(second)}${picture}</main>`)
  expect(picture).toMatch(
    /^<img loading="lazy" decoding="async" width="60" height="40" data-content-picture="" alt="Hero" style="background:url\(&quot;data:image\/png;base64,[^"]*&quot;\) 50%\/cover no-repeat" srcSet="hero[\w-]*\.jpg 30w, hero[\w-]*\.jpg 60w" src="hero[\w-]*\.jpg"\/>$/,
  )
}

describe('components in written modules', () => {
  test.each(['url', 'cjs'] as const)('render with a copy of the runtime, as %s', async (module) => {
    await writeFile(join(root, 'main.js'), `import { ArrowLeft } from '${icons}'\nimport hero from '${preview}'`)
    const { folder, modules, errors } = await writeModules(engine, { folder: module, module })
    expect([...errors]).toEqual([])
    const load = async (specifier: string): Promise<object> => {
      const path = modules.get(specifier) ?? ''
      return Object(module === 'cjs' ? createRequire(import.meta.url)(path) : await import(pathToFileURL(path).href))
    }
    const [kit, { default: hero }] = [await load(icons), Object(await load(preview))]
    checkHtml(render(Reflect.get(kit, 'ArrowLeft'), hero))
    expect(await readdir(join(folder, 'runtime'))).toEqual([
      'drawing.js',
      'image.js',
      'props.js',
      'react-loading.js',
      'react-placeholder.js',
      'react.js',
    ])
    for (const name of ['react.js', 'react-loading.js']) {
      const text = await readFile(join(folder, 'runtime', name), 'utf8')
      expect(text.startsWith("'use client'")).toBe(name === 'react-loading.js')
    }
  })

  test.each(['url', 'cjs'] as const)('render in a pulled folder, as %s', async (module) => {
    const query = 'as=react&placeholder=color'
    const {
      kits: [pulled],
    } = await pull(engine, { kits: 'brand', out: `pulled-${module}`, module, query })
    const folder = pulled?.folder ?? ''
    const index = join(folder, 'index.js')
    const kit = Object(
      module === 'cjs' ? createRequire(import.meta.url)(index) : await import(pathToFileURL(index).href),
    )
    expect(Object.keys(kit).filter((name) => /^[A-Z]/.test(name))).toEqual(['ArrowLeft', 'Hero'])
    expect(kit.default.sections[0].items.map(({ asset }: { asset: unknown }) => asset)).toEqual([
      kit.ArrowLeft,
      kit.Hero,
    ])
    expect(renderToStaticMarkup(createElement(kit.ArrowLeft, { title: 'Back' }))).toMatch(
      /^<svg viewBox="0 0 24 24" role="img"><title>Back<\/title><clipPath/,
    )
    expect(renderToStaticMarkup(createElement(kit.Hero, { alt: '' }))).toMatch(/^<img .* src="[^"]*hero\.jpg"\/>$/)
    expect(await readFile(join(folder, 'icons/hero.d.ts'), 'utf8')).toBe(
      `declare const asset: import('../_runtime/types.js').ImageComponent\nexport default asset\n`,
    )
    for (const path of ['index.js', 'index.d.ts', 'icons/hero.js', '_runtime/react.js', '_runtime/types.d.ts'])
      expect(await readFile(join(folder, path), 'utf8')).not.toContain('unplugin-content-space')
    const again = await pull(engine, { kits: 'brand', out: `pulled-${module}`, module, query })
    expect(again.kits[0]?.written).toEqual([])
  })
})

describe.each(['svelte', 'astro'])('components of %s', (framework) => {
  const refusal = { code: 'invalidQuery', message: expect.stringContaining(`as=${framework}`) }

  test('are not pulled as CommonJS', async () => {
    const order = { kits: 'brand', out: `refused-${framework}`, query: `as=${framework}` }
    await expect(pull(engine, { ...order, module: 'cjs' })).rejects.toMatchObject(refusal)
    expect(await readdir(root)).not.toContain(order.out)
    const { kits } = await pull(engine, { ...order, module: 'url' })
    expect(kits[0]?.written).toContain(`_runtime/svg.${framework}`)
  })

  test('are not written as CommonJS', async () => {
    const specifier = `content-space:asset/brand/arrow-left?as=${framework}`
    await writeFile(join(root, 'main.js'), `import Arrow from '${specifier}'`)
    const { errors, modules } = await writeModules(engine, { folder: `cjs-${framework}`, module: 'cjs' })
    expect([...errors]).toEqual([[specifier, expect.objectContaining(refusal)]])
    expect(() => createRequire(import.meta.url)(modules.get(specifier) ?? '')).toThrow(
      /--module url or --module import/,
    )
  })
})

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject, readTree } from './driver.js'
import { builtWithoutStyleSheets, styleScriptBuilders, styleSheetBuilders, type BuildSite } from './markup-builders.js'
import { drawing, kits, openTestSpace, type TestSpace } from './space.js'

let space: TestSpace
beforeAll(async () => void (space = await openTestSpace()))
afterAll(() => space.close())

const asset = `content-space:asset/${kits.brand}`
const sheets = {
  'main.js': `import './main.css'\nimport * as box from './box.module.css'\nconsole.log(box)\n`,
  'main.css': `
    @import './parts/part.css';
    /* url(${asset}/nothing) */
    .a { background: url(${asset}/acme-logo) }
    .b { background: image-set("${asset}/hero-photo?w=20" 1x, '${asset}/hero-photo?w=30' 2x) }
    .c::before { content: "${asset}/nothing" }
    @font-face { font-family: brand; src: url( "${asset}/default" ) }`,
  'parts/part.css': `.d { background: url('${asset}/acme-logo-dark') }`,
  'box.module.css': `.e { background: url(${asset}/shared-mark?w=10;20&format=png) }`,
}

async function build(site: BuildSite, files: Record<string, string>, base = '/static/') {
  const project = await createProject(files)
  try {
    const options = {
      ...space.options(),
      types: false as const,
      lockfile: join(project.root, 'content-space.lock.json'),
    }
    space.requests()
    const warnings = await site({ root: project.root, options, base })
    const downloads = space.requests().filter((request) => request.includes('/download'))
    return { warnings, downloads, files: await readTree(join(project.root, 'dist')) }
  } finally {
    await project.remove()
  }
}

/** Returns the rules of all style sheets without comments, and every URL in them with the path of its style sheet. */
function readSheets(files: Map<string, Buffer>): { rules: string; addresses: [sheet: string, address: string][] } {
  const found = [...files].filter(([path]) => path.endsWith('.css'))
  const rules = found.map(([path, bytes]) => [path, bytes.toString().replace(/\/\*[\s\S]*?\*\//g, '')] as const)
  return {
    rules: rules.map(([, text]) => text).join('\n'),
    addresses: rules.flatMap(([path, text]) =>
      [...text.matchAll(/["'(\s]([^"'()\s]+\.(?:svg|jpg|png))(?=["')\s])/g)].map(
        ([, address = '']): [string, string] => [path, address],
      ),
    ),
  }
}

const expectedNames = [
  'acme-logo-dark.svg',
  'acme-logo.svg',
  'default.svg',
  'hero-photo.jpg',
  'hero-photo.jpg',
  'shared-mark.png',
]
const withoutHash = (path: string): string => path.replace(/^.*\//, '').replace(/[.-][\w-]{8}(?=\.\w+$)/, '')

describe.each(Object.entries(styleSheetBuilders))('%s', (name, site) => {
  test('replaces ids in style sheets and in the style sheets that they import', async () => {
    const { files, downloads, warnings } = await build(site, sheets)
    const { rules, addresses } = readSheets(files)
    expect(rules.replace(/content:\s*"[^"]*"/, '')).not.toContain('content-space')
    expect(rules).toContain(`"${asset}/nothing"`)
    expect(warnings.join('\n')).not.toMatch(/didn't resolve|cannot be resolved/)
    const paths = [...new Set(addresses.map(([, address]) => address))]
    for (const path of paths) {
      expect(path).toMatch(/^\/static\//)
      expect([...files.keys()]).toContain(path.slice('/static/'.length))
    }
    expect(paths.map(withoutHash).toSorted()).toEqual(expectedNames)
    expect(downloads).toHaveLength(5)
    const logo = paths.find((path) => withoutHash(path) === 'acme-logo.svg') ?? ''
    expect(files.get(logo.slice('/static/'.length))?.toString()).toBe(drawing('Acme'))
  })

  test('names the sheet and the nearest asset in an error', async () => {
    const wrong = { 'main.js': `import './main.css'`, 'main.css': `a { background: url(${asset}/acme-loga) }` }
    const failure = build(site, wrong)
    await expect(failure).rejects.toThrow(/main\.css/)
    await expect(failure).rejects.toThrow(/acme-loga[\s\S]*acme-logo /)
  })

  test('keeps a fragment, or rejects it', async () => {
    const css = `a { mask: url("${asset}/acme-logo#shape") }`
    const built = build(site, { 'main.js': `import './main.css'`, 'main.css': css })
    if (/^(?:webpack|Rspack) with (?:its own CSS|css-loader)$/.test(name)) {
      await expect(built).rejects.toThrow(/cannot keep #shape after the address of \S*acme-logo\.[\s\S]*main\.css/)
    } else {
      const { rules } = readSheets((await built).files)
      expect(rules).toMatch(/url\("?\/static\/[\w./-]*\.svg#shape"?\)/)
    }
  })

  test.each([
    [`kit/${kits.brand}`, /Write content-space:asset/],
    [`app-icons/${kits.brand}/acme-logo`, /<link rel="icon"> takes it .*npx content-space app-icons/],
    [`asset/${kits.style}/coral`, /such as a color\..*option tokens/],
  ])('rejects an id without an address: %s', async (id, hint) => {
    const wrong = { 'main.js': `import './main.css'`, 'main.css': `a { background: url(content-space:${id}) }` }
    const failure = build(site, wrong)
    await expect(failure).rejects.toThrow(/has no address/)
    await expect(failure).rejects.toThrow(hint)
    // The mistake is in the style sheet, not in the code of this package.
    await expect(failure).rejects.not.toThrow(/^\W*at .*dist/m)
  })
})

test.each(Object.entries(styleSheetBuilders).filter(([name]) => /css-loader|esbuild/.test(name)))(
  '%s writes addresses relative to the style sheet',
  async (_, site) => {
    const { files } = await build(site, sheets, './')
    const { addresses } = readSheets(files)
    expect(addresses.length).toBeGreaterThanOrEqual(6)
    for (const [sheet, address] of addresses) {
      expect([...files.keys()]).toContain(new URL(address, `http://host/${sheet}`).pathname.slice(1))
    }
  },
)

test.each(Object.entries(styleScriptBuilders))('%s emits the files of style sheets in scripts', async (_, site) => {
  const { files } = await build(site, sheets)
  const emitted = [...files.keys()].filter((path) => !path.endsWith('.js'))
  expect(emitted.map(withoutHash).toSorted()).toEqual(expectedNames)
  const script = files.get('main.js')?.toString() ?? ''
  for (const path of emitted) expect(script).toContain(path)
})

test.each(Object.entries(builtWithoutStyleSheets))('%s rejects ids in style sheets', async (_, site) => {
  const failure = build(site, sheets)
  await expect(failure).rejects.toThrow(/content-space:asset\S* is in a style sheet/)
  await expect(failure).rejects.toThrow(/content-space pull[\s\S]*(?:main|box\.module)\.css/)
})

test('Vite replaces ids that Sass has compiled', async () => {
  const { files, warnings } = await build(styleSheetBuilders['Vite'] ?? expect.fail(), {
    'main.js': `import './main.scss'`,
    'main.scss': `
      // url(${asset}/nothing)
      @use './parts/part';
      $logo: '${asset}/acme-logo';
      .a { background: url($logo) }`,
    'parts/_part.scss': `.b { .c { background: url("${asset}/acme-logo-dark") } }`,
  })
  expect(warnings.filter((warning) => !warning.includes('PLUGIN_TIMINGS'))).toEqual([])
  const { addresses } = readSheets(files)
  expect(addresses.map(([, address]) => withoutHash(address)).toSorted()).toEqual([
    'acme-logo-dark.svg',
    'acme-logo.svg',
  ])
  for (const [, address] of addresses) expect([...files.keys()]).toContain(address.slice('/static/'.length))
})

import { build, type BuildFailure } from 'esbuild'
import sharp from 'sharp'
import contentSpace from 'unplugin-content-space/esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parameters } from '../../src/request/parameters.js'
import { project, type Project } from '../support/cli.js'
import { makeFont } from '../support/font.js'
import { svg, writeSpace, type Files, type SpaceFolder } from '../support/space.js'

/** Values that keys without a list of values may accept. */
const candidates = ['', '1', 'full', 'fff', 'partner']

/** Queries with each key and the values that it accepts. A new key is included automatically. */
const queries = Object.entries(parameters).flatMap(([key, parameter]) => {
  const { choices } = parameter
  const values = choices.length > 0 ? choices : candidates.filter((value) => parameter.read([value])).slice(0, 1)
  // Only Astro builds its components, and `sync` doesn't know which framework builds the project.
  const keys = values.filter((value) => value !== 'astro').map((value) => (value === '' ? key : `${key}=${value}`))
  return key === 'as' ? keys : [...keys.slice(0, 2), ...keys.slice(0, 1).map((query) => `${query}&as=raw`)]
})

/** Files of assets, by kind. */
const kinds: Record<string, { ext: string; content: Files[string] }> = {
  drawing: { ext: 'svg', content: svg('one') },
  colorful: {
    ext: 'svg',
    content: svg('two').replace(
      '</svg>',
      '<rect width="1" height="1" fill="red"/><rect x="2" width="1" height="1" fill="blue"/></svg>',
    ),
  },
  photo: {
    ext: 'png',
    content: await sharp({ create: { width: 4, height: 4, channels: 3, background: '#2a6' } })
      .png()
      .toBuffer(),
  },
  color: { ext: 'json', content: { color: '#E5603F' } },
  letters: { ext: 'woff2', content: makeFont({ format: 'woff2' }) },
  note: { ext: 'txt', content: 'text' },
}

let space: SpaceFolder
let work: Project
/** The source of each import, by the name of its asset, which is unique to the import. */
const sources = new Map<string, string>()

beforeAll(async () => {
  const files: Files = { 'brand/Logos/partner.svg': svg('partner') }
  for (const [kind, { ext, content }] of Object.entries(kinds))
    for (const [at, query] of queries.entries()) {
      const name = `${kind}-${at}`
      files[`brand/Logos/${name}.${ext}`] = content
      sources.set(name, `content-space:asset/brand/${name}?${query}`)
    }
  space = await writeSpace(files)
  const modules = [...sources].map(([name, id]) => [`src/${name}.js`, `import x from '${id}'\nconsole.log(x)\n`])
  work = await project({
    'package.json': '{ "type": "module" }',
    'content-space.config.js': `export default { space: ${JSON.stringify(space.folder)}, components: 'react' }\n`,
    'src/main.js': [...sources.keys()].map((name) => `import './${name}.js'\n`).join(''),
    ...Object.fromEntries(modules),
  })
})
afterAll(async () => {
  await work.remove()
  await space.remove()
})

/** Returns the ids of the imports that are mentioned in a text. */
const idsIn = (text: string): string[] =>
  [
    ...new Set(Array.from(text.matchAll(/src\/(\w+-\d+)\.js/g), ([, name = '']) => sources.get(name) ?? name)),
  ].toSorted()

test('sync rejects the same queries as a build, with every key and kind of asset', async () => {
  const { errors } = await build({
    absWorkingDir: work.root,
    entryPoints: ['src/main.js'],
    bundle: true,
    outdir: 'dist',
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    external: ['react', 'react/jsx-runtime'],
    plugins: [contentSpace({ cacheDir: `${work.root}/.cache`, lockfile: false, types: false })],
  }).catch((error: BuildFailure) => error)
  const built = errors.map(({ text }) => text.replaceAll(/\s+/g, ' ')).join('\n')
  const { stderr } = await work.run('sync')
  const refused = idsIn(stderr)
  expect(refused.length).toBeGreaterThan(100)
  expect(idsIn(built).filter((id) => !refused.includes(id))).toEqual([])
  // If an error affects several imports, a build reports it once.
  const reasons = Array.from(stderr.matchAll(/^error\[\w+\]: (.*)/gm), ([, reason = '']) => reason)
  expect(reasons.filter((reason) => !built.includes(reason))).toEqual([])
})

import { execFile } from 'node:child_process'
import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { upstream } from '../support/pull.js'
import { svg, writeSpace, type SpaceFolder } from '../support/space.js'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const logo = svg('logo one', 120, 40)

let space: SpaceFolder
let work: Project

/** Pulls a kit in each form of module into a project that has every bundler and test runner installed. */
beforeAll(async () => {
  space = await writeSpace({ ...upstream, 'brand/versions/1/01 Logos/größe.svg': svg('size') })
  work = await project({ 'package.json': '{ "type": "module" }' }, { CONTENT_SPACE_URL: space.folder })
  await symlink(join(repository, 'node_modules'), join(work.root, 'node_modules'))
  for (const kind of ['url', 'import', 'cjs']) {
    expect(await work.run('pull', 'acme-brand', '--out', kind, '--module', kind)).toMatchObject({ code: 0 })
  }
})
afterAll(async () => {
  await work.remove()
  await space.remove()
})

/**
 * Runs Node in the project.
 * @throws an error with its output if it fails
 */
async function node(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: work.root,
    timeout: 60_000,
    env: { PATH: process.env['PATH'], CI: 'true' },
  })
  return stdout.trim()
}

const built = async (folder: string): Promise<string[]> =>
  (await readdir(join(work.root, folder), { recursive: true })).filter((path) => path.endsWith('.svg'))

describe('with addresses', () => {
  test('is imported by Node, in the shape of the virtual module', async () => {
    await work.write({
      'read.js': `import { readFileSync } from 'node:fs'
import kit, * as all from './url/index.js'
console.log(JSON.stringify({
  names: Object.keys(all), text: readFileSync(new URL(all.acmeLogo.src), 'utf8'), red: all.red.meta, head: [kit.name, kit.version],
  same: kit.sections[1].items[0].asset === all.acmeLogo, kinds: kit.sections[0].items.map(({ type }) => type),
}))`,
    })
    expect(JSON.parse(await node('read.js'))).toEqual({
      names: ['acmeLogo', 'badge', 'default', 'größe', 'oldMark', 'red'],
      text: logo,
      red: { value: '#FF0000' },
      head: ['Acme Brand', 1],
      same: true,
      kinds: ['asset', 'heading', 'asset', 'asset', 'asset'],
    })
  })

  test('is an error in a server bundle, whose pages would contain a path on this machine', async () => {
    await work.write({ 'server.js': `import { acmeLogo } from './url/index.js'\nconsole.log(acmeLogo.src)` })
    await build({ absWorkingDir: work.root, entryPoints: ['server.js'], bundle: true, format: 'esm', outdir: 'server' })
    await expect(node('server/server.js')).rejects.toThrow(
      '/logos/acme-logo.svg has no address in code that is bundled for a server. Run npx content-space pull with --module import.',
    )
  })

  test('is imported by Vitest', async () => {
    await work.write({
      'url.test.js': `import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { acmeLogo } from './url/index.js'
test('is there', () => expect(readFileSync(new URL(acmeLogo.src), 'utf8')).toBe(${JSON.stringify(logo)}))`,
    })
    await node('node_modules/vitest/vitest.mjs', 'run', '--root', '.', 'url.test.js')
  })

  test('is built by Vite, which resolves the addresses', async () => {
    const config = JSON.stringify({
      build: { outDir: 'dist-url', assetsInlineLimit: 0, rolldownOptions: { input: 'url.html' } },
    })
    await work.write({
      'url.html': '<script type="module" src="/url-main.js"></script>',
      'url-main.js': `import { acmeLogo } from './url/index.js'\ndocument.title = acmeLogo.src`,
      'url.config.js': `export default ${config}`,
    })
    await node('node_modules/vite/bin/vite.js', 'build', '--config', 'url.config.js')
    const texts = (await built('dist-url')).map((file) => readFile(join(work.root, 'dist-url', file), 'utf8'))
    expect(await Promise.all(texts)).toContain(logo)
  })
})

describe('with imports', () => {
  test.each([
    ['from its module', `import logo from './import/logos/acme-logo.js'`, false],
    ['from the index, with lazy barrels', `import { acmeLogo as logo } from './import/index.js'`, true],
  ])('adds only the imported file to a Vite build, %s', async (name, line, lazy) => {
    const config = JSON.stringify({
      build: {
        outDir: 'dist-import',
        assetsInlineLimit: 0,
        rolldownOptions: { input: 'import.html', experimental: { lazyBarrel: lazy } },
      },
    })
    await work.write({
      'import.html': '<script type="module" src="/import-main.js"></script>',
      'import-main.js': `${line}\ndocument.title = logo.src // ${name}`,
      'import.config.js': `export default ${config}`,
    })
    await node('node_modules/vite/bin/vite.js', 'build', '--config', 'import.config.js')
    const files = await built('dist-import')
    expect(files).toHaveLength(1)
    expect(await readFile(join(work.root, 'dist-import', files[0] ?? ''), 'utf8')).toBe(logo)
  })

  test('adds only the imported file to a webpack build', async () => {
    await work.write({
      'webpack-main.js': `import { acmeLogo } from './import/index.js'\ndocument.title = acmeLogo.src`,
      'webpack.js': `import webpack from 'webpack'
webpack({
  mode: 'production', context: import.meta.dirname, entry: './webpack-main.js', output: { path: import.meta.dirname + '/dist-webpack' },
  module: { rules: [{ test: /\\.svg$/, type: 'asset/resource' }] },
}, (error, stats) => { if (error ?? stats.hasErrors()) { console.error(error ?? stats.toString()); process.exitCode = 1 } })`,
    })
    await node('webpack.js')
    const files = await built('dist-webpack')
    expect(files).toHaveLength(1)
    expect(await readFile(join(work.root, 'dist-webpack', files[0] ?? ''), 'utf8')).toBe(logo)
  })
})

describe('with imports', () => {
  test('reads the address of an import that is an object with src, as in Next.js', async () => {
    const text = await readFile(join(work.root, 'import/logos/acme-logo.js'), 'utf8')
    for (const imported of ['"/logo.svg"', '{ src: "/logo.svg", width: 120 }']) {
      const module = text.replace(/import (\w+) from "\.\/acme-logo\.svg"/, `const $1 = ${imported}`)
      const { default: logoAsset } = await import(`data:text/javascript,${encodeURIComponent(module)}`)
      expect(logoAsset.src).toBe('/logo.svg')
    }
  })

  test.each(['raw', 'inline'])('has no import for as=%s', async (as) => {
    await work.run('pull', 'acme-brand', '--out', as, '--module', 'import', '--section', 'logos', '--query', `as=${as}`)
    await work.write({ [`${as}.js`]: `import { acmeLogo } from './${as}/index.js'\nconsole.log(acmeLogo)` })
    const expected = as === 'raw' ? logo.trim() : `data:image/svg+xml;base64,${Buffer.from(logo).toString('base64')}`
    expect(await node(`${as}.js`)).toBe(expected)
  })
})

describe('in CommonJS', () => {
  test('is required by Node, with absolute paths', async () => {
    await work.write({
      'read.cjs': `const kit = require('./cjs')\nconsole.log(JSON.stringify([kit.acmeLogo.src, kit.default.name, kit.größe.name, Object.keys(kit)]))`,
    })
    expect(JSON.parse(await node('read.cjs'))).toEqual([
      join(work.root, 'cjs/logos/acme-logo.svg'),
      'Acme Brand',
      'Größe',
      ['__esModule', 'acmeLogo', 'badge', 'größe', 'oldMark', 'red', 'default'],
    ])
  })

  test('is imported by name from an ES module', async () => {
    await work.write({ 'read-cjs.js': `import { acmeLogo } from './cjs/index.js'\nconsole.log(acmeLogo.src)` })
    expect(await node('read-cjs.js')).toBe(join(work.root, 'cjs/logos/acme-logo.svg'))
  })

  test('is imported by code compiled with Babel for Jest, which checks `__esModule`', async () => {
    await work.write({
      'babel.cjs': `const kit = require('./cjs')\nconst { default: logo } = require('./cjs/logos/acme-logo.js')\nconsole.log(kit.__esModule && kit.default.sections[0].items[0].asset === logo)`,
    })
    expect(await node('babel.cjs')).toBe('true')
  })
})

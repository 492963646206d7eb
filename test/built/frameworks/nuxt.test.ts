import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { installPackage } from '../../support/installed.js'

/** The function of `@nuxt/kit` that the module needs for its setup, and a minimal Nuxt without server and pages. */
const files = {
  'node_modules/@nuxt/kit/package.json': '{ "name": "@nuxt/kit", "type": "module", "exports": "./index.js" }',
  'node_modules/@nuxt/kit/index.js':
    'export const addVitePlugin = () => {}\nexport const defineNuxtModule = ({ setup }) => setup',
  'space/brand/Logos/acme-logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
  'content-space.config.json': '{ "space": "./space" }',
  'main.mjs': `
    import { join } from 'node:path'
    import setup from 'unplugin-content-space/nuxt'
    const hooks = new Map()
    const options = { rootDir: process.cwd(), buildDir: join(process.cwd(), '.nuxt'), dev: false, _prepare: true }
    const app = { baseURL: '/', buildAssetsDir: '/_nuxt/' }
    await setup({}, { options: { ...options, app }, hook: (name, run) => hooks.set(name, run) })
    const types = JSON.parse(process.argv[2])
    await hooks.get('prepare:types')(types)
    await hooks.get('close')()
    console.log(JSON.stringify(types))
  `,
}

test.each([
  ['3', { tsConfig: {} }],
  ['4', { tsConfig: { include: ['a'] }, sharedTsConfig: {} }],
])('the declarations are added to the tsconfigs that Nuxt %s has', async (_version, types) => {
  const root = await installPackage({})
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const env = { ...process.env, CONTENT_SPACE_CACHE: join(root, '.cache') }
  const args = ['main.mjs', JSON.stringify(types)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
  const written = Object.entries(types).map(([name, { include = [] }]: [string, { include?: string[] }]) => [
    name,
    { include: [...include, '../content-space.d.ts'] },
  ])
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(written))
})

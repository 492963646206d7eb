import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, readlink, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createImporter } from 'unplugin-content-space'
import { build } from '../bundlers/driver.js'
import { viteDriver } from '../bundlers/drivers/vite.js'
import { webpackDriver } from '../bundlers/drivers/webpack.js'
import { project, type Project } from '../support/cli.js'
import { brand, richSpace, serveSpace, svg, type ServedSpace, type SpaceFolder } from '../support/space.js'

/** Contains all characters that are special in an `.env` file. */
const token = `to$ken #1 'x" $HOME`
let space: SpaceFolder
let service: ServedSpace
let work: Project

beforeAll(async () => {
  space = await richSpace()
  service = await serveSpace(space.folder, { token })
})
afterAll(async () => {
  await service.close()
  await space.remove()
})
afterEach(() => work.remove())

interface Report {
  bundler?: string
  bundlerConfig?: string
  written: string[]
  ignored?: string
  kept: string[]
  different: string[]
  plugin?: string
  companions: { config: string; line: string }[]
  scripts: { name: string; command: string }[]
  scriptsWritten: boolean
  fromEnvironment: string[]
  import: string
  warnings: string[]
  next: string[]
}

async function report(...args: string[]): Promise<Report> {
  const { code, stdout, stderr } = await work.run('init', '--json', ...args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const read = (path: string) => readFile(join(work.root, path), 'utf8')

const access = (): string[] => ['--space', service.url, '--space-id', '7', '--token', token]
const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: work.root })

describe('content-space init', () => {
  test.each([
    [{ 'vite.config.ts': '' }, 'vite', 'vite.config.ts', 'import contentSpace from'],
    [{ 'package.json': '{ "devDependencies": { "rollup": "4" } }' }, 'rollup', undefined, 'import contentSpace from'],
    [
      { 'package.json': '{ "devDependencies": { "rollup": "4", "vite": "8" } }' },
      'vite',
      'vite.config.mjs',
      'import contentSpace from',
    ],
    [
      { 'rolldown.config.mjs': '', 'package.json': '{ "devDependencies": { "vite": "8" } }' },
      'rolldown',
      'rolldown.config.mjs',
      'import contentSpace from',
    ],
    [{ 'webpack.config.js': '' }, 'webpack', 'webpack.config.js', 'const contentSpace = require('],
    [
      { 'webpack.config.js': '', 'package.json': '{ "type": "module" }' },
      'webpack',
      'webpack.config.js',
      'import contentSpace from',
    ],
    [{ 'rspack.config.cjs': '' }, 'rspack', 'rspack.config.cjs', 'const contentSpace = require('],
    [
      { 'package.json': '{ "dependencies": { "esbuild": "1" } }' },
      'esbuild',
      undefined,
      'const contentSpace = require(',
    ],
    [{ 'farm.config.ts': '' }, 'farm', 'farm.config.ts', 'import contentSpace from'],
  ])('with %j finds %s', async (files, bundler, bundlerConfig, plugin) => {
    work = await project(files)
    const found = await report('--space', space.folder)
    expect([found.bundler, found.bundlerConfig]).toEqual([bundler, bundlerConfig])
    expect(found.plugin).toContain(`${plugin}${plugin.endsWith('(') ? '' : ' '}'unplugin-content-space/${bundler}'`)
    expect(found.next.join('\n')).toContain(`Add the plugin to ${bundlerConfig ?? `the configuration of ${bundler}`}.`)
  })

  test('writes the configuration of a bundler that needs none', async () => {
    work = await project({ 'package.json': '{ "devDependencies": { "vite": "8" } }', 'tsconfig.json': '{}' })
    const text =
      "import contentSpace from 'unplugin-content-space/vite'\n\nexport default {\n  plugins: [contentSpace()],\n}\n"
    const { plugin } = await report('--space', space.folder)
    expect(plugin).toBe(text.trimEnd())
    expect((await work.run('init', '--yes')).stdout).toContain('added the plugin to vite.config.ts')
    expect(await read('vite.config.ts')).toBe(text)
    expect((await work.run('init', '--yes')).stdout).not.toContain('Add to')
  })

  test('a new configuration of Vite has the plugin of the framework, and the declarations are named where they are', async () => {
    const devDependencies = { vite: '8', '@vitejs/plugin-react': '6' }
    const manifest = JSON.stringify({ devDependencies, type: 'module' })
    work = await project({ 'package.json': manifest, 'tsconfig.json': '{}', 'src/main.tsx': '' })
    const { plugin, next, written } = await report('--space', space.folder)
    expect(plugin).toBe(
      "import react from '@vitejs/plugin-react'\nimport contentSpace from 'unplugin-content-space/vite'\n\n" +
        'export default {\n  plugins: [react(), contentSpace()],\n}',
    )
    expect(written).toContain('src/content-space.d.ts')
    expect(next.at(-1)).toContain('content-space.lock.json and src/content-space.d.ts. ')
  })

  test.each([
    [
      { 'vitest.config.ts': '', 'package.json': '{ "devDependencies": { "vite": "8", "vitest": "4" } }' },
      'vitest',
      'vitest.config.ts',
      "from 'unplugin-content-space/vite'\n\nplugins: [",
    ],
    [
      { 'package.json': '{ "devDependencies": { "vitest": "4" } }' },
      'vitest',
      'vitest.config.mjs',
      "from 'unplugin-content-space/vite'\n\nexport default",
    ],
    [
      { 'tsdown.config.ts': '', 'package.json': '{ "devDependencies": { "tsdown": "1", "vitest": "4" } }' },
      'tsdown',
      'tsdown.config.ts',
      "from 'unplugin-content-space/rolldown'\n\nplugins: [",
    ],
    [{ 'tsup.config.ts': '' }, 'tsup', 'tsup.config.ts', "from 'unplugin-content-space/esbuild'\n\nesbuildPlugins: ["],
  ])('with %j adds the plugin of another bundler to %s', async (files, bundler, bundlerConfig, plugin) => {
    work = await project(files)
    expect(await report('--space', space.folder)).toMatchObject({
      bundler,
      bundlerConfig,
      plugin: expect.stringContaining(plugin),
    })
  })

  test.each([
    ['a configuration of its own', `export default { test: {} }`, true],
    ['a configuration that loads the one of Vite', `import vite from './vite.config'\nexport default vite`, false],
  ])('names Vitest beside Vite if it has %s', async (_, config, isNamed) => {
    const manifest = { scripts: { build: 'vite build' }, devDependencies: { vite: '8', vitest: '4' } }
    work = await project({ 'vitest.config.ts': config, 'package.json': JSON.stringify(manifest) })
    const { bundler, companions } = await report('--space', space.folder)
    const line = "import contentSpace from 'unplugin-content-space/vite'\n\nplugins: [contentSpace()],"
    expect([bundler, companions]).toEqual(['vite', isNamed ? [{ config: 'vitest.config.ts', line }] : []])
  })

  test.each([
    ['jest', 'jest.config', 'Add the line to jest.config.'],
    ['@types/bun', 'bunfig.toml', 'Add the line to bunfig.toml.'],
    ['@11ty/eleventy', undefined, "addPassthroughCopy('src/content/"],
    ['@farmfe/core', undefined, '"overrides": { "koa-compose": "4.1.0" }'],
  ])('does not miss a bundler in a project with %s', async (name, config, step) => {
    work = await project({ 'package.json': JSON.stringify({ devDependencies: { [name]: '1' } }) })
    const { companions, next } = await report('--space', space.folder)
    expect(companions.map((one) => one.config)).toEqual(config === undefined ? [] : [config])
    expect(next.join('\n')).toContain(step)
    expect(next.join('\n')).not.toContain('No bundler was found')
  })

  test.each([
    ['without', 'export default {\n  root: "."\n}\n', '}\n'],
    ['with', 'export default {\n  root: ".",\n}\n', '},\n'],
  ])('writes a configuration %s trailing commas, as the project has them', async (_, config, end) => {
    work = await project({ 'vite.config.ts': config })
    await report('--space', space.folder)
    expect(await read('content-space.config.js')).toMatch(new RegExp(`kits: .*${end}\\}\\)\n$`))
  })

  test('writes the types where a tsconfig includes them', async () => {
    work = await project({
      'package.json': '{ "devDependencies": { "electron-vite": "6", "typescript": "6" } }',
      'electron.vite.config.ts': 'export default { main: {}, preload: {}, renderer: {} }',
      'tsconfig.json':
        '{ "files": [], "references": [{ "path": "./tsconfig.node.json" }, { "path": "./tsconfig.web.json" }] }',
      'tsconfig.node.json': '{ "include": ["electron.vite.config.*", "src/main/**/*", "src/preload/**/*"] }',
      'tsconfig.web.json':
        '{ "include": ["src/renderer/src/env.d.ts", "src/renderer/src/**/*", "src/preload/*.d.ts"] }',
      'src/preload/index.d.ts': '',
      'src/renderer/src/env.d.ts': '',
    })
    const { written, warnings, next } = await report('--space', space.folder)
    const types = 'src/renderer/src/content-space.d.ts'
    expect([written, warnings]).toEqual([['content-space.config.ts', types], []])
    expect(await read('content-space.config.ts')).toContain(`  types: '${types}',\n`)
    expect(next.join('\n')).toMatch(
      /This sets up only the renderer\.[^]*Commit content-space\.lock\.json and src\/renderer/,
    )
  })

  test('says what the tsconfig of a package does not include', async () => {
    work = await project({
      'package.json': '{ "workspaces": ["apps/*"] }',
      'content-space.config.mjs': `export default { space: ${JSON.stringify(space.folder)} }`,
      'apps/web/package.json': '{ "devDependencies": { "vite": "8" } }',
      'apps/web/tsconfig.json': '{ "include": ["src"] }',
    })
    expect((await work.runIn('apps/web', 'init', '--yes')).stderr).toContain(
      'apps/web/tsconfig.json does not include ../../content-space.d.ts, so imports have the type any. ' +
        'Set "include": ["src", "../../content-space.d.ts"], or move the file with option types.',
    )
  })

  test('finds the bundler of a package whose workspace has the configuration', async () => {
    const web = { 'vite.config.ts': 'export default { plugins: [] }\n', 'package.json': '{}', 'tsconfig.json': '{}' }
    work = await project({
      'package.json': '{ "workspaces": ["apps/*"] }',
      'content-space.config.js': `export default { space: ${JSON.stringify(space.folder)} }\n`,
      ...Object.fromEntries(Object.entries(web).map(([file, text]) => [`apps/web/${file}`, text])),
    })
    const { stdout } = await work.runIn('apps/web', 'init', '--yes')
    expect(stdout).toContain('added the plugin to vite.config.ts')
    expect(await read('apps/web/vite.config.ts')).toContain('plugins: [contentSpace()]')
    expect(await read('apps/web/package.json')).toContain('"types": "content-space sync"')
    expect(await readdir(work.root)).not.toContain('vite.config.ts')
  })

  test.each([
    [
      'next',
      'next.config.ts',
      "import { withContentSpace } from 'unplugin-content-space/next'\n\nexport default withContentSpace(nextConfig)",
      '"types": "next typegen"',
    ],
    [
      'next',
      'next.config.js',
      "const withContentSpace = require('unplugin-content-space/next')\n\nmodule.exports = withContentSpace(nextConfig)",
      '"types": "next typegen"',
    ],
    ['nuxt', 'nuxt.config.ts', "modules: ['unplugin-content-space/nuxt'],", '"types": "nuxt prepare"'],
    [
      'astro',
      'astro.config.mjs',
      "import contentSpace from 'unplugin-content-space/astro'\n\nintegrations: [contentSpace()],",
      '"types": "astro sync"',
    ],
    [
      '@sveltejs/kit',
      'vite.config.ts',
      "import contentSpace from 'unplugin-content-space/vite'\n\nplugins: [contentSpace()],",
      '"types": "svelte-kit sync && content-space sync"',
    ],
    [
      'vitepress',
      'docs/.vitepress/config.mts',
      "import contentSpace from 'unplugin-content-space/vite'\n\nvite: { plugins: [contentSpace()] },",
      '"types": "content-space sync"',
    ],
    [
      'electron-vite',
      'electron.vite.config.ts',
      "import contentSpace from 'unplugin-content-space/vite'\n\nrenderer: { plugins: [contentSpace()] },",
      '"types": "content-space sync"',
    ],
    [
      '@rsbuild/core',
      'rsbuild.config.ts',
      "import { pluginContentSpace } from 'unplugin-content-space/rsbuild'\n\nplugins: [pluginContentSpace()],",
      '"types": "content-space sync"',
    ],
    [
      '@rslib/core',
      'rslib.config.ts',
      "import { pluginContentSpace } from 'unplugin-content-space/rsbuild'\n\nplugins: [pluginContentSpace()],",
      '"types": "content-space sync"',
    ],
  ])(
    'with the framework %s and %s prints its lines, and writes the script for types',
    async (name, config, plugin, script) => {
      const devDependencies = { [name]: '1', vite: '8', typescript: '5' }
      work = await project({ [config]: '', 'package.json': JSON.stringify({ devDependencies }) })
      const found = await report('--space', space.folder)
      expect(found).toMatchObject({ bundlerConfig: config, plugin, scriptsWritten: true })
      expect(JSON.parse(await read('package.json'))).toEqual({ devDependencies, scripts: JSON.parse(`{${script}}`) })
      expect(found.next.at(-1)).toMatch(/^Commit content-space\.lock\.json and content-space\.d\.ts\. .* needs: npx \w/)
    },
  )

  test.each([
    [{ prepare: 'husky' }, '"types": "content-space sync"'],
    [{ types: 'tsc' }, '"types": "content-space sync && tsc"'],
    [{ check: 'content-space sync && tsc' }, undefined],
    [{ dev: 'vite', build: 'tsc -b && vite build' }, '"build": "content-space sync && tsc -b && vite build"'],
    [{ 'type-check': 'vue-tsc --build' }, '"type-check": "content-space sync && vue-tsc --build"'],
    [{ build: 'tsdown' }, '"build": "content-space sync && tsdown"'],
    [{ build: 'tsup --minify' }, '"build": "content-space sync && tsup --minify"'],
  ])('with the scripts %j writes the script %s', async (scripts, script) => {
    const before = `${JSON.stringify({ name: 'shop', scripts, type: 'module' }, null, '\t')}\n`
    work = await project({ 'tsconfig.json': '{}', 'package.json': before })
    const found = await report('--space', space.folder)
    expect(found.scriptsWritten).toBe(script !== undefined)
    const written = { ...scripts, ...JSON.parse(`{${script ?? ''}}`) }
    const after = `${JSON.stringify({ name: 'shop', scripts: written, type: 'module' }, null, '\t')}\n`
    expect(await read('package.json')).toBe(after)
    expect(found.next.join('\n')).not.toContain('Add the script')
  })

  test.each([
    [
      'react',
      'tsconfig.json',
      /^import \{ AcmeLogo \} from '[^']+\?as=react'\n\nexport const Logo = \(\) => <AcmeLogo title="[^"]+" \/>$/,
    ],
    [
      'vue',
      'tsconfig.json',
      /^<script setup>\nimport \{ AcmeLogo \} from '[^']+\?as=vue'\n[^]+<template><AcmeLogo title=/,
    ],
  ])('the first import of a project with %s is a component', async (name, file, first) => {
    work = await project({ [file]: '{}', 'package.json': JSON.stringify({ dependencies: { [name]: '1', vite: '8' } }) })
    expect((await report('--space', space.folder)).import).toMatch(first)
  })

  test('writes the types of what the source imports already, and names the variables of the environment', async () => {
    const dependencies = { 'unplugin-content-space': '1', typescript: '6' }
    const source = {
      'src/main.ts': `import { acmeLogo } from 'content-space:kit/acme-brand'\nexport default acmeLogo.src\n`,
    }
    work = await project({ 'package.json': JSON.stringify({ type: 'module', dependencies }), ...source }, service.env)
    await linkPackage()
    const { written, fromEnvironment, warnings } = await report('--yes')
    expect({ written, fromEnvironment, warnings }).toEqual({
      written: ['content-space.config.ts', 'src/content-space.d.ts', 'content-space.lock.json'],
      fromEnvironment: ['CONTENT_SPACE_URL', 'CONTENT_SPACE_ID', 'CONTENT_SPACE_TOKEN'],
      warnings: [],
    })
    expect(await read('src/content-space.d.ts')).toContain('acmeLogo')
    expect((await work.run('init', '--yes')).stdout).toMatch(
      /CONTENT_SPACE_URL, CONTENT_SPACE_ID, CONTENT_SPACE_TOKEN: set in the env/,
    )
  })

  test('without package.json, prints the script for types', async () => {
    work = await project({ 'tsconfig.json': '{}' })
    const found = await report('--space', space.folder)
    expect(found).toMatchObject({ scripts: [{ name: 'types', command: 'content-space sync' }], scriptsWritten: false })
    expect(found.next).toContain('Add the script to package.json.')
  })

  test('prints the lines for Storybook and Jest', async () => {
    const devDependencies = { vite: '8', storybook: '10', jest: '30' }
    work = await project({ '.storybook/main.ts': '', 'package.json': JSON.stringify({ devDependencies }) })
    const { companions, next } = await report('--space', space.folder)
    expect(companions).toEqual([
      { config: '.storybook/main.ts', line: "addons: ['unplugin-content-space/storybook']," },
      { config: 'jest.config', line: "preset: 'unplugin-content-space/jest'," },
    ])
    expect(next).toContain('Add the line to .storybook/main.ts.')
  })

  test.each([
    [
      'next',
      [
        { config: 'eslint.config.mjs', line: "{ ignores: ['**/.content-space'] }," },
        { config: 'biome.json', line: expect.stringContaining('"!**/.content-space"') },
      ],
    ],
    [
      'expo',
      [
        { config: 'eslint.config.mjs', line: "{ ignores: ['src/content'] }," },
        { config: 'biome.json', line: expect.stringContaining('"!src/content"') },
      ],
    ],
  ])('prints the lines for linters: %s', async (framework, lines) => {
    const linters = { eslint: '9', 'eslint-config-next': '16', '@biomejs/biome': '2' }
    const devDependencies = { [framework]: '1', ...linters }
    work = await project({ 'eslint.config.mjs': '', 'package.json': JSON.stringify({ devDependencies }) })
    expect((await report('--space', space.folder)).companions).toEqual(lines)
  })

  test('prints the lines for tools that read imports, as the documentation does', async () => {
    const page = await readFile(new URL('../../docs/tools.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| ([\w-]+) \| `([^`]+)` \| `(.*)` \|$/gm)]
    const names = rows.map(([, tool = '']) => tool.toLowerCase())
    const devDependencies = Object.fromEntries(['vite', ...names].map((name) => [name, '1']))
    work = await project({ 'package.json': JSON.stringify({ devDependencies }) })
    const { companions } = await report('--space', space.folder)
    expect(rows).toHaveLength(5)
    expect(companions).toEqual(rows.map(([, , config, line]) => ({ config, line })))
  })

  test('prints the lines for agents that the documentation shows', async () => {
    work = await project({ 'AGENTS.md': '# Rules\n', 'package.json': '{}' })
    const { companions } = await report('--space', space.folder)
    const page = await readFile(new URL('../../docs/agents.md', import.meta.url), 'utf8')
    expect(companions).toEqual([{ config: 'AGENTS.md', line: /```text\n([\s\S]*?)\n```/.exec(page)?.[1] }])
  })

  test('prints the server for the agents that a project uses, and has not added it to', async () => {
    work = await project({
      'package.json': '{}',
      'CLAUDE.md': '',
      '.cursor/rules/style.mdc': '',
      '.vscode/mcp.json': '{ "servers": { "content-space": {} } }',
    })
    const { companions } = await report('--space', space.folder)
    const page = await readFile(new URL('../../docs/agents.md', import.meta.url), 'utf8')
    const server: unknown = JSON.parse(/```json \.mcp\.json\n([\s\S]*?)\n```/.exec(page)?.[1] ?? '')
    expect(companions.map(({ config }) => config)).toEqual(['.mcp.json', '.cursor/mcp.json'])
    for (const { line } of companions) expect(JSON.parse(line)).toEqual(server)
  })

  const prettier = '{ "devDependencies": { "prettier": "3" } }'
  test.each([
    [
      undefined,
      'content-space.lock.json\ncontent-space.d.ts\n.content-space\n',
      ['content-space.lock.json', 'content-space.d.ts', '.content-space'],
    ],
    [
      'dist\r\n/content-space.d.ts',
      'dist\r\n/content-space.d.ts\r\ncontent-space.lock.json\r\n.content-space\r\n',
      ['content-space.lock.json', '.content-space'],
    ],
  ])('adds generated files to .prettierignore, once: %j becomes %j', async (before, after, unformatted) => {
    work = await project({ ...(before !== undefined && { '.prettierignore': before }), 'package.json': prettier })
    expect(await report('--space', space.folder)).toMatchObject({ unformatted, companions: [] })
    expect(await report('--space', space.folder)).toMatchObject({ unformatted: [] })
    expect(await read('.prettierignore')).toBe(after)
  })

  test('adds generated files to .prettierignore of the package and of the root of its workspace', async () => {
    work = await project({
      'package.json': '{ "workspaces": ["apps/*"], "devDependencies": { "prettier": "3" } }',
      'apps/site/package.json': '{}',
      'apps/site/.prettierignore': 'dist\n',
    })
    expect((await work.runIn('apps/site', 'init', '--space', space.folder)).code).toBe(0)
    for (const file of ['.prettierignore', 'apps/site/.prettierignore'])
      expect(await read(file)).toMatch(/content-space\.lock\.json\ncontent-space\.d\.ts\n\.content-space\n$/)
  })

  test('writes the configuration with the quotes, the semicolons and the tabs of that of the bundler', async () => {
    work = await project({ 'vite.config.js': 'import a from "a";\n\nexport default {\n\tbase: a,\n};\n' })
    await report('--space', space.folder)
    expect(await read('content-space.config.js')).toMatch(
      /^import \{ defineConfig \} from "unplugin-content-space";\n\nexport default defineConfig\(\{\n\tspace: "[^"]+",[\s\S]*\n\}\);\n$/,
    )
  })

  const required = "const contentSpace = require('unplugin-content-space/vite')"
  test.each([
    ['commonjs', 'module.exports = {}', required, "const { defineConfig } = require('unplugin-content-space')"],
    [
      undefined,
      "const path = require('node:path')\nmodule.exports = { root: path.join(__dirname) }",
      required,
      'const {',
    ],
    ['commonjs', 'export default {}', "import contentSpace from 'unplugin-content-space/vite'", 'const {'],
    [undefined, 'export default {}', "import contentSpace from 'unplugin-content-space/vite'", 'import {'],
    ['module', 'export default {}', "import contentSpace from 'unplugin-content-space/vite'", 'import {'],
  ])('follows the syntax of a package of type %s with %j', async (type, config, line, start) => {
    const manifest = JSON.stringify({ type, devDependencies: { vite: '8' } })
    work = await project({ 'package.json': manifest, 'vite.config.js': config })
    await linkPackage()
    const found = await report('--demo', '--yes')
    expect((await read('vite.config.js')).split('\n')).toContain(line)
    expect(await read('content-space.config.js')).toMatch(new RegExp(`^${start.replaceAll(/[{}()]/g, '\\$&')}`))
    // Vite reads each package's source as ES modules.
    expect(found.import).toMatch(/^import /)
    const { loadConfigFromFile } = await import('vite')
    const loaded = await loadConfigFromFile({ command: 'build', mode: 'production' }, join(work.root, 'vite.config.js'))
    expect(loaded?.config.plugins).toHaveLength(1)
  })

  test('takes space and kit from the address of the page of a kit, without what its query gives access to', async () => {
    const headers = { authorization: `Basic ${Buffer.from(`7:${token}`).toString('base64')}` }
    const sent = await (await fetch(`${service.url}/1/kits/${brand.uuid}`, { headers })).text()
    const [, shortId] = /"short_id":"(\w+)"/.exec(sent) ?? []
    work = await project({ 'tsconfig.json': '{}' })
    const page = `${service.url}/7/k/Acme-Brand-${shortId}?asset_token=canary&v=1`
    const { warnings } = await report('--space', page, '--token', token)
    expect(warnings.join()).not.toContain('could not be read')
    expect(await read('content-space.config.ts')).toContain(brand.uuid)
    const environment = await read('.env.local')
    expect(environment).toContain(`CONTENT_SPACE_ID=7\n`)
    expect(environment).toContain(`CONTENT_SPACE_URL=${service.url}\n`)
    expect(environment + (await read('content-space.config.ts'))).not.toContain('canary')
  })

  test('writes a configuration with an existing kit, and the token to .env.local, readable only by its owner', async () => {
    work = await project({ 'tsconfig.json': '{}' })
    const { host } = new URL(service.url)
    const {
      written,
      import: first,
      warnings,
      next,
    } = await report('--space', `http://7:${encodeURIComponent(token)}@${host}`)
    expect(written).toEqual(['content-space.config.ts', '.env.local', 'content-space.d.ts'])
    expect(first).toBe("import { acmeLogo } from 'content-space:kit/acme-brand'\n\nconsole.log(acmeLogo.src)")
    expect(warnings).toEqual(['.env.local is not in .gitignore. Add it, so that the token is not committed.'])
    expect(next.join('\n')).not.toContain('CONTENT_SPACE')
    const config = await read('content-space.config.ts')
    expect(config).toContain(`kits: { 'acme-brand': '${brand.uuid}' }`)
    expect(config).not.toContain(host)
    expect((await stat(join(work.root, '.env.local'))).mode & 0o777).toBe(0o600)
    await linkPackage()
    const importer = await createImporter(
      {},
      { root: work.root, env: { CONTENT_SPACE_CACHE: join(work.root, '.cache') } },
    )
    expect((await importer.kit('acme-brand')).uuid).toBe(brand.uuid)
    await importer.close()
  })

  test('overwrites nothing, and lists the settings that are still missing', async () => {
    const files = {
      'content-space.config.js': 'export default {}',
      '.env': 'CONTENT_SPACE_ID=7\n',
      '.gitignore': 'dist\n.env\n',
      'vite.config.js': '// mine',
    }
    work = await project(files)
    await linkPackage()
    const { written, kept, next, warnings } = await report()
    expect({ written, kept }).toEqual({ written: [], kept: ['content-space.config.js', '.env'] })
    expect(warnings).toEqual([expect.stringContaining('Option space is missing in')])
    expect(next).toContain('Set CONTENT_SPACE_URL, CONTENT_SPACE_TOKEN in .env.')
    for (const [path, text] of Object.entries(files)) expect(await read(path)).toBe(text)
  })

  describe('adds .env.local to .gitignore', () => {
    test.each([
      ['dist\n', 'dist\n.env.local\n'],
      ['dist', 'dist\n.env.local\n'],
      ['dist\r\n', 'dist\r\n.env.local\r\n'],
    ])('%j becomes %j, once', async (before, after) => {
      work = await project({ '.gitignore': before, 'package.json': '{}' })
      const { stdout, stderr } = await work.run('init', ...access())
      expect(stdout).toContain('\nadded .env.local to .gitignore\n')
      expect(stderr).toBe('')
      expect(await read('.gitignore')).toBe(after)
      expect(await report(...access())).not.toHaveProperty('ignored')
      expect(await read('.gitignore')).toBe(after)
    })

    test('which it creates in a git repository', async () => {
      work = await project({ 'package.json': '{}' })
      await git('init', '--quiet')
      expect(await report(...access())).toMatchObject({ ignored: '.env.local', warnings: [] })
      expect(await read('.gitignore')).toBe('.env.local\n')
      expect((await git('status', '--short')).stdout).not.toContain('.env')
    })

    test('and explains what to do if git tracks the file', async () => {
      work = await project({ 'package.json': '{}', '.env.local': 'MODE=x\n' })
      await git('init', '--quiet')
      await git('add', '.env.local')
      const { warnings } = await report(...access())
      expect(warnings).toEqual([expect.stringContaining('Run `git rm --cached .env.local`')])
    })
  })

  test('says in one line that no space was given, and which files a project without a bundler can have', async () => {
    work = await project({})
    const { warnings, next } = await report()
    expect(warnings[0]).toBe('No space was given, so the names are placeholders.')
    expect(next.join('\n')).toContain('write plain files with npx content-space pull brand --out src/content')
  })

  test('reports that the space cannot be reached, and writes the files with placeholders', async () => {
    work = await project({})
    const {
      written,
      warnings,
      import: first,
    } = await report('--space', 'http://127.0.0.1:1', '--space-id', '7', '--token', 'secret-token')
    expect(written).toEqual(['content-space.config.js', '.env.local'])
    expect(warnings[0]).toContain(
      'The space could not be read, so the names are placeholders: http://127.0.0.1:1 is unreachable',
    )
    expect(first).toBe("import kit from 'content-space:kit/brand'\n\nconsole.log(kit.name)")
    expect(await read('content-space.config.js')).not.toContain('secret-token')
  })

  test.each(['7:secret-token@example.com', 'htps://7:secret-token@example.com', '//7:secret-token@example.com'])(
    'rejects the address %s without repeating it, and writes no files',
    async (address) => {
      work = await project({})
      for (const command of ['init', 'ls']) {
        const { code, stdout, stderr } = await work.run(command, '--space', address)
        expect(code).toBe(1)
        expect(stderr).toContain('is not a valid http(s) URL')
        expect(stdout + stderr).not.toContain('secret-token')
      }
      expect(await readdir(work.root)).not.toContain('content-space.config.js')
    },
  )

  test('a second run completes what the first one left open, without losing any settings', async () => {
    work = await project({ 'package.json': '{ "type": "module" }', '.gitignore': '*.local\n', 'pnpm-lock.yaml': '' })
    await linkPackage()
    const placeholder = await report()
    expect(placeholder.written).toEqual(['content-space.config.js', '.env.local'])
    expect(placeholder.next).toContain('List the kits of the space: pnpm exec content-space ls')
    const completed = await report(...access())
    expect(completed).toMatchObject({ written: ['content-space.config.js', '.env.local'], different: [], warnings: [] })
    expect(completed.import).toContain("import { acmeLogo } from 'content-space:kit/acme-brand'")
    expect(completed.next.join('\n')).not.toContain('Set CONTENT_SPACE')
    expect(await work.run('ls')).toMatchObject({ code: 0, stdout: expect.stringContaining('acme-brand') })

    const config = await read('content-space.config.js')
    const other = await report('--space', space.folder, '--kit', 'icons')
    expect(other).toMatchObject({ written: [], kept: ['content-space.config.js', '.env.local'] })
    expect(other.different).toEqual([
      expect.stringMatching(
        /^content-space\.config\.js has no option space\. To use the new space, set space: '.*'\.$/,
      ),
      expect.stringMatching(
        /^content-space\.config\.js has no alias for .*\. To add an alias: kits: \{ 'icons': '.*' \}\.$/,
      ),
    ])
    const refused = await report('--space', service.url, '--space-id', '7', '--token', 'another-token')
    expect(refused.different).toContain(
      '.env.local has another CONTENT_SPACE_TOKEN. Change it there if the given value is right.',
    )
    expect(JSON.stringify(refused)).not.toContain('another-token')
    expect(await read('content-space.config.js')).toBe(config)
  })

  test('uses an alias of the configuration whose kit is a slug', async () => {
    const config = "export default { kits: { brand: 'acme-brand' } }"
    work = await project({ 'package.json': '{ "type": "module" }', 'content-space.config.js': config })
    await linkPackage()
    const { import: first, different } = await report(...access())
    expect([first, different]).toEqual([expect.stringContaining("from 'content-space:kit/brand'"), []])
  })

  test('adds missing variables to .env.local, and keeps everything else', async () => {
    work = await project({ '.env.local': '# mine\nCONTENT_SPACE_ID=\nOTHER=1', 'tsconfig.json': '{}' })
    const { written } = await report('--space', service.url, '--space-id', '7', '--token', 'a-token')
    expect(written).toEqual(['content-space.config.ts', '.env.local', 'content-space.d.ts'])
    expect(await read('.env.local')).toBe(
      `# mine\nCONTENT_SPACE_ID=7\nOTHER=1\nCONTENT_SPACE_URL=${service.url}\nCONTENT_SPACE_TOKEN=a-token\n`,
    )
    expect(await read('content-space.d.ts')).toContain('/// <reference types="unplugin-content-space/client" />')
  })

  test.each([
    { type: 'module', driver: viteDriver, line: 'import { acmeLogo } from' },
    { type: 'commonjs', driver: webpackDriver, line: 'const { acmeLogo } = require(' },
  ])('gives steps that lead to a working build of a package with type $type', async ({ type, driver, line }) => {
    work = await project({ 'package.json': `{ "type": "${type}", "devDependencies": { "${driver.name}": "1" } }` })
    await linkPackage()
    const { import: first } = await report('--space', space.folder)
    expect(first).toContain(line)
    await work.write({ 'main.js': first.replace('acmeLogo.src', 'JSON.stringify(acmeLogo.src)') })
    expect(await work.run('sync')).toMatchObject({ code: 0 })
    const output = await build(driver, work, { cacheDir: join(work.root, '.cache') })
    expect(output.behind(String(await output.run())).toString()).toContain('<title>one</title>')
  })

  test('--demo writes a space that builds without a service, and keeps it afterwards', async () => {
    work = await project({ 'package.json': '{ "type": "module", "devDependencies": { "vite": "8" } }' })
    await linkPackage()
    const { written, import: first } = await report('--demo')
    expect(written).toEqual(['./content-space-demo', 'content-space.config.js'])
    await work.write({ 'main.js': first.replace('harbourLogo.src', 'JSON.stringify(harbourLogo.src)') })
    expect(await work.run('sync')).toMatchObject({ code: 0, stderr: '' })
    const output = await build(viteDriver, work, { cacheDir: join(work.root, '.cache') })
    const drawing = await read('content-space-demo/demo/01 Logos/harbour-logo.svg')
    expect(output.behind(String(await output.run())).toString()).toBe(drawing)

    await work.write({ 'content-space-demo/demo/02 Icons/sun.svg': 'mine' })
    expect((await report('--demo')).kept).toContain('./content-space-demo')
    expect(await read('content-space-demo/demo/02 Icons/sun.svg')).toBe('mine')
    expect(await work.run('init', '--demo', '--space', space.folder)).toMatchObject({ code: 2 })
  })

  test('a framework without plugins gets plain files, and a script that writes them', async () => {
    const manifest = {
      dependencies: { '@angular/core': '22' },
      devDependencies: { prettier: '3', typescript: '6', vitest: '4' },
    }
    work = await project({
      'angular.json': '{}',
      'package.json': JSON.stringify(manifest),
      'src/main.ts': "import { App } from './app';\n",
    })
    const { written, scripts, import: first, next } = await report('--demo')
    expect(written).toEqual(['./content-space-demo', 'content-space.config.ts'])
    expect(await read('.prettierignore')).toBe('content-space.lock.json\nsrc/content\n')
    expect(await read('content-space.config.ts')).toMatch(/^import .*'unplugin-content-space';\n[\s\S]*\}\);\n$/)
    expect(scripts).toEqual([{ name: 'content', command: 'content-space pull demo --out src/content' }])
    expect(first).toContain("import { harbourLogo } from './content/index.js'")
    expect(next.join('\n')).toContain('does not support plugins')
    expect(next.join('\n')).not.toContain('content-space.d.ts')
    await linkPackage()
    expect(await work.run(...String(scripts[0]?.command).split(' ').slice(1))).toMatchObject({ code: 0 })
    expect(await read('src/content/index.js')).toContain('default as harbourLogo')
    expect((await report('--demo')).scripts).toEqual([])
  })

  const viteConfig = "import { defineConfig } from 'vite'\n\nexport default defineConfig({\n  plugins: [],\n})\n"

  test('--yes adds the plugin to the configuration of the bundler, once', async () => {
    work = await project({ 'vite.config.ts': viteConfig, 'package.json': '{ "devDependencies": { "vite": "8" } }' })
    const { code, stdout, stderr } = await work.run('init', '--demo', '--yes')
    expect([code, stderr]).toEqual([
      0,
      [
        'vite.config.ts',
        "  + import contentSpace from 'unplugin-content-space/vite'",
        '  -   plugins: [],',
        '  +   plugins: [contentSpace()],',
        '',
      ].join('\n'),
    ])
    expect(stdout).toContain('added the plugin to vite.config.ts\n')
    expect(stdout).not.toContain('Add the plugin')
    const after = await read('vite.config.ts')
    expect(after).toContain('plugins: [contentSpace()]')
    expect(await report('--demo', '--yes')).not.toHaveProperty('plugin')
    expect(await read('vite.config.ts')).toBe(after)
  })

  test('in a terminal, asks for the space until it can be read, and before it changes a configuration', async () => {
    work = await project({ 'vite.config.ts': viteConfig })
    const built = new URL('../../build/cli/main.js', import.meta.url).href
    const { run, openTerminal }: typeof import('../../src/cli/main.js') = await import(built)
    const printed: string[] = []
    const output = { isTTY: true, columns: 80, write: (text: string) => printed.push(text) }
    const questions: [string, boolean][] = []
    // An empty answer keeps the previous one.
    const answers = ['https://an address', service.url, '7', 'wrong', '', '', token, 'n']
    const terminal = openTerminal({
      stdout: output,
      stderr: output,
      env: { CONTENT_SPACE_CACHE: join(work.root, '.cache') },
      cwd: work.root,
      signal: new AbortController().signal,
      ask: async (question: string, secret: boolean) => {
        questions.push([question, secret])
        return ` ${answers.shift()}\n`
      },
    })
    expect(await run(['init'], terminal)).toBe(0)
    terminal.close()
    const asked = ['Address', 'Address', 'Id', 'Token', 'Address', 'Id', 'Token', 'Change']
    expect(questions.map(([question, secret]) => [question.split(' ')[0], secret])).toEqual(
      asked.map((word) => [word, word === 'Token']),
    )
    expect(printed.join('')).toContain('rejected the space id and token')
    expect(await read('.env.local')).toContain(`CONTENT_SPACE_URL=${service.url}\n`)
    expect(await read('content-space.config.js')).toContain(brand.uuid)
    expect(await read('vite.config.ts')).toBe(viteConfig)
  })

  test('Ctrl+C ends it at each question, as Ctrl+D does, and nothing is written', async () => {
    work = await project({ 'vite.config.ts': viteConfig })
    const before = await readdir(work.root)
    const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
    const [address, id, secret, change] = ['try it): ', 'Id of the space: ', '(not shown): ', '[Y/n] ']
    const dialogs: [question: string, typed: string][][] = [
      [[address, '\u0004']],
      [[address, '\u0003']],
      // Typed before the next question is asked.
      [[address, `${service.url}\r\u0003`]],
      [
        [address, `${service.url}\r`],
        [id, '\u0003'],
      ],
      [
        [address, `${service.url}\r`],
        [id, '7\r'],
        [secret, '\u0003'],
      ],
      [
        [address, '\r'],
        [change, '\u0003'],
      ],
    ]
    for (const dialog of dialogs) {
      const env = { ...process.env, TERM: 'xterm', CI: '', CONTENT_SPACE_CACHE: join(work.root, '../cache') }
      const child = spawn('script', ['-qec', `stty cols 80; '${process.execPath}' '${bin}' init`, '/dev/null'], {
        cwd: work.root,
        env,
      })
      let shown = ''
      child.stdout.on('data', (text) => {
        shown += String(text)
        if (dialog[0] && shown.includes(dialog[0][0])) child.stdin.write(dialog.shift()?.[1] ?? '')
      })
      const [code] = await once(child, 'close')
      expect([code, shown]).toEqual([130, expect.not.stringMatching(/ {4}at |AbortError/)])
      expect(await readdir(work.root)).toEqual(before)
    }
  })

  test('keeps a link that leads nowhere', async () => {
    work = await project({ 'tsconfig.json': '{}', 'vite.config.ts': '' })
    await symlink('elsewhere.txt', join(work.root, 'content-space.d.ts'))
    expect((await work.run('init', '--space', space.folder)).code).toBe(0)
    expect(await readlink(join(work.root, 'content-space.d.ts'))).toBe('elsewhere.txt')
    expect(await readdir(work.root)).not.toContain('elsewhere.txt')
  })

  test("doesn't write anything for a folder of files without a kit, and says what to move where, as ls does", async () => {
    work = await project({ 'vite.config.ts': viteConfig, 'icons/sun.svg': svg('sun'), 'icons/moon.svg': svg('moon') })
    const before = await readdir(work.root)
    const said = expect.stringMatching(
      /icons has files, but no kit: moon\.svg, sun\.svg\.[^]*Move the files to \S*icons\/brand, and import them from content-space:kit\/brand/,
    )
    for (const command of [['init', '--yes'], ['ls']])
      expect(await work.run(...command, '--space', './icons')).toMatchObject({ code: 1, stderr: said })
    expect(await readdir(work.root)).toEqual(before)
    await work.write({ 'icons/brand/sun.svg': svg('sun') })
    expect((await work.run('init', '--yes', '--space', './icons')).stdout).toContain("'content-space:kit/brand'")
  })

  test('prints what it did, and rejects an unknown bundler as wrong usage', async () => {
    work = await project({ 'vite.config.ts': '' })
    expect((await work.run('init', '--bundler', 'parcel')).code).toBe(2)
    expect(await work.run('init', '--space', space.folder, '--kit', 'icns')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('icons'),
    })
    const { stdout } = await work.run('init', '--space', space.folder, '--kit', 'icons')
    expect(stdout).toMatch(/^found vite \(vite\.config\.ts\)\nwrote content-space\.config\.js\n/)
    expect(stdout).toContain("  import { arrowLeft } from 'content-space:kit/icons'\n")
    expect(stdout).toMatch(
      /Next steps:\n\n {2}1\. Install the package: npm install --save-dev unplugin-content-space\n/,
    )
  })
})

/** Links the package into the project's `node_modules`, as an installation would. */
async function linkPackage(): Promise<void> {
  await mkdir(join(work.root, 'node_modules'))
  await symlink(
    fileURLToPath(new URL('../..', import.meta.url)),
    join(work.root, 'node_modules/unplugin-content-space'),
  )
}

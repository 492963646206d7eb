import { execFile } from 'node:child_process'
import { readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import contentSpaceRolldown from 'unplugin-content-space/rolldown'
import contentSpaceRollup from 'unplugin-content-space/rollup'
import contentSpaceVite from 'unplugin-content-space/vite'
import { build as vite } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject } from './driver.js'
import { kits, openTestSpace, type TestSpace } from './space.js'

// The types of these libraries refer to content, whereas their scripts contain no id.

const types = `export type { acmeLogo } from 'content-space:kit/${kits.brand}'`
/** Matches the types after they have been made independent of the plugin. */
const completed = /^export type \{ acmeLogo \} from "\.\/content-space\/[\w-]+\.js"$/

let space: TestSpace
beforeAll(async () => void (space = await openTestSpace()))
afterAll(() => space.close())

/** @returns the types of the library */
async function inLibrary(build: (root: string) => Promise<unknown>): Promise<string> {
  const project = await createProject({ 'main.js': 'export const answer = 42' })
  try {
    await build(project.root)
    return await readFile(join(project.root, 'dist/main.d.ts'), 'utf8')
  } finally {
    await project.remove()
  }
}

const options = () => ({ types: false as const, lockfile: false as const, ...space.options() })

/** Writes types that are as old as this process, so that they are older than any plugin that a build has loaded. */
const declare = (root: string) => ({
  name: 'declare',
  async writeBundle() {
    const path = join(root, 'dist/main.d.ts')
    await writeFile(path, types)
    const started = performance.timeOrigin / 1000
    await utimes(path, started, started)
  },
})

/** Emits types, as plugins of Rollup and Rolldown do. */
const emit = {
  name: 'emit',
  generateBundle(this: { emitFile(file: object): unknown }): void {
    this.emitFile({ type: 'asset', fileName: 'main.d.ts', source: types })
  },
}

async function write(bundle: { write(output: object): unknown; close(): unknown }, root: string): Promise<void> {
  await bundle.write({ dir: join(root, 'dist') })
  await bundle.close()
}

const builders: Record<string, (root: string) => Promise<unknown>> = {
  rollup: async (root) =>
    write(await rollup({ input: join(root, 'main.js'), plugins: [emit, ...contentSpaceRollup(options())] }), root),
  rolldown: async (root) =>
    write(await rolldown({ input: join(root, 'main.js'), plugins: [emit, ...contentSpaceRolldown(options())] }), root),
  vite: (root) =>
    vite({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [declare(root), ...contentSpaceVite(options())],
      build: { lib: { entry: 'main.js', formats: ['es'], fileName: 'main' } },
    }),
  async esbuild(root) {
    const script = `
      import { writeFile } from 'node:fs/promises'
      import { build } from 'esbuild'
      import contentSpace from 'unplugin-content-space/esbuild'
      await build({
        absWorkingDir: ${JSON.stringify(root)},
        entryPoints: ['main.js'],
        bundle: true,
        packages: 'external',
        outdir: 'dist',
        plugins: [contentSpace(${JSON.stringify(options())})],
      })
      await writeFile(${JSON.stringify(join(root, 'dist/main.d.ts'))}, ${JSON.stringify(types)})`
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  },
}

test.each(Object.entries(builders))('%s completes types of content without an id in a script', async (_, build) => {
  expect(await inLibrary(build)).toMatch(completed)
})

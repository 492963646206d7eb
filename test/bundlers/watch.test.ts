import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { watch as watchRolldown } from 'rolldown'
import { watch as watchRollup } from 'rollup'
import contentSpaceRolldown from 'unplugin-content-space/rolldown'
import contentSpaceRollup from 'unplugin-content-space/rollup'
import contentSpaceVite from 'unplugin-content-space/vite'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Options } from '../../src/options.js'
import { createProject, readTree } from './driver.js'
import { drawing, kits, openTestSpace, type TestSpace } from './space.js'

let space: TestSpace
beforeAll(async () => void (space = await openTestSpace()))
afterAll(() => space.close())

const home = process.cwd()

interface Watcher {
  on(event: 'event', listener: (event: { code: string; error?: { message: string }; result?: { close(): Promise<void> } | null }) => void): unknown
  close(): Promise<void>
}

/** How each bundler watches one entry; all three speak Rollup's events. */
const bundlers: Record<string, (input: string, dir: string, options: Options) => Watcher | Promise<Watcher>> = {
  rollup(input, dir, options) {
    // its root is the working directory, and nothing else
    process.chdir(dirname(input))
    return watchRollup({ input, output: { dir }, plugins: [contentSpaceRollup(options)], onLog() {} })
  },
  rolldown: (input, dir, options) =>
    watchRolldown({ cwd: dirname(input), input, output: { dir }, plugins: [contentSpaceRolldown(options)], onLog() {} }),
  async vite(input, dir, options) {
    const root = dirname(input)
    const watching = await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [contentSpaceVite(options)],
      build: { watch: {}, outDir: dir, minify: false, rolldownOptions: { input } },
    })
    if (!('on' in watching)) throw new Error('Vite does not watch')
    return watching
  },
}

function entry(mark: string): string {
  return `import { ${mark} as mark } from 'content-space:kit/${kits.brand}@draft'; console.log(mark.src)`
}

for (const [name, watch] of Object.entries(bundlers)) {
  test(`${name} builds again when a draft changes, fails on a wrong name, and recovers`, async () => {
    const asset = `01 Logos/${name}-mark.svg`
    await space.edit(asset, drawing('before'))
    const project = await createProject({ 'main.js': entry(`${name}Mark`) })
    const dist = join(project.root, 'dist')
    const failures: string[] = []
    const options: Options = { ...space.options(), types: false, refresh: 0.2, publicPath: '/' }
    const watcher = await watch(join(project.root, 'main.js'), dist, options)
    watcher.on('event', ({ code, error, result }) => {
      if (code === 'ERROR') failures.push(String(error?.message))
      void result?.close()
    })
    const drawn = async () => [...(await readTree(dist))].filter(([path]) => path.endsWith('.svg')).map(([, bytes]) => bytes.toString())
    const patience = { timeout: 15_000, interval: 50 }
    try {
      await vi.waitFor(async () => expect(await drawn()).toContain(drawing('before')), patience)
      expect(await readFile(join(project.root, '.content-space/.gitignore'), 'utf8')).toBe('*\n')
      await space.edit(asset, drawing('after'))
      await vi.waitFor(async () => expect(await drawn()).toContain(drawing('after')), patience)
      await writeFile(join(project.root, 'main.js'), entry('acmeLoga'))
      await vi.waitFor(() => expect(failures.join()).toMatch(/acmeLoga[\s\S]*acmeLogo/), patience)
      await writeFile(join(project.root, 'main.js'), entry('acmeLogo'))
      await vi.waitFor(async () => expect(await drawn()).toContain(drawing('Acme')), patience)
    } finally {
      process.chdir(home)
      await watcher.close()
      await project.remove()
    }
  })
}

import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { rspack } from '@rspack/core'
import rspackPlugin from 'unplugin-content-space/rspack'
import webpackPlugin from 'unplugin-content-space/webpack'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { soon, timeFor } from '../support/long.js'
import { webpack } from 'webpack'
import { startServer } from '../../src/commands/serve/server.js'
import type { Options } from '../../src/config/options.js'
import { createProject, readTree } from './driver.js'
import { logStream } from './drivers/pack.js'
import { drawing, kits, openTestSpace, type TestSpace } from './space.js'
import { watchers as others, watchFarm } from './watchers.js'

const watchers = { ...others, farm: watchFarm }

let space: TestSpace
beforeAll(async () => void (space = await openTestSpace()))
afterAll(() => space.close())

const home = process.cwd()

/**
 * Replaces a file at once. Otherwise, Farm would build the emptied file and then ignore changes for 50 milliseconds.
 */
async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const written = join(dirname(file), `.${basename(file)}.tmp`)
  await writeFile(written, text)
  await rename(written, file)
}

function entry(mark: string): string {
  return `import { ${mark} as mark } from 'content-space:kit/${kits.brand}@draft'; console.log(mark.src)`
}

for (const [name, watch] of Object.entries(watchers)) {
  const title = `${name} rebuilds when a draft changes, writes declarations despite a wrong import, and recovers`
  // Several of the events need most of a second, and the last one more than three.
  test(title, { timeout: timeFor(3) }, async () => {
    const asset = `01 Logos/${name}-mark.svg`
    await space.edit(asset, drawing('before'))
    const project = await createProject({ 'main.js': entry(`${name}Mark`) })
    const dist = join(project.root, 'dist')
    const failures: string[] = []
    const options: Options = { ...space.options(), types: 'types.d.ts', refresh: 0.2, publicPath: '/' }
    const watcher = await watch(join(project.root, 'main.js'), dist, options, (message) => void failures.push(message))
    const declared = () => readFile(join(project.root, 'types.d.ts'), 'utf8')
    const drawn = async () =>
      [...(await readTree(dist))].filter(([path]) => path.endsWith('.svg')).map(([, bytes]) => bytes.toString())
    try {
      await vi.waitFor(async () => expect(await drawn()).toContain(drawing('before')), soon)
      const ignored = () => readFile(join(project.root, '.content-space/.gitignore'), 'utf8')
      // Farm doesn't watch any of this package's files.
      if (name !== 'farm') await vi.waitFor(async () => expect(await ignored()).toBe('*\n'), soon)
      await space.edit(asset, drawing('after'))
      await vi.waitFor(async () => expect(await drawn()).toContain(drawing('after')), soon)
      await write(join(project.root, 'main.js'), entry('acmeLoga'))
      await vi.waitFor(() => expect(failures.join()).toMatch(/acmeLoga[\s\S]*acmeLogo/), soon)
      // An editor needs the declarations most when a build fails.
      await write(
        join(project.root, 'main.js'),
        `${entry('acmeLoga')}; import 'content-space:asset/${kits.brand}@draft/acme-logo'`,
      )
      await vi.waitFor(async () => expect(await declared()).toContain('@draft/acme-logo'), soon)
      // Bundlers don't report a file that contains only types.
      const types = `export type Mark = typeof import('content-space:asset/${kits.brand}@draft/${name}-mark')`
      await write(join(project.root, 'types.ts'), types)
      await write(join(project.root, 'main.js'), entry('acmeLogo'))
      await vi.waitFor(async () => expect(await drawn()).toContain(drawing('Acme')), soon)
      await vi.waitFor(async () => expect(await declared()).toContain(`@draft/${name}-mark`), soon)
    } finally {
      process.chdir(home)
      await watcher.close()
      await project.remove()
    }
  })
}

/** Watches a project whose space is a folder. `drawn` returns the drawings in the output. */
async function watchSpace(watch: (typeof watchers)[keyof typeof watchers], root: string) {
  const dist = join(root, 'dist')
  const failures: string[] = []
  const options: Options = { space: join(root, 'space'), publicPath: '/', lockfile: false, types: false }
  const watcher = await watch(join(root, 'main.js'), dist, options, (message) => void failures.push(message))
  const drawn = async () =>
    [...(await readTree(dist))].filter(([path]) => path.endsWith('.svg')).map(([, bytes]) => bytes.toString())
  return { watcher, dist, failures, drawn }
}

for (const [name, watch] of Object.entries(watchers)) {
  test(`${name} reports an asset that is removed from a folder, and builds again when it is back`, async () => {
    const project = await createProject({
      'one.js': "import { acmeLogo } from 'content-space:kit/brand'; console.log(acmeLogo.src)",
      'two.js': "import arrow from 'content-space:asset/icons/arrow-left'; console.log(arrow.src)",
      'main.js': "import './one.js'; import './two.js'",
    })
    const logo = join(project.root, 'space/brand/Logos/acme-logo.svg')
    await write(logo, drawing('first'))
    await write(join(project.root, 'space/icons/Arrows/arrow-left.svg'), drawing('left'))
    const { watcher, failures, drawn } = await watchSpace(watch, project.root)
    try {
      await vi.waitFor(
        async () => expect((await drawn()).toSorted()).toEqual([drawing('first'), drawing('left')]),
        soon,
      )
      await write(logo, drawing('second'))
      await vi.waitFor(async () => expect(await drawn()).toContain(drawing('second')), soon)
      expect(failures).toEqual([])
      await rm(logo)
      await vi.waitFor(
        () => expect(failures.join()).toMatch(/acmeLogo is no longer in kit brand[\s\S]*one\.js:1/),
        soon,
      )
      expect(failures.join()).not.toMatch(/\0|~eyJ/)
      await write(logo, drawing('third'))
      await vi.waitFor(async () => expect(await drawn()).toContain(drawing('third')), soon)
    } finally {
      process.chdir(home)
      await watcher.close()
      await project.remove()
    }
  })
}

for (const [name, watch] of Object.entries(watchers)) {
  test(`${name} builds content that has changed while the source was wrong`, async () => {
    const source = "import { acmeLogo } from 'content-space:kit/brand'; console.log(acmeLogo.src)"
    const project = await createProject({ 'main.js': source })
    const logo = join(project.root, 'space/brand/Logos/acme-logo.svg')
    await write(logo, drawing('first'))
    const { watcher, failures, drawn } = await watchSpace(watch, project.root)
    try {
      await vi.waitFor(async () => expect(await drawn()).toContain(drawing('first')), soon)
      await write(join(project.root, 'main.js'), source.replaceAll('acmeLogo', 'acmeLoga'))
      await vi.waitFor(() => expect(failures.join()).toContain('acmeLoga'), soon)
      const count = failures.length
      await write(logo, drawing('second'))
      if (name === 'farm') await vi.waitFor(() => expect(failures.length).toBeGreaterThan(count), soon)
      await write(join(project.root, 'main.js'), source)
      await vi.waitFor(async () => expect(await drawn()).toContain(drawing('second')), soon)
    } finally {
      process.chdir(home)
      await watcher.close()
      await project.remove()
    }
  })
}

test('Farm writes no output of the configuration that it had before', async () => {
  const source = "import { acmeLogo } from 'content-space:kit/brand'; console.log(acmeLogo.src)"
  const project = await createProject({ 'main.js': source })
  const logo = join(project.root, 'space/brand/Logos/acme-logo.svg')
  await write(logo, drawing('first'))
  const { watcher, dist, failures, drawn } = await watchSpace(watchFarm, project.root)
  const next = async () => String([...(await readTree(join(project.root, 'next'))).values()])
  try {
    await vi.waitFor(async () => expect(await drawn()).toContain(drawing('first')), soon)
    const config = join(project.root, 'farm.config.mjs')
    await write(config, (await readFile(config, 'utf8')).replace(dist, join(project.root, 'next')))
    await vi.waitFor(async () => expect(await next()).toContain(drawing('first')), soon)
    await rm(dist, { recursive: true })
    await write(logo, drawing('second'))
    await vi.waitFor(async () => expect(await next()).toContain(drawing('second')), soon)
    await write(logo, drawing('third'))
    await vi.waitFor(async () => expect(await next()).toContain(drawing('third')), soon)
    expect(existsSync(dist)).toBe(false)
    expect(failures).toEqual([])
  } finally {
    await watcher.close()
    await project.remove()
  }
})

for (const [name, watch] of Object.entries(watchers)) {
  test(`${name} narrows the import of a module that had no id before`, async () => {
    const project = await createProject({ 'one.js': 'export const one = 1', 'main.js': "import './one.js'" })
    await write(join(project.root, 'space/icons/Arrows/left.svg'), drawing('left'))
    await write(join(project.root, 'space/icons/Arrows/right.svg'), drawing('right'))
    const { watcher, dist, failures, drawn } = await watchSpace(watch, project.root)
    try {
      await vi.waitFor(async () => expect((await readTree(dist)).size).toBeGreaterThan(0), soon)
      // Without narrowing, a development build emits everything that a dynamic import can reach.
      const gained = "import('content-space:kit/icons').then(({ left }) => console.log(left.src))"
      await write(join(project.root, 'one.js'), gained)
      await vi.waitFor(async () => expect(await drawn()).toEqual([drawing('left')]), soon)
      expect(failures).toEqual([])
    } finally {
      process.chdir(home)
      await watcher.close()
      await project.remove()
    }
  })
}

for (const bundler of ['webpack', 'rspack']) {
  test(
    `${bundler} prints between builds that the check for new content fails, and that it works again`,
    async () => {
      const project = await createProject({
        'main.js': "import { left } from 'content-space:kit/icons'; console.log(left)",
      })
      const folder = join(project.root, 'space')
      await write(join(folder, 'icons/kit.json'), JSON.stringify({ uuid: kits.brand, name: 'Icons' }))
      await write(join(folder, 'icons/Arrows/left.svg'), drawing('left'))
      const before = await startServer({ folder })
      const { url, spaceId, token } = before
      const port = Number(new URL(url).port)
      const icons = { kit: kits.brand, version: 'draft' } as const
      const options = {
        space: url,
        spaceId,
        token,
        kits: { icons },
        refresh: 0.2,
        cacheDir: join(project.root, 'cache'),
      }
      const log: string[] = []
      const configuration = {
        context: project.root,
        entry: './main.js',
        mode: 'development',
        output: { path: join(project.root, 'dist') },
        infrastructureLogging: { level: 'info', stream: logStream(log) },
      } as const
      const compiler =
        bundler === 'webpack'
          ? webpack({ ...configuration, plugins: [webpackPlugin(options)] })
          : rspack({ ...configuration, plugins: [rspackPlugin(options)] })
      const built = new Promise<void>((done) => {
        // The check may fail while a build runs, and then its statistics have the warning.
        const report = (_error: unknown, stats?: { toString(options: object): string }): void => {
          log.push(stats?.toString({ all: false, warnings: true }) ?? '')
          done()
        }
        compiler.watch({}, report)
      })
      let service = before
      try {
        await built
        await service.close()
        // The service rejects the token, which isn't sent again.
        service = await startServer({ folder, port, token: 'another' })
        await vi.waitFor(() => expect(log.join('')).toContain('The check for new content failed.'), soon)
        await service.close()
        service = await startServer({ folder, port, token })
        await vi.waitFor(() => expect(log.join('')).toContain('The check for new content works again.'), soon)
      } finally {
        await new Promise<void>((done) => compiler.close(() => done()))
        await service.close()
        await project.remove()
      }
    },
    timeFor(3),
  )
}

import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { faultServer } from '../support/fault-server.js'
import { runs, timeFor } from '../support/long.js'
import { moments } from '../support/random.js'
import { contents } from '../support/pull.js'
import { serveSpace, svg, writeSpace, type Files, type ServedSpace, type SpaceFolder } from '../support/space.js'

const assets = 100
const version = (number: number): Files =>
  Object.fromEntries(
    Array.from({ length: assets }, (_, at) => [
      `many/versions/${number}/0${at % 3} Part ${at % 3}/asset-${at}.svg`,
      svg(`asset ${at} of ${number}`),
    ]),
  )

/** Milliseconds from Ctrl-C to the end. It takes less than two seconds; the rest is for a busy machine. */
const soon = 10_000

let space: SpaceFolder
let work: Project
let service: ServedSpace
/** The files that an uninterrupted run writes, by version. */
const whole: Record<string, Record<string, string>> = {}
let onDownload: () => void

beforeAll(async () => {
  space = await writeSpace({
    'space.json': { space_id: 7 },
    'many/kit.json': {
      name: 'many',
      use_version: 1,
      versions: [1, 2].map((number) => ({
        version: number,
        version_identifier: `${number}.0`,
        folder: `versions/${number}`,
      })),
    },
    ...version(1),
    ...version(2),
  })
  service = await serveSpace(space.folder, {
    latency: 5,
    rateLimit: false,
    onRequest: ({ route }) => route === 'download' && onDownload(),
  })
  onDownload = () => {}
  for (const number of ['1', '2']) {
    const once = await opened()
    await once.run('pull', `many@${number}`, '--out', 'content')
    whole[number] = await contents(join(once.root, 'content'))
    await once.remove()
  }
})
afterAll(async () => {
  await service.close()
  await space.remove()
})
beforeEach(async () => {
  work = await opened()
  service.requests.length = 0
})
afterEach(async () => {
  onDownload = () => {}
  await work.remove()
})

const opened = (): Promise<Project> =>
  // Without a lockfile, because it has one hash per asset, and here the bytes of an asset differ between versions.
  // Without a rate limit, because all rounds together exceed the default.
  project({ 'content-space.config.json': '{ "lockfile": false, "rateLimit": false }' }, service.env)
const content = (): Promise<Record<string, string>> => contents(join(work.root, 'content'))
const pull = (what: string): string[] => ['pull', what, '--out', 'content']

/** Returns the largest number of requests for any asset. */
function mostAsked(): number {
  const times = new Map<string, number>()
  for (const { path } of service.downloads()) times.set(path, (times.get(path) ?? 0) + 1)
  return Math.max(0, ...times.values())
}

describe('Ctrl-C', () => {
  test('ends a pull with 130 and keeps what was downloaded, without leaving a folder behind', async () => {
    const running = work.start(...pull('many@1'))
    onDownload = () => service.downloads().length === 40 && running.kill('SIGINT')
    const { code, stderr } = await running.ended
    expect(code).toBe(130)
    expect(stderr).toMatch(
      /^Interrupted\. Downloaded files are kept in the cache\. Run the command again to continue\.$/m,
    )
    expect(stderr).not.toContain('    at ')
    expect((await readdir(work.root)).toSorted()).toEqual(['.cache', 'content-space.config.json'])
    const asked = service.downloads().length
    onDownload = () => {}
    const { stdout } = await work.run(...pull('many@1'), '--json')
    expect(JSON.parse(stdout)).toMatchObject({ downloads: expect.any(Number), kits: [{ files: assets }] })
    expect(JSON.parse(stdout).downloads).toBeLessThan(assets)
    expect(service.downloads().length).toBeLessThan(asked + assets)
    expect(await content()).toEqual(whole['1'])
  })

  test('interrupts a download', async () => {
    const stuck = await serveSpace(space.folder, {
      faults: [{ with: 'stall', on: 'download', every: 1 }],
      rateLimit: false,
      onRequest: ({ route }) => route === 'download' && onDownload(),
    })
    try {
      const env = {
        CONTENT_SPACE_URL: stuck.url,
        CONTENT_SPACE_ID: String(stuck.spaceId),
        CONTENT_SPACE_TOKEN: stuck.token,
      }
      const other = await project({}, env)
      const running = other.start(...pull('many@1'))
      let interrupted = 0
      onDownload = () => {
        if (interrupted === 0) running.kill('SIGINT')
        interrupted ||= Date.now()
      }
      expect((await running.ended).code).toBe(130)
      expect(Date.now() - interrupted).toBeLessThan(soon)
      expect(await readdir(other.root)).toEqual(['.cache'])
      await other.remove()
    } finally {
      await stuck.close()
    }
  })

  test('interrupts a wait for the rate limit', async () => {
    const limited = await serveSpace(space.folder, { rateLimit: { requests: 2, seconds: 60 } })
    const other = await project(
      {},
      { CONTENT_SPACE_URL: limited.url, CONTENT_SPACE_ID: String(limited.spaceId), CONTENT_SPACE_TOKEN: limited.token },
    )
    try {
      const running = other.start(...pull('many@1'))
      await vi.waitUntil(() => /^waiting \d+ s/m.test(running.printed()), { timeout: 60_000 })
      const interrupted = Date.now()
      running.kill('SIGINT')
      const { code, stderr } = await running.ended
      expect(code).toBe(130)
      expect(Date.now() - interrupted).toBeLessThan(soon)
      expect(stderr).toMatch(/^waiting \d+ s for the rate limit$/m)
      expect(await readdir(other.root)).toEqual(['.cache'])
    } finally {
      await limited.close()
      await other.remove()
    }
  })

  test.each([pull('many@1'), ['ls'], ['mirror', 'many', '--out', 'mirror'], ['init', '--yes']])(
    'does not wait for a silent service: %s',
    async (...args) => {
      let asked: () => void
      const silent = await faultServer(() => asked())
      const other = await project(
        {},
        { CONTENT_SPACE_URL: silent.url, CONTENT_SPACE_ID: '7', CONTENT_SPACE_TOKEN: 'token' },
      )
      try {
        const running = other.start(...args)
        let interrupted = 0
        asked = () => {
          interrupted ||= Date.now()
          running.kill('SIGINT')
        }
        const { code, stderr } = await running.ended
        expect(Date.now() - interrupted).toBeLessThan(soon)
        const kept = ' Downloaded files are kept in the cache. Run the command again to continue.'
        expect([code, stderr]).toEqual([130, `Interrupted.${args[0] === 'init' ? '' : kept}\n`])
        expect(await readdir(other.root)).not.toContain('content')
      } finally {
        await silent.close()
        await other.remove()
      }
    },
  )
})

/** How often each of the two tests kills a process. */
const kills = runs(3, 100)
const random = moments(2 * kills)

describe('kill -9', () => {
  test(
    'of a first pull leaves no files or all files, and the next run completes',
    async () => {
      for (let round = 0; round < kills; round++) {
        await rm(join(work.root, 'content'), { recursive: true, force: true })
        await rm(join(work.root, '.cache'), { recursive: true, force: true })
        service.requests.length = 0
        const running = work.start(...pull('many@1'))
        const at = Math.floor(((random[round] ?? 0) / 1000) * assets)
        onDownload = () => service.downloads().length > at && running.kill('SIGKILL')
        await running.ended
        onDownload = () => {}
        const left = await content()
        expect([{}, whole['1']]).toContainEqual(left)
        await work.run(...pull('many@1'))
        expect(await content()).toEqual(whole['1'])
        expect(mostAsked()).toBeLessThanOrEqual(2)
        expect((await readdir(work.root)).toSorted()).toEqual(['.cache', 'content', 'content-space.config.json'])
      }
    },
    timeFor(kills),
  )

  test(
    'of a later pull leaves every file complete, and the next run completes',
    async () => {
      await work.run(...pull('many@1'))
      for (let round = 0; round < kills; round++) {
        const [from = '', to = ''] = round % 2 === 0 ? ['1', '2'] : ['2', '1']
        await rm(join(work.root, '.cache/files-v3'), { recursive: true, force: true })
        service.requests.length = 0
        const running = work.start(...pull(`many@${to}`))
        let started = false
        onDownload = () => {
          if (started) return
          started = true
          void sleep((random[kills + round] ?? 0) / 4).then(() => running.kill('SIGKILL'))
        }
        await running.ended
        onDownload = () => {}
        for (const [path, text] of Object.entries(await content())) {
          if (!path.startsWith('.content-space-pull-')) expect([whole[from]?.[path], whole[to]?.[path]]).toContain(text)
        }
        const finished = await work.run(...pull(`many@${to}`))
        expect(finished).toMatchObject({ code: 0 })
        expect(await content()).toEqual(whole[to])
        expect(mostAsked()).toBeLessThanOrEqual(2)
      }
    },
    timeFor(kills),
  )
})

describe('one of several processes, killed,', () => {
  test(
    'does not block the others, which download the files that are not in the cache',
    async () => {
      const running = work.start(...pull('many@1'))
      onDownload = () => service.downloads().length === 40 && running.kill('SIGKILL')
      const others = Array.from({ length: 3 }, (_, at) => work.runProcess('pull', 'many@1', '--out', `content-${at}`))
      await running.ended
      for (const [at, other] of (await Promise.all(others)).entries()) {
        expect(other).toMatchObject({ code: 0 })
        expect(await contents(join(work.root, `content-${at}`))).toEqual(whole['1'])
      }
      expect(mostAsked()).toBeLessThanOrEqual(2)
    },
    timeFor(2),
  )
})

describe('at the same time', () => {
  test('two pulls into one folder give the same result', async () => {
    for (const number of ['1', '2']) {
      const both = await Promise.all([1, 2].map(() => work.runProcess(...pull(`many@${number}`))))
      expect(both.map(({ code }) => code)).toEqual([0, 0])
      expect(await content()).toEqual(whole[number])
    }
    expect((await readdir(work.root)).toSorted()).toEqual(['.cache', 'content', 'content-space.config.json'])
  })

  test(
    'eight pulls share one cache, and download as much as one pull',
    async () => {
      const folders = Array.from({ length: 8 }, (_, at) => `content-${at}`)
      const all = await Promise.all(folders.map((folder) => work.runProcess('pull', 'many@1', '--out', folder)))
      expect(service.downloads().length).toBeLessThanOrEqual(1.1 * assets)
      expect(all.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual(folders.map(() => 0))
      for (const folder of folders) expect(await contents(join(work.root, folder))).toEqual(whole['1'])
    },
    timeFor(2),
  )
})

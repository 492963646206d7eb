import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parseLock } from '../../../src/lock/schema.js'
import { integrityOf } from '../../../src/disk/content.js'
import {
  assetUuid,
  contentService,
  kitUuid,
  logo,
  marks,
  upload,
  type ServiceContent,
} from '../../support/content-service.js'
import { json, refusal } from '../../support/fault-server.js'
import { halves } from '../../support/pictures.js'
import { emptyLock, filesIn } from '../bench.js'
import type { Row } from '../row.js'

const config = JSON.stringify({ kits: { brand: kitUuid }, concurrency: 4, timeout: 20_000 })

export const times: Row[] = [
  {
    row: 56,
    fault: 'server_clock string, 1970, ms',
    must: 'ignored for correctness',
    async run(bench) {
      const clocks = ['1700000000', 0, 1_700_000_000_000, -1, null, 'now', [], undefined, 1.5]
      const texts = new Set<string>()
      for (const server_clock of clocks) {
        const server = await bench.serve(contentService({ version: 0, clock: server_clock }))
        const { kits, root } = await bench.pull(server.url)
        expect(kits[0]?.written).toContain('logos/acme-logo.svg')
        const files = await filesIn(join(root, 'content'))
        texts.add((await Promise.all(files.map((path) => readFile(join(root, 'content', path), 'utf8')))).join('\n'))
        // An envelope with an error is an error regardless of its clock.
        const refusing = await bench.serve((response) =>
          json(response, { success: false, error: { code: 3304, message: '' }, server_clock }),
        )
        expect(
          await bench.failure(
            (await bench.open(refusing.url)).space.download({ uuid: assetUuid(1) }, 'PNG', async () => 0),
          ),
        ).toMatchObject({ code: 'fileCutUnavailable' })
      }
      expect(texts.size).toBe(1)
      return `${clocks.length} clocks: the same files, byte for byte; an envelope with an error is an error for each`
    },
  },
  {
    row: 57,
    fault: 'cut bytes differ each request',
    must: 'keep the cached bytes; without them warn and lock anew, fail under frozen or strict',
    async run(bench) {
      let at = 0
      const server = await bench.serve(
        contentService({ uploads: [upload(1, 'Hero')] }, ({ path, response }) => {
          if (!path.startsWith('assets/')) return false
          void halves(10 + at++, 9)
            .png()
            .toBuffer()
            .then((png) => response.writeHead(200, { 'content-length': png.length }).end(png))
          return true
        }),
      )
      const root = await bench.folder()
      const pull = (options = {}) => bench.pull(server.url, options, { cut: 'png' }, root)
      const bytes = async () => (await readFile(join(root, 'content/logos/hero.png'))).toString('base64')
      const locked = async () =>
        Object.values(
          parseLock(await readFile(join(root, 'content-space.lock.json'), 'utf8'), 'lock').kits[kitUuid]?.versions ??
            {},
        ).flatMap(({ assets }) => assets[assetUuid(1)]?.files?.['PNG'] ?? [])[0]
      const forget = () => rm(join(root, 'content'), { recursive: true })
      await pull()
      const [first, hash] = [await bytes(), await locked()]
      await forget()
      expect(await pull()).toMatchObject({ warnings: [], downloads: 0 })
      expect([await bytes(), await locked(), at]).toEqual([first, hash, 1])
      // Like on another machine, the cache is empty but the lockfile isn't.
      await forget()
      for (const firm of [{ frozen: true }, { strict: true }]) {
        await rm(join(root, 'cache'), { recursive: true })
        expect(await bench.failure(pull(firm))).toMatchObject({ code: 'integrity', facts: { asset: assetUuid(1) } })
        expect(await locked()).toBe(hash)
        expect(await filesIn(join(root, 'content'))).toEqual([])
      }
      await rm(join(root, 'cache'), { recursive: true })
      const { warnings } = await pull()
      expect(warnings).toEqual([expect.stringContaining('Hero (PNG cut)')])
      expect(await locked()).toBe(integrityOf(await readFile(join(root, 'content/logos/hero.png'))))
      expect(await locked()).not.toBe(hash)
      return 'with a cache: the same bytes, no request; without: one warning and the new hash; frozen or strict: integrity, the lock unchanged'
    },
  },
  {
    row: 58,
    fault: 'token rotated mid-run',
    must: 'fail, keep finished downloads',
    async run(bench) {
      let [served, good] = [0, 6]
      const uploads = marks(20)
      const server = await bench.serve(
        contentService({ uploads }, ({ path, response }) => {
          if (!path.startsWith('assets/') || ++served <= good) return false
          refusal(response, 401, 401)
          return true
        }),
      )
      const work = await bench.project(server.url, { 'content-space.config.json': config })
      const failed = await bench.run(work)
      expect(failed).toMatchObject({ code: 1, written: [] })
      expect(failed.stderr).toMatch(/token/)
      expect(failed.stderr).not.toMatch(/^ {4}at /m)
      expect(await readFile(join(work.root, 'content-space.lock.json'), 'utf8')).toBe(emptyLock)
      expect(served).toBeLessThanOrEqual(good + 4)
      ;[served, good] = [0, Infinity]
      const next = await bench.run(work)
      expect(next.code).toBe(0)
      expect(next.written.filter((path) => path.endsWith('.svg'))).toHaveLength(20)
      // Downloads that were running when the token expired are requested again.
      expect(served).toBeGreaterThanOrEqual(14)
      expect(served).toBeLessThanOrEqual(14 + 4)
      return `exit 1 and "token" after 6 of 20 files, nothing written; with the new token the next run requests ${served}`
    },
  },
  {
    row: 62,
    fault: 'SIGINT mid-pull',
    must: 'exit 130 <=2 s; resume next run',
    alone: true,
    async run(bench) {
      let [served, stuck] = [0, true]
      let interrupt: (() => void) | undefined
      const content: Partial<ServiceContent> = { uploads: marks(20) }
      const server = await bench.serve(
        contentService(content, ({ path, response }) => {
          if (!path.startsWith('assets/')) return false
          served++
          if (!stuck || served <= 8) return false
          // The other downloads start but never end.
          response.writeHead(200, { 'content-length': logo.length }).write('<svg')
          if (served === 10) setTimeout(() => interrupt?.(), 200)
          return true
        }),
      )
      const work = await bench.project(server.url, { 'content-space.config.json': config })
      const running = work.start('pull', 'brand', '--out', 'content')
      let interrupted = 0
      interrupt = () => {
        interrupted = Date.now()
        running.kill('SIGINT')
      }
      const { code, stdout, stderr } = await running.ended
      bench.said(stdout + stderr)
      const took = Date.now() - interrupted
      expect(code).toBe(130)
      // It takes two seconds; the rest is for a busy machine.
      expect(took).toBeLessThanOrEqual(10_000)
      expect((await filesIn(work.root)).filter((path) => !path.startsWith('.cache/'))).toEqual([
        'content-space.config.json',
        'content-space.lock.json',
      ])
      expect(await readFile(join(work.root, 'content-space.lock.json'), 'utf8')).toBe(emptyLock)
      ;[served, stuck] = [0, false]
      const next = await bench.run(work)
      expect(next.code).toBe(0)
      expect(next.written.filter((path) => path.endsWith('.svg'))).toHaveLength(20)
      expect(served).toBe(12)
      return `130 after ${took} ms, no folder, the lock unchanged; the next run requests 12 of 20`
    },
  },
]

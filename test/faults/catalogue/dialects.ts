import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readAddress } from '../../../src/space/http/credentials.js'
import type { Space } from '../../../src/space/space.js'
import {
  assetItem,
  assetUuid,
  contentService,
  headingItem,
  kitUuid,
  logo,
  marks,
  upload,
  type Upload,
} from '../../support/content-service.js'
import { downloadBytes } from '../../support/download.js'
import { refusal, type Respond } from '../../support/fault-server.js'
import { secret } from '../../support/secret.js'
import { fastClock, filesIn, type Bench } from '../bench.js'
import { moduleOf } from '../module.js'
import type { Row } from '../row.js'

/** Returns an upload in each of these states of processing. */
function uploadsOf(states: readonly string[]): Upload[] {
  return states.map((state, at) => {
    const details = state === 'error' ? { asset_processing_details: { code: 7, message: 'No colour profile.' } } : {}
    return upload(at, `Mark ${at}`, 'SVG', logo, { meta: { asset_processing: state, ...details } })
  })
}

/** Responds only to requests that the service understands, and rejects all others with a code. */
function only(understands: (url: URL, authorization: string) => boolean, code: number): Respond {
  const content = contentService()
  return (response, request, at) => {
    const isRight = understands(new URL(request.url ?? '', 'http://service'), request.headers.authorization ?? '')
    if (isRight) content(response, request, at)
    else refusal(response, code, 400)
  }
}

/**
 * Sends 30 requests to a service that allows 20 per minute.
 * @returns the seconds it took, and how many requests were rejected
 */
async function paced(bench: Bench, send: (space: Space) => Promise<unknown>, isMoment: boolean) {
  const clock = fastClock()
  const content = contentService()
  let start = clock.now()
  let taken = 0
  let refused = 0
  const server = await bench.serve((response, request, at) => {
    if (clock.now() >= start + 60_000) [start, taken] = [clock.now(), 0]
    const isOver = taken >= 20
    if (isOver) refused++
    else taken++
    const end = Math.ceil((start + 60_000) / 1000)
    const seconds = end - Math.floor(clock.now() / 1000)
    response.setHeader('date', new Date(clock.now()).toUTCString())
    response.setHeader('x-ratelimit-limit', '20')
    response.setHeader('x-ratelimit-remaining', String(20 - taken))
    response.setHeader('x-ratelimit-reset', String(isMoment ? end : seconds))
    if (isOver) refusal(response, 429, 429)
    else content(response, request, at)
  })
  const { space } = await bench.open(server.url, { clock, concurrency: 1 })
  for (let round = 0; round < 30; round++) await send(space)
  return { refused, seconds: Math.round(clock.passed() / 1000) }
}

const short = (id: string) => ({ short_id: id })

/** Returns a version whose assets have their own uuids, with the draft's uuids in `source_id`. */
function versionOf(version: number): Respond {
  const uploads = [1, 2].map((at) => {
    const drawing = Buffer.from(`${logo.toString()}<!-- ${version}.${at} -->`)
    return upload(version * 100 + at, `Mark ${at}`, 'SVG', drawing, { source_id: assetUuid(at) })
  })
  return contentService({ uploads, version })
}

/** Represents access to a file in a URL's query. */
const access = 'canary-of-a-signed-address'

export const dialects: Row[] = [
  {
    row: 73,
    fault: 'X-RateLimit-Remaining falls to 0, Reset in seconds or a moment, for listings and files',
    must: 'slow down before the wall: none is refused',
    async run(bench) {
      const seen: number[] = []
      for (const isMoment of [false, true]) {
        for (const send of [
          (space: Space) => space.kits(),
          (space: Space) => downloadBytes(space, { uuid: assetUuid(1) }),
        ]) {
          const { refused, seconds } = await paced(bench, send, isMoment)
          expect(refused).toBe(0)
          // The last requests of the first minute are spread over that minute.
          expect(seconds).toBeGreaterThanOrEqual(59)
          expect(seconds).toBeLessThanOrEqual(65)
          seen.push(seconds)
        }
      }
      return `30 requests where 20 in a minute are allowed take ${seen.join(', ')} s, and none is refused`
    },
  },
  {
    row: 74,
    fault: 'a service that takes the token alone, or only with the space id',
    must: 'Bearer without spaceId, Basic with it; an error says which was sent',
    async run(bench) {
      const bearer = `Bearer ${secret.token}`
      const basic = `Basic ${Buffer.from(`${secret.spaceId}:${secret.token}`).toString('base64')}`
      const hints: unknown[] = []
      for (const [taken, spaceId] of [
        [bearer, undefined],
        [basic, secret.spaceId],
      ] as const) {
        const server = await bench.serve(only((_, authorization) => authorization === taken, 401))
        const credentials = (id: typeof spaceId) => readAddress(server.url, id, secret.token).credentials
        const right = (await bench.open(server.url, { credentials: credentials(spaceId) })).space
        expect(await right.kits()).toHaveLength(1)
        expect(await downloadBytes(right, { uuid: assetUuid(1) })).toEqual(logo)
        const other = spaceId === undefined ? secret.spaceId : undefined
        const { space } = await bench.open(server.url, { credentials: credentials(other) })
        const error = await bench.failure(space.kits())
        expect(error.code).toBe('unauthorized')
        hints.push(error.hint)
      }
      expect(hints).toEqual([
        expect.stringContaining('remove spaceId'),
        expect.stringContaining('set spaceId (CONTENT_SPACE_ID)'),
      ])
      return 'both are read; with the other form unauthorized, and the hint to set or to remove spaceId'
    },
  },
  {
    row: 75,
    fault: 'a service that knows only `include`, only `options`, only `version`, or only `v`',
    must: 'send both',
    async run(bench) {
      for (const name of ['include', 'options', 'version', 'v']) {
        const isVersion = name.startsWith('v')
        const server = await bench.serve(
          only(({ pathname, searchParams: query }) => {
            const selects = /outline|sections/.test(pathname)
            const includes = pathname.endsWith(kitUuid)
            if (isVersion && selects) return query.get(name) === '1'
            return isVersion || !includes || (query.get(name) ?? '').endsWith('versions')
          }, 103),
        )
        const { space } = await bench.open(server.url)
        expect((await space.kit(kitUuid, 'use_versions')).versions).toHaveLength(1)
        const outline = await space.outline(kitUuid, 1)
        expect((await space.section(outline.sections[0]?.uuid ?? '', 1)).items).toHaveLength(1)
      }
      return 'kit, outline and section are read from each of the four'
    },
  },
  {
    row: 76,
    fault: 'assets in processing or failed, galleries that are being filled',
    must: 'go on; one warning names them, with the reason; lock none as final',
    async run(bench) {
      let uploads = uploadsOf(['processing', 'error', 'complete'])
      const { module, warnings } = await moduleOf(bench, { uploads })
      expect(Object.keys(module)).toEqual(['default', 'mark0', 'mark1', 'mark2'])
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toMatch(/still processing.*Mark 0.*failed to process.*Mark 1: No colour profile\./)
      expect(warnings[0]).not.toContain('Mark 2')
      const server = await bench.serve(contentService(() => ({ uploads })))
      const files = { 'src/index.js': "export { mark0, mark1, mark2 } from 'content-space:kit/brand'" }
      const work = await bench.project(server.url, files)
      const locked: number[] = []
      for (const state of ['processing', 'complete']) {
        uploads = uploadsOf([state, 'error', 'complete'])
        const { code, stdout, stderr } = await work.run('sync')
        bench.said(stdout + stderr)
        expect(code).toBe(0)
        const lock = await readFile(join(work.root, 'content-space.lock.json'), 'utf8')
        locked.push(lock.split('"asset_processing":"processing"').length - 1)
      }
      expect(locked).toEqual([1, 0])
      return 'all three are imported; one warning names the first two; the first is locked again when it is done'
    },
  },
  {
    row: 77,
    fault: 'addresses that carry access: permalink, thumbnails, cover, meta.preview, unknown fields',
    must: 'their queries are in no file, lock, module or message',
    async run(bench) {
      const address = (name: string) => `https://files.example/${name}?Signature=${access}`
      const more = {
        permalink: address('permalink'),
        thumbnails: { 292: address('tile') },
        some_day: [address('unknown')],
        meta: { preview: { url: address('preview') } },
      }
      const content = {
        uploads: [upload(1, 'Acme Logo', 'SVG', logo, more)],
        kit: { images: { cover: address('cover') } },
      }
      const { module, warnings } = await moduleOf(bench, content)
      const text = JSON.stringify([module['default'], warnings])
      expect(text).toContain('https://files.example/permalink')
      expect(text).not.toContain(access)
      const server = await bench.serve(contentService(content))
      const work = await bench.project(server.url)
      const { code, stdout, stderr, written } = await bench.run(work, '--json')
      expect(code, stderr).toBe(0)
      expect(written).toContain('manifest.json')
      // This machine's cache contains what the kit browser needs to request previews.
      const files = (await filesIn(work.root)).filter((file) => !file.startsWith('.cache/'))
      for (const file of files) expect(await readFile(join(work.root, file), 'utf8'), file).not.toContain(access)
      expect(stdout + stderr).not.toContain(access)
      return 'no query in module, folder, manifest, lockfile, output; addresses without it stay'
    },
  },
  {
    row: 78,
    fault: 'short ids, and addresses of pages, in options and ids',
    must: 'find kits, sections, headings and assets; locked, ask for files only',
    async run(bench) {
      const uploads = marks(3)
      const items = [
        headingItem(0, short('R7y72J')),
        ...uploads.map(({ record }, at) => assetItem(at + 1, record, short(`1E887${at}`))),
      ]
      const content = contentService({ uploads, items, kit: short('oYYL4W'), section: short('d9x3n2') })
      const server = await bench.serve(content)
      const page = 'https://pages.example/acme'
      const source = [
        "export { mark0 } from 'content-space:kit/brand'",
        "export { default as one } from 'content-space:asset/oYYL4W/Mark-1-1E8871'",
        `export { default as two } from 'content-space:asset/brand/${page}/a/Mark-2-1E8872'`,
        "export { mark1 } from 'content-space:section/brand/Logos-d9x3n2/R7y72J'",
        "export { default as three } from 'content-space:asset/1E8870'",
        `export { default as four } from 'content-space:asset/${page}/a/Mark-1-1E8871?dark=${page}/a/Mark-2-1E8872'`,
        "export { mark2 } from 'content-space:section/Logos-d9x3n2'",
      ]
      const config = JSON.stringify({ kits: { brand: `${page}/k/Brand-oYYL4W?v=3` }, timeout: 2000 })
      const files = { 'content-space.config.json': config, 'src/index.js': source.join('\n') }
      const work = await bench.project(server.url, files)
      const first = await work.run('sync')
      bench.said(first.stdout + first.stderr)
      expect(first).toMatchObject({ code: 0, stderr: '' })
      const lock = await readFile(join(work.root, 'content-space.lock.json'), 'utf8')
      expect(lock).toContain(kitUuid)
      expect(lock).not.toContain('pages.example')
      await rm(join(work.root, '.cache'), { recursive: true })
      const { length } = server.requests
      const again = await work.run('sync', '--frozen')
      bench.said(again.stdout + again.stderr)
      expect(again).toMatchObject({ code: 0, stderr: '' })
      const asked = server.requests.slice(length).map(({ url }) => url)
      expect(asked.filter((url) => !url.includes('/download'))).toEqual([])
      return `seven imports are resolved; frozen, without a cache: ${asked.length} files and no listing`
    },
  },
  {
    row: 79,
    fault: 'published versions with uuids of their own, and the uuid of the draft in source_id',
    must: 'names, ids and the lockfile go by source_id; files by the uuid of the version',
    async run(bench) {
      const seen: string[][] = []
      const source = [1, 2].map(
        (at) => `export { default as m${at} } from 'content-space:asset/brand/${assetUuid(at)}'`,
      )
      const files = { 'src/index.js': `export { mark1 } from 'content-space:kit/brand'\n${source.join('\n')}` }
      let version = 1
      const server = await bench.serve((...asked) => versionOf(version)(...asked))
      const work = await bench.project(server.url, files)
      for (version of [1, 2]) {
        const { code, stdout, stderr } = await work.run(version === 1 ? 'sync' : 'update')
        bench.said(stdout + stderr)
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
        const text = await readFile(join(work.root, 'content-space.lock.json'), 'utf8')
        const { assets } = JSON.parse(text).kits[kitUuid].versions[version]
        seen.push(Object.values<{ name: string }>(assets).map(({ name }) => name))
        expect(Object.keys(assets)).toEqual([assetUuid(version * 100 + 1), assetUuid(version * 100 + 2)])
        expect(Object.keys(JSON.parse(text).kits[kitUuid].versions)).toEqual([String(version)])
      }
      expect(seen).toEqual([
        ['mark1', 'mark2'],
        ['mark1', 'mark2'],
      ])
      return 'two releases: the same ids and names resolve, and the lockfile has one table'
    },
  },
]

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readAddress } from '../../../src/space/http/credentials.js'
import type { Space } from '../../../src/space/space.js'
import { assetUuid, contentService, kitUuid, logo, upload } from '../../support/content-service.js'
import { downloadBytes } from '../../support/download.js'
import { refusal, type Respond } from '../../support/fault-server.js'
import { secret } from '../../support/secret.js'
import { fastClock, filesIn, type Bench } from '../bench.js'
import { moduleOf } from '../module.js'
import type { Row } from '../row.js'

/** Responds only to requests that the service understands, and refuses all others with a code. */
function only(understands: (url: URL, authorization: string) => boolean, code: number): Respond {
  const content = contentService()
  return (response, request, at) => {
    const isRight = understands(new URL(request.url ?? '', 'http://service'), request.headers.authorization ?? '')
    if (isRight) content(response, request, at)
    else refusal(response, code, 400)
  }
}

/** Sends 30 requests to a service that allows 20 in a minute. @returns the seconds, and how many it refused */
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

/** Stands for access to a file, in the query of an address. */
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
          // The last ones of the first minute are spread over it.
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
    must: 'go on; one warning names them, with the reason',
    async run(bench) {
      const [busy, failed, done] = ['processing', 'error', 'complete'].map((state, at) => {
        const details =
          state === 'error' ? { asset_processing_details: { code: 7, message: 'No colour profile.' } } : {}
        return upload(at, `Mark ${at}`, 'SVG', logo, { meta: { asset_processing: state, ...details } })
      })
      const { module, warnings } = await moduleOf(bench, {
        uploads: [busy, failed, done].filter((one) => one !== undefined),
      })
      expect(Object.keys(module)).toEqual(['default', 'mark0', 'mark1', 'mark2'])
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toMatch(/still processing.*Mark 0.*failed to process.*Mark 1: No colour profile\./)
      expect(warnings[0]).not.toContain('Mark 2')
      return 'all three are imported; one warning names the first two'
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
      // The cache of this machine has what the kit browser requests previews with.
      const files = (await filesIn(work.root)).filter((file) => !file.startsWith('.cache/'))
      for (const file of files) expect(await readFile(join(work.root, file), 'utf8'), file).not.toContain(access)
      expect(stdout + stderr).not.toContain(access)
      return 'no query in module, folder, manifest, lockfile, output; addresses without it stay'
    },
  },
]

import assert from 'node:assert'
import { join } from 'node:path'
import { rollup } from 'rollup'
import { expect } from 'vitest'
import { codes, type ContentSpaceError, type ErrorCode } from '../../../src/errors.js'
import contentSpace from '../../../src/entries/rollup.js'
import { keysOf } from '../../../src/text/keys.js'
import {
  assetUuid,
  contentService,
  kitUuid,
  logo,
  marks,
  sectionUuid,
  upload,
  type Asked,
} from '../../support/content-service.js'
import { answer, envelope, inTurn, json, refusal, silence, type Respond } from '../../support/fault-server.js'
import { downloadBytes } from '../../support/download.js'
import { secret } from '../../support/secret.js'
import { write, type Bench } from '../bench.js'
import type { Row } from '../row.js'

const numberOf = (code: ErrorCode): number =>
  Number(Object.entries({ ...codes[code] }).find(([key]) => key === 'service')?.[1])
const noKits: Respond = (response) => envelope(response, { kit: [] })

/**
 * Returns the error of a service that rejects everything with this code. Asserts the same error for kits and for a
 * file, after one request each.
 */
async function refusedOnce(bench: Bench, respond: Respond, code: ErrorCode, facts: object): Promise<ContentSpaceError> {
  const server = await bench.serve(respond)
  const { space } = await bench.open(server.url)
  const error = await bench.failure(space.kits())
  expect(error).toMatchObject({ code, retryable: false, facts: { endpoint: 'GET /1/kits/', ...facts } })
  // A path that doesn't exist is requested both with and without a trailing slash.
  const each = code === 'objectNotFound' ? 2 : 1
  expect(server.requests).toHaveLength(each)
  const uuid = assetUuid(1)
  expect(await bench.failure(downloadBytes(space, { uuid }))).toMatchObject({
    code,
    facts: { asset: uuid, endpoint: `GET /1/assets/${uuid}/download`, ...facts },
  })
  expect(server.requests).toHaveLength(2 * each)
  return error
}

/** Returns the error of a Rollup build with one import, as the user sees it. */
async function buildError(bench: Bench, space: string, specifier: string): Promise<Error> {
  const root = await bench.folder()
  await write(root, { 'main.js': `import logo from '${specifier}'\nexport default logo\n` })
  const plugin = contentSpace({
    space,
    ...secret,
    kits: { brand: kitUuid },
    cacheDir: join(root, 'cache'),
    lockfile: join(root, 'lock.json'),
    types: false,
    // The root is this repository, whose files import other versions.
    scan: ['none.js'],
    rateLimit: false,
  })
  const build = async () => {
    const bundle = await rollup({
      input: join(root, 'main.js'),
      plugins: [plugin],
      onwarn: ({ message }) => bench.said(message),
    })
    const { output } = await bundle.generate({ format: 'es' })
    await bundle.close()
    bench.said(output.map((file) => (file.type === 'chunk' ? file.code : file.fileName)).join('\n'))
  }
  const error: unknown = await build().then(
    () => 'a bundle',
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new TypeError('The build did not fail')
  bench.said(`${error.message}\n${error.stack}\n${JSON.stringify(error)}`)
  return error
}

/** Rejects requests below a path and counts them. */
function refusing(prefix: string, number: number, status: number, counted: { requests: number }) {
  return ({ path, response }: Asked): boolean => {
    if (!path.startsWith(prefix)) return false
    counted.requests++
    refusal(response, number, status)
    return true
  }
}

const missing: { code: ErrorCode; at: string }[] = [
  { code: 'kitNotFound', at: `kits/${kitUuid}` },
  { code: 'versionNotFound', at: `kits/${kitUuid}/outline` },
  { code: 'sectionNotFound', at: 'sections/' },
  { code: 'assetNotFound', at: 'assets/' },
  { code: 'objectNotFound', at: `kits/${kitUuid}` },
  { code: 'objectNotFound', at: 'assets/' },
  { code: 'invalidParams', at: 'assets/' },
]

export const refusals: Row[] = [
  {
    row: 6,
    fault: '401 or 403, HTTP or envelope',
    must: 'envelope: fail once, 0 retries; cancel siblings. Status alone: a firewall, so retry; never "wrong token"',
    async run(bench) {
      for (const code of ['unauthorized', 'permissionDenied'] as const) {
        const number = numberOf(code)
        for (const status of [200, 404, number]) {
          await refusedOnce(bench, (response) => refusal(response, number, status), code, {
            serviceCode: number,
            status,
          })
        }
        for (const body of ['', '<html><title>Forbidden</title></html>', '{"message":"Forbidden"}']) {
          const firewall = await bench.serve(answer(number, body, { 'retry-after': '0' }))
          const opened = (await bench.open(firewall.url)).space
          const error = await bench.failure(opened.kits())
          expect(error).toMatchObject({ code: 'requestBlocked', facts: { status: number } })
          expect(error.message).toContain('unplugin-content-space/')
          expect(firewall.requests).toHaveLength(5)
          expect(firewall.requests[0]?.headers['user-agent']).toMatch(/^unplugin-content-space\/\d+\.\d+\.\d+\S*$/)
          const passing = await bench.serve(inTurn(answer(number, body, { 'retry-after': '0' }), noKits))
          await expect((await bench.open(passing.url)).space.kits()).resolves.toEqual([])
        }
        await bench.refused((await bench.serve((response) => refusal(response, number, 200))).url)
      }
      const server = await bench.serve((response, request, at) =>
        request.url?.includes('/kits/') ? refusal(response, 401, 401) : silence(response, request, at),
      )
      const { space } = await bench.open(server.url, { timeout: 60_000 })
      const download = bench.failure(downloadBytes(space, { uuid: assetUuid(1) }))
      expect(await bench.failure(space.kits())).toMatchObject({ code: 'unauthorized' })
      expect(await download).toMatchObject({ code: 'unauthorized' })
      // One of many downloads is rejected while the others hang. The pull neither waits for them nor starts any more.
      const busy = await bench.serve(
        contentService({ uploads: marks(40) }, ({ path, response }) => {
          if (path === `assets/${assetUuid(3)}/download`) refusal(response, 401, 200)
          return path.startsWith('assets/')
        }),
      )
      expect(await bench.failure(bench.pull(busy.url, { concurrency: 8, timeout: 60_000 }))).toMatchObject({
        code: 'unauthorized',
        facts: { asset: assetUuid(3) },
      })
      const asked = busy.requests.filter(({ url }) => url.includes('/assets/')).length
      expect(asked).toBeLessThanOrEqual(8)
      return `each of 401 and 403, in 200, 404 and its own status: 1 request, exit 1; without an envelope: requestBlocked after 5; ${asked} of 40 files were requested`
    },
  },
  {
    row: 7,
    fault: 'codes 1100/1200/2100/3100/404',
    must: 'not-found naming the importer; no retry',
    async run(bench) {
      const seen: string[] = []
      for (const { code, at } of missing) {
        const number = numberOf(code)
        for (const status of [200, 404]) {
          await refusedOnce(bench, (response) => refusal(response, number, status), code, {
            serviceCode: number,
            status,
          })
          const counted = { requests: 0 }
          const { url } = await bench.serve(contentService({}, refusing(at, number, status, counted)))
          const error = await buildError(bench, url, 'content-space:asset/brand/acme-logo')
          expect(error.message, `${number}`).toContain('main.js')
          if (at === 'assets/') {
            expect(error.message).toMatch(/file: Acme Logo \(GET \/1\/assets\/.*\/download\)/)
            expect(error.message).not.toContain('address of the space')
          } else if (code === 'objectNotFound') expect(error.message).toContain(`nothing at ${url}/1/${at}`)
          // The outline is read again, because it may lack the section too. A path that doesn't exist is requested both
          // with and without a trailing slash.
          const most = code === 'sectionNotFound' ? 3 : code === 'objectNotFound' ? 2 : 1
          expect(counted.requests, `requests for ${number}`).toBeLessThanOrEqual(most)
        }
        seen.push(`${number} ${code}`)
      }
      await refusedOnce(bench, answer(404, 'not here'), 'objectNotFound', { status: 404 })
      await bench.refused((await bench.serve((response) => refusal(response, 1100, 404))).url)
      return `${seen.join(', ')}: each error names main.js, without a retry`
    },
  },
  {
    row: 8,
    fault: '3304',
    must: 'list `available_types`; no retry',
    async run(bench) {
      for (const status of [200, 404]) {
        await refusedOnce(bench, (response) => refusal(response, 3304, status), 'fileCutUnavailable', {
          serviceCode: 3304,
          status,
        })
      }
      const types = ['PNG', 'EPS', 'WEBP'].map((type) => ({ type, enabled: true, resizable: false }))
      const asset = upload(1, 'Acme Logo', 'SVG', logo, { meta: { filecuts: { available_types: types, presets: [] } } })
      const server = await bench.serve(contentService({ uploads: [asset] }))
      const downloads = () => server.requests.filter(({ url }) => url.includes('/assets/')).length
      const refused = await buildError(bench, server.url, 'content-space:asset/brand/acme-logo?cut=pdf')
      expect(refused.message).toMatch(/PNG.*EPS.*WEBP|EPS.*PNG.*WEBP/)
      expect(downloads()).toBe(0)
      const listed = await buildError(bench, server.url, 'content-space:asset/brand/acme-logo?cut=eps')
      expect(listed.message).toContain('main.js')
      for (const { type } of types) expect(listed.message).toContain(type)
      expect(downloads()).toBe(1)
      await bench.refused(server.url, '--cut', 'eps')
      return 'a cut that is not listed: no request, and the error names PNG, EPS, WEBP; a listed cut that is refused: 1 request, the same names'
    },
  },
  {
    row: 9,
    fault: 'code 1 or 99',
    must: 'retry; then fail',
    async run(bench) {
      for (const [number, code] of [
        [1, 'unknown'],
        [99, 'serverError'],
      ] as const) {
        const once = await bench.serve(inTurn((response) => refusal(response, number, 200), noKits))
        await expect((await bench.open(once.url)).space.kits()).resolves.toEqual([])
        expect(once.requests).toHaveLength(2)
        const refuse: Respond = (response) =>
          json(response, { success: false, error: { code: number, message: 'no' } }, 200, { 'retry-after': '0' })
        const always = await bench.serve(refuse)
        const error = await bench.failure((await bench.open(always.url)).space.kits())
        expect(error).toMatchObject({
          code,
          retryable: false,
          facts: { serviceCode: number, endpoint: 'GET /1/kits/' },
        })
        expect(always.requests).toHaveLength(5)
        await bench.refused((await bench.serve(refuse)).url)
      }
      return 'once: the second request succeeds; always: fails after 5 requests, exit 1'
    },
  },
  {
    row: 10,
    fault: '103; or unknown 7777',
    must: 'fail, no retry; show code',
    async run(bench) {
      for (const [number, code] of [
        [103, 'invalidParams'],
        [7777, 'unexpectedCode'],
      ] as const) {
        for (const status of [200, 400, 404]) {
          const error = await refusedOnce(bench, (response) => refusal(response, number, status), code, {
            serviceCode: number,
            status,
          })
          if (number === 7777) expect(error.message).toContain('7777')
        }
        const stderr = await bench.refused((await bench.serve((response) => refusal(response, number, 200))).url)
        expect(stderr).toContain(String(number))
      }
      return '1 request each; exit 1, and the message has the number'
    },
  },
  {
    row: 70,
    fault: 'challenge page of a firewall, also with status 200, 202, 429 or 503',
    must: 'its own error, retried as one',
    async run(bench) {
      const page = '<!DOCTYPE html><title>Just a moment...</title>'
      const script = `${page}<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>`
      const forms = [
        answer(200, script, { 'content-type': 'text/html', 'retry-after': '0' }),
        answer(503, script, { 'content-type': 'text/html', 'retry-after': '0' }),
        answer(202, '', { 'x-amzn-waf-action': 'challenge', 'retry-after': '0' }),
        answer(429, page, { 'x-vercel-mitigated': 'challenge', 'retry-after': '0' }),
        answer(200, page, { 'cf-mitigated': 'challenge', 'content-type': 'text/html', 'retry-after': '0' }),
      ]
      for (const respond of forms) {
        const server = await bench.serve(respond)
        const { space } = await bench.open(server.url)
        expect(await bench.failure(space.kits())).toMatchObject({ code: 'requestBlocked' })
        expect(server.requests).toHaveLength(5)
        const error = await bench.failure(downloadBytes(space, { uuid: assetUuid(1) }))
        expect(error).toMatchObject({ code: 'requestBlocked', facts: { asset: assetUuid(1) } })
      }
      return 'requestBlocked after 5 requests, for listing and file'
    },
  },
  {
    row: 71,
    fault: 'only the other form of a path is answered, with or without a slash at its end, or redirected to',
    must: 'learn it once',
    async run(bench) {
      for (const slash of [true, false]) {
        for (const redirects of [true, false]) {
          const content = contentService({ uploads: [upload(1, 'Logo')] })
          const server = await bench.serve((response, request, at) => {
            const { pathname, search } = new URL(request.url ?? '', 'http://localhost')
            if (pathname.endsWith('/') === slash) return content(response, request, at)
            const other = slash ? `${pathname}/` : pathname.slice(0, -1)
            if (redirects) response.writeHead(301, { location: other + search }).end()
            else refusal(response, 404, 404)
          })
          const { space } = await bench.open(server.url)
          const ask = async () => {
            const { length } = server.requests
            await space.kits()
            await space.kit(kitUuid, 'versions')
            await space.outline(kitUuid, 1)
            await space.section(sectionUuid, 1)
            expect(await downloadBytes(space, { uuid: assetUuid(1) })).toEqual(logo)
            return server.requests.length - length
          }
          expect(await ask()).toBeGreaterThan(5)
          expect(await ask()).toBe(5)
        }
      }
      return 'with and without a slash, by redirects and by 404: the second round takes 5 requests for 5 records'
    },
  },
  {
    row: 72,
    fault: 'documented codes of operations, plans and files',
    must: 'fail by name, no retry; details and recovery are printed',
    async run(bench) {
      const named = [413, 900, 901, 1101, 1102, 2101, 2102, 3101, 3102, 3106, 3201, 3202, 3300, 3302, 7104]
      for (const number of named) {
        const code = keysOf(codes).find((name) => numberOf(name) === number)
        assert.ok(code !== undefined, `${number} has a name`)
        const details = { reason: 'because of the details' }
        const body = { code: number, message: 'No.', details, recovery: { message: 'Do this instead.' } }
        const respond: Respond = (response) => json(response, { success: false, error: body, server_clock: 1 }, 400)
        const { message, hint } = await refusedOnce(bench, respond, code, { serviceCode: number })
        expect(message).toContain('because of the details')
        expect(message).toContain('Do this instead.')
        if (number === 7104) expect(hint).toContain('plan')
      }
      return `${named.join(', ')}: fail by name after 1 request`
    },
  },
  {
    row: 67,
    fault: 'previews answer 401, some with credentials too',
    must: 'credentials to the configured origin only; a plain tile, never a failed site',
    async run(bench) {
      let url = ''
      const uploads = () =>
        marks(3).map(({ record, bytes }, at) => ({
          record: { ...record, thumbnails: { 480: `${url}/tile/${at}` } },
          bytes,
        }))
      const server = await bench.serve(
        contentService(
          () => ({ uploads: uploads() }),
          ({ path, request, response }) => {
            if (!path.startsWith('/tile/')) return false
            const isGiven = path === '/tile/0' && request.headers.authorization !== undefined
            response.writeHead(isGiven ? 200 : 401).end(isGiven ? logo : '')
            return true
          },
        ),
      )
      url = server.url
      const work = await bench.project(url)
      const { code, stdout, stderr } = await work.run('browse', 'brand', '--out', 'site', '--json')
      bench.said(stdout + stderr)
      expect(code, stderr).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ changed: true, missing: [{ name: 'Mark 1' }, { name: 'Mark 2' }] })
      return 'exit 0; one picture with credentials, two plain tiles'
    },
  },
]

import { describe, expect, test } from 'vitest'
import { createImporter } from '../../../../src/index.js'
import type { Fault } from '../../../../src/commands/serve/faults.js'
import { parseKits } from '../../../../src/space/wire/records.js'
import { basic, envelope, useBench } from '../../../support/server-client.js'
import { brand, svg, writeSpace } from '../../../support/space.js'

const unknown = '00000000-0000-4000-8000-000000000000'
const bench = useBench()

test('an idle connection stays open, so that a client can reuse it at any time', async () => {
  const response = await bench().ask('/1/kits')
  expect(response.headers.get('connection')).toBe('keep-alive')
  // Node announces how long it keeps an idle connection only if there is a limit.
  expect(response.headers.get('keep-alive')).toBe(null)
})

describe('errors', () => {
  /** Path, code, and HTTP status. `Name` in angle brackets stands for a uuid. */
  const table: [string, number, number][] = [
    ['/1/kits/nonsense', 1100, 404],
    [`/1/kits/${unknown}/`, 1100, 404],
    [`/1/kits/${unknown}/outline`, 1100, 404],
    [`/1/kits/${brand.uuid}?include=everything`, 103, 400],
    [`/1/kits/${brand.uuid}/outline?version=7`, 1200, 404],
    [`/1/kits/${brand.uuid}/outline?v=one`, 103, 400],
    [`/1/kits/${brand.uuid}/outline?v=0&version=1`, 103, 400],
    ['/1/sections/nonsense', 2100, 404],
    [`/1/sections/${unknown}?version=0`, 2100, 404],
    ['/1/sections/<Logos>?version=7', 1200, 404],
    ['/1/sections/<Photos>?version=1', 2100, 404],
    ['/1/sections/<Logos>?limit=201', 103, 400],
    ['/1/sections/<Logos>?limit=1.5', 103, 400],
    ['/1/sections/<Logos>?limit=-1', 103, 400],
    ['/1/sections/<Logos>?page=0', 103, 400],
    ['/1/sections/<Logos>?page=x', 103, 400],
    ['/1/assets/nonsense/download', 3100, 404],
    [`/1/assets/${unknown}/download/`, 3100, 404],
    ['/1/assets/<Acme Logo>/download?type=pdf', 3304, 404],
    ['/1/assets/<Acme Logo>/download?type=bogus', 3304, 404],
    ['/1/assets/<Brand Red>/download', 404, 404],
    ['/1/nothing', 404, 404],
    ['/', 404, 404],
    ['/2/kits', 404, 404],
    [`/1/kits/${brand.uuid}/outline/more`, 404, 404],
    ['/1/kits/%E0%A4%A', 1100, 404],
  ]

  test.each(table)('GET %s is %d', async (path, code, status) => {
    const response = await bench().ask(path.replace(/<(.*?)>/, (_, name: string) => bench().ids[name] ?? ''))
    const { success, result, error } = await envelope(response)
    expect([response.status, success, result, error?.code]).toEqual([status, false, undefined, code])
  })

  test('are the same for credentials that are missing, wrong, or of another space', async () => {
    const codes = await Promise.all(
      [
        undefined,
        'Bearer x',
        'Basic !',
        basic(bench().server.spaceId, 'wrong'),
        basic('', bench().server.token),
        basic(8, bench().server.token),
      ].map(async (authorization) => {
        const response = await fetch(
          `${bench().server.url}/1/kits`,
          authorization === undefined ? {} : { headers: { authorization } },
        )
        return [response.status, (await envelope(response)).error?.code]
      }),
    )
    expect(codes).toEqual(Array.from({ length: 6 }, () => [401, 401]))
  })

  test("don't occur for the token alone, which doesn't need a space id", async () => {
    const { url, token } = bench().server
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${url}/1/kits`, { headers })).status).toBe(200)
    const options = { space: url, token, lockfile: false, types: false } as const
    const importer = await createImporter(options, { root: bench().space.folder, env: {} })
    expect(await importer.kits()).not.toEqual([])
    await importer.close()
  })

  test('have HTTP status 200 on request', async () => {
    const other = await bench().serve({ errorStatus: 'ok' })
    const response = await bench().ask('/1/kits/nonsense', { of: other })
    expect([response.status, (await envelope(response)).error?.code]).toEqual([200, 1100])
  })

  test('answer methods that write', async () => {
    const response = await bench().ask('/1/kits', { method: 'POST' })
    expect([response.status, response.headers.get('allow'), (await envelope(response)).error?.code]).toEqual([
      405,
      'GET, HEAD',
      103,
    ])
  })

  test('describe problems of the folder', async () => {
    const broken = await writeSpace({ 'kit/S/a.svg': svg('a') })
    const other = await bench().serve({}, broken.folder)
    await broken.write({ 'kit/kit.json': '{' })
    const response = await bench().ask('/1/kits', { of: other })
    await broken.remove()
    const { error } = await envelope(response)
    expect([response.status, error?.code]).toEqual([500, 99])
    expect(error?.message).toContain('kit/kit.json:1')
  })
})

describe('faults', () => {
  test('occur every nth time, at one endpoint, a limited number of times', async () => {
    expect(await statuses([{ with: 'serverError', every: 2 }], '/1/kits', 4)).toEqual([200, 500, 200, 500])
    expect(await statuses([{ with: 'unknown', on: 'kit' }], '/1/kits', 2)).toEqual([200, 200])
    expect(await statuses([{ with: 'html', on: 'kits', times: 1 }], '/1/kits', 3)).toEqual([502, 200, 200])
    expect(await statuses([{ with: 'rateLimited' }], '/1/kits', 1)).toEqual([429])
    expect(await statuses([{ with: 'cut', times: 1 }], '/1/kits', 2)).toEqual(['failed', 200])
  })

  test('stall until the client gives up, and do not keep the server from closing', async () => {
    const other = await bench().serve({ faults: [{ with: 'stall' }] })
    await expect(fetch(`${other.url}/1/kits`, { signal: AbortSignal.timeout(200) })).rejects.toThrow()
    const hanging = fetch(`${other.url}/1/kits`).catch(() => 'closed')
    await expect.poll(() => other.requests.length).toBe(2)
    await other.close()
    expect(await hanging).toBe('closed')
  })
})

describe('starting', () => {
  test('uses the given space id and token', async () => {
    const other = await bench().serve({ spaceId: '12', token: 'a:b c' })
    expect([other.spaceId, (await bench().ask('/1/kits', { of: other })).status]).toEqual([12, 200])
    expect(parseKits(await bench().result('/1/kits', other))[0]?.spaceId).toBe('12')
  })

  test('fails for an invalid folder, id or port', async () => {
    await expect(bench().serve({}, '/nowhere/at/all')).rejects.toMatchObject({ code: 'invalidSpace' })
    await expect(bench().serve({ spaceId: 'seven' })).rejects.toMatchObject({ code: 'invalidOption' })
    await expect(bench().serve({ port: Number(new URL(bench().server.url).port) })).rejects.toMatchObject({
      code: 'fileSystem',
    })
  })
})

/** Returns the statuses of consecutive requests for a path. */
async function statuses(faults: Fault[], path: string, times: number): Promise<unknown[]> {
  const other = await bench().serve({ faults })
  const answers: unknown[] = []
  const once = async () => {
    const response = await bench().ask(path, { of: other })
    await response.text()
    return response.status
  }
  for (let n = 0; n < times; n++) answers.push(await once().catch(() => 'failed'))
  return answers
}

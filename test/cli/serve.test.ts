import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ended, firstLine } from '../support/child.js'
import { writeSpace, svg, type SpaceFolder } from '../support/space.js'

const main = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
const asset = '237C41F2-AAAA-4BBB-8CCC-000000000001'
let space: SpaceFolder
const running: ChildProcess[] = []

beforeAll(async () => {
  space = await writeSpace({ 'space.json': { space_id: 7 }, 'kit/S/a.svg': svg('a'), 'kit/S/a.json': { uuid: asset } })
})
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})
afterAll(() => space.remove())

function start(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 30_000 })
  running.push(child)
  return child
}

/** Serves the space, sends some requests, and returns the log. */
const logged = async (...flags: string[]): Promise<string> => {
  const child = start('serve', space.folder, '--token', 'keep-me', '--fault', 'html@kits/2', ...flags)
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(await firstLine(child)) ?? []
  const end = ended(child)
  const headers = { authorization: `Basic ${btoa('7:keep-me')}` }
  for (const path of ['kits/', 'kits/', `assets/${asset}/download?type=png&token=keep-me`, 'nothing'])
    await (await fetch(`${url}/1/${path}`, { headers })).arrayBuffer()
  child.kill('SIGINT')
  return (await end)[1]
}

describe('content-space serve', () => {
  test('explains what to do when its port is in use', async () => {
    const [, port = ''] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(await firstLine(start('serve', space.folder))) ?? []
    const [code, text] = await ended(start('serve', space.folder, '--port', port))
    expect([code, text]).toEqual([1, expect.stringContaining('hint: Choose another --port')])
  })

  test('explains what to do when its host is not one of this machine', async () => {
    const [code, text] = await ended(start('serve', space.folder, '--host', '203.0.113.1'))
    expect([code, text]).toEqual([1, expect.stringContaining('hint: Choose another --host')])
  })

  test('prints the address and made-up credentials, serves, and ends with 130 when interrupted', async () => {
    const child = start('serve', space.folder, '--port', '0', '--json')
    const schema = v.strictObject({ url: v.string(), spaceId: v.literal(7), token: v.string() })
    const { url, spaceId, token } = v.parse(schema, JSON.parse(await firstLine(child)))
    const response = await fetch(`${url}/1/kits/`, {
      headers: { authorization: `Basic ${btoa(`${spaceId}:${token}`)}` },
    })
    expect(response.status).toBe(200)
    const end = ended(child)
    child.kill('SIGINT')
    expect(await end).toEqual([130, ''])
  })

  test('accepts credentials, and does not print the token', async () => {
    const child = start('serve', space.folder, '--space-id', '12', '--token', 'secret', '--json')
    const { url } = v.parse(
      v.strictObject({ url: v.string(), spaceId: v.literal(12) }),
      JSON.parse(await firstLine(child)),
    )
    const response = await fetch(`${url}/1/kits/`, { headers: { authorization: `Basic ${btoa('12:secret')}` } })
    expect(response.status).toBe(200)
  })

  test('prints the address in the first line without --json, and accepts limits, faults and uuids', async () => {
    const flags = ['--rate-limit', '5/60', '--fault', 'serverError@kits/2', '--uuids', 'per-version']
    const child = start('serve', space.folder, '--token', 't', ...flags)
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(await firstLine(child)) ?? []
    const ask = async () =>
      (await fetch(`${url}/1/kits/`, { headers: { authorization: `Basic ${btoa('7:t')}` } })).status
    expect([await ask(), await ask(), await ask()]).toEqual([200, 500, 200])
  })

  test('logs a line for each request, without the token; not with --quiet or --json', async () => {
    expect((await logged()).split('\n')).toEqual([
      expect.stringMatching(/^200 {2}GET \/1\/kits\/ {2}\d+ ms {2}[1-9]\d* B$/),
      expect.stringMatching(/^502 {2}GET \/1\/kits\/ {2}\d+ ms {2}\d+ B {2}fault html$/),
      expect.stringMatching(/^200 {2}GET \/1\/assets\/[\dA-F-]+\/download\?type=png {2}\d+ ms {2}\d+ B$/),
      expect.stringMatching(/^404 {2}GET \/1\/nothing {2}\d+ ms {2}\d+ B$/),
      '',
    ])
    expect(await logged('--quiet')).toBe('')
    expect(await logged('--json')).toBe('')
  })

  test.each([['1/60'], ['1/60s'], ['1/s']])('accepts %s as a limit of downloads', async (limit) => {
    const child = start('serve', space.folder, '--token', 't', '--rate-limit', limit)
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(await firstLine(child)) ?? []
    const ask = async () =>
      (await fetch(`${url}/1/assets/${asset}/download`, { headers: { authorization: `Basic ${btoa('7:t')}` } })).status
    expect([await ask(), await ask(), await ask()]).toEqual([200, 429, 429])
  })

  test.each([
    [[], 2, 'Usage'],
    [['srve'], 2, 'serve'],
    [['serve'], 2, 'folder'],
    [['serve', '.', '--prot', '1'], 2, '--port'],
    [['serve', '.', '--port', '70000'], 2, "--port must be a whole number from 0 to 65535, got '70000'."],
    [['serve', '.', '--space-id', 'abc'], 2, "--space-id must be a whole number for a folder, got 'abc'."],
    [['serve', '.', '--rate-limit', 'fast'], 2, '10/s, 2000/300s or 2000/300'],
    [['serve', '.', '--rate-limit', '0/s'], 2, '10/s'],
    [['serve', '.', '--fault', 'kitNotFond'], 2, 'kitNotFound'],
    [['serve', '/nowhere/at/all'], 1, 'The folder /nowhere/at/all does not exist'],
  ])('content-space %j ends with %d', async (args, code, message) => {
    const [exit, said] = await ended(start(...args))
    expect(exit).toBe(code)
    expect(said).toContain(message)
    expect(said).not.toContain('    at ')
  })

  test('prints the help and the version, and exits with 0', async () => {
    expect(await ended(start('--help'))).toEqual([0, ''])
    expect(await firstLine(start('--version'))).toMatch(/^\d+\.\d+\.\d+$/)
  })
})

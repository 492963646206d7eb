import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ended, firstLine } from '../support/child.js'
import { svg, writeSpace, type SpaceFolder } from '../support/space.js'

const main = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
const kit = '3BD9A8C0-1111-4222-8333-444455556666'
let space: SpaceFolder
const running: ChildProcess[] = []

beforeAll(async () => {
  space = await writeSpace({
    'acme/kit.json': { uuid: kit, name: 'Acme' },
    'acme/Logos/logo.svg': svg('logo'),
    'other/Marks/mark.svg': svg('mark'),
  })
})
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})
afterAll(() => space.remove())

function start(...args: string[]): ChildProcess {
  const place = args.includes('--space') ? [] : ['--space', space.folder]
  const child = spawn(process.execPath, [main, 'browse', ...place, ...args], {
    cwd: space.folder,
    env: { PATH: process.env['PATH'], CONTENT_SPACE_CACHE: join(space.folder, '.cache') },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  })
  running.push(child)
  return child
}

async function readUrl(child: ChildProcess): Promise<string> {
  return v.parse(v.strictObject({ url: v.string() }), JSON.parse(await firstLine(child))).url
}

describe('content-space browse', () => {
  test('prints its address, serves the page and the data, and ends with 130 when interrupted', async () => {
    const child = start('--port', '0', '--json')
    const url = await readUrl(child)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
    const page = await fetch(url)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const project: unknown = await (await fetch(`${url}data/project.json`)).json()
    expect(project).toMatchObject({ mode: 'browse', kits: [{ name: 'Acme', reference: 'acme' }, { name: 'other' }] })
    const data: unknown = await (await fetch(`${url}data/kits/${kit}/0.json`)).json()
    expect(data).toMatchObject({ name: 'Acme', sections: [{ name: 'Logos' }] })
    const end = ended(child)
    child.kill('SIGINT')
    expect(await end).toEqual([130, ''])
  })

  test('names the address in the first line, and the kit to start with', async () => {
    expect(await firstLine(start('acme@draft', '--port', '0'))).toMatch(/http:\/\/127\.0\.0\.1:\d+\/#\/acme\/draft$/)
  })

  test.each(['before', 'after'])('tells a page that is opened %s a change of the content', async (when) => {
    const url = await readUrl(start('--port', '0', '--json'))
    const read = async () => (await fetch(`${url}data/kits/${kit}/0.json`)).text()
    const change = () => space.write({ 'acme/Logos/second-mark.svg': svg('second') })
    expect(await read()).toContain('"logo"')
    if (when === 'after') await change()
    const events = await fetch(`${url}events`)
    expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    if (when === 'before') await change()
    const decoder = new TextDecoder()
    let received = ''
    for await (const chunk of events.body ?? []) {
      received += decoder.decode(chunk, { stream: true })
      if (received.includes('event: change')) break
    }
    expect(await read()).toContain('secondMark')
    await space.delete('acme/Logos/second-mark.svg')
  })

  test('runs as the documentation shows', async () => {
    const page = await readFile(new URL('../../docs/browser.md', import.meta.url), 'utf8')
    const lines = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, code = '']) => code.trim().split('\n'))
    expect(lines.filter((line) => line.includes('--out'))).toHaveLength(2)
    await space.write({ 'brand/S/a.svg': svg('a'), 'icons/S/b.svg': svg('b') })
    const out = await mkdtemp(join(tmpdir(), 'content-space-site-'))
    for (const line of lines) {
      const [program, command, ...args] = line.replace('brand-site', join(out, 'site')).split(' ')
      expect([program, command]).toEqual(['content-space', 'browse'])
      if (args.includes('--out')) expect(await ended(start(...args))).toEqual([0, expect.any(String)])
      // The port in the documentation may be in use here, and the browser isn't opened.
      else
        expect(
          await readUrl(start(...args.slice(0, args[0]?.startsWith('-') ? 0 : 1), '--port', '0', '--json')),
        ).toContain('http')
    }
    expect(await readFile(join(out, 'site', 'data/project.json'), 'utf8')).toContain('"icons"')
    await rm(out, { recursive: true })
  })

  test.each([
    [['--port', 'x'], 2, '--port must be a whole number from 0 to 65535'],
    [['--port', '65536'], 2, '--port must be a whole number from 0 to 65535'],
  ])('rejects %j', async (args, code, message) => {
    const [ended1, text] = await ended(start(...args))
    expect(ended1).toBe(code)
    expect(text).toContain(message)
  })

  test('prints no address if the options are invalid or the space is missing', async () => {
    for (const args of [
      ['--space', 'missing'],
      ['--space', 'ftp://x'],
      ['--config', 'missing.config.json'],
    ]) {
      const child = start(...args, '--port', '0')
      const printed: string[] = []
      child.stdout?.on('data', (chunk) => printed.push(String(chunk)))
      const [code, text] = await ended(child)
      expect([code, printed]).toEqual([1, []])
      expect(text).not.toBe('')
    }
  })

  test('says that a port is in use', async () => {
    const { port } = new URL(await readUrl(start('--port', '0', '--json')))
    const [code, text] = await ended(start('--port', port))
    expect(code).toBe(1)
    expect(text).toContain(`The kit browser cannot listen on 127.0.0.1:${port}`)
  })
})

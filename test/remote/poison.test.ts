import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { key } from './support/runner.js'
import { lockOf, runner, serve, start } from './support/setup.js'

type Poison = (bytes: Buffer, other: Buffer) => Buffer

const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><text>poisoned</text></svg>')

/** Splits an entry after its signed line, which is empty if the entry doesn't have one. */
function parts(bytes: Buffer): [line: Buffer, body: Buffer] {
  const end = bytes.toString('latin1', 0, 16).startsWith('content-space 1') ? bytes.indexOf('\n') + 1 : 0
  return [bytes.subarray(0, end), bytes.subarray(end)]
}

/** Ten kinds of wrong entries. */
const poisons: Record<string, Poison> = {
  'another file': () => drawing,
  'one bit flipped': (bytes) => {
    const flipped = Buffer.from(bytes)
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1
    return flipped
  },
  'cut short': (bytes) => bytes.subarray(0, Math.max(1, bytes.length - 7)),
  'the entry of another name': (_, other) => other,
  'another body under the same line': (bytes) => Buffer.concat([parts(bytes)[0], drawing]),
  'without its line': (bytes) => (parts(bytes)[0].length > 0 ? parts(bytes)[1] : Buffer.from('\n')),
  'with bytes added': (bytes) => Buffer.concat([bytes, Buffer.from('poisoned')]),
  'the line of another entry': (bytes, other) => Buffer.concat([parts(other)[0], parts(bytes)[1], Buffer.from(' ')]),
  'a page of a proxy': () => Buffer.from('<!doctype html><title>Sign in</title>poisoned'),
  'a line that never ends': () => Buffer.alloc(3_000_000, 'content-space 1 '),
}

async function entriesOf(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  return all
    .filter((one) => one.isFile() && !one.parentPath.includes('lease'))
    .map((one) => join(one.parentPath, one.name))
    .toSorted()
}

test.each(Object.entries(poisons))('no output contains a poisoned entry: %s', async (_, poison) => {
  const service = await serve(12)
  const engine = await start('nginx')
  const { remote } = engine
  const first = await runner(service.options, { remote, remoteKey: key, remoteWrite: true })
  const { output } = await first.build()
  const lock = await lockOf(first)
  const entries = await entriesOf(engine.folder)
  // 12 files and their signed lines, and 4 conversions.
  expect(entries.length).toBeGreaterThanOrEqual(27)
  const before = await Promise.all(entries.map((path) => readFile(path)))
  for (const [at, path] of entries.entries()) {
    const own = before[at] ?? Buffer.alloc(0)
    const folder = path.split('/v1/')[1]?.split('/')[0] ?? ''
    const other = before.find((bytes, index) => !bytes.equals(own) && entries[index]?.includes(`/v1/${folder}/`))
    await writeFile(path, poison(own, other ?? drawing))
  }
  const reader = await runner(service.options, { remote, remoteKey: key }, lock)
  const read = await reader.build({ frozen: true })
  expect(read.output).toEqual(output)
  expect(read.warnings).toEqual([expect.stringContaining('damaged or not signed with this key')])
  expect(read.summary).toContain('0 local, 0 remote, 14 downloaded')
  // A runner that writes replaces them.
  await (await runner(service.options, { remote, remoteKey: key, remoteWrite: true }, lock)).build()
  const healed = await (await runner(service.options, { remote, remoteKey: key }, lock)).build()
  expect(healed).toMatchObject({ output, warnings: [] })
  expect(healed.summary).toContain('0 downloaded')
})

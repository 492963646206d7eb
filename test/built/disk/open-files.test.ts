import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { limitByOpenFiles, retryWhileHeld } from '../../../src/disk/open-files.js'
import { isTooManyFiles, tooManyFilesError } from '../../../src/disk/file-error.js'
import { serveSpace, svg, writeSpace } from '../../support/space.js'

const main = fileURLToPath(new URL('../../../dist/cli/bin.js', import.meta.url))
const limits = (soft: number | string) =>
  `Limit Soft Hard Units\nMax open files            ${soft}                 ${soft}                files\n`

describe('concurrent requests', () => {
  test.each([
    [64, 4],
    [20, 1],
    [204, 32],
    [1_048_576, 32],
    ['unlimited', 32],
  ])('are limited by the number of open files: with %s, %i', (limit, expected) => {
    expect(limitByOpenFiles(32, limits(limit))).toBe(expected)
  })

  test('are as configured if the limit is unknown', () => {
    expect(limitByOpenFiles(32, '')).toBe(32)
  })
})

describe('too many open files', () => {
  test('are distinguished from other failures, and can be retried', () => {
    const error = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
    expect([
      isTooManyFiles(error),
      isTooManyFiles(new AggregateError([error])),
      isTooManyFiles(new Error('EMFILE')),
    ]).toEqual([true, true, false])
    expect(tooManyFilesError(error)).toMatchObject({
      code: 'fileSystem',
      retryable: true,
      hint: expect.stringContaining('ulimit -n'),
    })
  })

  const sources = process.platform === 'linux' ? ['a service', 'a folder'] : []
  test.each(sources)('do not occur: 200 assets are pulled from %s with 64', async (source) => {
    const assets = Array.from({ length: 200 }, (_, at) => ({
      [`kit/S/icon-${at}.svg`]: svg(String(at)),
      [`kit/S/icon-${at}.json`]: { notes: `Icon ${at}` },
    }))
    const files = await writeSpace(Object.assign({}, ...assets))
    const server = await serveSpace(files.folder)
    const root = await mkdtemp(join(tmpdir(), 'content-space-handles-'))
    const { space, spaceId, token } = server.options
    const from =
      source === 'a folder'
        ? ['--space', files.folder]
        : ['--space', space, '--space-id', String(spaceId), '--token', token]
    const args = [main, 'pull', 'kit', '--out', 'out', ...from, '--cache-dir', join(root, 'cache')]
    const child = spawn('sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, ...args], {
      cwd: root,
      env: { PATH: process.env['PATH'] },
    })
    const said: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk))
    const [code]: unknown[] = await once(child, 'close')
    await server.close()
    await Promise.all([files.remove(), rm(root, { recursive: true, force: true })])
    const text = Buffer.concat(said).toString()
    expect(text).not.toMatch(/EMFILE|\n {4}at /)
    expect([code, text]).toEqual([0, expect.stringContaining('200 asset files')])
  })
})

/** Returns a rename that fails once with each of these codes. */
function held(...codes: string[]): () => Promise<string> {
  return async () => {
    const code = codes.shift()
    if (code !== undefined) throw Object.assign(new Error(`${code}: rename`), { code })
    return 'renamed'
  }
}

describe('a file that another program of Windows has open', () => {
  test('is replaced when it is closed', async () => {
    expect(await retryWhileHeld(held('EPERM', 'EBUSY', 'EACCES'), true)).toBe('renamed')
  })

  test('is an error for another reason, and on other systems, at once', async () => {
    await expect(retryWhileHeld(held('ENOSPC'), true)).rejects.toMatchObject({ code: 'ENOSPC' })
    await expect(retryWhileHeld(held('EACCES'), false)).rejects.toMatchObject({ code: 'EACCES' })
  })
})

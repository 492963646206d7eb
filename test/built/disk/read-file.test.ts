import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Options } from '../../../src/config/options.js'
import { readRegularFile, readRegularFileSync } from '../../../src/disk/read-file.js'
import { createImporter } from '../../../src/importer.js'
import { svg } from '../../support/space.js'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'content-space-read-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const pipe = (path: string): unknown => execFileSync('mkfifo', [join(root, path)])

/** Windows doesn't have pipes or devices with paths in the file system. */
describe.skipIf(process.platform === 'win32')('what is not a regular file', () => {
  test('is rejected with its kind, and links to files are followed', async () => {
    pipe('pipe')
    await writeFile(join(root, 'file'), 'text')
    await symlink('pipe', join(root, 'link'))
    await symlink('file', join(root, 'good'))
    const server = createServer().listen(join(root, 'socket'))
    for (const [path, kind] of [
      [join(root, 'pipe'), 'a named pipe'],
      [join(root, 'link'), 'a named pipe'],
      ['/dev/zero', 'a device'],
    ] as const) {
      const refusal = { code: 'fileSystem', message: expect.stringContaining(`${path} is ${kind}`) }
      await expect(readRegularFile(path)).rejects.toMatchObject(refusal)
      expect(() => readRegularFileSync(path)).toThrow(expect.objectContaining(refusal))
    }
    await expect(readRegularFile(join(root, 'socket'))).rejects.toThrow()
    await expect(readRegularFile(root)).rejects.toMatchObject({ code: 'EISDIR' })
    expect([
      String(await readRegularFile(join(root, 'good'))),
      String(readRegularFileSync(join(root, 'good'))),
    ]).toEqual(['text', 'text'])
    server.close()
  })

  const source = "import logo from 'content-space:asset/brand/logo'\nexport { logo }\n"
  const files = { 'space/brand/01 Logos/logo.svg': svg('logo'), 'src/main.ts': source, 'package.json': '{}' }

  /** Writes declarations, the lockfile, and token files when a named pipe is at a path. */
  async function sync(path: string, options: Options = {}): Promise<unknown> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), { recursive: true })
      await writeFile(join(root, name), text)
    }
    await rm(join(root, path), { force: true })
    pipe(path)
    const importer = await createImporter(
      { ...options, ...(path.includes('config') ? {} : { space: 'space', cacheDir: 'cache' }) },
      { root, mode: 'production', env: {} },
    )
    try {
      await importer.sync()
      return undefined
    } finally {
      await importer.close()
    }
  }

  test.for([
    'content-space.lock.json',
    'src/content-space.d.ts',
    'content-space.config.json',
    'content-space.config.ts',
    '.env',
    'space/space.json',
    'space/brand/kit.json',
    'tokens.css',
  ])('is rejected at the path of %s', async (path) => {
    const options = path === 'tokens.css' ? { tokens: [{ kit: 'brand', file: 'tokens.css' }] } : {}
    await expect(sync(path, options)).rejects.toMatchObject({
      code: 'fileSystem',
      message: expect.stringContaining(`${join(root, path)} is a named pipe, not a file.`),
    })
  })

  test.for([
    'src/main.ts',
    'space/brand/01 Logos/other.svg',
    'space/brand/01 Logos/logo.json',
    'package.json',
    'src/link.ts',
  ])('is not read at the path of %s', async (path) => expect(await sync(path)).toBeUndefined())
})

import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileError } from '../../../src/disk/file-error.js'
import { tempFolder } from '../../support/files.js'

/** The user and group `nobody`. */
const nobody = 65534

let root: string
beforeEach(async () => {
  root = await tempFolder()
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** Writes a file with each policy, as a user who can write to the folder but not to its parent. */
async function writeAs(policy: string): Promise<string> {
  const code = `
    import { writeFolder } from ${JSON.stringify(import.meta.resolve('../../../build/disk/write-folder.js'))}
    const order = { out: ${JSON.stringify(join(root, 'fixed/out'))}, option: '--out', policy: ${policy},
      cacheDir: ${JSON.stringify(join(root, 'cache'))}, signal: new AbortController().signal }
    await writeFolder(order, (writer) => writer.put('icons/a.txt', 'a'))
      .then(() => console.log('written'), (error) => console.log(error.code, error.message))
  `
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    ...user,
    cwd: root,
  })
  return stdout.trim()
}

test.runIf(process.platform !== 'win32')('an empty folder in a parent that cannot be written is filled', async () => {
  await mkdir(join(root, 'fixed/out'), { recursive: true })
  for (const path of ['', 'fixed/out']) await chmod(join(root, path), 0o777)
  await chmod(join(root, 'fixed'), 0o555)
  try {
    expect(await writeAs(`{ owns: 'listed', command: 'mirror', manifest: 'mirror.json', label: 'mirror' }`)).toMatch(
      /^fileSystem \S+\/fixed\/out cannot be .*\nCheck its permissions .* choose a folder inside it as --out\.$/,
    )
    expect(await readdir(join(root, 'fixed/out'))).toEqual([])
    expect(await writeAs(`{ owns: 'all', command: 'browse' }`)).toBe('written')
    expect(await readdir(join(root, 'fixed/out'))).toEqual(['icons'])
    await writeFile(join(root, 'fixed/out/icons/a.txt'), 'b')
    await chmod(join(root, 'fixed/out'), 0o555)
    expect(await writeAs(`{ owns: 'all', command: 'browse' }`)).toMatch(/^fileSystem \S+\/fixed\/out.* cannot be /)
  } finally {
    await chmod(join(root, 'fixed'), 0o777)
  }
})

test('the error of a rename to a mount point names a folder inside it', () => {
  const busy = Object.assign(new Error('EBUSY: resource busy or locked, rename'), { code: 'EBUSY' })
  expect(fileError(busy, '/data', '--out')).toMatchObject({
    code: 'fileSystem',
    hint: expect.stringContaining('choose a folder inside it as --out.'),
  })
})

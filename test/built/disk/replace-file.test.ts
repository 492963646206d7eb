import { execFile } from 'node:child_process'
import { chmod, lstat, mkdir, readFile, readlink, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { replaceFile } from '../../../src/disk/replace-file.js'
import { tempFolder } from '../../support/files.js'

/** The user and group `nobody`; root may write files that are read-only. */
const nobody = 65534

test.runIf(process.platform !== 'win32')('a read-only file is replaced, and stays read-only', async () => {
  const root = await tempFolder()
  await chmod(root, 0o777)
  const module = import.meta.resolve('../../../build/disk/replace-file.js')
  const code = `
    import { replaceFile } from ${JSON.stringify(module)}
    await replaceFile('lock', 'old', { mode: 0o444 })
    await replaceFile('lock', 'new')
  `
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { ...user, cwd: root })
    expect(await readFile(join(root, 'lock'), 'utf8')).toBe('new')
    expect((await stat(join(root, 'lock'))).mode & 0o777).toBe(0o444)
  } finally {
    await rm(root, { recursive: true })
  }
})

test.runIf(process.platform !== 'win32')('a link to a file that does not exist yet is followed', async () => {
  const root = await tempFolder()
  const [first, second] = [join(root, 'first'), join(root, 'second')]
  await mkdir(join(root, 'shared/deep'), { recursive: true })
  await symlink('shared/deep', join(root, 'linked'))
  await symlink('../third', join(root, 'linked/third'))
  await symlink('second', first)
  await symlink(join(root, 'shared/lock'), second)
  await replaceFile(first, 'new')
  expect(await readFile(join(root, 'shared/lock'), 'utf8')).toBe('new')
  expect([await readlink(first), (await lstat(second)).isSymbolicLink()]).toEqual(['second', true])
  await replaceFile(join(root, 'linked/third'), 'new')
  expect(await readFile(join(root, 'shared/third'), 'utf8')).toBe('new')
  await rm(join(root, 'shared'), { recursive: true })
  await expect(replaceFile(first, 'new')).rejects.toMatchObject({ code: 'fileSystem' })
  expect((await lstat(first)).isSymbolicLink()).toBe(true)
  await rm(root, { recursive: true })
})

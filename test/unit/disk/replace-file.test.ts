import { execFile } from 'node:child_process'
import { chmod, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
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

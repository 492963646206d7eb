import { execFile } from 'node:child_process'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { sourceGlobs } from '../../../src/source/source-files.js'
import { tempFolder } from '../../support/files.js'

test('a scan skips a folder that only another user may read', async () => {
  const site = await tempFolder()
  await chmod(site, 0o755)
  await mkdir(join(site, 'data/inner'), { recursive: true })
  for (const file of ['a.ts', 'data/b.ts']) await writeFile(join(site, file), '')
  await chmod(join(site, 'data'), 0)
  const script = `import { findFiles } from ${JSON.stringify(import.meta.resolve('../../../build/source/find-files.js'))}
    for (const globs of [${JSON.stringify(sourceGlobs)}, ['**/*.ts']]) console.log(...(await findFiles(process.argv[1], globs)).keys())`
  // Root can read every folder, so don't run as root.
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, site], user)
  expect(stdout).toBe('a.ts\na.ts\n')
  await rm(site, { recursive: true })
})

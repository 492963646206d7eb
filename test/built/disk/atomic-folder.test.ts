import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withStagedFolder, type StagedFolder } from '../../../src/disk/atomic-folder.js'
import { ownerTag, thisProcess } from '../../../src/disk/process.js'
import { tempFolder } from '../../support/files.js'

/** The user and group `nobody`. */
const nobody = 65534

let root: string
let target: string
beforeEach(async () => {
  root = await tempFolder()
  target = join(root, 'content')
})
afterEach(() => rm(root, { recursive: true, force: true }))

const fill = (move: (staged: StagedFolder) => Promise<unknown>) =>
  withStagedFolder(target, 'mirror', async (staged) => {
    await writeFile(join(staged.path, 'a.txt'), 'new')
    return move(staged)
  })
const text = () => readFile(join(target, 'a.txt'), 'utf8')

/** Creates a folder beside the target as left by a process that has ended. */
async function abandoned(suffix: string): Promise<string> {
  const owner = ownerTag({ ...thisProcess(), start: '1' })
  const path = join(root, `.content.mirror-${owner}-00000000-0000-4000-8000-000000000000${suffix}`)
  await mkdir(path)
  return path
}

describe('a staged folder', () => {
  test('is moved to a path that is free or an empty folder', async () => {
    expect(await fill(({ appear }) => appear())).toBe(true)
    expect(await text()).toBe('new')
    await rm(join(target, 'a.txt'))
    expect(await fill(({ appear }) => appear())).toBe(true)
    expect(await text()).toBe('new')
    expect(await readdir(root)).toEqual(['content'])
  })

  test('is not moved over existing files', async () => {
    await mkdir(target)
    await writeFile(join(target, 'a.txt'), 'old')
    expect(await fill(({ appear }) => appear())).toBe(false)
    expect(await text()).toBe('old')
    expect(await readdir(root)).toEqual(['content'])
  })

  test('replaces files', async () => {
    await mkdir(target)
    await writeFile(join(target, 'b.txt'), 'old')
    await fill(({ replace }) => replace())
    expect(await readdir(target)).toEqual(['a.txt'])
    expect(await readdir(root)).toEqual(['content'])
  })

  test('replaces files, and a later run removes what cannot be removed', async () => {
    await mkdir(join(target, 'fixed'), { recursive: true })
    await writeFile(join(target, 'fixed/b.txt'), 'old')
    // Only root can remove files from this folder.
    await chmod(join(target, 'fixed'), 0o555)
    await chmod(root, 0o777)
    const code = `
      import { writeFile } from 'node:fs/promises'
      import { withStagedFolder } from ${JSON.stringify(import.meta.resolve('../../../build/disk/atomic-folder.js'))}
      await withStagedFolder(${JSON.stringify(target)}, 'mirror', async ({ path, replace }) => {
        await writeFile(path + '/a.txt', 'new')
        await replace()
      })
    `
    const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { ...user, cwd: root })
    expect(await readdir(target)).toEqual(['a.txt'])
    const left = (await readdir(root)).filter((name) => name !== 'content')
    expect(left).toEqual([expect.stringMatching(/^\.content\.mirror-.*-old$/)])
    await chmod(join(root, left[0] ?? '', 'fixed'), 0o777)
    await fill(async () => {})
    expect(await readdir(root)).toEqual(['content'])
    expect(await text()).toBe('new')
  })

  test("doesn't leave anything behind if the work fails, not even parent folders", async () => {
    target = join(root, 'some/where/content')
    await expect(fill(() => Promise.reject(new Error('stop')))).rejects.toThrow('stop')
    expect(await readdir(root)).toEqual([])
  })
})

describe('the folder of an interrupted run', () => {
  test('is removed', async () => {
    await abandoned('')
    await fill(async () => {})
    expect(await readdir(root)).toEqual([])
  })

  test('is moved back if it is the previous target', async () => {
    await writeFile(join(await abandoned('-old'), 'a.txt'), 'old')
    await fill(async () => {})
    expect(await text()).toBe('old')
    expect(await readdir(root)).toEqual(['content'])
  })

  test('is kept while its process runs', async () => {
    const running = `.content.mirror-${ownerTag(thisProcess())}-other`
    await mkdir(join(root, running))
    await fill(async () => {})
    expect(await readdir(root)).toEqual([running])
  })
})

import { mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWorkTree, type Edit } from '../../../src/disk/work-tree.js'
import { commitAll, git } from '../../support/git.js'

let top: string
let root: string

beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'content-space-tree-')))
  root = join(top, 'project')
  await mkdir(join(root, 'src'), { recursive: true })
  await writeFile(join(root, 'src/a.js'), 'a\n')
  await writeFile(join(root, 'src/b.js'), 'b\n')
  commitAll(root)
})
afterEach(() => rm(top, { recursive: true, force: true }))

const open = (force = false) => openWorkTree(root, '--fix', force)
const read = (file: string) => readFile(join(root, file), 'utf8')
const edit = (file: string, before: string, after = 'new\n'): Edit => ({ file, before: Buffer.from(before), after })
const problemOf = async (file: string, force = false) =>
  (await open(force)).problem(file, await readFile(join(root, file)))

test('needs a repository, also with force', async () => {
  await rm(join(root, '.git'), { recursive: true })
  for (const force of [false, true])
    await expect(open(force)).rejects.toMatchObject({
      code: 'invalidOption',
      message: expect.stringContaining('is not in a Git repository'),
    })
})

test('rejects untracked files, also where the repository hides them', async () => {
  git(root, 'config', 'status.showUntrackedFiles', 'no')
  await writeFile(join(root, 'new.js'), '')
  await expect(open()).rejects.toThrow('has uncommitted changes')
  expect(await problemOf('new.js', true)).toBe('Git does not track it')
  expect(await problemOf('src/a.js', true)).toBeUndefined()
})

test('changes only files that Git could restore byte for byte', async () => {
  await writeFile(join(root, '.gitattributes'), '*.js text eol=crlf\n')
  commitAll(root)
  expect(await problemOf('src/a.js')).toBe('Git would restore different bytes')
  await writeFile(join(root, '.gitattributes'), '')
  commitAll(root)
  expect(await problemOf('src/a.js')).toBeUndefined()
  await writeFile(join(root, 'src/a.js'), 'edited\n')
  git(root, 'update-index', '--skip-worktree', 'src/a.js')
  expect(await problemOf('src/a.js')).toBe('Git does not track it')
  git(root, 'update-index', '--no-skip-worktree', 'src/a.js')
  git(root, 'update-index', '--assume-unchanged', 'src/a.js')
  expect(await problemOf('src/a.js')).toBe('Git does not track it')
})

test("doesn't change files in another repository or behind a link", async () => {
  await writeFile(join(top, 'outside.js'), 'outside\n')
  await symlink('../../outside.js', join(root, 'src/link.js'))
  commitAll(root)
  expect(await problemOf('src/link.js')).toBe('it is a link, or behind one')
  await rename(join(root, 'src'), join(top, 'src'))
  await symlink('../src', join(root, 'src'))
  expect(await problemOf('src/a.js', true)).toBe('it is a link, or behind one')
})

test('writes either all edits or none', async () => {
  const tree = await open()
  await expect(tree.write([edit('src/a.js', 'a\n'), edit('src/b.js', 'not b\n')])).rejects.toThrow(
    'src/b.js has changed in the meantime. Nothing was written.',
  )
  expect([await read('src/a.js'), await read('src/b.js')]).toEqual(['a\n', 'b\n'])
  await tree.write([edit('src/a.js', 'a\n'), edit('src/b.js', 'b\n')])
  expect([await read('src/a.js'), await read('src/b.js')]).toEqual(['new\n', 'new\n'])
  git(root, 'stash')
  expect([await read('src/a.js'), await read('src/b.js')]).toEqual(['a\n', 'b\n'])
})

test('does not write through a link that has replaced a file', async () => {
  const tree = await open()
  await writeFile(join(top, 'outside.js'), 'a\n')
  await rm(join(root, 'src/a.js'))
  await symlink('../../outside.js', join(root, 'src/a.js'))
  await expect(tree.write([edit('src/a.js', 'a\n')])).rejects.toMatchObject({ code: 'fileSystem' })
  expect(await readFile(join(top, 'outside.js'), 'utf8')).toBe('a\n')
})

test('takes back what was written if a later file cannot be', async () => {
  // The name of a temporary file beside it would be too long.
  const long = `${'c'.repeat(250)}.js`
  await writeFile(join(root, long), 'c\n')
  commitAll(root)
  const tree = await open()
  await expect(tree.write([edit('src/a.js', 'a\n'), edit(long, 'c\n')])).rejects.toMatchObject({ code: 'fileSystem' })
  expect(await read('src/a.js')).toBe('a\n')
  expect(git(root, 'status', '--porcelain')).toBe('')
})

test('of two runs at once, one writes', async () => {
  const trees = await Promise.all([open(), open()])
  const results = await Promise.allSettled(
    trees.map((tree, at) => tree.write([edit('src/a.js', 'a\n', `${at}\n`), edit('src/b.js', 'b\n', `${at}\n`)])),
  )
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await read('src/a.js')).toBe(await read('src/b.js'))
})

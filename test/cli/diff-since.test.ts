import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { serveSpace, svg, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { versioned, versionedKit } from '../support/versions.js'

let space: SpaceFolder
let service: ServedSpace
let work: Project

const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']

async function git(...args: string[]): Promise<void> {
  await promisify(execFile)('git', [...author, ...args], { cwd: work.root })
}

async function commit(): Promise<void> {
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'State')
}

const namesOf = (entries: { name: string }[]) => entries.map(({ name }) => name)
const since = async (...args: string[]) => JSON.parse((await work.run('diff', '--since', ...args, '--json')).stdout)

/** Creates a repository in which the project is in a subfolder. Its first commit doesn't contain a lockfile. */
beforeEach(async () => {
  space = await writeSpace(await versionedKit())
  service = await serveSpace(space.folder)
  work = await project(
    {
      '.gitignore': '.cache\n',
      'src/main.js': `import { acmeLogo, oldBadge } from 'content-space:kit/brand'\nconsole.log(acmeLogo, oldBadge)`,
    },
    service.env,
  )
  await git('init', '--quiet')
  await commit()
  return async () => {
    await work.remove()
    await service.close()
    await space.remove()
  }
})
afterEach(() => service.close())

test('compares the lockfile of a commit with the lockfile of the project', async () => {
  await work.run('sync')
  await commit()
  expect(await since('HEAD')).toEqual({ added: [], removed: [], renamed: [], changed: [] })
  // A commit without a lockfile doesn't have kits to compare.
  expect(await since('HEAD~1')).toEqual({ added: [], removed: [], renamed: [], changed: [] })

  await space.write(await versionedKit(2))
  await work.run('update', '--rename')
  const diff = await since('HEAD', 'brand')
  // The lockfiles contain what the source uses.
  expect(diff).toMatchObject({
    added: [],
    removed: [{ name: 'Old Badge', breaks: [{ file: 'src/main.js', line: 1 }] }],
    renamed: [
      {
        name: 'Corp Logo',
        export: 'corpLogo',
        from: { export: 'acmeLogo' },
        versions: { from: 1, to: 2, labels: { from: '1.0', to: '2.0' } },
        breaks: [{ file: 'src/main.js' }],
      },
    ],
    changed: [],
  })
  // The lockfiles are enough, even without the space and the cache.
  const alone = await since('HEAD', '--offline', '--space', '.', '--cache-dir', '.cache/empty')
  for (const list of ['added', 'removed', 'renamed', 'changed'])
    expect(namesOf(alone[list])).toEqual(namesOf(diff[list]))
})

test('shows kits that only one of the lockfiles has, without the space', async () => {
  await work.run('sync')
  await commit()
  await space.write({
    'icons/kit.json': { uuid: '3BD9A8C0-1111-4222-8333-444455557777', name: 'Icons' },
    'icons/Icons/star.svg': svg('star'),
  })
  await work.write({
    'src/main.js': `import { star } from 'content-space:kit/icons'\nconsole.log(star)`,
    // A kit that the source no longer imports stays in the lockfile until the lockfile is recreated.
    'content-space.lock.json': '{ "lockfileVersion": 2, "kits": {} }',
  })
  await work.run('sync')
  const apart = ['--offline', '--space', '.', '--cache-dir', '.cache/empty']
  expect(await since('HEAD', ...apart)).toEqual({
    added: [],
    removed: [],
    renamed: [],
    changed: [],
    kits: {
      added: [
        { uuid: '3BD9A8C0-1111-4222-8333-444455557777', kit: 'icons', versions: { to: 0, labels: { to: '0.0' } } },
      ],
      removed: [{ uuid: versioned.kit, kit: 'brand', versions: { from: 1, labels: { from: '1.0' } } }],
      updated: [],
    },
  })
  expect(Object.keys((await since('HEAD', 'icons', ...apart)).kits.removed)).toEqual([])
  expect(await work.run('diff', '--since', 'HEAD', '--exit-code', ...apart)).toMatchObject({
    code: 1,
    stdout: [
      'brand: version 1 (1.0) → not in the lockfile',
      'icons: not in the lockfile → draft',
      'kits: 1 removed, 1 added',
      '',
    ].join('\n'),
  })
})

test('shows what was replaced within a version and in the draft', async () => {
  await work.write({
    'src/main.js': `import { icon } from 'content-space:kit/brand'\nconsole.log(icon)`,
    'src/draft.js': `import { poster } from 'content-space:kit/brand@draft'\nconsole.log(poster)`,
  })
  await work.run('sync')
  await commit()
  const kit = (await versionedKit())['brand/kit.json']
  await space.write({
    'brand/kit.json': { ...(typeof kit === 'object' ? kit : {}), date_updated: '2024-02-01 00:00:00.000000+0000' },
    'brand/versions/1/Logos/icon.svg': svg('another icon'),
    'brand/Logos/poster.svg': svg('another poster'),
  })
  await work.run('update')
  expect(await since('HEAD')).toMatchObject({
    changed: [
      { name: 'Icon', detail: 'replaced', versions: { from: 1, to: 1 } },
      { export: 'poster', versions: { from: 0, to: 0 } },
    ],
  })
  expect(await since('HEAD', '--offline', '--space', '.', '--cache-dir', '.cache/empty')).toMatchObject({
    changed: [{ name: 'Icon' }, { export: 'poster', versions: { from: 0, to: 0 } }],
  })
})

test('names a commit that git does not find, and rejects versions beside it', async () => {
  await work.run('sync')
  for (const name of ['nothing', '--output=pwned', 'HEAD:src']) {
    const { code, stderr } = await work.run('diff', `--since=${name}`)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Git cannot find the commit "${name}"`)])
  }
  expect((await work.run('diff', 'brand', '--since', 'HEAD', '--from', '1')).code).toBe(2)
  expect((await work.run('diff', 'brand@2', '--since', 'HEAD')).stderr).toContain('cannot be used with a version')
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { svg, writeSpace, type SpaceFolder } from '../support/space.js'

let space: SpaceFolder
let work: Project

beforeEach(async () => {
  space = await writeSpace({
    'brand/Logos/acme-logo.svg': svg('logo'),
    'brand/Logos/badge.svg': svg('badge'),
    'brand/Logos/one.svg': svg('twin'),
    'brand/Logos/two.svg': svg('twin'),
  })
  work = await project(
    { 'src/main.js': `import { acmeLogo } from 'content-space:kit/brand'\nconsole.log(acmeLogo)` },
    { CONTENT_SPACE_URL: space.folder },
  )
  expect((await work.run('sync')).code).toBe(0)
})
afterEach(() => Promise.all([work.remove(), space.remove()]))

async function rename(from: string, to: string, content: string): Promise<void> {
  await space.delete(`brand/Logos/${from}.svg`)
  await space.write({ [`brand/Logos/${to}.svg`]: content })
}

const names = (entries: { export: string }[]) => entries.map((entry) => entry.export)
const json = async () => JSON.parse((await work.run('diff', '--json')).stdout)
const lock = () => readFile(join(work.root, 'content-space.lock.json'), 'utf8')

describe('a file that is renamed in a folder without uuids', () => {
  test('is renamed for diff, update and the lock, and its imports keep working', async () => {
    await rename('acme-logo', 'corp-logo', svg('logo'))
    expect(await json()).toMatchObject({
      added: [],
      removed: [],
      renamed: [{ export: 'corpLogo', from: { export: 'acmeLogo' }, to: { export: 'corpLogo' }, breaks: [] }],
      changed: [],
    })
    expect((await work.run('update')).stdout).toContain('  renamed  Acme Logo → Corp Logo  acmeLogo → corpLogo')
    expect(await lock()).toContain(
      '"name":"corpLogo","slug":"corp-logo","aliases":[{"name":"acmeLogo","slug":"acme-logo"}]',
    )
    expect(await lock()).not.toContain('lastSeen')
    expect((await work.run('verify')).code).toBe(0)

    await rename('corp-logo', 'acme-logo', svg('logo'))
    expect((await work.run('sync')).code).toBe(0)
    expect(await lock()).toContain(
      '"name":"acmeLogo","slug":"acme-logo","aliases":[{"name":"corpLogo","slug":"corp-logo"}]',
    )
  })

  test('is removed and added if several files have its bytes, or other bytes', async () => {
    await work.write({ 'src/main.js': `import kit from 'content-space:kit/brand'\nconsole.log(kit)` })
    expect((await work.run('sync')).code).toBe(0)
    await rename('one', 'three', svg('twin'))
    await rename('two', 'four', svg('twin'))
    await rename('badge', 'medal', svg('medal'))
    const { added, removed, renamed } = await json()
    expect([names(added), names(removed), renamed]).toEqual([['four', 'medal', 'three'], ['badge', 'one', 'two'], []])
  })
})

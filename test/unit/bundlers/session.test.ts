import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { soon } from '../../support/long.js'
import { openSession } from '../../../src/bundlers/session/session.js'
import { writeSpace, type SpaceFolder } from '../../support/space.js'

const conflict = '<<<<<<< ours\n=======\n>>>>>>> theirs\n'

let space: SpaceFolder
let lockfile: string
beforeEach(async () => {
  space = await writeSpace({})
  lockfile = join(space.folder, 'content-space.lock.json')
  await writeFile(lockfile, 'not a lockfile')
})
afterEach(() => space.remove())

function open(command: 'build' | 'serve') {
  const session = openSession({ space: space.folder, lockfile, types: false })
  session.configure({ root: space.folder, command, watches: false })
  const failure = () => session.engine().then(String, String)
  return { session, failure }
}

test('the loads of a build share a failure, and the next build tries again', async () => {
  const { session, failure } = open('build')
  expect(await failure()).toMatch(/is not valid JSON/)
  await writeFile(lockfile, conflict)
  expect(await Promise.all([failure(), failure()])).toEqual(Array(2).fill(expect.stringMatching(/is not valid JSON/)))
  await session.start()
  expect(await failure()).toMatch(/merge conflict/)
  await rm(lockfile)
  await session.start()
  const opened = await session.engine()
  await session.start()
  expect(await session.engine()).toBe(opened)
  await session.close()
})

test('a dev server, which has one build, tries again after a while', async () => {
  const { session, failure } = open('serve')
  expect(await failure()).toMatch(/is not valid JSON/)
  await rm(lockfile)
  expect(await failure()).toMatch(/is not valid JSON/)
  await vi.waitFor(() => session.engine(), soon)
  await session.close()
})

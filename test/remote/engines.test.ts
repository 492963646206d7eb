import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { serveSpace, type ServedSpace } from '../support/space.js'
import { engines, type Engine, type EngineName } from './support/engines.js'
import { key, kitOf, newRunner, type Runner } from './support/runner.js'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

async function serve(count: number): Promise<ServedSpace> {
  const space = await kitOf(count)
  const served = await serveSpace(space.folder, { rateLimit: false })
  cleanups.push(space.remove, served.close)
  return served
}

async function start(name: EngineName): Promise<Engine> {
  const engine = await engines[name]()
  cleanups.push(engine.stop)
  return engine
}

async function runner(...args: Parameters<typeof newRunner>): Promise<Runner> {
  const made = await newRunner(...args)
  cleanups.push(made.remove)
  return made
}

const lockOf = ({ root }: Runner): Promise<string> => readFile(join(root, 'content-space.lock.json'), 'utf8')

describe.each<EngineName>(['redis', 'nginx', 's3'])('%s', (name) => {
  test('gives a cold runner everything, without a request to the service', async () => {
    const service = await serve(12)
    const { remote } = await start(name)
    const first = await runner(service.options, { remote, remoteKey: key, remoteWrite: true })
    const written = await first.build()
    expect(written.warnings).toEqual([])
    expect(written.summary).toContain('14 files: 0 local, 0 remote, 14 downloaded')
    const asked = service.requests.length
    const second = await runner(service.options, { remote, remoteKey: key }, await lockOf(first))
    const read = await second.build({ frozen: true })
    expect(read).toMatchObject({ output: written.output, warnings: [] })
    expect(read.summary).toContain('14 files: 0 local, 14 remote, 0 downloaded')
    expect(service.requests.slice(asked)).toEqual([])
    expect((await second.build()).summary).toContain('14 files: 14 local, 0 remote, 0 downloaded')
    expect(service.requests.slice(asked)).toEqual([])
  })
})

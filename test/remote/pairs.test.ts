import { expect, onTestFinished, test } from 'vitest'
import * as v from 'valibot'
import { project } from '../support/cli.js'
import { lockOf, runner, serve, start } from './support/setup.js'

const pair = v.object({ key: v.string(), publicKey: v.string() })

/** Makes a pair of keys as a user would. */
async function keygen() {
  const work = await project({})
  onTestFinished(() => work.remove())
  const { code, stdout, stderr } = await work.run('cache', 'keygen', '--json')
  expect([code, stderr]).toEqual([0, ''])
  return v.parse(pair, JSON.parse(stdout))
}

test('cache keygen prints two variables', async () => {
  const work = await project({})
  onTestFinished(() => work.remove())
  const { stdout } = await work.run('cache', 'keygen')
  expect(stdout).toMatch(/^CONTENT_SPACE_REMOTE_KEY=[\w-]+\nCONTENT_SPACE_REMOTE_PUBLIC_KEY=[\w-]+\n$/)
})

test('those who have the public key read everything, and can forge nothing', async () => {
  const service = await serve(6)
  const engine = await start('nginx')
  const { remote } = engine
  const { key, publicKey } = await keygen()
  const main = await runner(service.options, { remote, remoteKey: key, remoteWrite: true })
  const { output, warnings } = await main.build()
  expect(warnings).toEqual([])
  const lock = await lockOf(main)
  const asked = service.requests.length
  const reader = await runner(service.options, { remote, remotePublicKey: publicKey }, lock)
  const read = await reader.build({ frozen: true })
  expect(read).toMatchObject({ output, warnings: [], summary: expect.stringContaining('0 local, 8 remote, 0 down') })
  expect(service.requests.length).toBe(asked)
  // A fork with write access and its own keys.
  const forged = await start('nginx')
  const fork = await runner(service.options, {
    remote: forged.remote,
    remoteKey: (await keygen()).key,
    remoteWrite: true,
  })
  await fork.build()
  const victim = await runner(service.options, { remote: forged.remote, remotePublicKey: publicKey }, lock)
  const built = await victim.build({ frozen: true })
  expect(built).toMatchObject({ output, warnings: [expect.stringContaining('not signed with this key')] })
})

test('a machine with the public key that may write, writes only what the lockfile pins', async () => {
  const service = await serve(6)
  const { remote } = await start('nginx')
  const { key, publicKey } = await keygen()
  const writer = await runner(service.options, { remote, remotePublicKey: publicKey, remoteWrite: true })
  const { output } = await writer.build()
  const reader = await runner(service.options, { remote, remoteKey: key }, await lockOf(writer))
  expect(await reader.build()).toMatchObject({ output, warnings: [] })
})

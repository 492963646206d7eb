import { EventEmitter, once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { soon } from '../../support/long.js'
import { createWaiting } from '../../../src/bundlers/session/waiting.js'

const service = (label: string) => ({ label, local: false })

test('prints the duration of the step that was mentioned, not of the step that ended last', async () => {
  const lines: string[] = []
  const waiting = createWaiting((line) => lines.push(line))
  const [slow, quick] = [new EventEmitter(), new EventEmitter()]
  const mentioned = waiting.during(service('https://slow.example'), 'kit brand', () => once(slow, 'end'))
  await vi.waitFor(
    () => expect(lines).toEqual([expect.stringMatching(/waiting for .*slow\.example \(kit brand, /)]),
    soon,
  )
  const last = waiting.during(service('https://quick.example'), 'kit icons', () => once(quick, 'end'))
  slow.emit('end')
  await mentioned
  quick.emit('end')
  await last
  expect(lines.slice(1)).toEqual([expect.stringMatching(/https:\/\/slow\.example answered after [1-9]\d* s$/)])
})

test("doesn't print a duration if the step that was mentioned has failed", async () => {
  const lines: string[] = []
  const waiting = createWaiting((line) => lines.push(line))
  const slow = new EventEmitter()
  const mentioned = waiting.during(service('https://slow.example'), 'kit brand', () => once(slow, 'end'))
  await vi.waitFor(() => expect(lines).toHaveLength(1), soon)
  slow.emit('error', new Error('refused'))
  await expect(mentioned).rejects.toThrow('refused')
  expect(lines).toHaveLength(1)
})

test("doesn't report steps on a folder", async () => {
  const lines: string[] = []
  const waiting = createWaiting((line) => lines.push(line))
  const [folder, slow] = [new EventEmitter(), new EventEmitter()]
  const converted = waiting.during({ label: '/project/space', local: true }, 'kit brand', () => once(folder, 'end'))
  const answered = waiting.during(service('https://slow.example'), 'kit brand', () => once(slow, 'end'))
  await vi.waitFor(() => expect(lines).toEqual([expect.stringContaining('waiting for https://slow.example')]), soon)
  for (const step of [folder, slow]) step.emit('end')
  await Promise.all([converted, answered])
  expect(lines.join()).not.toContain('/project/space')
})

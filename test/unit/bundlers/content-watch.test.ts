import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { watchContent } from '../../../src/bundlers/session/content-watch.js'
import { createHost } from '../../../src/bundlers/session/host.js'
import { createLiveTexts } from '../../../src/bundlers/session/live-texts.js'
import { ContentSpaceError } from '../../../src/errors.js'

test('a check that fails for another reason is reported too, and each reason only once', async () => {
  const lines: string[] = []
  const say = (line: string): void => void lines.push(line)
  const { host, configure } = createHost({ root: tmpdir() })
  configure({ command: 'serve', log: { info: say, warn: say } })
  let error: ContentSpaceError | undefined
  const engine = {
    catalog: { refresh: () => Promise.resolve({ changed: false, kits: [], error }) },
    options: { space: { url: 'https://space.example' }, refresh: false, lockfile: false },
  }
  const watch = watchContent({
    options: {},
    host,
    isShown: () => true,
    texts: createLiveTexts(),
    engine: () => Promise.resolve(Object(engine)),
    forgetFailure() {},
    reopen: () => Promise.resolve(Object(engine)),
    onChange() {},
  })
  const away = new ContentSpaceError('unreachable', 'The service is away.')
  const refused = new ContentSpaceError('unauthorized', 'The token is wrong.')
  for (error of [away, away, refused, away, refused, undefined, undefined, refused]) await watch.check()
  expect(lines).toEqual([
    expect.stringContaining('The service is away.'),
    expect.stringContaining('The token is wrong.'),
    'content-space: The check for new content works again.',
    expect.stringContaining('The token is wrong.'),
  ])
  await watch.stop()
})

test('a check succeeds again only when texts that need a kit that was never loaded can be made', async () => {
  const lines: string[] = []
  const say = (line: string): void => void lines.push(line)
  const { host, configure } = createHost({ root: tmpdir() })
  configure({ command: 'serve', log: { info: say, warn: say } })
  const texts = createLiveTexts()
  let isAway = true
  // As the client throws it after its retries.
  const away = new ContentSpaceError('unreachable', 'The service is away.', { retryable: false })
  const make = (): Promise<string> => (isAway ? Promise.reject(away) : Promise.resolve('text'))
  await texts.get('kit', { marker: 'kit' }, make).catch(() => {})
  // It hasn't loaded any kit, so its check doesn't send any requests.
  const engine = {
    catalog: { refresh: () => Promise.resolve({ changed: false, kits: [] }) },
    options: { space: { url: 'https://space.example' }, refresh: false, lockfile: false },
  }
  const watch = watchContent({
    options: {},
    host,
    isShown: () => true,
    texts,
    engine: () => Promise.resolve(Object(engine)),
    forgetFailure() {},
    reopen: () => Promise.resolve(Object(engine)),
    onChange() {},
  })
  await watch.check()
  await watch.check()
  const failed = expect.stringMatching(/The service is away\.[\s\S]*The check for new content failed\./)
  expect(lines).toEqual([failed])
  isAway = false
  await watch.check()
  expect(lines).toEqual([failed, 'content-space: The check for new content works again.'])
  await watch.stop()
})

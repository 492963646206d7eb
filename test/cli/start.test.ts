import { expect, test } from 'vitest'
import { loadedModules } from '../support/loaded-modules.js'

test.each(['--version', '-V'])('%s loads no library and no command', async (flag) => {
  const { packages, own } = await loadedModules(['dist/cli/bin.js', flag])
  expect(packages).toEqual([])
  expect(own).toEqual(['cli/bin', 'cli/main', 'cli/terminal', 'errors', 'print', 'text/display', 'text/omit-undefined'])
})

test('a command loads commander, and no other command', async () => {
  const { packages, bundled, own } = await loadedModules(['dist/cli/bin.js', 'verify', '--help'])
  expect(packages).toEqual([])
  expect(bundled).toContain('commander')
  expect(own).toContain('cli/verify')
  expect(own).not.toContain('cli/pull')
})

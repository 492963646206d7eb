import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { timeFor } from './support/long.js'

test('the demo is built, with its kit browser', { timeout: timeFor(2) }, async () => {
  const out = await mkdtemp(join(tmpdir(), 'content-space-demo-'))
  onTestFinished(() => rm(out, { recursive: true, force: true }))
  const { stdout } = await promisify(execFile)(process.execPath, [
    'node_modules/jiti/lib/jiti-cli.mjs',
    'playground/demo.ts',
    '--out',
    out,
  ])
  expect(stdout).toMatch(/^content-space: \d+ files .*from Solvane Brand /m)
  const page = await readFile(join(out, 'index.html'), 'utf8')
  const emitted = await readdir(join(out, 'assets'))
  for (const [, name] of page.matchAll(/(?:src|href)="\.\/assets\/([^"]+)"/g)) expect(emitted).toContain(name)
  expect(emitted.filter((name) => /\.(?:svg|webp|avif|jpg)$/.test(name)).length).toBeGreaterThan(20)
  expect(await readdir(join(out, 'kit'))).toContain('index.html')
})

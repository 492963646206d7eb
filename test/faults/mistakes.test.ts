import { expect, test } from 'vitest'
import { project } from '../support/cli.js'
import { svg } from '../support/space.js'
import { inImports } from './mistakes/in-imports.js'
import { inCommands, inOptions } from './mistakes/in-options.js'

const mistakes = [...inImports, ...inOptions, ...inCommands]

test('the list has fifty mistakes', () => {
  expect(new Set(mistakes.map(({ mistake }) => mistake)).size).toBeGreaterThanOrEqual(50)
})

test.each(mistakes)('who $mistake reads what is wrong, where, and what to do', async (made) => {
  const { source, files, env = {}, command = ['sync'], code, fact, place, step } = made
  const work = await project(
    {
      'package.json': '{ "private": true }',
      'content-space.config.json': JSON.stringify({ space: './space', kits: { brand: 'brand' } }),
      'space/brand/kit.json': '{ "name": "Brand" }',
      'space/brand/Logos/Primary/acme-logo.svg': svg('logo'),
      'space/brand/Logos/Primary/colorful.svg': svg('colorful').replace(
        '<path',
        '<path fill="#f00" d="M0 0h1v1z"/><path fill="#00f"',
      ),
      'space/brand/Logos/twin.svg': svg('twin'),
      'space/brand/Icons/twin.svg': svg('other'),
      'space/brand/Colors/coral.json': '{ "color": "#E5603F" }',
      'src/main.ts': `${source ?? `import { acmeLogo } from 'content-space:kit/brand'; acmeLogo`}\n`,
      ...files,
    },
    env,
  )
  const { code: exit, stderr } = await work.run(...command)
  expect(stderr).toMatch(code === 'usage' ? /^error: / : new RegExp(`^error\\[${code}\\]: `))
  expect(exit).toBe(code === 'usage' ? 2 : 1)
  for (const text of [fact, place, step]) expect(stderr).toMatch(text)
  // The output contains neither a stack nor meaningless values.
  expect(stderr).not.toMatch(/^ +at |undefined|\[object|NaN/m)
  await work.remove()
})

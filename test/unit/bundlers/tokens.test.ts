import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fillTokens, tokenReferences } from '../../../src/bundlers/tokens.js'
import type { FileDescriptor } from '../../../src/files/plan.js'

const logo: FileDescriptor = { asset: 'A', label: 'Lögo "x"', name: 'logo', ext: 'svg', type: 'SVG' }
const icon: FileDescriptor = { ...logo, asset: 'B', name: 'icon' }
const address = (file: FileDescriptor) => tokenReferences.address(file).code
const inner = (file: FileDescriptor) => address(file).slice(1, -1)

const fill = async (code: string, goal: 'module' | 'script' = 'module') =>
  (await fillTokens(code, goal, async (slot) => () => ('file' in slot ? `url("${slot.file.name}")` : JSON.stringify(slot.value.as))))?.toString()

test.each([
  ['a string', `f(${address(logo)})`, 'f(url("logo"))'],
  ['single quotes', `f('${inner(logo)}')`, 'f(url("logo"))'],
  ['twice', `[${address(logo)}, ${address(icon)}, ${address(logo)}]`, '[url("logo"), url("icon"), url("logo")]'],
  ['a folded srcset', `s = "${inner(logo)} 1x, ${inner(icon)} 2x"`, 's = (url("logo") + " 1x, " + url("icon") + " 2x")'],
  ['folded with escapes', `s = 'it\\'s ${inner(logo)}'`, 's = ("it\'s " + url("logo"))'],
  ['a template', `s = \`\${a} "${inner(logo)}" 1x\``, 's = `${a} "${url("logo")}" 1x`'],
  ['after quotes in comments and regular expressions', `/"/; // it's\nf(${address(logo)})`, `/"/; // it's\nf(url("logo"))`],
])('fills %s', async (_, code, expected) => {
  expect(await fill(code)).toBe(expected)
})

test('fills values', async () => {
  const { code } = await tokenReferences.value({ file: logo, as: 'raw' })
  expect(await fill(`export default ${code}`)).toBe('export default "raw"')
})

test('fills scripts that are no modules', async () => {
  expect(await fill(`with (x) f(${address(logo)})`, 'script')).toBe('with (x) f(url("logo"))')
})

test('fills in the order of the chunk, whatever comes first', async () => {
  const order: string[] = []
  await fillTokens(`[${address(logo)}, ${address(icon)}]`, 'module', async (slot) => {
    const name = 'file' in slot ? slot.file.name : ''
    if (name === 'logo') await setImmediate()
    order.push(`fetched ${name}`)
    return () => {
      order.push(name)
      return '0'
    }
  })
  expect(order).toEqual(['fetched icon', 'fetched logo', 'logo', 'icon'])
})

test('leaves a chunk without tokens alone', async () => {
  expect(await fill('f("__CONTENT_SPACE_")')).toBeUndefined()
})

test('refuses to leave a token behind', async () => {
  await expect(fill(`f(${address(logo)}`)).rejects.toThrow('could not be parsed')
})

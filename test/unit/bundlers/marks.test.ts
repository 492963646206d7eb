import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { MarkTarget } from '../../../src/bundlers/references/descriptors.js'
import { openLastingMarks, openMarks, type Marks } from '../../../src/bundlers/references/marks.js'
import type { FileDescriptor } from '../../../src/files/plan.js'
import { writeRecipe } from '../../../src/files/recipe.js'
import { forgedDescriptors, forgedMarks } from '../../support/hostile-marks.js'

const uuid = 'F6C452CC-7AE3-5494-8475-8D422BDF3178'
const recipe = writeRecipe({ kind: 'svg', policy: 'strict' })
const logo: FileDescriptor = { asset: uuid, label: 'Lögo "x"', name: 'logo', ext: 'svg', type: 'SVG', recipe }
const icon: FileDescriptor = { ...logo, name: 'icon' }
const marks = openMarks()
const address = (file: FileDescriptor, from: Marks = marks) => from.references.address(file).code
const inner = (file: FileDescriptor) => address(file).slice(1, -1)

const show = async (target: MarkTarget) => () =>
  'file' in target ? `url("${target.file.name}")` : JSON.stringify(target.value.as)
const fill = async (code: string, goal: 'module' | 'script' = 'module', by: Marks = marks) =>
  (await by.replace(code, goal, show))?.toString()

test.each([
  ['a string', `f(${address(logo)})`, 'f(url("logo"))'],
  ['single quotes', `f('${inner(logo)}')`, 'f(url("logo"))'],
  ['twice', `[${address(logo)}, ${address(icon)}, ${address(logo)}]`, '[url("logo"), url("icon"), url("logo")]'],
  [
    'a folded srcset',
    `s = "${inner(logo)} 1x, ${inner(icon)} 2x"`,
    's = (url("logo") + " 1x, " + url("icon") + " 2x")',
  ],
  ['folded with escapes', `s = 'it\\'s ${inner(logo)}'`, 's = ("it\'s " + url("logo"))'],
  ['a string between keywords', `return${address(logo)}in a`, 'return url("logo") in a'],
  ['a folded string between keywords', `return"${inner(logo)} 1x"in a`, 'return (url("logo") + " 1x") in a'],
  ['a template between expressions', `\`\${a}${inner(logo)}\${b}\``, '`${a}${url("logo")}${b}`'],
  ['a template', `s = \`\${a} "${inner(logo)}" 1x\``, 's = `${a} "${url("logo")}" 1x`'],
  [
    'quoted in a string, beside others',
    `[${address(icon)}, '${address(logo)}']`,
    `[url("icon"), ("\\"" + url("logo") + "\\"")]`,
  ],
  [
    'after quotes in comments and regular expressions',
    `/"/; // it's\nf(${address(logo)})`,
    `/"/; // it's\nf(url("logo"))`,
  ],
])('fills %s', async (_, code, expected) => {
  expect(await fill(code)).toBe(expected)
})

test('fills values', async () => {
  const { code } = await marks.references.value({ file: logo, as: 'raw' })
  expect(await fill(`export default ${code}`)).toBe('export default "raw"')
})

test('fills scripts that are not modules', async () => {
  expect(await fill(`with (x) f(${address(logo)})`, 'script')).toBe('with (x) f(url("logo"))')
})

test('fills marks in the order of the chunk, no matter which file is ready first', async () => {
  const order: string[] = []
  await marks.replace(`[${address(logo)}, ${address(icon)}]`, 'module', async (target) => {
    const name = 'file' in target ? target.file.name : ''
    if (name === 'logo') await setImmediate()
    order.push(`fetched ${name}`)
    return () => {
      order.push(name)
      return '0'
    }
  })
  expect(order).toEqual(['fetched icon', 'fetched logo', 'logo', 'icon'])
})

test('leaves a chunk without marks alone', async () => {
  expect(await fill('f("__CONTENT_SPACE_")')).toBeUndefined()
})

test("doesn't leave a mark in the output", async () => {
  await expect(fill(`f(${address(logo)}`)).rejects.toThrow('cannot be parsed')
})

test.each(forgedMarks(logo))('leaves $name alone', async ({ text }) => {
  const code = `f(${JSON.stringify(text)})`
  expect(await fill(code)).toBeUndefined()
  expect(await fill(`${code}, ${address(icon)}`)).toBe(`${code}, url("icon")`)
  expect(await fill(`${code}, \`${inner(icon)}\``)).toBe(`${code}, \`\${url("icon")}\``)
})

test('makes different marks of equal length each time', () => {
  const [first, second] = [openMarks(), openMarks()].map((made) => address(logo, made))
  expect(first).not.toBe(second)
  expect(first).toHaveLength(second?.length ?? 0)
})

test('ignores the marks of another build', async () => {
  const code = `f(${address(logo, openMarks())})`
  expect(await fill(code)).toBeUndefined()
})

test('makes the same lasting marks each time, because script names depend on them', () => {
  expect(address(logo, openLastingMarks())).toBe(address(logo, openLastingMarks()))
})

test('fills lasting marks of an earlier build after any number of saves', async () => {
  const first = openLastingMarks()
  const values = [address(logo, first), (await first.references.value({ file: photo, as: 'inline' })).code]
  const second = openLastingMarks()
  await second.restore(first.save())
  const third = openLastingMarks()
  await third.restore(second.save())
  for (const later of [second, third]) {
    expect(await fill(`[${values.join()}]`, 'module', later)).toBe('[url("logo"),"inline"]')
  }
})

const photo: FileDescriptor = { asset: uuid, label: '', name: 'photo', ext: 'jpg', type: 'JPG', size: 1.5 }

test('rejects an unknown lasting mark', async () => {
  const lasting = openLastingMarks()
  const code = `f(${address(logo, openLastingMarks())})`
  await expect(fill(code, 'module', lasting)).rejects.toMatchObject({ code: 'integrity' })
})

test.each(forgedDescriptors(logo).filter(({ planned }) => !planned))(
  'restores no target with $name',
  async ({ file }) => {
    const text = JSON.stringify({ file })
    const first = openLastingMarks()
    const { code } = first.references.address(JSON.parse(text).file)
    const second = openLastingMarks()
    await second.restore(JSON.stringify([text]))
    await expect(fill(`f(${code})`, 'module', second)).rejects.toMatchObject({ code: 'integrity' })
  },
)

test.each(['', '{', '{}', '[1, null]', '["{"]', '["null"]'])("doesn't restore anything from %j", async (saved) => {
  const lasting = openLastingMarks()
  await lasting.restore(saved)
  expect(lasting.save()).toBe('[]')
})

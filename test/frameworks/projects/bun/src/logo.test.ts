import { expect, test } from 'bun:test'
import { solvaneLogo } from 'content-space:kit/brand'

test('the logo is a file', async () => {
  expect(await Bun.file(new URL(solvaneLogo.src)).text()).toContain('<svg')
})

test("an import that isn't in the source is an error that mentions option scan", async () => {
  const id = ['content-space:asset', 'brand', 'leaf'].join('/')
  await expect(import(id)).rejects.toThrow('`scan`')
})

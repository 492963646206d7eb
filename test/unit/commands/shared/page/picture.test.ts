import sharp from 'sharp'
import { expect, test } from 'vitest'
import { groundOf } from '../../../../../src/commands/shared/page/picture.js'

const drawing = (shapes: string): Promise<Buffer> =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">${shapes}</svg>`))
    .webp()
    .toBuffer()

test.each<[string, string, 'light' | 'dark' | undefined]>([
  ['a white logo', '<circle cx="50" cy="50" r="30" fill="#fff"/>', 'dark'],
  [
    'a white logo with an orange mark',
    '<path d="M0 0h20v20H0z" fill="#f90"/><path d="M40 0h60v20H40z" fill="#fff"/>',
    'dark',
  ],
  ['a black logo', '<circle cx="50" cy="50" r="30"/>', 'light'],
  [
    'a dark badge with white letters',
    '<circle cx="50" cy="50" r="45"/><path d="M40 40h20v20H40z" fill="#fff"/>',
    'light',
  ],
  ['a pale yellow that white hides', '<path d="M0 0h50v50H0z" fill="#fffbe0"/>', 'dark'],
  ['a color that both grounds show', '<path d="M0 0h50v50H0z" fill="#1f7a78"/>', 'light'],
  ['a picture without transparent parts', '<path d="M0 0h200v100H0z" fill="#fff"/>', undefined],
  ['an empty drawing', '', 'light'],
])('chooses the ground of %s', async (_, shapes, ground) => {
  expect(await groundOf(await drawing(shapes))).toBe(ground)
})

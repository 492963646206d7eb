import { expect } from 'vitest'
import { look } from './look.js'

/**
 * Checks the page that several projects render: a logo, a picture with sizes and formats, a picture that only the
 * server imports, and an inline drawing.
 * @param ignore problems of the framework itself
 */
export async function expectPage(url: string, ignore: RegExp[] = []): Promise<void> {
  const { pictures, problems, markup } = await look(url, { ignore })
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Logo', 636],
    ['Coast At Dawn', 400],
    ['Dunes At Noon', 240],
  ])
  expect(pictures[1]?.src).toMatch(/coast-at-dawn.*\.webp$/)
  expect(markup.client['page']).toContain('<svg')
  expect(markup.client['page']).toBe(markup.server['page'])
}

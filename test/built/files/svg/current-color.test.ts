import { describe, expect, test } from 'vitest'
import { openFiles, planned } from '../../../support/files.js'

const asset = { type: 'SVG', width: 24, height: 24, name: 'Sun' }

async function drawn(content: string, root = '', query = 'as=raw&currentcolor'): Promise<string> {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"${root}>${content}</svg>`
  const { value } = planned(asset, query)
  const files = await openFiles({ SVG: Buffer.from(text) })
  const raw = value ? await files.value(value) : ''
  return raw.replace(' xmlns="http://www.w3.org/2000/svg"', '').replace(' viewBox="0 0 24 24"', '')
}

const path = '<path d="M0 0h9v9z"/>'

describe('the color of a drawing', () => {
  test.each([
    ['black by default', path, '', `<svg fill="currentColor">${path}</svg>`],
    ['of an attribute', path, ' fill="#e5603f"', `<svg fill="currentColor">${path}</svg>`],
    [
      'of lines',
      '<path d="M0 0h9" stroke="#123"/><path d="M9 9" stroke="rgb(17, 34, 51)"/>',
      ' fill="none"',
      '<svg fill="none"><path d="M0 0h9" stroke="currentColor"/><path d="M9 9" stroke="currentColor"/></svg>',
    ],
    [
      'of a style sheet',
      '<style>.a{fill:#123}</style><path class="a" d="M9 9"/><path fill="none" d="M0 0"/>',
      '',
      '<svg><path d="M9 9" fill="currentColor"/><path fill="none" d="M0 0"/></svg>',
    ],
    [
      'of a gradient, with its opacity',
      '<linearGradient id="g"><stop/><stop offset="1" stop-color="#0000"/></linearGradient><path fill="url(#g)" d="M9 9"/>',
      '',
      /<stop stop-color="currentColor"\/><stop offset="1" stop-color="#0000"\/>.*<path fill="url\(#c[\da-f]+-g\)" d="M9 9"\/>/,
    ],
    ['with an opacity', path, ' fill="#00000080"', /fill="color-mix\(in srgb,currentColor 50\.2%,transparent\)"/],
    [
      'of an animation',
      '<path d="M9 9" fill="#123"><animate attributeName="fill" values="#123;none" dur="1s"/></path>',
      '',
      /<animate attributeName="fill" values="currentColor;none" dur="1s"\/>/,
    ],
    ['that it has already', path, ' fill="currentColor"', `<svg fill="currentColor">${path}</svg>`],
    [
      'where it is used',
      `<defs><path id="a" d="M9 9"/></defs><use href="#a" fill="#123"/>`,
      '',
      /<path id="(c[\da-f]+)-a" d="M9 9"\/><\/defs><use href="#\1-a" fill="currentColor"\/>/,
    ],
  ])('%s becomes that of the text', async (_, content, root, expected) => {
    const result = await drawn(content, root)
    if (typeof expected === 'string') expect(result).toBe(expected)
    else expect(result).toMatch(expected)
  })

  test('does not change how much masks hide', async () => {
    const content = `<mask id="m"><rect width="24" height="24" fill="#fff"/>${path}</mask><clipPath id="c">${path}</clipPath><g mask="url(#m)" clip-path="url(#c)">${path}</g>`
    expect(await drawn(content)).toMatch(
      /^<svg fill="currentColor"><mask id="c[\da-f]+-m" fill="#000"><rect width="24" height="24" fill="#fff"\/>/,
    )
    expect(await drawn(content, ' fill="#123"')).toMatch(/<mask id="c[\da-f]+-m" fill="#123">/)
  })

  test.each([
    [
      'of what masks also use',
      `<path id="a" fill="#123" d="M9 9"/><clipPath id="c"><use href="#a"/></clipPath>`,
      /<path id="c[\da-f]+-a" fill="currentColor" d="M9 9"\/>/,
    ],
    ...['fade', 'added', 'very dark', '12px', ''].map((value): [string, string, RegExp] => [
      `by default, with a fill that is no color (${value}),`,
      `<path fill="${value}" d="M9 9"/>`,
      /^<svg fill="currentColor">/,
    ]),
    [
      'by default, with such a fill in its style,',
      `<path style="fill:#12" d="M9 9"/><path style="fill:fade" d="M9 9"/>`,
      /^<svg fill="currentColor">/,
    ],
    [
      'beside a stroke that is no color,',
      `<path fill="none" stroke="bad" d="M9 9"/><path fill="#123" stroke="none" d="M9 9"/>`,
      /stroke="bad" d="M9 9"\/><path fill="currentColor" stroke="none"/,
    ],
    ['in a fallback', `<path fill="var(--x,var(--y,#123))" d="M9 9"/>`, /fill="var\(--x,var\(--y,currentColor\)\)"/],
    [
      'in a fallback of a style sheet',
      '<style>.a{fill:var(--x,#123)}.a:hover{fill:none}</style><path class="a" d="M9 9"/>',
      /\{fill:var\(--x,currentColor\)\}/,
    ],
    [
      'by default, with a rule for some media',
      `<style>@media print{path{fill:none}}</style>${path}`,
      /^<svg fill="currentColor"[^>]*>/,
    ],
  ])('%s becomes that of the text, too', async (_, content, expected) => {
    expect(await drawn(content)).toMatch(expected)
  })

  test('does not change gradients of gradients of masks', async () => {
    const content = `<linearGradient id="h"><stop stop-color="#fff"/></linearGradient><linearGradient id="g" href="#h"/>
      <mask id="m"><path fill="url(#g)" d="M9 9"/></mask><g mask="url(#m)"><path fill="#123" d="M9 9"/></g>`
    expect(await drawn(content)).toMatch(/<stop stop-color="#fff"\/>.*fill="currentColor"/s)
  })

  test.each([
    ['#123 and red', `<path fill="#123" d="M9 9"/><path stroke="red" fill="none" d="M9 9"/>`, /colors.*: #123, red\./s],
    ['black by default and red', `${path}<path fill="red" d="M9 9"/>`, /: black, red\./],
    ['in a style sheet', `<style>.a{fill:#123}.a:hover{fill:#456}</style><path class="a"/>`, /: #123, #456\./],
    ['by default, and for some media', `<style>@media print{path{fill:red}}</style>${path}`, /: black, red\./],
    ['by default, and in a state', `<style>path:hover{fill:red}</style>${path}`, /: black, red\./],
    ['by default, and for print', `<style media="print">path{fill:red}</style>${path}`, /: black, red\./],
    ['in a fallback', `<path fill="var(--x,red)" d="M9 9"/><path fill="#123" d="M9 9"/>`, /: red, #123\./],
    ['of a picture', '<image href="data:image/png;base64,iVBORw0KGgo="/>', /: an embedded picture\./],
  ])('is an error if there are several: %s', async (_, content, says) => {
    await expect(drawn(content)).rejects.toMatchObject({
      code: 'conversionFailed',
      message: expect.stringMatching(says),
      hint: expect.stringContaining('currentcolor'),
    })
    await expect(drawn(content, '', 'as=react&currentcolor')).rejects.toThrow(/^Sun has several colors/)
    // Bundlers would print the conversion's error as the cause, but it says that the file may be damaged.
    await expect(drawn(content)).rejects.not.toHaveProperty('cause')
  })
})

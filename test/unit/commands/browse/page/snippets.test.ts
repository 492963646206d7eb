import { expect, test } from 'vitest'
import type { Parameter } from '../../../../../src/commands/shared/kit-page/data.js'
import { createModel } from '../../../../../src/commands/shared/kit-page/model.js'
import { choicesOf, choose, enter, formatQuery } from '../../../../../src/commands/shared/kit-page/query.js'
import { assetId, snippetsOf } from '../../../../../src/commands/shared/kit-page/snippets.js'
import { webAddress } from '../../../../../src/commands/browse/page/text.js'
import { asset, kit } from './kit.js'

const logo = asset('Acme Logo', { component: 'AcmeLogo', cuts: ['png'] })
const twins = [asset('Sun'), asset('Sun')]
const coral = asset('Coral', { kind: 'color', type: 'COLOR', token: 'coral' })
const model = createModel(kit(logo, ...twins, coral))

test('has a line of code for each use', () => {
  expect(snippetsOf(model, logo, 'react').map(({ code }) => code)).toEqual([
    "import { acmeLogo } from 'content-space:kit/brand'",
    "import acmeLogo from 'content-space:asset/brand/acme-logo'",
    "import { AcmeLogo } from 'content-space:kit/brand?as=react'",
    'url("content-space:asset/brand/acme-logo")',
    '<link rel="icon" href="content-space:app-icons/brand/acme-logo">',
  ])
  expect(snippetsOf(model, coral).map(({ code }) => code)).toEqual([
    'colors.coral',
    "import { colors } from 'content-space:tokens/brand'",
    'var(--brand-coral)',
    "import { coral } from 'content-space:kit/brand'",
  ])
})

test('names assets with the same slug by uuid', () => {
  expect(twins.map((one) => assetId(model, one))).toEqual(twins.map(({ uuid }) => `content-space:asset/brand/${uuid}`))
})

const parameters: Parameter[] = [
  { key: 'as', values: ['asset', 'url'], description: '' },
  { key: 'cut', description: '' },
  { key: 'format', values: ['avif', 'webp'], isList: true, description: '' },
  { key: 'greyscale', isFlag: true, description: '' },
  { key: 'svgo', isFlag: true, description: '' },
  { key: 'w', isList: true, description: '' },
]
const named = (key: string): Parameter =>
  parameters.find((parameter) => parameter.key === key) ?? { key, description: '' }

test('makes a query by choosing', () => {
  let chosen = choose({}, named('w'), '1280')
  chosen = choose(chosen, named('w'), '640')
  chosen = choose(chosen, named('as'), 'url')
  chosen = choose(chosen, named('as'), 'asset')
  chosen = choose(chosen, named('greyscale'))
  expect(formatQuery(parameters, chosen)).toBe('w=640;1280&as=asset&greyscale')
  chosen = choose(choose(chosen, named('w'), '640'), named('greyscale'))
  expect(formatQuery(parameters, chosen)).toBe('w=1280&as=asset')
  expect(formatQuery(parameters, enter({}, named('w'), ' 10, 20;30 '))).toBe('w=10;20;30')
  expect(formatQuery(parameters, enter({}, named('cut'), 'a&b=c'))).toBe('cut=a%26b%3Dc')
})

test('offers what an asset can have', () => {
  const photo = asset('Photo', { type: 'JPG', width: 1000 })
  const keys = (one: typeof photo) => choicesOf(parameters, one).map(({ key, offered }) => [key, offered.length])
  expect(keys(logo)).toEqual([
    ['w', 6],
    ['format', 2],
    ['cut', 2],
    ['as', 2],
    ['svgo', 0],
    ['greyscale', 0],
  ])
  expect(keys(photo)).toEqual([
    ['w', 3],
    ['format', 2],
    ['as', 2],
    ['greyscale', 0],
  ])
})

test('links to addresses of the web only', () => {
  expect(webAddress('https://example.com/a')).toBe('https://example.com/a')
  // eslint-disable-next-line no-script-url
  for (const text of ['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', '//example.com', '', undefined])
    expect(webAddress(text)).toBeUndefined()
})

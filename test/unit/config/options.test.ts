import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ContentSpaceError } from '../../../src/errors.js'
import type { Options } from '../../../src/config/options.js'
import { resolveOptions } from '../../../src/config/resolve.js'

const uuid = '3BD9A1C2-0B1E-4F6D-8A77-0123456789AB'
const token = 'c4nary-t0ken'
let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'content-space-options-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const write = (name: string, text: string) => writeFile(join(root, name), text)
const resolve = (options: Options = {}, env: Record<string, string> = {}) =>
  resolveOptions(options, { root, mode: 'production', env })

async function refusal(options: unknown, env: Record<string, string> = {}): Promise<ContentSpaceError> {
  const host = { root, mode: 'production', env }
  const error: unknown = await resolveOptions(Object.assign({}, options), host).catch((reason: unknown) => reason)
  if (error instanceof ContentSpaceError) return error
  throw new Error(`Expected a refusal, not ${inspect(error)}`)
}

describe('defaults', () => {
  test('set every option', async () => {
    await mkdir(join(root, 'src'))
    expect(await resolve({ space: 'space' }, { CONTENT_SPACE_CACHE: 'cache' })).toMatchObject({
      root,
      mode: 'production',
      space: { folder: join(root, 'space') },
      full: false,
      types: join(root, 'src/content-space.d.ts'),
      lockfile: join(root, 'content-space.lock.json'),
      cacheDir: join(root, 'cache'),
      frozen: false,
      offline: false,
      strict: false,
      svg: 'sanitize',
      assetFileNames: 'assets/[name]-[hash][extname]',
      emitFiles: true,
      refresh: 30,
      concurrency: 32,
      rateLimit: { requests: 2000, seconds: 300 },
      timeout: 30_000,
      insecure: false,
    })
  })

  test('takes credentials without a scheme for an address, and rejects it without repeating it', async () => {
    for (const space of ['7:a-token@host', '42:a/to+ken@host/1/', '7:a-token@127.0.0.1:80']) {
      const error: unknown = await resolve({ space }).catch((caught: unknown) => caught)
      expect(error).toMatchObject({
        code: 'invalidOption',
        message: expect.stringContaining('not a valid http(s) URL'),
      })
      expect(inspect(error)).not.toContain('ken')
    }
    for (const space of ['my@space/a:b', 'C:/me@work', 'a/b:c@d'])
      expect((await resolve({ space })).space).toHaveProperty('folder')
  })

  test('place the types at the root when there is no src folder', async () => {
    expect((await resolve({ space: 'space' })).types).toBe(join(root, 'content-space.d.ts'))
    expect((await resolve({ space: 'space', types: 'types/content.d.ts' })).types).toBe(
      join(root, 'types/content.d.ts'),
    )
    expect(await resolve({ space: 'space', types: false, lockfile: false })).toMatchObject({
      types: false,
      lockfile: false,
    })
  })

  test('freeze an existing lock in CI only', async () => {
    const { frozen, warnings } = await resolve({ space: 'space' }, { CI: '1' })
    expect([frozen, warnings]).toEqual([false, [expect.stringMatching(/^There is no lockfile/)]])
    await write('content-space.lock.json', '{}')
    expect(await resolve({ space: 'space' }, { CI: '1' })).toMatchObject({ frozen: true, warnings: [] })
    expect((await resolve({ space: 'space', frozen: false }, { CI: '1' })).frozen).toBe(false)
    expect((await resolve({ space: 'space' }, { CI: '' })).frozen).toBe(false)
    expect((await resolve({ space: 'space', lockfile: false }, { CI: '1' })).frozen).toBe(false)
    await expect(resolve({ space: 'space', lockfile: false, frozen: true })).rejects.toMatchObject({
      code: 'invalidOption',
      hint: 'Remove option lockfile, or option frozen.',
    })
  })
})

describe('siteUrl', () => {
  test('is a web address', async () => {
    expect((await resolve({ space: 'space' })).siteUrl).toBeUndefined()
    expect((await resolve({ space: 'space', siteUrl: 'https://example.com/shop' })).siteUrl).toBe(
      'https://example.com/shop',
    )
    for (const siteUrl of ['', 'example.com', 'ftp://example.com', '/shop/']) {
      await expect(resolve({ space: 'space', siteUrl })).rejects.toThrow(/siteUrl must be an http or https address/)
    }
  })
})

const list = async () => ({ name: 'Icons', assets: [] })

class Listed {
  name = 'icons'
  list(): unknown {
    return list()
  }
}

describe('kits', () => {
  test('aliases name a kit and a version', async () => {
    const { kits } = await resolve({
      space: 'space',
      kits: { brand: uuid.toLowerCase(), icons: { kit: 'Icons', version: 2 }, draft: { kit: uuid, version: 'draft' } },
    })
    expect(Object.fromEntries(kits)).toEqual({
      brand: { kit: uuid, version: 'use' },
      icons: { kit: 'icons', version: 2 },
      draft: { kit: uuid, version: 0 },
    })
  })

  test('give names to assets', async () => {
    const { names } = await resolve({
      space: 'space',
      kits: { brand: { kit: uuid.toLowerCase(), names: { Sun: 'sunIcon', [uuid.toLowerCase()]: 'größe' } }, old: uuid },
    })
    expect(names).toEqual([
      {
        alias: 'brand',
        kit: uuid,
        names: new Map([
          ['sun', 'sunIcon'],
          [uuid, 'größe'],
        ]),
      },
    ])
  })

  test.each([
    [{ brand: { kit: uuid, names: { sun: '2 suns' } } }, /kits\.brand\.names gives sun the name 2 suns.*_2Suns/s],
    [{ brand: { kit: uuid, names: { sun: 'default' } } }, /cannot be exported/],
    [{ brand: { kit: uuid, names: { sun: 'a', moon: 'A' } } }, /gives the name A to sun and to moon/],
    [{ brand: { kit: uuid, names: { sun: 'a', SUN: 'b' } } }, /gives the name b to sun and to SUN/],
    [{ brand: 'icons@draft' }, /kits contains @\.[^]*Write \{ kit: 'icons', version: 'draft' \}/],
    [{ brand: { kit: `${uuid}@2` } }, /Write \{ kit: '3BD9[^']*', version: 2 \}/],
    [{ brand: { kit: uuid, names: { sun: 1 } } }, /Option kits must be/],
    [{ brand: { kit: uuid, verison: 1 } }, /^Unknown option kits\.brand\.verison\.\nDid you mean version\?/],
    [{ brand: { kit: uuid, darkpattern: '{name}' } }, /kits\.brand\.darkpattern\.\nDid you mean darkPattern/],
    [{ brand: { uuid } }, /^Unknown option kits\.brand\.uuid\.\nThe options are dark,/],
    [
      { brand: { kit: uuid, qqqqqq: 1 } },
      /kits\.brand\.qqqqqq\.\nThe options are dark, darkPattern, kit, names, source, version\.$/,
    ],
    [
      { a: { kit: uuid, names: { sun: 'one' } }, b: { kit: uuid.toLowerCase(), names: { sun: 'two' } } },
      /kits\.a and kits\.b are the same kit/,
    ],
  ])('with invalid names of assets are rejected: %j', async (kits, message) => {
    const options = JSON.parse(JSON.stringify({ space: 'space', kits }))
    await expect(resolve(options)).rejects.toThrow(message)
  })

  const incomplete: [string, object, string][] = [
    ['read', { name: 'icons', list }, 'read'],
    ['read, in an object of a class', new Listed(), 'read'],
    ['list', { name: 'icons', read: list }, 'list'],
    ['its name', { list, read: list }, 'name'],
  ]
  test.each(incomplete)('with a source without %s are rejected', async (_, source, key) => {
    const options = Object.assign({}, { kits: { ui: { source } } })
    await expect(resolve(options)).rejects.toThrow(`Option kits.ui.source.${key} is missing.`)
  })
})

describe('the environment', () => {
  test('is read from .env files in the order of Vite, after the process environment', async () => {
    await write(
      '.env',
      'HOST_NAME=two.example\nCONTENT_SPACE_URL=https://one.example\nCONTENT_SPACE_ID=1\nCONTENT_SPACE_TOKEN=one',
    )
    await write('.env.local', 'CONTENT_SPACE_URL=https://${HOST_NAME}')
    await write('.env.production', 'CONTENT_SPACE_ID=3')
    await write('.env.development', 'CONTENT_SPACE_ID=4')
    const { space } = await resolve({}, { CONTENT_SPACE_TOKEN: 'process' })
    if (!('credentials' in space)) throw new Error('Expected an address')
    expect(space.address.href).toBe('https://two.example/')
    expect(space.credentials.spaceId).toBe('3')
    expect(space.credentials.header()).toBe(`Basic ${btoa('3:process')}`)
  })

  test('is not read from a folder with the name of such a file', async () => {
    await mkdir(join(root, '.env'))
    await write('.env.local', 'CONTENT_SPACE_URL=space')
    expect((await resolve({})).space).toEqual({ folder: join(root, 'space') })
  })

  test.runIf(process.platform === 'linux')("reports a file that can't be read", async () => {
    await symlink('/proc/self/mem', join(root, '.env'))
    await expect(resolve({})).rejects.toMatchObject({ code: 'fileSystem', message: expect.stringContaining('.env ') })
  })

  test.runIf(process.platform !== 'win32')('may lack a home folder, so the cache is in the project', async () => {
    vi.stubEnv('HOME', '')
    vi.stubEnv('XDG_CACHE_HOME', undefined)
    try {
      expect((await resolve({ space: 'space' })).cacheDir).toBe(join(root, 'node_modules/.cache/content-space'))
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test.runIf(process.platform === 'linux')('may lack a home folder but have a folder for caches', async () => {
    vi.stubEnv('HOME', '')
    vi.stubEnv('XDG_CACHE_HOME', join(root, 'caches'))
    try {
      expect((await resolve({ space: 'space' })).cacheDir).toBe(join(root, 'caches/content-space'))
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('treats an empty variable as unset', async () => {
    await write('.env', 'CONTENT_SPACE_URL=space\nCONTENT_SPACE_CACHE=')
    const { space, cacheDir } = await resolve({}, { CONTENT_SPACE_URL: '', CONTENT_SPACE_CACHE: '' })
    expect(space).toEqual({ folder: join(root, 'space') })
    expect(cacheDir).not.toBe(root)
  })

  test("doesn't combine its credentials with an inline address's credentials", async () => {
    const { space } = await resolve(
      { space: 'https://7:inline@space.example/1' },
      { CONTENT_SPACE_ID: '1', CONTENT_SPACE_TOKEN: 'other' },
    )
    expect('credentials' in space && space.credentials.header()).toBe(`Basic ${btoa('7:inline')}`)
    expect('address' in space && space.address.href).toBe('https://space.example/')
  })
})

describe('the configuration file', () => {
  test.each([
    [
      'content-space.config.ts',
      "const kit: string = 'Brand'\nexport default { space: 'from-file', strict: true, kits: { brand: kit } }",
    ],
    ['content-space.config.js', "export default { space: 'from-file', strict: true, kits: { brand: 'Brand' } }"],
    ['content-space.config.mjs', "export default { space: 'from-file', strict: true, kits: { brand: 'Brand' } }"],
    ['content-space.config.json', '{ "space": "from-file", "strict": true, "kits": { "brand": "Brand" } }'],
    ['content-space.config.mts', "export default { space: 'from-file', strict: true, kits: { brand: 'Brand' } }"],
    ['content-space.config.cjs', "module.exports = { space: 'from-file', strict: true, kits: { brand: 'Brand' } }"],
    ['content-space.config.cts', "export = { space: 'from-file', strict: true, kits: { brand: 'Brand' as string } }"],
  ])('%s is read, and inline options take precedence', async (name, text) => {
    await write(name, text)
    expect(await resolve({ strict: false })).toMatchObject({
      space: { folder: join(root, 'from-file') },
      strict: false,
    })
    expect((await resolve()).kits.get('brand')).toEqual({ kit: 'brand', version: 'use' })
  })

  test('takes precedence over the environment, and can have any path', async () => {
    await write('other.json', '{ "space": "from-file" }')
    const env = { CONTENT_SPACE_URL: 'from-env' }
    const options = await resolveOptions({}, { root, mode: 'test', env, config: 'other.json' })
    expect(options.space).toEqual({ folder: join(root, 'from-file') })
  })

  test.each([
    ['content-space.config.ts', 'commonjs', 'export default'],
    ['content-space.config.cts', 'module', 'export ='],
    ['content-space.config.js', 'module', 'export default'],
    ['content-space.config.js', 'commonjs', 'export default'],
    ['content-space.config.js', 'commonjs', 'module.exports ='],
    ['content-space.config.mjs', 'commonjs', 'export default'],
    ['content-space.config.cjs', 'module', 'module.exports ='],
  ])('%s in a package of type %s, with %s, is read again each time', async (name, type, start) => {
    await write('package.json', JSON.stringify({ type }))
    for (const space of ['one', 'two']) {
      await write(name, `${start} { space: '${space}' }`)
      expect((await resolve()).space).toEqual({ folder: join(root, space) })
    }
    await write(name, `${start} {{`)
    await expect(resolve()).rejects.toMatchObject({ code: 'invalidOption' })
  })

  test.each([
    ['content-space.config.json', '{ "spaces": 1 }', 'Did you mean space, spaceId?'],
    ['content-space.config.json', '{', 'config.json:1:2 is not valid: '],
    ['content-space.config.json', '{\n  "space": "a",\n}', 'config.json:3:1 is not valid: '],
    ['content-space.config.json', '{\n  "space": "a"\n  "kits": {}\n}', 'config.json:3:3 is not valid: '],
    ['content-space.config.ts', 'export default {\n  token: "secret" "x"\n}', 'config.ts:2:19 is not valid: '],
    ['content-space.config.mjs', 'export default {\n  token: "secret" "x"\n}', 'config.mjs:2:19 is not valid: '],
    [
      'content-space.config.ts',
      'export const config = { space: "a" }',
      'config.ts has no default export.\nWrite `export',
    ],
    ['content-space.config.ts', 'const config = { space: "a" }', 'config.ts has no default export.'],
    ['content-space.config.ts', '', 'config.ts has no default export.'],
    ['content-space.config.mjs', 'export const config = { space: "a" }', 'config.mjs has no default export.'],
    [
      'content-space.config.json',
      '{\n  "space": "a",\n  "kit": {}\n}',
      'Unknown option kit in content-space.config.json:3.',
    ],
    [
      'content-space.config.ts',
      'export default {\n  space: "a",\n  aliases: {}\n}',
      'aliases in content-space.config.ts:3.',
    ],
    [
      'content-space.config.mjs',
      'const kits = {\n  brand: { kit: "brand",\n    verison: 2 } }\nexport default { space: "a", kits }',
      'Unknown option kits.brand.verison in content-space.config.mjs:3.\nDid you mean version?',
    ],
    [
      'content-space.config.ts',
      'export default {\n  tokens: [\n{ fiel: 1 }] }',
      'tokens.0.fiel in content-space.config.ts:3.',
    ],
    [
      'content-space.config.ts',
      'export default {\n  strict: 1 }',
      'Option strict in content-space.config.ts:2 must be',
    ],
    ['content-space.config.mjs', 'throw new Error("broken")', 'broken'],
    ['content-space.config.mjs', 'export default []', 'must be an object, not []'],
  ])('%s with %j is rejected', async (name, text, part) => {
    await write(name, text)
    expect((await refusal({})).message).toContain(part)
  })

  test('must exist when it is named explicitly', async () => {
    const host = { root, mode: 'production', env: {}, config: 'missing.ts' }
    await expect(resolveOptions({ space: 'space' }, host)).rejects.toMatchObject({ code: 'invalidOption' })
  })
})

describe('an invalid option', () => {
  test('is rejected with a suggestion of the nearest valid one', async () => {
    expect(await refusal({ space: 'space', cachedir: 'x' })).toMatchObject({
      code: 'invalidOption',
      hint: expect.stringMatching(/^Did you mean cacheDir\?/),
    })
  })

  test('is rejected with at most three names', async () => {
    expect((await refusal({ space: 'space', remotekey: 'x' })).hint?.split(',').length).toBeLessThanOrEqual(3)
    expect((await refusal({ space: 'space', unlike: 'x' })).hint).toBe('docs/options.md describes all options.')
  })

  test.each([
    ['space', ''],
    ['kits', { 'a/b': uuid }],
    ['kits', [uuid]],
    ['kits', { brand: { kit: uuid, version: 'latest' } }],
    ['presets', { hero: 1 }],
    ['presets', ['w=300']],
    ['metadata', 'all'],
    ['scan', 'src'],
    ['types', true],
    ['frozen', 'yes'],
    ['svg', 'clean'],
    ['refresh', 0],
    ['concurrency', 1.5],
    ['rateLimit', { requests: 1 }],
    ['timeout', Number.NaN],
    ['onProgress', 'log'],
  ])('%s: %j', async (name, value) => {
    const error = await refusal({ space: 'space', [name]: value })
    expect(error.code).toBe('invalidOption')
    expect(error.summary).toContain(`Option ${name} must be`)
  })

  test.each([
    ['widht=300', 'Unknown query key widht.', /^Did you mean w\?/],
    ['format=avfi', 'Query key format has the invalid value avfi.', /^Did you mean avif\?/],
    ['preset=logo', 'Preset hero refers to another preset.', /query of that preset/],
  ])('in a preset that no import uses is rejected: %s', async (query, message, hint) => {
    expect(await refusal({ space: 'space', presets: { hero: query, logo: 'svgo' } })).toMatchObject({
      code: 'invalidOption',
      summary: `Preset hero is invalid. ${message}`,
      hint: expect.stringMatching(hint),
    })
  })

  test('in a preset is named with its file, and an import may complete a preset', async () => {
    await write('content-space.config.json', '{ "space": "space", "presets": { "hero": "?widht=300" } }')
    expect((await refusal({})).summary).toContain('Preset hero in content-space.config.json:1 is invalid.')
    await rm(join(root, 'content-space.config.json'))
    const presets = { dense: 'dpr=1;2', ink: 'currentcolor', shown: 'as=component' }
    expect(await resolve({ space: 'space', presets })).toMatchObject({ presets })
  })

  test('reports a missing space with the next step', async () => {
    expect(await refusal({})).toMatchObject({
      code: 'invalidOption',
      hint: expect.stringContaining('CONTENT_SPACE_URL'),
    })
  })

  test('never prints a token', async () => {
    const errors = [
      await refusal({ space: `https://1:${token}@`, spaceId: 1 }),
      await refusal({ space: 'https://space.example', spaceId: {}, token }),
      await refusal({ space: 'https://space.example', token: [token] }),
      await refusal({ space: `ftp://1:${token}@space.example` }),
      await refusal({ space: 'space', kits: { brand: { kit: 'brand', token } } }),
      await refusal({ space: 'space', kits: [token] }),
      await refusal({ space: 'space', kits: { brand: `https://1:${token}@space.example` } }),
      await refusal({ space: 'space', tokens: token }),
      await refusal({ space: 'space', refresh: { token } }),
      await refusal({ space: 'space', remoteWrite: { remoteKey: token } }),
      await refusal({ space: 'space', apiKey: token }),
      await refusal({ space: 'space', rateLimit: { requests: 1, seconds: 1, password: token } }),
      await refusal({ space: 'space', scan: [{ secret: token }] }),
      await refusal({ space: 'space' }, { CONTENT_SPACE_OFFLINE: token }),
    ]
    for (const text of [`{ "token": ${token} }`, `{ "token": "${token}" "a": 1 }`, `"${token}"`]) {
      await write('content-space.config.json', text)
      errors.push(await refusal({}))
    }
    await rm(join(root, 'content-space.config.json'))
    const resolved = await resolve({ space: `https://1:${token}@space.example` })
    for (const value of [...errors, resolved]) {
      expect(inspect(value, { depth: Infinity })).not.toContain(token)
      expect(JSON.stringify(value)).not.toContain(token)
    }
  })
})

const serviceOf = async (...given: Parameters<typeof resolve>) => {
  const [source] = (await resolve(...given)).sources.values()
  if (!source || !('address' in source.space)) throw new Error('no service')
  return source.space
}

describe('sources of kits', () => {
  const press = { kit: uuid, source: {} }
  const env = {
    CONTENT_SPACE_URL: 'https://main.example',
    CONTENT_SPACE_ID: '7',
    CONTENT_SPACE_TOKEN: 'main-t0ken',
    CONTENT_SPACE_PRESS_URL: 'https://press.example',
    CONTENT_SPACE_PRESS_ID: '8',
    CONTENT_SPACE_PRESS_TOKEN: token,
  }
  test('come from variables with the alias, without printing the token', async () => {
    const { address, credentials } = await serviceOf({ kits: { press } }, env)
    expect(address.href).toBe('https://press.example/')
    expect(credentials.header()).toBe(`Basic ${Buffer.from(`8:${token}`).toString('base64')}`)
    expect(inspect(await resolve({ kits: { press } }, env), { depth: 9 })).not.toContain('t0ken')
  })

  test('never take the credentials of option space', async () => {
    const { CONTENT_SPACE_PRESS_TOKEN: _, ...without } = env
    expect(await refusal({ kits: { press } }, without)).toMatchObject({
      code: 'invalidOption',
      summary: 'The space at https://press.example requires a token.',
      hint: expect.stringContaining('CONTENT_SPACE_PRESS_TOKEN'),
    })
    const inline = { kit: uuid, source: { space: 'https://9:inl1ne-token@other.example' } }
    const { credentials } = await serviceOf({ kits: { press: inline } }, env)
    expect(credentials.header()).toBe(`Basic ${Buffer.from('9:inl1ne-token').toString('base64')}`)
  })

  test('need a uuid, an address, and an alias with variables of its own', async () => {
    const source = { space: 'https://press.example', token }
    const cases: [object, string][] = [
      [{ press: { source } }, 'Option kits.press.kit is missing'],
      [{ press: { kit: 'press-kit', source } }, 'Option kits.press.kit is not a uuid'],
      [{ news: { kit: uuid, source: {} } }, 'Option kits.news.source.space is missing'],
      [{ remote: { kit: uuid, source } }, 'has the same environment variables as option remote'],
      [{ 'a-b': { kit: uuid, source }, a_b: { kit: uuid, source } }, 'environment variables as kits.a-b'],
      [{ a: { kit: uuid, source }, b: { kit: uuid, source: { space: 'x' } } }, 'are one kit'],
      [{ a: { kit: uuid, source: { adress: 'x' } } }, 'Unknown option kits.a.source.adress'],
    ]
    for (const [kits, problem] of cases) expect((await refusal({ kits }, env)).summary).toContain(problem)
  })

  test('that are folders have a uuid by their path in the project, or that of kit.json', async () => {
    const found = async () => [...(await resolve({ kits: { icons: { source: './src/icons' } } })).sources]
    const [[derived, source] = ['']] = await found()
    expect(derived).toMatch(/^[0-9A-F]{8}-[0-9A-F]{4}-5/)
    expect(source).toEqual({ aliases: ['icons'], space: { folder: join(root, 'src/icons'), kit: derived } })
    expect((await resolve({ kits: { icons: { source: 'src/icons/' } } })).kits.get('icons')?.kit).toBe(derived)
    await mkdir(join(root, 'src/icons'), { recursive: true })
    await write('src/icons/kit.json', JSON.stringify({ uuid: uuid.toLowerCase() }))
    expect((await found())[0]?.[0]).toBe(uuid)
    for (const [icons, problem] of [
      [{ kit: uuid, source: './src/icons' }, 'has kit, but its source is a folder'],
      [{ source: 'https://7:t0ken@host.example' }, 'is the path of a folder, not an address'],
      [{ version: 1 }, 'Option kits.icons.kit is missing'],
    ] as const)
      expect((await refusal({ space: 'space', kits: { icons } })).summary).toContain(problem)
  })

  test('make option space unnecessary, but only for all kits', async () => {
    const source = { space: 'https://press.example', token }
    expect((await resolve({ kits: { press: { kit: uuid, source } } })).space).toEqual({ none: true })
    const error = await refusal({ kits: { press: { kit: uuid, source }, brand: uuid } })
    expect(error.summary).toContain('Option space is missing')
    expect(error.hint).toContain('kits.brand')
  })
})

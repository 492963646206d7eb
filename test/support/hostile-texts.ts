import { svg, type Files } from './space.js'

/**
 * Texts that control terminals or CI logs, or mislead readers. A service may return them in any field. They contain
 * sequences that this package and the bundlers never write themselves (`5;41`, `7A`), so that a test can distinguish
 * them from colors and progress bars.
 */
export const steering = {
  colour: 'a\u001B[5;41mred\u001B[0m',
  cursor: 'a\u001B[7A\u001B[2Jgone',
  'clipboard (OSC 52)': 'a\u001B]52;c;ZXZpbA==\u0007b',
  'link (OSC 8)': 'a\u001B]8;;https://evil.example\u001B\\link\u001B]8;;\u001B\\',
  'title (OSC 0)': 'a\u001B]0;title\u0007',
  'C1 controls': 'a\u009B5;41mred\u009D52;c;ZXZpbA==\u009C\u0085b',
  'carriage return': 'good\rbad',
  'backspace and bell': 'good\b\b\b\bbad\u0007',
  'line feed': 'first\n::error file=a.js::second',
  'other line ends': 'a\u000Bb\u000Cc\u2028d\u2029e',
  tab: '\t::debug::tab',
  NUL: 'a\u0000b',
  'bidi override': 'a\u202Egpj.exe',
  'bidi isolates': 'a\u2066b\u2067c\u2068d\u2069e\u061C\u200E\u200F',
  'zero width': 'a\u200Bb\u200Cc\u200Dd\u2060e\uFEFFf\u00ADg\u180Eh',
  tags: `a${Array.from('evil', (char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('')}`,
  'variation selectors': 'a\uFE00b\u{E0100}c\u3164d\uFFA0e',
  'GitHub: mask': '::add-mask::e',
  'GitHub: output': ' \u00A0::set-output name=a::b',
  'GitHub: error': '::error file=app.js,line=1::forged',
  'GitHub: stop': '::stop-commands::x',
  'GitHub: old form': 'a ##[error]forged ##[add-matcher]x ###[group]',
  Azure: 'a ##vso[task.setvariable variable=a]b ##VSO[task.complete]',
  TeamCity: "a ##teamcity[buildStatus status='SUCCESS']",
  GitLab: 'section_start:1:a[collapsed=true]\r\u001B[0Ka',
} as const satisfies Record<string, string>

/** Texts with a special meaning in code, markup, paths, or identifiers. */
export const meaningful = {
  script: '</script><script>hit()</script>',
  picture: `"><img src=x onerror='hit()'>`,
  comment: '*/ hit() /* --> <!-- ]]>',
  template: '${hit()} `hit()` {{hit()}} #{hit()}',
  quotes: `a'b"c\\d\\'e\\"`,
  code: 'x } from "data:text/javascript,hit()"; export { y',
  markdown: '[x](javascript:hit()) **b** | #1 @org/team ![i](https://evil.example/a.png) <!-- x',
  shell: '$(hit) `hit` ; hit & hit | hit > x',
  prototype: '__proto__',
  constructor: 'constructor',
  'lone surrogate': 'a\uD800b\uDFFF',
  long: 'n'.repeat(300),
  device: 'CON',
  path: '../../../etc/passwd',
  'Windows path': 'C:\\x\\..\\a. ',
  'right to left': 'שלום עולם',
  empty: '',
} as const satisfies Record<string, string>

export const hostileTexts: readonly string[] = [...Object.values(steering), ...Object.values(meaningful)]

/** All of `steering` in one text, for fields that occur only once in a space. */
export const everything = Object.values(steering).join(' ')

/** Matches colors and cursor movements that this package, its progress bar, and bundlers write themselves. */
const own = /\p{Cc}\[(?!5;41|7A|2J)(?:[\d;]*m|\?(?:25|2026)[hl]|\d*[AGK])/gu

/**
 * Returns the parts of an output that control a terminal or a CI service.
 * @param drawn whether the output is for a terminal; then colors and sequences of a progress bar are ignored
 */
export function steered(output: string, drawn = false): string[] {
  const text = drawn ? output.replace(own, '').replaceAll('\r\n', '\n') : output
  const hidden = text.match(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}].{0,20}/gu) ?? []
  const commands = text.split('\n').flatMap((line) => line.match(/^\s*::.*|##\w*\[.*/gi) ?? [])
  return [...hidden, ...commands].map((found) => JSON.stringify(found))
}

export const hostileKit = '3BD9A8C0-1111-4222-8333-444455556666'

/** Returns the uuid of the asset that has a text as its name. */
function hostileAsset(index: number): string {
  return `237C41F2-AAAA-4BBB-8CCC-${String(index).padStart(12, '0')}`
}

/** Returns a kit of hostile texts. Each text is the name of an asset, and `everything` is in all other fields. */
export function hostileSpace(): Files {
  const cuts = {
    available_types: [
      { type: everything, enabled: true },
      { type: 'PNG', enabled: false },
    ],
    presets: [{ type: everything, size: everything, description: everything }],
  }
  const about = {
    notes: everything,
    keywords: `${everything},logo`,
    permalink: everything,
    thumbnails: { small: everything },
    colors: [everything],
    legacy: everything,
  }
  const version = (folder: string, edition: number): Files => ({
    [`${folder}/01 Logos/section.json`]: {
      name: everything,
      items: [
        { heading: everything, display_size: everything },
        ...hostileTexts.map((_, at) => ({ file: `a-${at}.svg`, display_size: everything })),
        { type: everything, data: { text: everything } },
        'data.json',
      ],
    },
    [`${folder}/01 Logos/data.json`]: {
      ...about,
      uuid: hostileAsset(999),
      name: everything,
      type: everything,
      meta: { text: everything },
    },
    ...Object.fromEntries(
      hostileTexts.flatMap((name, at): [string, Files[string]][] => [
        // The first file differs between versions. One of them contains a script, which is removed with a warning.
        [
          `${folder}/01 Logos/a-${at}.svg`,
          at === 1
            ? svg(`${at}`).replace('</svg>', '<script>hit()</script></svg>')
            : svg(`${at} ${at < 3 ? edition : ''}`),
        ],
        [
          `${folder}/01 Logos/a-${at}.json`,
          { ...about, filecuts: cuts, uuid: hostileAsset(at), name: edition === 1 && at < 5 ? `${name} before` : name },
        ],
      ]),
    ),
  })
  return {
    'space.json': { space_id: 7, name: everything },
    'brand/kit.json': {
      uuid: hostileKit,
      name: everything,
      status: everything,
      use_version: 1,
      cover: 'https://evil.example/a',
      versions: [
        { version: 1, version_identifier: everything, notes: everything, status: everything, folder: 'versions/1' },
        { version: 0, version_identifier: everything, notes: everything },
      ],
    },
    ...version('brand', 0),
    ...version('brand/versions/1', 1),
  }
}

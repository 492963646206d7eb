import { mkdir, writeFile } from 'node:fs/promises'

/*
 * Writes `client.d.ts`, with the types for all ids that `content-space.d.ts` doesn't declare exactly, and a file for
 * each framework. TypeScript can't match a part of a query, so each form of an import has its own patterns.
 */

const asset = (name) => `import('unplugin-content-space/asset').${name}`

/** The result of each form of an import: the type, for one asset, and for each asset of a kit or section. */
const forms = {
  url: ['string', 'The URL of the file in the output.', 'the URL of each file, in display order.'],
  raw: ['string', 'The text of the file.', 'the text of each file, in display order.'],
  inline: ['string', 'The file as a data URI.', 'each file as a data URI, in display order.'],
  picture: [
    asset('Picture'),
    'What `picture()` of `unplugin-content-space/picture` needs.',
    'a picture for each asset, in display order.',
  ],
  metadata: [
    asset('AssetMetadata'),
    'A description of the asset. No file is downloaded.',
    'descriptions of its assets. No file is downloaded.',
  ],
  asset: [asset('Asset'), 'The asset: URL, format, size and description.', 'its assets, in display order.'],
}
const full = [
  asset('FullAsset'),
  'The asset, with its whole record.',
  'the whole record of each asset, in display order.',
]
const component = (framework) => [
  `import('unplugin-content-space/${framework}').AssetComponent`,
  'A component: an SVG inline, another picture as `<img>` or `<picture>`.',
  'a component for each picture, in display order.',
]

/**
 * TypeScript reports a named import from a wildcard module as a mistake in the import, and we can't change that
 * message.
 */
const hint = 'To import assets by name, run `npx content-space sync`, which declares the names.'

const kinds = {
  asset: ([type, one]) => [one, type],
  kit: ([type, , each]) => [`A kit, with ${each} ${hint}`, `${asset('Kit')}<${type}>`],
  section: ([type, , each]) => [
    `A section, or the items under one of its headings, with ${each} ${hint}`,
    `${asset('SectionContent')}<${type}>`,
  ],
}

const others = {
  kits: ['All kits of the space.', `${asset('KitSummary')}[]`],
  'tokens/*': ['The colors and fonts of a kit.', '{ colors: typeof colors; fonts: typeof fonts }'],
  'app-icons/*': ['Application icons: files, manifest and links.', asset('AppIcons')],
  'outline/*': ['Sections and headings of a kit, without items.', asset('KitOutline')],
}
const namedExports = {
  'tokens/*': `  /** The colors of a kit, by export name, in display order. */
  export const colors: Record<string, ${asset('ColorToken')}>
  /** The fonts of a kit, by export name, in display order. */
  export const fonts: Record<string, ${asset('FontToken')}>
`,
}

/** @param {string} id @param {[comment: string, type: string]} exported */
function declare(id, [comment, type]) {
  const named = namedExports[id] ?? ''
  return `declare module 'content-space:${id}' {\n${named}  /** ${comment} */\n  const content: ${type}\n  export default content\n}\n`
}

/** @param {[query: string, form: string[]][]} patterns of equally long patterns, TypeScript uses the first */
function declareAll(patterns) {
  return Object.entries(kinds).flatMap(([kind, describe]) => [
    ...(kind === 'asset' ? [] : patterns.flatMap(([query, form]) => declareLazy(kind, query, form))),
    ...patterns.map(([query, form]) => declare(`${kind}/*${query}`, describe(form))),
  ])
}

/** @param {string} kind @param {string} query @param {string[]} form */
function declareLazy(kind, query, [type]) {
  const key = query.replace(/^[?&]/, '')
  const queries =
    key === '' ? ['?lazy', '&lazy'] : [`${query}&lazy`, ...(query.startsWith('&') ? [] : [`?lazy&${key}`])]
  const comment = 'Functions that import each asset, by slug.'
  return queries.map((text) => declare(`${kind}/*${text}`, [comment, `Record<string, () => Promise<${type}>>`]))
}

/**
 * @param {string} folder
 * @param {{ importForms: readonly string[], shorthands: readonly string[], frameworks: readonly string[] }} tables
 */
export async function writeClientTypes(folder, { importForms, shorthands, frameworks }) {
  const named = importForms.filter((form) => !['asset', 'component', ...frameworks].includes(form))
  const unknown = named.filter((form) => !(form in forms))
  if (unknown.length > 0) throw new Error(`client-types.mjs has no types for as=${unknown.join(', ')}.`)
  const patterns = [
    ...shorthands.flatMap((form) => ['?', '&'].map((mark) => [mark + form, forms[form]])),
    ...named.map((form) => [`as=${form}`, forms[form]]),
    ['metadata=full', full],
    ['', forms.asset],
  ]
  const declarations = Object.entries(others).map(([id, exported]) => declare(id, exported))
  await write('client', 'all ids', [...declarations, ...declareAll(patterns)])
  await mkdir(`${folder}/client`)
  for (const framework of frameworks) {
    const own = declareAll([[`as=${framework}`, component(framework)]])
    await write(`client/${framework}`, `ids with \`as=${framework}\``, own)
  }

  async function write(name, ids, texts) {
    const comment = `/**\n * Types for ${ids} that \`content-space.d.ts\` does not declare exactly:\n * \`/// <reference types="unplugin-content-space/${name}" />\`. Of equally long patterns, TypeScript uses\n * the first: reference those of a framework before \`unplugin-content-space/client\`.\n */\n`
    await writeFile(`${folder}/${name}.d.ts`, `${comment}${texts.join('')}`)
    await writeFile(`${folder}/${name}.js`, 'export {}\n')
  }
}

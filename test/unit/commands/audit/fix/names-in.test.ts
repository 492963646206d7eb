import { expect, test } from 'vitest'
import { fileNamesIn } from '../../../../../src/commands/audit/fix/names-in.js'

const file = 'src/icons/leaf.svg'

test.each([
  "import('./icons/leaf.svg')",
  '![Leaf](./icons/leaf.svg)',
  "import.meta.glob('./**')",
  "require.context('./icons')",
  'import(`./icons/${name}.svg`)',
  'import(`./icons/${name}`)',
  'import(`./icons/l-${name}`)',
  'import(`../${folder}/${name}.svg`)',
  "fetch('/src/icons/' + name + '.svg')",
  "fetch('/src/icons/l-' + name)",
  "join(root, folder, name + '.svg')",
  "icons = { leaf: './icons/leaf' }",
  '<Icon name="leaf">',
  "copy({ src: 'src/icons/*' })",
  "copy({ from: 'src/icons', to: 'dist' })",
  "copy({ src: '**/*.svg' })",
])('%s may name a file', (text) => expect(fileNamesIn(text, 'src/main.js')(file)).toBe(true))

test.each([
  "import leaf from 'content-space:asset/icons/leaf'",
  "import { leaf } from './icons'",
  "import './icons/own.svg'",
  "import('./icons/Own')",
  '<img src="./icons/own.svg" alt="">',
  'a { background: url(icons/own.svg#part) }',
  "declare module '*.svg'",
  '{ "include": ["src"], "paths": { "@/*": ["./src/*"] } }',
  "content: ['./src/**/*.{js,ts}']",
  'import(`./${name}`)',
])('%s names other files', (text) => expect(fileNamesIn(text, 'src/main.js')(file)).toBe(false))

test("a path relative to the file's folder is found", () => {
  expect(fileNamesIn('import(`./${name}`)', 'src/icons/index.js')(file)).toBe(true)
})

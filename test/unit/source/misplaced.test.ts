import { describe, expect, test } from 'vitest'
import { scanMisplaced } from '../../../src/source/uses.js'

const id = 'content-space:asset/brand/logo'
const found = (code: string, file: string) =>
  scanMisplaced(code, file).map(({ specifier, line, misplaced }) => ({ specifier, line, ...misplaced }))

describe('an id that remains plain text', () => {
  test.each<[file: string, code: string, attribute?: string]>([
    ['a.tsx', `export default () => <img src="${id}" />`, 'src'],
    ['a.jsx', `export default () => <img src={dark ? '${id}' : \`${id}\`} />`, 'src'],
    ['a.jsx', `export default () => <use xlink:href='${id}' />`, 'xlink:href'],
    ['a.jsx', `export default () => <Card picture={{ large: '${id}' }} />`, 'picture'],
    ['a.jsx', `export default () => <a style={{ backgroundImage: "url('${id}')" }} />`, 'style'],
    ['a.jsx', `export default () => <style>{\`a { background: url(${id}) }\`}</style>`, 'style'],
    [
      'a.jsx',
      `export default () => <p dangerouslySetInnerHTML={{ __html: '<img src="${id}">' }} />`,
      'dangerouslySetInnerHTML',
    ],
    ['a.jsx', `const logo = '${id}'\nexport default () => <img src={logo} />`],
    ['a.jsx', `const tiles = [{ icon: '${id}' }]\nexport default () => tiles.map((t) => <Tile {...t} />)`, 'icon'],
    ['a.js', `image.src = '${id}'`, 'src'],
    ['a.js', `link.style.backgroundImage = 'url(${id})'`, 'backgroundImage'],
    ['a.js', `image.setAttribute('src', '${id}')`],
    ['a.js', `h('img', { src: '${id}' })`, 'src'],
    ['a.js', `document.body.insertAdjacentHTML('beforeend', '<img src="${id}">')`],
    ['a.js', `export const page = () => '<img src="${id}">'`],
    ['a.js', `import { html } from 'lit'\nexport const page = html\`<img src="${id}">\``],
    ['a.js', `import styled from 'styled-components'\nexport const A = styled.a\`background: url(${id})\``],
    ['a.ts', `export default { icons: [{ src: '${id}' }] }`, 'src'],
    ['a.vue', `<template>\n<img src="${id}"></template>`, 'src'],
    ['a.vue', `<template><img :src="'${id}'"></template>`, 'src'],
    ['a.vue', `<template><p style="background: url(${id})"></p></template>`, 'style'],
    ['a.vue', `<script setup>\nconst logo = '${id}'</script><template><img :src="logo"></template>`],
    ['a.svelte', `<img src='${id}'>`, 'src'],
    ['a.svelte', `<img src={"${id}"}>`, 'src'],
    ['a.astro', `---\nconst a = 1 < 2\n---\n<img src="${id}">`, 'src'],
  ])('in %s: %s', (file, code, attribute) => {
    const uses = found(code, file)
    const line = code.slice(0, code.indexOf('content-space:')).split('\n').length
    expect(uses[0]).toMatchObject({ specifier: id, line, ...(attribute === undefined ? {} : { attribute }) })
    expect(new Set(uses.map(({ specifier }) => specifier)).size).toBe(1)
  })
})

describe("text that isn't an id", () => {
  test.each([
    ['a.jsx', `import a from '${id}'\nexport default () => <img src={a.src} onClick={() => import('${id}?raw')} />`],
    ['a.jsx', `export default () => <code>{'${id}'}</code>`],
    ['a.jsx', `export default () => <p title="${id}">Write ${id}</p>`],
    ['a.jsx', `export default () => <Code code="import a from '${id}'" />`],
    ['a.ts', `vi.mock('${id}', () => ({ default: { src: '' } }))`],
    ['a.ts', `const id = '${id}'\nif (text.startsWith('${id}')) load(id)`],
    ['a.ts', `export default { optimizeDeps: { exclude: ['${id}'] } }`],
    ['a.test.tsx', `expect(<img src="${id}" />)`],
    ['box.css.ts', `export const box = style({ backgroundImage: 'url(${id})' })`],
    ['a.js', `import { css } from '@linaria/core'\nexport const a = css\`background: url(${id})\``],
    ['a.vue', `<template><p title="${id}">${id}</p></template>\n<style>a { background: url(${id}) }</style>`],
    [
      'a.svelte',
      `<script>\nimport logo from '${id}'\n</script>\n<img src={logo.src} alt="${id}">\n<!-- <img src="${id}"> -->`,
    ],
    ['a.html', `<img src="${id}">`],
    ['a.md', `Write \`<img src="${id}">\`.`],
  ])('in %s: %s', (file, code) => expect(found(code, file)).toEqual([]))
})

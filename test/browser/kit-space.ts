import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Files } from '../support/space.js'
import { firstLine } from '../support/child.js'

export const main = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))

export const hostileName = '<img src=x onerror=hit()> "quoted" & \u202Eright'
export const rightToLeft = 'شعار الشركة الرئيسي باللون الأبيض للخلفيات الداكنة'
export const shortRightToLeft = 'شعار'
const hostileRule = `Leave space around it. <script>hit()</script> ${'It needs air. '.repeat(12)}`
export const longName = 'A very long name '.repeat(18).trim()

/** Returns a kit that contains everything, a large kit, and an empty kit, in a project that uses three assets. */
export function kitFiles(large: number): Files {
  const files: Files = {
    'space/brand/kit.json': { name: 'Brand' },
    'space/space.json': { fields: [{ name: 'Rights', type: 'select', options: ['Web', 'Print only'] }] },
    'space/empty/kit.json': { name: 'Empty' },
    'space/brand/01 Logos/acme-logo.svg': drawing('#103437'),
    'space/brand/01 Logos/acme-logo.json': {
      name: 'Acme Logo',
      keywords: 'mark, primary',
      notes: 'On light grounds.',
      fields: { Rights: 'Web' },
    },
    'space/brand/01 Logos/white-logo.svg': drawing('#ffffff'),
    'space/brand/02 Colors/coral.json': { color: '#e5603f' },
    'space/brand/02 Colors/sun.json': { color: '#f4ab33' },
    'space/brand/03 Odd/Files/hostile.svg': drawing('#aa0000', '<script>hit()</script>'),
    'space/brand/03 Odd/Files/hostile.json': {
      name: hostileName,
      notes: '<script>hit()</script>',
      keywords: '<b>bold</b>',
    },
    'space/brand/03 Odd/Files/rtl.svg': drawing('#00aa00'),
    'space/brand/03 Odd/Files/rtl.json': { name: rightToLeft },
    'space/brand/03 Odd/Files/short-rtl.svg': drawing('#00aa00'),
    'space/brand/03 Odd/Files/short-rtl.json': { name: shortRightToLeft },
    'space/brand/03 Odd/Files/blank.svg': drawing('#00aaaa'),
    'space/brand/03 Odd/Files/blank.json': { name: '\u00a0' },
    'space/brand/03 Odd/Files/long.svg': drawing('#0000aa'),
    'space/brand/03 Odd/Files/long.json': { name: longName },
    'space/brand/03 Odd/Files/broken.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
    'space/brand/03 Odd/Files/archive.zip': 'PK',
    'space/brand/04 Rules/right.svg': drawing('#103437'),
    'space/brand/04 Rules/right.json': { fields: { Rights: 'Print only', Expires: '2027-01-31' } },
    'space/brand/04 Rules/wrong.svg': drawing('#ffffff'),
    'space/brand/04 Rules/poster.svg': drawing('#103437'),
    'space/brand/04 Rules/section.json': {
      items: [
        { type: 'inline_note', content: `Use the logo on white. ${hostileName}` },
        { type: 'guide', title: 'Do', content: hostileRule, color: '#2e7d32', file: 'right.svg' },
        { type: 'guide', title: "Don't", content: 'Stretch it.', color: 'url(//evil.example)', file: 'wrong.svg' },
        { type: 'guide', title: 'Ask', content: 'before you print it.' },
        { type: 'code_snippet', content: 'npm install', language: 'sh' },
        { type: 'gallery', name: 'Campaign 2026', files: ['poster.svg'] },
        { file: 'right.svg', display: { caption: `The mark on paper. ${rightToLeft}` } },
      ],
    },
    'content-space.config.json': {
      space: './space',
      kits: { brand: { kit: 'brand', dark: { 'acme-logo': 'white-logo' } }, second: 'brand' },
    },
    'package.json': { name: 'project', dependencies: { react: '19' } },
    'public/white.svg': drawing('#ffffff'),
    'src/main.js': [
      "import { acmeLogo, coral } from 'content-space:kit/brand'",
      "import bad from 'content-space:asset/brand/acme-lgo'",
      'console.log(acmeLogo, coral, bad)',
    ].join('\n'),
  }
  for (let at = 0; at < large; at++) {
    const section = `${String(Math.floor(at / 500) + 1).padStart(2, '0')} Part ${Math.floor(at / 500) + 1}`
    const name = `${words[at % words.length]}-${words[(at * 7 + 3) % words.length]}-${String(at).padStart(5, '0')}`
    files[`space/library/${section}/${name}.svg`] = drawing(`hsl(${(at * 47) % 360} 70% 45%)`)
    if (at % 5 === 0) files[`space/library/${section}/${name}.json`] = { notes: notesOf(at) }
  }
  return files
}

const words = 'arrow bell cloud door engine flag garden house island jacket kite lamp mountain'.split(' ')

/** Returns a long text that contains all words several times in pseudorandom order. */
const notesOf = (seed: number): string =>
  Array.from({ length: 80 }, (_, at) => noted[(seed * 31 + at * at * 7 + at) % noted.length]).join(' ')
const noted = 'campaign spring product agency license europe photographer banner approved guidelines usage'.split(' ')

const drawing = (color: string, more = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48" viewBox="0 0 64 48">${more}<circle cx="32" cy="24" r="20" fill="${color}"/></svg>`

/** Runs `content-space browse` in a folder. */
export async function browse(folder: string, port = 0): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [main, 'browse', '--port', String(port), '--json'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], CONTENT_SPACE_CACHE: join(folder, '.cache') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async () => {
    const closed = once(child, 'close')
    child.kill('SIGINT')
    await closed
  }
  const { url }: { url: string } = JSON.parse(await firstLine(child))
  return { url, stop }
}

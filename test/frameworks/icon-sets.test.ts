import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeBrowser, collectProblems, openPage } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject

beforeAll(async () => {
  project = await openProject('icon-sets')
  await project.run('content-space', 'pull', 'brand', '--module', 'iconify', '--prefix', 'brand', '--out', 'icons')
})

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

test('UnoCSS and Tailwind draw icons of the set: of one color in the color of the text, others in their own', async () => {
  await project.run('vite', 'build')
  const { url } = await project.serve((port) => ['vite', 'preview', '--host', '127.0.0.1', '--port', `${port}`])
  const page = await openPage()
  const problems = collectProblems(page)
  await page.goto(url, { waitUntil: 'networkidle' })
  const colorsOf = async (icon: string) => {
    const shot = await page.locator(`[data-icon="${icon}"]`).screenshot()
    const { data, info } = await sharp(shot).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const pixels = Array.from({ length: info.width * info.height }, (_, at) => data.subarray(at * 3, at * 3 + 3))
    const count = (color: number[]) => pixels.filter((pixel) => color.every((value, at) => pixel[at] === value)).length
    return { red: count([255, 0, 0]) > 20, orange: count([0xf4, 0xa9, 0x35]) > 20, size: [info.width, info.height] }
  }
  for (const tool of ['uno', 'tailwind']) {
    expect(await colorsOf(tool), tool).toEqual({ red: true, orange: false, size: [48, 48] })
    expect(await colorsOf(`${tool}-palette`), tool).toEqual({ red: false, orange: true, size: [48, 48] })
  }
  expect(problems).toEqual([])
  await page.close()
})

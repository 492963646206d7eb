import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import contentSpace from 'unplugin-content-space/vite'
import { imagetools } from 'vite-imagetools'
import { inFolder, timed, viteBuild } from './measure.js'

const photographs = ['coast-at-dawn', 'tide-lines', 'ridge-in-fog', 'pines-in-mist', 'dunes-at-noon']
const source = new URL('../playground/space/solvane/04 Photographs/', import.meta.url)
const query = 'w=480;960;1440&format=webp;jpg'

/** 50 photographs to three widths in two formats, in a production build with Vite, against vite-imagetools. */
export function pictures(): Promise<object> {
  return inFolder(async (root) => {
    const names = await writePhotographs(join(root, 'space/kit/Photographs'))
    const options = { space: './space', cacheDir: join(root, 'cache'), types: false } as const
    const imports = (specifier: (name: string) => string) =>
      names.map((name, at) => `import photo${at} from '${specifier(name)}'; console.log(photo${at})`).join('\n')

    await writeFile(join(root, 'main.js'), imports((name) => `content-space:asset/kit/${name}?${query}`))
    const ours = () => viteBuild(root, contentSpace(options))
    const [cold, warm] = [await timed(ours), await timed(ours)]

    await writeFile(join(root, 'main.js'), imports((name) => `./space/kit/Photographs/${name}.jpg?${query}&as=picture`))
    const theirs = () => viteBuild(root, imagetools({ cache: { enabled: true, dir: join(root, 'imagetools') } }))
    await rm(join(root, 'dist'), { recursive: true })
    const [theirCold, theirWarm] = [await timed(theirs), await timed(theirs)]

    return { 'content-space': { cold, warm, 'cold / warm': round(cold / warm) }, 'vite-imagetools': { cold: theirCold, warm: theirWarm } }
  })
}

/** Fifty different pictures out of those of the playground: turned, mirrored and tinted. */
async function writePhotographs(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const names = Array.from({ length: 50 }, (_, at) => `photo-${at}`)
  for (const [at, name] of names.entries()) {
    const picture = sharp(new URL(`${photographs[at % 5]}.jpg`, source).pathname.replaceAll('%20', ' '))
    await picture
      .resize(1800, 1200)
      .flop(at % 2 === 0)
      .modulate({ hue: at * 7 })
      .jpeg({ quality: 85 })
      .toFile(join(folder, `${name}.jpg`))
  }
  return names
}

function round(ratio: number): number {
  return Math.round(ratio * 10) / 10
}

import { readFile } from 'node:fs/promises'
import presetIcons from '@unocss/preset-icons'

export default {
  presets: [
    presetIcons({
      collections: { brand: async () => JSON.parse(await readFile('icons/brand.json', 'utf8')) },
      extraProperties: { display: 'inline-block' },
    }),
  ],
}

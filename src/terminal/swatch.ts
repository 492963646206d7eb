import ansi from 'ansi-styles'
import { type Part } from '../text/display.js'

/** Returns two blocks in a color. A terminal without colors prints only the text beside them. */
export function swatch([red, green, blue]: readonly [number, number, number]): Part {
  const code = ansi.rgbToAnsi256(red, green, blue)
  return {
    codes: { 24: [38, 2, red, green, blue], 8: [38, 5, code], 4: [ansi.ansi256ToAnsi(code)] },
    text: '██',
  }
}

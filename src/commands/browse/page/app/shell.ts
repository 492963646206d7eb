import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Project } from '../../../shared/kit-page/data.js'
import type { FontLoader } from '../preview/font.js'
import type { Look } from '../preview/look.js'
import type { Watch } from '../preview/visible.js'
import type { Copy } from './copy.js'
import type { Ground } from './settings.js'

/** The values that every part of the page may need. */
export interface Shell {
  project: Project
  copy: Copy
  say: (text: string) => void
  isDark: boolean
  ground: Ground
  watch: Watch
  fonts: FontLoader
  /** The looks of loaded pictures, by path; `broken` for pictures that can't be displayed. */
  looks: Map<string, Look | 'unknown' | 'broken'>
}

export const ShellContext = createContext<Shell | undefined>(undefined)

export function useShell(): Shell {
  const shell = useContext(ShellContext)
  if (!shell) throw new Error('A part of the page is outside of its shell.')
  return shell
}

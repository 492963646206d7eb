/** What is downloaded instead of an original. */
export interface Cut {
  /** As the service spells it: `PNG`. */
  type: string
  /** `<width>x<height>` in pixels, of a picture that the service draws in that size. */
  dimensions?: string | undefined
  /** Dots per inch, likewise. */
  dpi?: string | undefined
}

/** Names a cut for the lockfile and the cache: `PNG`, `PNG@1280x960` or `PNG@300dpi`. */
export function writeCut({ type, dimensions, dpi }: Cut): string {
  const size = dimensions ?? (dpi && `${dpi}dpi`)
  return size ? `${type}@${size}` : type
}

export function readCut(name: string): Cut {
  const [, type = name, dimensions, dpi] = /^(.+)@(?:(\d+x\d+)|(\d+)dpi)$/.exec(name) ?? []
  return { type, dimensions, dpi }
}
